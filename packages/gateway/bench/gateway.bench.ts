import { writeFile } from 'node:fs/promises'
import { parseFieldMask } from '../src/field-mask/mask'
import { createProjector, createSecretProjector } from '../src/field-mask/projector'
import { createClient, load, median, openWatchers, percentile } from './load'
import { aPipelineRun, aSecret, largePath, runsPath, smallPath, tableMask } from './objects'
import { measureLoad } from './many'
import { printHeader, figures, machineState, report } from './report'
import { startGateway, startUpstream, type GatewayProcess, type UpstreamProcess } from './processes'

/**
 * Measures the gateway and compares the figures with their aims, with separate processes for the gateway, the upstream
 * and the clients (this one). `npm run bench -w packages/gateway -- load` measures only that part, and `-- --json=<file>`
 * also writes the figures to a file.
 */
const people = 100
const startedMs = performance.now()

/** Each part gets its own upstream, so that none is affected by another. */
const parts = {
  secrets: async () => measureSecrets(),
  mask: async (upstream: UpstreamProcess) => {
    measureProjector()
    await measureMask(upstream)
  },
  compression: measureCompression,
  watches: async (upstream: UpstreamProcess) => {
    for (const isDeflated of [false, true]) await measureWatches(upstream, isDeflated)
  },
  calls: measureCalls,
  load: measureLoad,
}

const selected = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = selected.find((name) => !Object.hasOwn(parts, name))
if (unknown !== undefined) throw new Error(`Unknown part ${unknown}. Choose from ${Object.keys(parts).join(', ')}.`)
printHeader()
for (const [name, measure] of Object.entries(parts)) {
  if (selected.length > 0 && !selected.includes(name)) continue
  const upstream = await startUpstream()
  await measure(upstream)
  await upstream.stop()
}
console.log(
  `\nPipeline runs of 17 kB; ${((performance.now() - startedMs) / 1000).toFixed(0)} s in total; ${machineState()}`,
)
const json = process.argv.find((argument) => argument.startsWith('--json='))?.slice('--json='.length)
if (json) await writeFile(json, `${JSON.stringify(figures, null, 2)}\n`)

/** The projector alone, with blocks of the size that a socket delivers. */
function measureProjector() {
  const items = Array.from({ length: 500 }, (_, number) => aPipelineRun(number))
  const list = Buffer.from(JSON.stringify({ apiVersion: 'tekton.dev/v1', items, kind: 'PipelineRunList' }))
  const read = () => {
    const projector = createProjector(parseFieldMask([tableMask]), 'list')
    for (let at = 0; at < list.length; at += 65_536) projector.push(list.subarray(at, at + 65_536))
    projector.end()
  }
  for (let index = 0; index < 5; index++) read()
  // CPU time, so that other load on the machine does not count.
  const before = process.cpuUsage()
  const rounds = 20
  for (let index = 0; index < rounds; index++) read()
  const { user, system } = process.cpuUsage(before)
  report('field mask: the projector alone', (rounds * list.length) / (user + system), 'MB/s', { atLeast: 150 })
}

/** Blanking the values of as many Secrets as a large namespace has, with blocks of the size that a socket delivers. */
function measureSecrets() {
  const items = Array.from({ length: 300 }, (_, number) => aSecret(number))
  const list = Buffer.from(JSON.stringify({ kind: 'SecretList', apiVersion: 'v1', metadata: {}, items }))
  const blank = () => {
    const projector = createSecretProjector('item')
    let bytes = 0
    for (let at = 0; at < list.length; at += 65_536) bytes += projector.push(list.subarray(at, at + 65_536)).length
    projector.end()
    return bytes
  }
  for (let index = 0; index < 20; index++) blank()
  const before = process.cpuUsage()
  const rounds = 100
  for (let index = 0; index < rounds; index++) blank()
  const { user, system } = process.cpuUsage(before)
  report('300 Secrets: blanking their values', (user + system) / 1000 / rounds, 'ms CPU', { atMost: 20 })
  report('300 Secrets: size', list.length / 1000, 'kB')
  report('300 Secrets: size with blank values', blank() / 1000, 'kB')
}

async function measureMask({ url }: UpstreamProcess) {
  const masked = `?fieldMask=${encodeURIComponent(tableMask)}`
  const bytes: number[] = []
  for (const [title, query] of [
    ['5,000 runs, unfiltered', ''],
    ['5,000 runs, with a field mask', masked],
  ] as const) {
    // A new process for each, since memory is not always returned to the system.
    const gateway = await startGateway(url)
    const list = listFrom(gateway)
    await list(`${query || '?'}&limit=50`)
    const runs: Awaited<ReturnType<typeof measured>>[] = []
    const measured = () => gateway.during(() => list(query))
    for (let index = 0; index < 3; index++) runs.push(await measured())
    const isMasked = query !== ''
    bytes.push(runs[0]?.result.bytes ?? NaN)
    report(`${title}: size`, (bytes.at(-1) ?? NaN) / 1e6, 'MB')
    report('  time, median of three', median(runs.map(({ ms }) => ms)), 'ms')
    report("  the gateway's CPU", median(runs.map(({ cpuMs }) => cpuMs)), 'ms')
    const peak = Math.max(...runs.map(({ peakBytes, idleBytes }) => peakBytes - idleBytes))
    report('  peak memory above idle', peak / 1e6, 'MB', isMasked ? { atMost: 60 } : undefined)
    if (isMasked) await check(gateway, query)
    await gateway.stop()
  }
  const [whole = NaN, part = NaN] = bytes
  report('  filtered size', (part / whole) * 100, '%', { atMost: 10 })
}

function listFrom(gateway: GatewayProcess) {
  const client = createClient(1)
  const headers = { cookie: gateway.cookies[0] ?? '' }
  return (query: string, encoding = 'identity', returnsBody = false) =>
    client.get(`${gateway.url}/api/k8s${runsPath}${query}`, { ...headers, 'accept-encoding': encoding }, returnsBody)
}

/** Checks that the measured result is correct. */
async function check(gateway: GatewayProcess, query: string) {
  const { body } = await listFrom(gateway)(query, 'identity', true)
  // The list comes from this bench's upstream.
  const { items } = JSON.parse(String(body)) as { items: ReturnType<typeof aPipelineRun>[] }
  const { metadata, status } = aPipelineRun(4_999)
  const last = items.at(-1)
  const isRight =
    items.length === 5_000 &&
    last?.metadata.name === metadata.name &&
    last.metadata.managedFields === undefined &&
    JSON.stringify(last.status.conditions) === JSON.stringify(status.conditions)
  if (!isRight) throw new Error('The list was filtered incorrectly.')
}

async function measureCompression({ url }: UpstreamProcess) {
  const gateway = await startGateway(url)
  const list = listFrom(gateway)
  const rounds = 5
  for (const encoding of ['identity', 'gzip', 'br']) {
    await list('?limit=500', encoding)
    const usages: { bytes: number; cpuMs: number; ms: number }[] = []
    for (let index = 0; index < rounds; index++) {
      const { result, cpuMs, ms } = await gateway.during(() => list('?limit=500', encoding))
      usages.push({ bytes: result.bytes, cpuMs, ms })
    }
    report(`500 runs by ${encoding}: size`, (usages[0]?.bytes ?? NaN) / 1e3, 'kB')
    report('  time', median(usages.map(({ ms }) => ms)), 'ms')
    report("  the gateway's CPU", median(usages.map(({ cpuMs }) => cpuMs)), 'ms')
  }
  await gateway.stop()
}

async function measureWatches(upstream: UpstreamProcess, isDeflated: boolean) {
  const gateway = await startGateway(upstream.url, people)
  const socketUrl = `${gateway.url.replace('http', 'ws')}/wss/k8s${runsPath}?watch=true`
  const open = (count: number) => openWatchers(socketUrl, gateway.url, gateway.cookies, count, isDeflated)
  const title = isDeflated ? 'compressed' : 'not compressed'
  ;(await open(20)).close()
  const idle = await gateway.during(() => open(500))
  const perSocket = (idle.nowBytes - idle.idleBytes) / 500
  report(`websockets, ${title}: memory per idle socket`, perSocket / 1e3, 'kB')
  idle.result.close()

  const watchers = await open(100)
  const sendEvents = async (count: number) => {
    const received = watchers.received(count)
    await upstream.sendEvents(count)
    await received
  }
  const first = await gateway.during(() => sendEvents(5))
  report('  additional memory after events of 17 kB', Math.max(0, first.nowBytes - first.idleBytes) / 100 / 1e3, 'kB')
  const bytesBefore = watchers.bytes()
  const { ms, cpuMs } = await gateway.during(() => sendEvents(50))
  report('  events sent', 5_000 / (ms / 1000), '/s')
  report("  the gateway's CPU per event", cpuMs / 5, 'µs')
  report('  on the wire per event', (watchers.bytes() - bytesBefore) / 5_000, 'bytes')
  watchers.close()
  await gateway.stop()
}

/** Calls through the gateway and directly, in turns, so that other load affects both. */
async function measureCalls({ url }: UpstreamProcess) {
  const gateway = await startGateway(url, people)
  const client = createClient(64)
  const ways: Record<string, { base: string; cookie: (lane: number) => Record<string, string> }> = {
    'through the gateway': {
      base: `${gateway.url}/api/k8s`,
      cookie: (lane) => ({ cookie: gateway.cookies[lane % people] ?? '' }),
    },
    directly: { base: url, cookie: () => ({}) },
  }
  for (const [title, path, lanes] of [
    ['GET of 5 KB, 16 at a time', smallPath, 16],
    ['GET of 5 KB, one at a time', smallPath, 1],
    ['list of 1 MB, 4 at a time', largePath, 4],
  ] as const) {
    const durations: Record<string, number[]> = {}
    const turnMs = 1_000
    const turns = 4
    for (let turn = -1; turn < turns; turn++) {
      for (const [way, { base, cookie }] of Object.entries(ways)) {
        const sample = await load(lanes, turnMs, (lane) => client.get(`${base}${path}`, cookie(lane)))
        // The first turn warms up.
        if (turn >= 0) (durations[way] ??= []).push(...sample)
      }
    }
    for (const [way, sample] of Object.entries(durations)) {
      report(`${title}, ${way}`, sample.length / ((turns * turnMs) / 1000), '/s')
      report('  p50', percentile(sample, 50), 'ms')
      report('  p99', percentile(sample, 99), 'ms')
    }
  }
  client.close()
  await gateway.stop()
}
