import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '@slipway/kube/clock'
import { asRecord, parseJson } from '@slipway/kube/parse'
import { createPageThreads, type PageCall, type PageResponse } from './page-threads'

/** The content of a page as its user sees it, which follows its prepared layout in the same response. */
export interface RenderedPage {
  /** Allows its inline script and styles. */
  nonce: string
  /** Empty if it is not known in time. */
  html: Promise<string>
}

/**
 * Starts to render the page of a request for its user; `undefined` if no user is signed in, if this user's last page is
 * still being rendered, or if there are no means. The reply gets the cookies of a session that was renewed.
 */
export type RenderPage = (request: FastifyRequest, reply: FastifyReply) => Promise<RenderedPage | undefined>

interface Options {
  /** The built console. */
  folder: string | undefined
  /** How long the response may wait for the content, all in all; 0 to render nothing. */
  renderMs: number
  clock: Clock
}

/** The rest of the time is for rendering what has arrived by then. */
const dataShare = 0.7

/**
 * Renders pages if the build of the console has a script for it. The requests of a page go through the gateway's own
 * routes with the cookies of its user, so that a page shows nothing that its browser could not read.
 */
export function createPageRenderer(app: FastifyInstance, { folder, renderMs, clock }: Options): RenderPage {
  const script = folder !== undefined && renderMs > 0 && join(folder, 'server/page-thread.mjs')
  if (!script || !existsSync(script)) return async () => undefined
  const threads = createPageThreads(pathToFileURL(script), clock, app.log)
  app.addHook('onClose', () => threads.close())
  const busyUsers = new Set<string>()

  return async (request, reply) => {
    if (request.method !== 'GET' || request.headers.cookie === undefined) return undefined
    const stop = new AbortController()
    // One for each request of the page.
    setMaxListeners(Infinity, stop.signal)
    const stopTimer = clock.after(renderMs, () => stop.abort())
    const answer = (call: PageCall) => send(app, request, call, stop.signal)
    const session = await answer({ id: 0, method: 'GET', path: '/oauth2/userinfo', headers: {} }).catch(() => undefined)
    const { user } = asRecord(parseJson(session?.body ?? ''))
    if (session?.cookies.length) reply.header('set-cookie', session.cookies)
    const isAdmitted = session?.status === 200 && typeof user === 'string' && !busyUsers.has(user)
    const renderInThread = isAdmitted && !stop.signal.aborted ? threads.take() : undefined
    if (!isAdmitted || !renderInThread) {
      stopTimer()
      return undefined
    }
    busyUsers.add(user)
    const nonce = randomBytes(16).toString('base64')
    const order = { url: request.url, nonce, dataMs: renderMs * dataShare }
    const html = renderInThread(order, answer, stop.signal).finally(() => {
      busyUsers.delete(user)
      stopTimer()
      stop.abort()
    })
    return { nonce, html: html.then((known = '') => known).catch(() => '') }
  }
}

/** Pages only read while they are rendered. Reviews of a user's own name and access change nothing. */
const isRead = ({ method, path }: PageCall): boolean =>
  method === 'GET'
    ? path === '/oauth2/userinfo' || (path.startsWith('/api/k8s/') && !/[?&](watch|follow)=/.test(path))
    : method === 'POST' &&
      /^\/api\/k8s\/apis\/auth(?:entication|orization)\.k8s\.io\/v1\/selfsubject\w*reviews$/.test(path)

/** What a browser sends of its own accord with each request, and what proxies add. */
const passedOn = /^(?:cookie|host|user-agent|forwarded|x-forwarded-[\w-]+|x-real-ip)$/

async function send(
  app: FastifyInstance,
  { headers: received, ip }: FastifyRequest,
  call: PageCall,
  signal: AbortSignal,
): Promise<PageResponse & { cookies: string[] }> {
  if (!isRead(call)) throw new Error('A page that is rendered may only read.')
  const own = Object.entries(received).filter(([name]) => passedOn.test(name))
  const response = await app.inject({
    method: call.method === 'GET' ? 'GET' : 'POST',
    url: call.path,
    headers: { ...call.headers, ...Object.fromEntries(own), 'sec-fetch-site': 'same-origin' },
    ...(call.body !== undefined && { payload: call.body }),
    remoteAddress: ip,
    signal,
  })
  const { date, 'content-type': type } = response.headers
  return {
    status: response.statusCode,
    headers: { ...(typeof date === 'string' && { date }), ...(typeof type === 'string' && { 'content-type': type }) },
    body: response.body,
    cookies: [response.headers['set-cookie'] ?? []].flat(),
  }
}
