import { builtins } from '../registry/builtins'

/** All groups except the core group, which has another root. */
const namedGroups = new Set(builtins.map(({ type }) => type.group).filter((group) => group !== ''))

/**
 * True if a path belongs to a web service of the real server, which returns a Status for an unknown path. For other
 * paths, including those of custom kinds, the real server returns plain text.
 */
export function isRouted(pathname: string): boolean {
  const [, root, group = ''] = pathname.split('/')
  return root === 'api' || root === 'version' || (root === 'apis' && namedGroups.has(group))
}
