import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PluginConfig } from '@slipway/gateway/upstreams/settings'
import type { KubeObject } from '@slipway/kube/object'
import { parseLabelSelector } from '@slipway/kube/parse-selector'
import { matchesRequirements } from '@slipway/kube/selector'
import { onTestFinished } from 'vitest'

/** A fake of both archives, over HTTP, that supports what the console sends. */
export interface FakeArchive {
  /** Configuration for the gateway. */
  plugin: PluginConfig
  /** Requests of the console, oldest first, without the health checks of the gateway and the console. */
  requests: URL[]
  objects: KubeObject[]
  /** By pod and container, `pod/container`, or by the uids of run and task, `run/task`. */
  logs: Record<string, string>
  /** Status code of every response except to health checks. */
  failure: number | undefined
}

export async function fakeArchive(objects: KubeObject[] = []): Promise<FakeArchive> {
  const archive: FakeArchive = {
    plugin: { url: '', token: () => 'token-of-the-gateway' },
    requests: [],
    objects,
    logs: {},
    failure: undefined,
  }
  const server = createServer((request, response) => handle(archive, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a TCP port has an address of this type.
  archive.plugin.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return archive
}

function handle(archive: FakeArchive, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '', 'http://archive.test')
  const json = (body: unknown, status = 200) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const fail = (code: number, message: string) => json({ kind: 'Status', status: 'Failure', code, message }, code)
  if (url.pathname === '/livez') return json({ code: 200 })
  if (url.pathname.endsWith('/parents/-/results')) return json({ results: [] })
  if (url.pathname.endsWith('/results/-/records/-')) return fail(404, 'record not found')
  archive.requests.push(url)
  if (archive.failure) return fail(archive.failure, 'the archive is unavailable')

  const [, key] = /\/(?:pods|results)\/([^/]+)\/log/.exec(url.pathname) ?? []
  if (key) {
    const log = archive.logs[`${key}/${url.searchParams.get('container') ?? url.pathname.split('/').at(-1)}`]
    if (log === undefined) return fail(404, 'no such log')
    return response.writeHead(200, { 'content-type': 'text/plain' }).end(log)
  }
  return url.pathname.includes('results.tekton.dev') ? records(archive, url, json) : mirrored(archive, url, json, fail)
}

const newestFirst = (objects: KubeObject[]) =>
  [...objects].sort((a, b) => (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? ''))

/** @param from the index of the first item, as in a continue token */
function pageOf(objects: KubeObject[], size: number, from: string | null) {
  const start = Number(from ?? 0)
  const items = newestFirst(objects).slice(start, start + size)
  return { items, next: start + size < objects.length ? String(start + size) : '' }
}

function records({ objects }: FakeArchive, { searchParams }: URL, json: (body: unknown) => void) {
  const filter = searchParams.get('filter') ?? ''
  const matching = objects.filter(({ apiVersion, kind, metadata }) => {
    const labels = [...filter.matchAll(/labels\["([^"]+)"\] == "([^"]+)" &&|labels\["([^"]+)"\] == "([^"]+)"$/g)]
    const [, name] = /metadata\.name == "([^"]+)"/.exec(filter) ?? []
    const [anyOf] = /\(data\.metadata\.[^)]+ \|\| [^)]+\)/.exec(filter) ?? []
    const values = anyOf?.matchAll(/metadata\.(labels|annotations)\["([^"]+)"\] == "([^"]+)"/g)
    return (
      filter.includes(`"${apiVersion}.${kind}"`) &&
      (!name || metadata.name === name) &&
      (!values ||
        [...values].some(
          ([, field, key, value]) => metadata[field as 'labels' | 'annotations']?.[key ?? ''] === value,
        )) &&
      labels.every(
        ([, key, value, lastKey, lastValue]) => metadata.labels?.[key ?? lastKey ?? ''] === (value ?? lastValue),
      )
    )
  })
  const { items, next } = pageOf(matching, Number(searchParams.get('page_size')), searchParams.get('page_token'))
  json({
    records: items.map((item) => ({
      name: `team/results/-/records/${item.metadata.uid}`,
      data: { value: Buffer.from(JSON.stringify(item)).toString('base64') },
    })),
    nextPageToken: next,
  })
}

function mirrored(
  { objects }: FakeArchive,
  { pathname, searchParams }: URL,
  json: (body: unknown) => void,
  fail: (code: number, message: string) => void,
) {
  const [, , , , namespace, plural, name] = pathname.slice(1).split('/')
  const found = objects.filter(
    ({ kind, metadata }) => `${kind?.toLowerCase()}s` === plural && metadata.namespace === namespace,
  )
  if (name) {
    const object = found.find(({ metadata }) => metadata.name === name)
    return object ? json(object) : fail(404, 'not in the archive')
  }
  const required = parseLabelSelector(searchParams.get('labelSelector') ?? '')
  const part = searchParams.get('name')?.replaceAll('*', '').toLowerCase() ?? ''
  const matching = found.filter(
    ({ metadata }) => metadata.name?.toLowerCase().includes(part) && matchesRequirements(metadata.labels, required),
  )
  const { items, next } = pageOf(matching, Number(searchParams.get('limit')), searchParams.get('continue'))
  json({ metadata: { continue: next }, items: items.map(({ metadata, ...item }) => ({ ...item, metadata })) })
}
