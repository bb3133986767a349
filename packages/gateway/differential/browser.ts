import { password, type client, type otherClient } from './peers'
import { mailOf, type Person } from './request'

/** Stores cookies per origin, as a browser would if each origin were a site. */
export class Browser {
  readonly #jars = new Map<string, Map<string, string>>()

  cookiesOf(origin: string): string {
    return [...(this.#jars.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async go(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(url)
    const cookie = this.cookiesOf(origin)
    const headers = { accept: 'text/html', ...(init.headers as Record<string, string>), ...(cookie && { cookie }) }
    const response = await fetch(url, { redirect: 'manual', ...init, headers })
    const jar = this.#jars.get(origin) ?? new Map<string, string>()
    this.#jars.set(origin, jar)
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(each)) jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }
}

/** The Dex connector that each person signs in with. */
const connectors: Record<Person, string> = { ada: 'local', bea: 'groups', cyd: 'hostile' }
const headersFor = (person: string, groups: string) => ({
  'x-person': person,
  ...(groups && { 'x-remote-group': groups }),
})

export interface Visitor {
  person: Person
  /** A name other than the person's, for connectors that do not ask for one. */
  name?: string
}

/**
 * Signs in from this URL of a side, through the pages of Dex, and returns the side's response to the callback, which
 * redirects to the final page.
 */
export async function signIn(browser: Browser, address: string, { person, name }: Visitor): Promise<Response> {
  const { origin } = new URL(address)
  const says = headersFor(name ?? mailOf(person), person === 'bea' ? 'team-a, team-b' : '')
  let url = address
  let init: RequestInit = {}
  for (let step = 0; step < 20; step++) {
    const isCallback = url.startsWith(`${origin}/oauth2/callback`)
    const isDex = !url.startsWith(origin)
    const response = await browser.go(url, { ...init, headers: { ...init.headers, ...(isDex && says) } })
    if (isCallback) return response
    const next = response.headers.get('location')
    init = {}
    if (next !== null) {
      url = new URL(next, url).href
      continue
    }
    const page = await response.text()
    const [form, connector] = [/<form method="post" action="([^"]+)"/.exec(page), linkTo(connectors[person], page)]
    if (form) {
      const body = new URLSearchParams({ login: mailOf(person), password })
      url = new URL(unescaped(form[1] ?? ''), url).href
      init = { method: 'POST', body }
    } else if (connector) url = new URL(connector, url).href
    else throw new Error(`${url} responded with ${response.status} and no way to continue: ${page.slice(0, 500)}`)
  }
  throw new Error(`the sign-in from ${address} has too many redirects`)
}

function linkTo(connector: string, page: string): string | undefined {
  const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => unescaped(link))
  return links.find((link) => link.includes(`/auth/${connector}?`))
}

const unescaped = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('&#43;', '+')

/** Fetches Ada's ID token for a client, as a program does. */
export async function idToken(issuer: string, { id, secret }: typeof client | typeof otherClient): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'password',
    scope: 'openid email profile groups',
    username: mailOf('ada'),
    password,
  })
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const response = await fetch(`${issuer}/token`, { method: 'POST', body, headers: { authorization } })
  const answer = (await response.json()) as { id_token?: string }
  if (!answer.id_token) throw new Error(`Dex did not return a token: ${JSON.stringify(answer)}`)
  return answer.id_token
}
