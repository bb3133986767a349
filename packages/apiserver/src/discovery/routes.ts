import { builtins } from '../registry/builtins'

/** The core group has another root. */
const namedGroups = new Set(builtins.map(({ type }) => type.group).filter((group) => group !== ''))

/**
 * Whether a path belongs to a web service of the real server, which refuses what it does not know with a Status. Other
 * paths, those of custom kinds included, are unknown to it in plain text.
 */
export function isRouted(pathname: string): boolean {
  const [, root, group = ''] = pathname.split('/')
  return root === 'api' || root === 'version' || (root === 'apis' && namedGroups.has(group))
}
