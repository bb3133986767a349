import { fastifyCookie } from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { host } from './gateway-under-test'

/** Stores cookies like a browser, but does not follow redirects. */
export interface Browser {
  cookies: Map<string, string>
  header(): string
  get(url: string, headers?: Record<string, string>): ReturnType<typeof inject>
  post(url: string, headers?: Record<string, string>): ReturnType<typeof inject>
}

const inject = async (app: FastifyInstance, method: 'GET' | 'POST', url: string, headers: Record<string, string>) =>
  app.inject({ method, url, headers })

export function createBrowser(app: FastifyInstance, at = host): Browser {
  const cookies = new Map<string, string>()
  const header = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  async function call(method: 'GET' | 'POST', url: string, headers: Record<string, string> = {}) {
    const cookie = header()
    const response = await inject(app, method, url, { host: at, ...(cookie && { cookie }), ...headers })
    for (const each of [response.headers['set-cookie'] ?? []].flat()) {
      const [[name, value] = ['', '']] = Object.entries(fastifyCookie.parse(each.split(';', 1)[0] ?? ''))
      if (/Max-Age=0/.test(each)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  return {
    cookies,
    header,
    get: (url, headers) => call('GET', url, headers),
    post: (url, headers) => call('POST', url, headers),
  }
}
