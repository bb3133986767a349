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
 * @throws Error for a name that would produce a different path: `DELETE …/secrets/` deletes every secret
 */
export function resourcePath(type: ResourceType, { namespace, name, subresource }: PathOptions = {}): string {
  const base = type.group ? `/apis/${type.group}/${type.version}` : `/api/${type.version}`
  const scope = type.namespaced && namespace ? `/namespaces/${segment(namespace)}` : ''
  const item = name === undefined ? '' : `/${segment(name)}`
  return `${base}${scope}/${type.plural}${item}${subresource ? `/${subresource}` : ''}`
}

/** One segment of a path. `.` and `..` are rejected: browsers resolve them even when they are encoded. */
function segment(name: string): string {
  if (name === '' || name === '.' || name === '..') throw new Error(`An object cannot be named '${name}'.`)
  return encodeURIComponent(name)
}

/** A query string with its `?`, or an empty string. Entries without a value are omitted. */
export function queryString(params: Record<string, string | number | boolean | undefined>): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(params)) {
    if (value !== undefined && value !== '') query.set(key, String(value))
  }
  const text = query.toString()
  return text ? `?${text}` : ''
}
