import { createApiServer } from '@slipway/apiserver/api-server'
import { memoryStorage } from '@slipway/apiserver/storage/memory'

/** The results reported to the page, from an API server that runs entirely in a worker. */
export interface Results {
  created: number
  names: string[]
  /** Events before and after the write during the watch. */
  events: string[]
  invalid: string
  /** The account of a token signed in the worker. */
  account: string
}

/** Runs a cluster that lives as long as this worker. */
async function run(): Promise<Results> {
  const server = await createApiServer({
    storage: memoryStorage(),
    authenticate: (token) => (token === 'admin' ? { name: 'admin', groups: ['system:masters'] } : undefined),
  })
  const call = (path: string, body?: object, token = 'admin') =>
    server.fetch(
      new Request(`http://cluster.test${path}`, {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      }),
    )
  const read = async <T>(response: Promise<Response>): Promise<T> => (await response).json() as Promise<T>

  const widgets = '/apis/browser.test/v1/namespaces/default/widgets'
  await call('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  const { status: created } = await call(widgets, { metadata: { name: 'first' }, spec: { size: 1 } })
  const list = await read<{ metadata: { resourceVersion: string }; items: Named[] }>(call(widgets))
  const watch = await call(`${widgets}?watch=true&resourceVersion=${list.metadata.resourceVersion}`)
  await call(widgets, { metadata: { name: 'second' }, spec: { size: 2 } })
  const events = [await firstLine(watch)]
  const { message: invalid } = await read<{ message: string }>(
    call(widgets, { metadata: { name: 'third' }, spec: { size: 0 } }),
  )
  const { status } = await read<{ status: { token: string } }>(
    call('/api/v1/namespaces/default/serviceaccounts/default/token', {}),
  )
  const review = await read<{ status: { userInfo: { username: string } } }>(
    call('/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, status.token),
  )
  await server.close()
  return {
    created,
    names: list.items.map(({ metadata }) => metadata.name),
    events,
    invalid,
    account: review.status.userInfo.username,
  }
}

interface Named {
  metadata: { name: string }
}

const schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type: 'integer', minimum: 1 } } } },
}
const definition = {
  metadata: { name: 'widgets.browser.test' },
  spec: {
    group: 'browser.test',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
}

/** The first event of a watch, as `TYPE name`. */
async function firstLine({ body }: Response): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('\n')) {
    const read = await reader?.read()
    if (!read || read.done) throw new Error(`the watch ended after ${JSON.stringify(text)}`)
    text += read.value
  }
  await reader?.cancel()
  const { type, object } = JSON.parse(text.slice(0, text.indexOf('\n'))) as { type: string; object: Named }
  return `${type} ${object.metadata.name}`
}

run().then(
  (answers) => postMessage(answers),
  (error: unknown) => postMessage({ error: String(error) }),
)
