import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApiServer, type ApiServer } from '../src/api-server'
import { LineStream } from '../src/http/line-stream'
import type { AnyObject } from '../src/resource'
import { sqliteStorage } from '../src/storage/sqlite'
import { aRun, definition, nameOf, runsPath } from './objects'

/**
 * CPU time of watches that resume from before many changes of large objects, in this process: without HTTP, TLS and a
 * client's work. `npm run bench:cluster -- replay` runs it.
 */
const changes = 6_000
const objects = 600
const changeBytes = 27_000
/** Changes that are replayed before anything is measured, so that the code is compiled. */
const warmUpChanges = 1_000
const oneObjectWatches = 200

/** The version of each object. */
const versions = new Map<string, string>()
const folder = await mkdtemp(join(tmpdir(), 'apiserver-bench-'))
const server = await createApiServer({
  storage: sqliteStorage(join(folder, 'data.db')),
  authenticate: () => ({ name: 'bench', groups: ['system:masters'] }),
})
try {
  await send('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  await send('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bench' } })
  const beginning = await currentVersion()
  for (let number = 0; number < warmUpChanges; number++) await write(number)
  for (let count = 0; count < 3; count++) await replay(`resourceVersion=${beginning}`, warmUpChanges)
  const start = await currentVersion()
  // Numbers of their own, since a write that changes nothing is no event.
  for (let number = 0; number < changes; number++) await write(warmUpChanges + number)
  const end = await currentVersion()
  const from = `resourceVersion=${start}`
  const selected = `${from}&labelSelector=${encodeURIComponent('bench.test/team!=team-7')}`
  const one = `fieldSelector=${encodeURIComponent(`metadata.name=${nameOf(0)}`)}`
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`)
  print('First replay, which encodes every change', await replay(from, changes))
  print('Second replay', await replay(from, changes))
  print('Third replay', await replay(from, changes))
  print('Replay with a label selector', await replay(selected, changes - changes / 20))
  print('Watch of one object, from before all changes', await watches(`${one}&${from}`, changes / objects))
  print('… for comparison, from the current version', await watches(`${one}&resourceVersion=${end}`, 0))
} finally {
  await server.close()
  await rm(folder, { recursive: true })
}

function send(path: string, object?: object, method = 'POST'): ReturnType<ApiServer['fetch']> {
  const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' }
  const init = object && { method, body: JSON.stringify(object) }
  return server.fetch(new Request(`http://bench.test${path}`, { headers, ...init }))
}

/** Creates an object, or changes it once all of them exist. */
async function write(number: number): Promise<void> {
  const name = nameOf(number % objects)
  const run = aRun(name, number % objects, changeBytes)
  run.metadata.annotations = { 'bench.test/change': String(number) }
  run.metadata.resourceVersion = versions.get(name)
  const response = await (versions.has(name) ? send(`${runsPath}/${name}`, run, 'PUT') : send(runsPath, run))
  const text = await response.text()
  if (!response.ok || text.length < changeBytes) throw new Error(`a write was rejected with ${response.status}`)
  versions.set(name, (JSON.parse(text) as AnyObject).metadata.resourceVersion ?? '')
}

async function currentVersion(): Promise<string> {
  const list = (await (await send(`${runsPath}?limit=1`)).json()) as { metadata: { resourceVersion: string } }
  return list.metadata.resourceVersion
}

/** CPU time of one watch until it has returned a number of events, in milliseconds. */
async function replay(query: string, events: number): Promise<number> {
  const before = process.cpuUsage()
  const { body } = await send(`${runsPath}?watch=true&${query}`)
  // Read as a socket does.
  if (!(body instanceof LineStream)) throw new Error('the watch was rejected')
  const chunks: Uint8Array[] = []
  for (let bytes = body.lines.take(); bytes; bytes = body.lines.take()) chunks.push(bytes)
  await body.cancel()
  const { user, system } = process.cpuUsage(before)
  const found = chunks.reduce((sum, chunk) => sum + countLines(chunk), 0)
  if (found !== events) throw new Error(`${found} events instead of ${events}`)
  return (user + system) / 1_000
}

async function watches(query: string, events: number): Promise<number> {
  let sumMs = 0
  for (let count = 0; count < oneObjectWatches; count++) sumMs += await replay(query, events)
  return sumMs / oneObjectWatches
}

function countLines(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++
  return count
}

function print(name: string, cpuMs: number) {
  console.log(`${name.padEnd(60)} ${cpuMs.toFixed(cpuMs < 10 ? 2 : 0).padStart(6)} ms`)
}
