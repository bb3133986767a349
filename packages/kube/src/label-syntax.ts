/** How labels are written, in the words of the API server. Source: k8s.io/apimachinery, util/validation. */

const subdomainPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const namePattern = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const valuePattern = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/

/** Nearly every key is right, and there are very many of them. */
const qualifiedNamePattern =
  /^(?:(?=[^/]{1,253}\/)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/)?(?=[^/]{1,63}$)(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/

const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const nameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

/** @param unit names of objects are counted in characters, parts of labels in bytes, by the words of the server */
const atMost = (length: number, unit: 'bytes' | 'characters' = 'bytes'): string =>
  `must be no more than ${length} ${unit}`

/** What is wrong with a name in the form of a DNS subdomain; empty when nothing is. */
export const subdomainErrors = (name: string, unit: 'bytes' | 'characters' = 'characters'): string[] => [
  ...(name.length > 253 ? [atMost(253, unit)] : []),
  ...(subdomainPattern.test(name) ? [] : [subdomainRule]),
]

/** What is wrong with `name` or `dns.prefix/name`, as keys of labels are; empty when nothing is. */
export function qualifiedNameErrors(text: string): string[] {
  if (qualifiedNamePattern.test(text)) return []
  const [first = '', second, ...others] = text.split('/')
  if (others.length > 0) {
    return [`a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`]
  }
  const [prefix, name] = second === undefined ? [undefined, first] : [first, second]
  const faults: string[] = []
  if (prefix === '') faults.push('prefix part must be non-empty')
  else if (prefix !== undefined) faults.push(...subdomainErrors(prefix, 'bytes').map((fault) => `prefix part ${fault}`))
  if (name === '') faults.push('name part must be non-empty')
  else if (name.length > 63) faults.push(`name part ${atMost(63)}`)
  if (!namePattern.test(name)) faults.push(`name part ${nameRule}`)
  return faults
}

/** What is wrong with the value of a label; empty when nothing is. */
export const labelValueErrors = (value: string): string[] => [
  ...(value.length > 63 ? [atMost(63)] : []),
  ...(valuePattern.test(value) ? [] : [valueRule]),
]

export const isLabelValue = (value: string): boolean => labelValueErrors(value).length === 0
