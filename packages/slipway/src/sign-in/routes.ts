import type { IncomingMessage } from 'node:http'
import { StorageFullError } from '@slipway/sqlite/errors'
import type Provider from 'oidc-provider'
import type { Clock } from '@slipway/kube/clock'
import { signInPath } from './configuration'
import {
  badForm,
  failureOf,
  failurePage,
  favicon,
  foreignForm,
  foreignHost,
  foreignVersion,
  notFound,
  signInPage,
} from './pages'
import type { Failure, SignInUser } from './pages'
import { passcodeCheck } from './passcode'
import { styles, styleSheet } from './styles'

/** The library is built on Koa, whose types it brings along. */
type Middleware = Parameters<Provider['use']>[0]
type Context = Parameters<Middleware>[0]

interface RouteParts {
  users: readonly SignInUser[]
  redirectOrigins: () => string[]
  passcode: string | undefined
  clock: Clock
  /** Receives internal errors, but not rejected requests. */
  report: (error: unknown) => void
}

const maxFormBytes = 4 * 1024

/** Adds what the library leaves to its users: the pages, and the security headers of all responses. */
export function addRoutes(provider: Provider, parts: RouteParts): void {
  const { users, redirectOrigins, passcode, clock, report } = parts
  const { host, origin } = new URL(provider.issuer)
  const check = passcode === undefined ? undefined : passcodeCheck(passcode, clock)

  provider.on('server_error', (_context, error) => report(error))
  provider.use(async (context, next) => {
    addSecurityHeaders(context, redirectOrigins())
    if (!/^1\.[01]$/.test(context.req.httpVersion)) return fail(context, 505, foreignVersion)
    // With any other name, the host name of another site resolves to this machine.
    if (context.host !== host) return fail(context, 400, foreignHost)
    try {
      await next()
    } catch (error) {
      if (!isExpected(error)) report(error)
      fail(context, statusOf(error), failureOf(error))
    }
    if (context.status === 404 && !context.body) fail(context, 404, notFound)
    limitCookiesByAge(context)
  })
  provider.use(serve(styleSheet, 'text/css; charset=utf-8', styles))
  provider.use(serve('/favicon.svg', 'image/svg+xml', favicon))
  provider.use(async (context, next) => {
    if (!context.path.startsWith(`${signInPath}/`)) return next()
    if (context.method === 'GET') return showSignIn(context)
    if (context.method === 'POST') return signIn(context)
  })
  provider.use(endSession(provider))

  async function showSignIn(context: Context) {
    const { prompt } = await provider.interactionDetails(context.req, context.res)
    // A client may request consent to be sure to get a refresh token. There is nothing for users to decide.
    if (prompt.name === 'consent') return redirect(context, { consent: {} })
    showForm(context, 200)
  }

  async function signIn(context: Context) {
    const details = await provider.interactionDetails(context.req, context.res)
    // Otherwise another site could sign its visitor in as a different user.
    if (!isSameOrigin(context.req, origin)) return fail(context, 403, foreignForm)
    const form = await formOf(context.req)
    const user = users.find(({ email }) => email === form?.get('user'))
    if (!form || !user) return fail(context, 400, badForm)
    const verdict = check?.(form.get('passcode') ?? '') ?? 'right'
    if (verdict === 'wrong') return showForm(context, 403, 'Wrong passcode.')
    if (verdict === 'wait') return showForm(context, 429, 'Too many wrong passcodes. Wait a minute, then try again.')

    // End the browser's previous session: the library would ask that user to sign out, with a script.
    await (await provider.Session.get(context)).destroy()
    delete details.session
    await details.persist()
    await redirect(context, { login: { accountId: user.email } })
  }

  async function redirect(context: Context, result: Parameters<Provider['interactionResult']>[2]) {
    context.status = 303
    context.redirect(await provider.interactionResult(context.req, context.res, result))
  }

  function showForm(context: Context, status: number, problem?: string) {
    show(context, status, signInPage({ users, action: context.path, requiresPasscode: check !== undefined, problem }))
  }

  function fail(context: Context, status: number, failure: Failure) {
    const [console] = redirectOrigins()
    show(context, status, failurePage(failure, console === undefined ? undefined : `${console}/`))
  }
}

/**
 * Signs out at the provider. The library asks users with a session to confirm, and redirects others with a script. With
 * one of our ID tokens no confirmation is needed, and a redirect needs no script.
 */
const endSession =
  (provider: Provider): Middleware =>
  async (context, next) => {
    await next()
    const { oidc } = context
    if (oidc?.route !== 'end_session' || context.status !== 200) return
    const { params, client, session, entities } = oidc
    if (session?.accountId !== undefined && !entities.IdTokenHint) return

    const current = await provider.Session.get(context)
    const grantId = client && current.grantIdFor(client.clientId)
    if (grantId !== undefined) await (await provider.Grant.find(grantId))?.destroy()
    await current.destroy()
    context.cookies.set(provider.cookieName('session'), null, { overwrite: true })
    // The library has validated this URL, or removed it.
    const target = new URL(params?.post_logout_redirect_uri ?? `${provider.issuer}/session/end/success`)
    if (params?.state !== undefined) target.searchParams.set('state', String(params.state))
    context.status = 303
    context.redirect(target.href)
  }

/**
 * The library's cookies expire at a time of this machine's clock. If that clock is set back but the browser's is not,
 * the browser would drop them immediately. A max-age is independent of the clock.
 */
function limitCookiesByAge({ res }: Context): void {
  const cookies = res.getHeader('set-cookie')
  if (!Array.isArray(cookies)) return
  const ageOf = (time: string) => Math.max(0, Math.round((Date.parse(time) - Date.now()) / 1000))
  res.setHeader(
    'set-cookie',
    cookies.map((cookie) => cookie.replace(/(; *)expires=([^;]+)/i, (_, gap, time) => `${gap}max-age=${ageOf(time)}`)),
  )
}

const serve =
  (path: string, type: string, body: string): Middleware =>
  async (context, next) => {
    if (context.path !== path || context.method !== 'GET') return next()
    context.set('cache-control', 'no-cache')
    context.type = type
    context.body = body
  }

function show(context: Context, status: number, html: string): void {
  context.status = status
  context.type = 'html'
  context.body = html
}

/** No scripts, no frames, no foreign content. After the form the browser may be redirected to the console. */
function addSecurityHeaders(context: Context, origins: string[]): void {
  context.set({
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self'",
      `form-action 'self' ${origins.map((each) => new URL(each).origin).join(' ')}`.trimEnd(),
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join(';'),
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // Not `no-referrer`: the form would then send `Origin: null`.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  })
}

/** Browsers send the origin of a form in `Sec-Fetch-Site`; without it, only our own Origin is accepted. */
function isSameOrigin({ headers }: IncomingMessage, origin: string): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? headers.origin === origin : site === 'same-origin'
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return undefined
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > maxFormBytes) return undefined
  }
  return new URLSearchParams(text)
}

function statusOf(error: unknown): number {
  if (error instanceof StorageFullError) return 507
  return isExpected(error) ? error.status : 500
}

/** The library's own rejections; any other error is a bug. */
const isExpected = (error: unknown): error is Error & { status: number } =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500
