import type { Attributes } from './rules'

/**
 * The message of a 403: `pods "x" is forbidden: User "u" cannot get resource "pods" in API group "" in the namespace
 * "ns"`. Source: k8s.io/apiserver, handlers/responsewriters/errors.go.
 */
export function forbiddenMessage(attributes: Attributes, reason = ''): string {
  const { group, resource, name, path } = attributes
  const detail = `${htmlSafe(sentence(attributes))}${reason ? `: ${reason}` : ''}`
  return path === undefined ? forbiddenObject({ group, resource, name }, detail) : `forbidden: ${detail}`
}

/** `plural.group "name" is forbidden: …`, without the name when there is none. */
export function forbiddenObject(
  { group, resource = '', name }: Pick<Attributes, 'group' | 'resource' | 'name'>,
  detail: string,
): string {
  const qualified = group ? `${resource}.${group}` : resource
  return `${qualified}${name ? ` ${JSON.stringify(name)}` : ''} is forbidden: ${detail}`
}

function sentence({ user, verb, group = '', resource = '', subresource, namespace, path }: Attributes): string {
  const who = `User ${JSON.stringify(user.name)} cannot ${verb}`
  if (path !== undefined) return `${who} path ${JSON.stringify(path)}`
  const what = JSON.stringify(subresource ? `${resource}/${subresource}` : resource)
  const where = namespace ? `in the namespace ${JSON.stringify(namespace)}` : 'at the cluster scope'
  return `${who} resource ${what} in API group ${JSON.stringify(group)} ${where}`
}

// Names come from the request: a browser that renders the message as a page must not find markup in it.
const htmlSafe = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
