import type { Dispatcher } from 'undici'
import { impersonationHeaders } from '../proxy/headers'
import { HttpError } from '../http-error'
import { bearer, type Kubernetes } from './kubernetes'
import { readText } from './read-text'
import { createUpstream, type UpstreamParts, type UserUpstream } from './upstream'

/** A service beside the cluster that may not be there. Whatever it fails with is thrown as a Refusal. */
export interface Plugin extends UserUpstream {
  /**
   * Known since the start, where it was looked for in the background. While it says no, it looks again behind the
   * answer, at most once a minute.
   */
  isPresent(): Promise<boolean>
}

/** What is particular to each service. */
export interface PluginKind {
  name: string
  /** Looked at without credentials, to see whether anything is there. */
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

const probeAgainMs = 60_000

interface PluginParts extends Omit<UpstreamParts, 'name' | 'unauthorized'> {
  kind: PluginKind
  /** Its own token is handed on. */
  gateway: Kubernetes | undefined
}

export function createPlugin({ kind, gateway, ...parts }: PluginParts): Plugin {
  const { clock, log } = parts
  // Both say 401 for whatever the user may not see: Results always, KubeArchive in the versions that are out there.
  // Sources: tektoncd/results, pkg/api/server/v1alpha2/auth; kubearchive, cmd/api/auth.
  const unauthorized = () => new HttpError(403, `${kind.name} does not let this user see that.`)
  const upstream = createUpstream({ ...parts, name: kind.name, unauthorized })
  let isThere = false
  let probedAt = clock.now()

  async function look(): Promise<void> {
    probedAt = clock.now()
    const status = await upstream.statusOf(kind.probePath)
    const wasThere = isThere
    isThere = status !== undefined && kind.isPresent(status)
    if (isThere !== wasThere) log.info({ upstream: kind.name }, 'plugin found')
  }
  const firstLook = look()

  return {
    ...upstream,
    async send(call) {
      const answer = await upstream.send(call)
      if (answer.statusCode >= 400) throw await refusalOf(answer, kind.name)
      return answer
    },
    async isPresent() {
      await firstLook
      if (!isThere && clock.now() - probedAt >= probeAgainMs) void look()
      return isThere
    },
    async headersAs({ identity }, requestId) {
      const impersonation = impersonationHeaders(identity)
      const credentials = gateway ? await gateway.ownCredentials() : await upstream.credentials()
      const isOwn = gateway?.as === 'own'
      return { ...bearer(credentials), 'audit-id': requestId, ...(!isOwn && impersonation) }
    },
  }
}

const maxErrorBytes = 64 * 1024

/**
 * A plugin's failure in the words of Kubernetes: their own is `{ "message": … }`, and the console reads failures in
 * one way.
 */
async function refusalOf({ statusCode, headers, body }: Dispatcher.ResponseData, name: string): Promise<HttpError> {
  const text = await readText(body, maxErrorBytes).catch(() => '')
  const message = messageIn(text) ?? `${name} answered ${statusCode}.`
  const retryAfter = headers['retry-after']
  return new HttpError(statusCode, message, typeof retryAfter === 'string' ? { 'retry-after': retryAfter } : {})
}

function messageIn(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    return typeof message === 'string' && message !== '' ? message : undefined
  } catch {
    return undefined
  }
}
