import type { ResourceType } from './resource-type'

export interface PathOptions {
  namespace?: string
  name?: string
  /** `status`, `log`, … */
  subresource?: string
}

/**
 * Path of a collection or an object in the API, without a query: `/api/v1/namespaces/a/secrets/b`,
 * `/apis/tekton.dev/v1/namespaces/a/pipelineruns`. A namespaced kind without a namespace means all namespaces.
 * @throws Error for a name that would make another path of it: `DELETE …/secrets/` deletes every secret
 */
export function resourcePath(type: ResourceType, { namespace, name, subresource }: PathOptions = {}): string {
  const base = type.group ? `/apis/${type.group}/${type.version}` : `/api/${type.version}`
  const scope = type.namespaced && namespace ? `/namespaces/${segment(namespace)}` : ''
  const item = name === undefined ? '' : `/${segment(name)}`
  return `${base}${scope}/${type.plural}${item}${subresource ? `/${subresource}` : ''}`
}

/** One step of a path, which `.` and `..` are not: no encoding keeps a browser from following them. */
function segment(name: string): string {
  if (name === '' || name === '.' || name === '..') throw new Error(`An object cannot be named '${name}'.`)
  return encodeURIComponent(name)
}

/** A query string with its `?`, or nothing. Entries without a value are left out. */
export function queryString(params: Record<string, string | number | boolean | undefined>): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(params)) {
    if (value !== undefined && value !== '') query.set(key, String(value))
  }
  const text = query.toString()
  return text ? `?${text}` : ''
}
