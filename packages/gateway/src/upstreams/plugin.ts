import { asRecord, parseJson } from '@slipway/kube/parse'
import type { Dispatcher } from 'undici'
import { impersonationHeaders } from '../proxy/headers'
import { HttpError } from '../http-error'
import { bearerHeader, type Kubernetes } from './kubernetes'
import { readText } from './read-text'
import { createUpstream, type UpstreamParts, type UserUpstream } from './upstream'

/** An optional service next to the cluster. Its errors are thrown as HttpErrors. */
export interface Plugin extends UserUpstream {
  /** Resolves after the first probe. */
  probed: Promise<void>
  /**
   * Whether the service exists. It is probed in the background at the start; while it is missing, a call triggers another
   * probe in the background, at most once a minute.
   */
  isPresent(): Promise<boolean>
}

/** The differences between the services. */
export interface PluginKind {
  name: string
  /** Requested without credentials to see whether the service exists. */
  probePath: string
  isPresent(statusCode: number): boolean
}

export const tektonResults: PluginKind = {
  name: 'tekton-results',
  probePath: '/apis/results.tekton.dev/v1alpha2/parents/-/results?page_size=1',
  isPresent: () => true,
}

export const kubeArchive: PluginKind = {
  name: 'kubearchive',
  probePath: '/livez',
  isPresent: (statusCode) => statusCode === 200,
}

const reprobeMs = 60_000

interface PluginParts extends Omit<UpstreamParts, 'name' | 'unauthorized'> {
  kind: PluginKind
  /** Set if the gateway's own token is forwarded. */
  gateway: Kubernetes | undefined
}

export function createPlugin({ kind, gateway, ...parts }: PluginParts): Plugin {
  const { clock, log } = parts
  // Both respond 401 to anything that the user may not see: Results always, KubeArchive in current versions.
  // Sources: tektoncd/results, pkg/api/server/v1alpha2/auth; kubearchive, cmd/api/auth.
  const unauthorized = () => new HttpError(403, `${kind.name} does not allow this user to see that.`)
  const upstream = createUpstream({ ...parts, name: kind.name, unauthorized })
  let isFound = false
  let probedAt = clock.now()

  async function probe(): Promise<void> {
    probedAt = clock.now()
    const status = await upstream.probeStatus(kind.probePath)
    const wasFound = isFound
    isFound = status !== undefined && kind.isPresent(status)
    if (isFound !== wasFound) log.info({ upstream: kind.name }, 'plugin found')
  }
  const probed = probe()

  return {
    ...upstream,
    probed,
    async send(call) {
      const response = await upstream.send(call)
      if (response.statusCode >= 400) throw await toHttpError(response, kind.name)
      return response
    },
    async isPresent() {
      await probed
      if (!isFound && clock.now() - probedAt >= reprobeMs) void probe()
      return isFound
    },
    async headersAs({ identity }, requestId) {
      const impersonation = impersonationHeaders(identity)
      const credentials = gateway ? await gateway.ownCredentials() : await upstream.credentials()
      const isOwn = gateway?.as === 'own'
      return { ...bearerHeader(credentials), 'audit-id': requestId, ...(!isOwn && impersonation) }
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
