import { localTarget } from '../origins'

/**
 * Where to go after signing in: the `rd` parameter, including its query and fragment, if it is a path of the console;
 * otherwise the landing page. It must not lead to another site, nor to a URL that has an effect when opened.
 * @param path below which the console is served; empty at the root
 */
export function returnPath(rd: string | undefined, path = ''): string {
  const landing = `${path}/`
  // Browsers drop tabs and line breaks and treat a backslash as a slash.
  if (!rd || !/^\/(?![/\\])/.test(rd) || /[\\\p{Cc}]/u.test(rd)) return landing
  const base = 'http://gateway.invalid'
  if (!URL.canParse(rd, base)) return landing
  const { origin, pathname, search, hash } = new URL(rd, base)
  // Dot segments are resolved by now: `/..//evil.example` has become `//evil.example`.
  if (origin !== base || pathname.startsWith('//')) return landing
  const local = localTarget(pathname, path)
  if ((path !== '' && local === pathname) || /^\/(oauth2|api|wss)(\/|$)/i.test(local)) return landing
  return `${pathname}${search}${hash}`
}
