/** A minimal browser for sign-in: stores cookies and returns redirects. */
export function openBrowser() {
  const cookies = new Map<string, { pair: string; path: string }>()
  const browse = async (url: string | URL, form?: Record<string, string>, headers: Record<string, string> = {}) => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        cookie: cookiesFor(new URL(url).pathname).join('; '),
        ...(form && { 'sec-fetch-site': 'same-origin' }),
        ...headers,
      },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = '', path = ''] = /^([^=]+)=([^;]*);.*path=([^;]*)/i.exec(cookie) ?? []
      cookies.delete(`${path} ${name}`)
      if (value && !isExpired(cookie)) cookies.set(`${path} ${name}`, { pair: `${name}=${value}`, path })
    }
    const location = response.headers.get('location')
    return {
      status: response.status,
      headers: response.headers,
      location: location === null ? '' : new URL(location, url).href,
      text: await response.text(),
    }
  }

  /** The `Cookie` header that it sends to this path, for what is not a page. */
  const cookieFor = (pathname: string) => cookiesFor(pathname).join('; ')
  return Object.assign(browse, { cookieFor })

  function cookiesFor(pathname: string) {
    return [...cookies.values()].filter(({ path }) => pathname.startsWith(path)).map(({ pair }) => pair)
  }
}

/** Uses the browser's clock, which may differ from the server's. */
function isExpired(cookie: string): boolean {
  const [, maxAge] = /; *max-age=(-?\d+)/i.exec(cookie) ?? []
  if (maxAge !== undefined) return Number(maxAge) <= 0
  const [, expires] = /; *expires=([^;]+)/i.exec(cookie) ?? []
  return expires !== undefined && Date.parse(expires) <= performance.timeOrigin + performance.now()
}

export type Browser = ReturnType<typeof openBrowser>

/** A browser in which a user has signed in to the console at this URL, through the provider's page. */
export async function signedIn(url: string, email: string, browser = openBrowser()): Promise<Browser> {
  const landed = async (address: string): Promise<string> => {
    const { location } = await browser(address)
    return location ? landed(location) : address
  }
  const page = await landed(`${url}/oauth2/sign_in?rd=/oauth2/userinfo`)
  const chosen = await browser(page, { user: email })
  await landed(chosen.location)
  return browser
}
