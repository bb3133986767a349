/**
 * Where to go after signing in: the `rd` parameter, including its query and fragment, if it is a path of the console;
 * otherwise the landing page. It must not lead to another site, nor to a URL that has an effect when opened.
 */
export function returnPath(rd: string | undefined): string {
  const landing = '/'
  // Browsers drop tabs and line breaks and treat a backslash as a slash.
  if (!rd || !/^\/(?![/\\])/.test(rd) || /[\\\p{Cc}]/u.test(rd)) return landing
  const base = 'http://gateway.invalid'
  if (!URL.canParse(rd, base)) return landing
  const { origin, pathname, search, hash } = new URL(rd, base)
  // Dot segments are resolved by now: `/..//evil.example` has become `//evil.example`.
  if (origin !== base || pathname.startsWith('//')) return landing
  if (/^\/(oauth2|api|wss)(\/|$)/i.test(pathname)) return landing
  return `${pathname}${search}${hash}`
}
