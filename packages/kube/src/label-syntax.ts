/** Label syntax, with the error messages of the API server. Source: k8s.io/apimachinery, util/validation. */

const subdomainPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const namePattern = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const valuePattern = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/

/** Fast path: there are very many keys, and nearly all of them are valid. */
const qualifiedNamePattern =
  /^(?:(?=[^/]{1,253}\/)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/)?(?=[^/]{1,63}$)(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/

const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const nameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

/** @param unit the server's messages count object names in characters and label parts in bytes */
const atMost = (length: number, unit: 'bytes' | 'characters' = 'bytes'): string =>
  `must be no more than ${length} ${unit}`

/** Errors of a name that must be a DNS subdomain; empty if it is valid. */
export const subdomainErrors = (name: string, unit: 'bytes' | 'characters' = 'characters'): string[] => [
  ...(name.length > 253 ? [atMost(253, unit)] : []),
  ...(subdomainPattern.test(name) ? [] : [subdomainRule]),
]

/** Errors of a qualified name (`name` or `dns.prefix/name`), the form of label keys; empty if it is valid. */
export function qualifiedNameErrors(text: string): string[] {
  if (qualifiedNamePattern.test(text)) return []
  const [first = '', second, ...others] = text.split('/')
  if (others.length > 0) {
    return [`a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`]
  }
  const [prefix, name] = second === undefined ? [undefined, first] : [first, second]
  const errors: string[] = []
  if (prefix === '') errors.push('prefix part must be non-empty')
  else if (prefix !== undefined) errors.push(...subdomainErrors(prefix, 'bytes').map((error) => `prefix part ${error}`))
  if (name === '') errors.push('name part must be non-empty')
  else if (name.length > 63) errors.push(`name part ${atMost(63)}`)
  if (!namePattern.test(name)) errors.push(`name part ${nameRule}`)
  return errors
}

/** Errors of a label value; empty if it is valid. */
export const labelValueErrors = (value: string): string[] => [
  ...(value.length > 63 ? [atMost(63)] : []),
  ...(valuePattern.test(value) ? [] : [valueRule]),
]

export const isLabelValue = (value: string): boolean => labelValueErrors(value).length === 0

const labelPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const labelRules =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"

const isSubdomain = (name: string): boolean => name.length <= 253 && subdomainErrors(name).length === 0

/** A name that is a DNS label. */
export const labelErrors = (name: string): string[] => [
  ...(name.length > 63 ? ['must be no more than 63 characters'] : []),
  ...(labelPattern.test(name) ? [] : [isSubdomain(name) ? 'must not contain dots' : labelRules]),
]
