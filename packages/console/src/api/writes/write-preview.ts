import { createKubeClient } from '@slipway/kube/client'
import type { KubeObject } from '@slipway/kube/object'
import { isNotFound } from '@slipway/kube/status'
import { type DiffLine, diffLines } from '../../lib/line-diff'
import { client } from '../client'
import { kubectlCommand, toYaml } from './kubectl'
import { failureText } from '../messages'
import { maskVersions, maskWrite } from './secret-mask'
import { onServed, refOf, sendWrite, type Write, type WriteResult } from './writes'

/** What one write would do, without the values of Secrets. */
export interface WritePreview {
  /** `Create Application checkout` */
  title: string
  request: WriteRequest
  command: string
  /** Whether placeholders stand for the values of a Secret. */
  hasPlaceholders: boolean
  /** The difference between the current object and the result of the server's dry run. */
  diff: DiffLine[]
  /** Why the server rejects the write. */
  refusal?: string
}

export interface WriteRequest {
  method: string
  path: string
  contentType?: string
  body?: string
}

/** Previews writes by dry runs. A write that needs an earlier one is rejected until that one has been applied. */
export async function previewWrites(writes: readonly Write[], signal?: AbortSignal): Promise<WritePreview[]> {
  return Promise.all(writes.map((write) => previewWrite(write, signal)))
}

async function previewWrite(declared: Write, signal: AbortSignal | undefined): Promise<WritePreview> {
  const { name } = refOf(declared)
  const write = await onServed(declared, signal)
  const { type } = write
  const masked = maskWrite(write)
  const common = {
    title: `${verbs[write.verb]} ${type.kind}${name ? ` ${name}` : ''}`,
    request: await requestOf(masked),
    command: kubectlCommand(masked),
    hasPlaceholders: masked !== write,
  }
  try {
    const before = write.verb === 'create' ? undefined : await current(write, signal)
    const result = await sendWrite(declared, { dryRun: true, signal })
    const after = write.verb !== 'remove' && isObject(result) ? result : undefined
    return { ...common, diff: diffObjects(...maskVersions(write, before, after)) }
  } catch (error) {
    signal?.throwIfAborted()
    return { ...common, diff: [], refusal: failureText(error) }
  }
}

const verbs = { create: 'Create', replace: 'Change', patch: 'Change', remove: 'Delete' } as const

const isObject = (result: WriteResult): result is KubeObject => !('status' in result) || result.kind !== 'Status'

const current = (write: Write, signal: AbortSignal | undefined): Promise<KubeObject | undefined> => {
  const { namespace, name } = refOf(write)
  return client.get(write.type, name, { namespace, signal }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
}

/** The difference between two versions of an object as YAML, without fields that the server changes by itself. */
export function diffObjects(before: KubeObject | undefined, after: KubeObject | undefined): DiffLine[] {
  const [old, now] = [before, after].map((object) =>
    object ? toYaml(withoutServerFields(object)).trimEnd().split('\n') : [],
  )
  return diffLines(old ?? [], now ?? [])
}

/** Omits fields that the server sets by itself and changes with every write or dry run. */
function withoutServerFields({ metadata, ...rest }: KubeObject): KubeObject {
  const { managedFields: _m, resourceVersion: _r, generation: _g, uid: _u, creationTimestamp: _c, ...kept } = metadata
  return { ...rest, metadata: kept }
}

/** The request as the client builds it, recorded instead of sent. */
async function requestOf(write: Write): Promise<WriteRequest> {
  let request: WriteRequest = { method: '', path: '' }
  const recorder = createKubeClient({
    baseUrl: '/api/k8s',
    fetch: (input, init = {}) => {
      const body = typeof init.body === 'string' ? init.body : undefined
      request = {
        method: init.method ?? 'GET',
        path: String(input),
        contentType: new Headers(init.headers).get('content-type') ?? undefined,
        body: body && JSON.stringify(JSON.parse(body), null, 2),
      }
      return Promise.resolve(Response.json({}))
    },
  })
  await sendWrite(write, { client: recorder })
  return request
}
