import type { Credentials } from '@slipway/connect/connection'
import { HttpError } from '@slipway/connect/http-error'
import { createService, type HeaderSet, type ServiceParts } from '@slipway/connect/service'
import { bearerHeader } from '@slipway/connect/service-fetch'
import { asRecord, parseJson } from '@slipway/kube/parse'
import type { Dispatcher } from 'undici'
import { notFound } from '../http-error'
import type { PluginKind, Presence } from '../plugins/plugin-kind'
import type { Kubernetes } from './kubernetes'
import { impersonationHeaders, type Sender } from './outgoing'
import { readText } from './read-text'
import { createUpstream, type Upstream } from './upstream'

/** An optional service next to the cluster. Its errors are thrown as HttpErrors. */
export interface Plugin extends Upstream {
  readonly kind: PluginKind
  /** Whether it is known not to exist. */
  isMissing(): boolean
  /** Resolves after the first probe. */
  probed: Promise<void>
  /**
   * Checks that the service exists. It is probed at the start, and again in the background of later calls until it is
   * found: every two seconds while nothing is known of it, every minute once it is known to be missing.
   * @throws HttpError 404 if it does not exist, 503 if it has not answered yet: that is not the same
   */
  ensurePresent(): Promise<void>
  /** Rejects until a probe has been answered, but for a minute at most: the gateway is of use without it. */
  checkReady(): Promise<void>
}

const reprobeMs = { missing: 60_000, unreached: 2_000 }

/** How long the gateway is not ready at most because a plugin has not answered. */
const readyWithinMs = 60_000

interface PluginParts extends Omit<ServiceParts, 'name' | 'unauthorized'> {
  kind: PluginKind
  /** Set if the gateway's own token is forwarded. */
  gateway: Kubernetes | undefined
}

export function createPlugin({ kind, gateway, ...parts }: PluginParts): Plugin {
  const { clock, log } = parts
  const unauthorized = kind.rejectsUsersWith401
    ? () => new HttpError(403, `${kind.name} does not allow this user to see that.`)
    : undefined
  const upstream = createUpstream(createService({ ...parts, name: kind.name, unauthorized }), identify)
  async function identify({ caller }: Sender, credentials: Credentials): Promise<HeaderSet> {
    const impersonation = impersonationHeaders(caller.identity)
    const bearer = bearerHeader(gateway ? await gateway.ownCredentials() : credentials)
    return { ...bearer, ...(gateway?.as !== 'own' && impersonation) }
  }

  const startedAt = clock.now()
  let presence: Presence = 'unreached'
  let probedAt = startedAt

  async function probe(): Promise<void> {
    probedAt = clock.now()
    const status = await upstream.probeStatus(kind.probePath)
    const before = presence
    // What is known stays known while the service does not answer.
    const found = status === undefined ? 'unreached' : kind.presenceOf(status)
    if (found !== 'unreached' && before !== 'present') presence = found
    if (presence !== before)
      log.info({ upstream: kind.name }, presence === 'present' ? 'plugin found' : 'plugin missing')
  }
  const probed = probe()

  /** What is known now. It may trigger another probe. */
  async function known(): Promise<Presence> {
    await probed
    if (presence !== 'present' && clock.now() - probedAt >= reprobeMs[presence]) void probe()
    return presence
  }

  return {
    ...upstream,
    kind,
    isMissing: () => presence === 'missing',
    probed,
    async send(call) {
      const response = await upstream.send(call)
      if (response.statusCode >= 400) throw await toHttpError(response, kind.name)
      return response
    },
    async ensurePresent() {
      const found = await known()
      if (found === 'missing') throw notFound()
      if (found === 'unreached') {
        throw new HttpError(503, `${kind.name} has not answered yet.`, {
          'retry-after': String(reprobeMs.unreached / 1000),
        })
      }
    },
    async checkReady() {
      const isUnreached = (await known()) === 'unreached'
      if (isUnreached && clock.now() - startedAt < readyWithinMs) throw new Error(`${kind.name} has not answered yet.`)
    },
  }
}

const maxErrorBytes = 64 * 1024

/**
 * Converts a plugin's error, which looks like `{ "message": … }`, to a Kubernetes Status, since the console reads all
 * errors the same way.
 */
async function toHttpError({ statusCode, headers, body }: Dispatcher.ResponseData, name: string): Promise<HttpError> {
  const text = await readText(body, maxErrorBytes).catch(() => '')
  const message = parseMessage(text) ?? `${name} responded with ${statusCode}.`
  const retryAfter = headers['retry-after']
  return new HttpError(statusCode, message, typeof retryAfter === 'string' ? { 'retry-after': retryAfter } : {})
}

function parseMessage(text: string): string | undefined {
  const { message } = asRecord(parseJson(text))
  return typeof message === 'string' && message !== '' ? message : undefined
}
