import { stringify as yamlOf } from 'yaml'

export const jsonType = 'application/json'

/** JSON, or YAML for a client that takes nothing else that we have. */
export function encoded(body: object, accept: string | null): { text: string; mediaType: string } {
  return wantsYaml(accept)
    ? { text: yamlOf(body), mediaType: 'application/yaml' }
    : { text: JSON.stringify(body), mediaType: jsonType }
}

export const wantsYaml = (accept: string | null): boolean => {
  const first = (accept ?? '').split(',').map((range) => range.split(';')[0]?.trim())
  return first.includes('application/yaml') && !first.includes(jsonType) && !first.includes('*/*')
}
