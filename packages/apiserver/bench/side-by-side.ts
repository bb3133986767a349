import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { aRun, definition, nameOf, namespace, runsPath, runsPathIn, selector } from './objects'
import { clientOf, percentile, timed, type Client, type Endpoint } from './load'
import { startServer } from './server'
import { deliver, openUnreadWatchers, openWatchers } from './watchers'

/**
 * Compares the embedded server with a real control plane under the same load, one after the other. `npm run
 * bench:cluster` starts the latter and passes its address in the environment. Both store data on disk and use TLS.
 */
interface Target extends Endpoint {
  /** Processes whose CPU time and memory are measured. */
  pids: number[]
  stop(): Promise<void>
}

interface Row {
  name: string
  unit: string
  value: number
  moreIsBetter?: boolean
}

const objects = 10_000
const writers = 16
const watcherCount = 200
const steadyEvents = 1_000
const eventsPerSecond = 25
const burstEvents = 200
const replayedChanges = 6_000
const replayedBytes = 27_000
const oldWatchers = 20
const oneObjectWatchers = 100
/** Frequency of the clock in /proc; the same on every Linux. */
const ticksPerSecond = 100

const folder = await mkdtemp(join(tmpdir(), 'apiserver-bench-'))
try {
  const real = process.env.CONTROL_PLANE_URL ? await measure('etcd + kube-apiserver', realTarget()) : undefined
  print(await measure('embedded', await embeddedTarget()), real)
} finally {
  await rm(folder, { recursive: true })
}

function realTarget(): Target {
  const {
    CONTROL_PLANE_URL = '',
    CONTROL_PLANE_TOKEN = '',
    CONTROL_PLANE_CA = '',
    CONTROL_PLANE_PIDS = '',
  } = process.env
  return {
    url: CONTROL_PLANE_URL,
    token: CONTROL_PLANE_TOKEN,
    ca: readFileSync(CONTROL_PLANE_CA, 'utf8'),
    pids: CONTROL_PLANE_PIDS.split(',').map(Number),
    // Set by the script that started it.
    stop: async () => undefined,
  }
}

async function embeddedTarget(): Promise<Target> {
  const server = await startServer(join(folder, 'data.db'))
  return { ...server, pids: [server.pid] }
}

async function measure(title: string, target: Target): Promise<Row[]> {
  console.log(`\n${title}, load average ${loadavg()[0]?.toFixed(1)}`)
  const client = clientOf(target, writers)
  const rows: Row[] = []
  const steps = [prepare, measureCreates, measureGets, measureLists, measureWatches, measureReplays]
  for (const step of steps) {
    for (const row of await step(target, client)) {
      console.log(`${row.name.padEnd(70)} ${shown(row.value).padStart(9)} ${row.unit}`)
      rows.push(row)
    }
  }
  client.close()
  await target.stop()
  return rows
}

async function prepare(target: Target, client: Client): Promise<Row[]> {
  await client.send('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  })
  await client.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  // A real server needs a moment to serve a new kind.
  while (!(await client.send('GET', `${runsPath}?limit=1`).catch(() => undefined))) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return [{ name: 'Memory, empty', unit: 'MB', value: memoryMb(target) }]
}

async function measureCreates(target: Target, client: Client): Promise<Row[]> {
  let next = 0
  const durations: number[] = []
  const createUntil = (end: number) =>
    Promise.all(
      Array.from({ length: writers }, async () => {
        while (next < end) {
          const number = next++
          const startMs = performance.now()
          await client.send('POST', runsPath, aRun(nameOf(number), number))
          durations.push(performance.now() - startMs)
        }
      }),
    )
  await createUntil(objects / 10)
  durations.length = 0
  const cpuBefore = cpuMs(target)
  const startMs = performance.now()
  await createUntil(objects)
  const seconds = (performance.now() - startMs) / 1000
  durations.sort((a, b) => a - b)
  return [
    { name: `Creates, ${writers} in flight`, unit: '/s', value: durations.length / seconds, moreIsBetter: true },
    ...percentilesOf('Create', durations, [50, 95, 99]),
    { name: 'Create, CPU of the server', unit: 'ms', value: (cpuMs(target) - cpuBefore) / durations.length },
  ]
}

async function measureGets(target: Target, client: Client): Promise<Row[]> {
  let calls = 0
  const cpuBefore = cpuMs(target)
  const gets = await timed(2_000, (index) => {
    calls++
    return client.send('GET', `${runsPath}/${nameOf((index * 7919) % objects)}`)
  })
  return [
    ...percentilesOf('Get', gets, [50, 95]),
    { name: 'Get, CPU of the server', unit: 'ms', value: (cpuMs(target) - cpuBefore) / calls },
  ]
}

async function measureLists(target: Target, client: Client): Promise<Row[]> {
  const all = objects.toLocaleString('en')
  const page = await timed(100, () => client.send('GET', `${runsPath}?limit=500`))
  const selected = await timed(30, () =>
    client.send('GET', `${runsPath}?labelSelector=${encodeURIComponent(selector)}`),
  )
  const whole = await timed(10, () => client.send('GET', runsPath))
  return [
    ...percentilesOf(`List of 500 out of ${all}`, page, [50, 95]),
    ...percentilesOf(`Whole list with a selector, 500 out of ${all}`, selected, [50, 95]),
    ...percentilesOf(`Whole list of ${all}`, whole, [50, 95]),
    { name: `Memory with ${all} objects`, unit: 'MB', value: memoryMb(target) },
  ]
}

async function measureWatches(target: Target, client: Client): Promise<Row[]> {
  const resourceVersion = await versionOf(client, runsPath)
  const watchers = await openWatchers(target, `${runsPath}?watch=true&resourceVersion=${resourceVersion}`, watcherCount)
  const cpuBefore = cpuMs(target)
  const steady = await deliver(client, watchers, { from: 0, count: steadyEvents, perSecond: eventsPerSecond })
  const steadyCpu = cpuMs(target) - cpuBefore
  const burst = await deliver(client, watchers, { from: steadyEvents, count: burstEvents })
  if (watchers.gaps() > 0) throw new Error(`${watchers.gaps()} events are missing or out of order`)
  const memory = memoryMb(target)
  watchers.close()
  return [
    ...percentilesOf(
      `${watcherCount} watchers, ${steadyEvents} events at ${eventsPerSecond}/s: response`,
      steady.responseTimes,
      [50, 95],
    ),
    ...percentilesOf('… from the response to the last watcher', steady.lags, [50, 95]),
    ...percentilesOf('… from the write to the last watcher', steady.wholes, [50, 95]),
    { name: '… CPU of the server', unit: 's', value: steadyCpu / 1000 },
    {
      name: `${watcherCount} watchers, ${burstEvents} events, as fast as one client creates: all`,
      unit: 's',
      value: burst.allMs / 1000,
    },
    ...percentilesOf('… response', burst.responseTimes, [50, 95]),
    ...percentilesOf('… from the response to the last watcher', burst.lags, [50, 95]),
    ...percentilesOf('… from the write to the last watcher', burst.wholes, [50, 95]),
    { name: 'Memory after the watches', unit: 'MB', value: memory },
  ]
}

/** Watches that resume from before many changes of large objects. */
async function measureReplays(target: Target, client: Client): Promise<Row[]> {
  const metadata = { name: `${namespace}-replay` }
  const path = runsPathIn(metadata.name)
  await client.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata })
  const start = await versionOf(client, path)
  let next = 0
  const create = async () => {
    while (next < replayedChanges) {
      const number = next++
      const run = aRun(nameOf(number), number, replayedBytes)
      await client.send('POST', path, { ...run, metadata: { ...run.metadata, namespace: metadata.name } })
    }
  }
  await Promise.all(Array.from({ length: writers }, create))
  const cpuOfWatches = async (query: string, count: number, events: number) => {
    const cpuBefore = cpuMs(target)
    const watchers = await openWatchers(target, `${path}?watch=true&${query}`, count)
    await watchers.all(events)
    watchers.close()
    return (cpuMs(target) - cpuBefore) / count
  }
  const one = `fieldSelector=${encodeURIComponent(`metadata.name=${nameOf(0)}`)}`
  const changes = replayedChanges.toLocaleString('en')
  const end = await versionOf(client, path)
  const memoryBefore = memoryMb(target)
  const close = await openUnreadWatchers(target, `${path}?watch=true&resourceVersion=${start}`, oldWatchers)
  const memory = memoryMb(target) - memoryBefore
  close()
  // The first watch encodes changes for all that follow.
  const first = await cpuOfWatches(`resourceVersion=${start}`, 1, replayedChanges)
  return [
    { name: `Replay of ${changes} changes of 27 KB, first watch: CPU of the server`, unit: 'ms', value: first },
    {
      name: `… next ${oldWatchers} watches: CPU of the server for each`,
      unit: 'ms',
      value: await cpuOfWatches(`resourceVersion=${start}`, oldWatchers, replayedChanges),
    },
    { name: `… memory for ${oldWatchers} watches that are not read`, unit: 'MB', value: memory },
    {
      name: `Watch of one object from ${changes} changes ago: CPU of the server`,
      unit: 'ms',
      value: await cpuOfWatches(`${one}&resourceVersion=${start}`, oneObjectWatchers, 1),
    },
    {
      name: '… for comparison, from the current version',
      unit: 'ms',
      value: await cpuOfWatches(`${one}&resourceVersion=${end}`, oneObjectWatchers, 0),
    },
  ]
}

async function versionOf(client: Client, path: string): Promise<string> {
  const list = await client.send('GET', `${path}?limit=1`)
  return (JSON.parse(list.text()) as { metadata: { resourceVersion: string } }).metadata.resourceVersion // A list.
}

function percentilesOf(name: string, ascending: readonly number[], percents: readonly number[]): Row[] {
  return percents.map((percent) => ({
    name: `${name}, p${percent}`,
    unit: 'ms',
    value: percentile(ascending, percent),
  }))
}

/** User and system CPU time of the processes. Source: proc_pid_stat(5). */
function cpuMs({ pids }: Target): number {
  const ticks = pids.map((pid) => {
    // The program name, in parentheses, may contain any character.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return Number(fields[11]) + Number(fields[12])
  })
  return (ticks.reduce((sum, value) => sum + value, 0) * 1000) / ticksPerSecond
}

function memoryMb({ pids }: Target): number {
  const sizes = pids.map((pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]))
  return (sizes.reduce((sum, kb) => sum + kb, 0) * 1024) / 1e6
}

/** Prints a Markdown table. */
function print(embedded: Row[], real: Row[] | undefined) {
  console.log(
    `\n${cpus().length} cores (${cpus()[0]?.model}), load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}\n`,
  )
  console.log('| | etcd + kube-apiserver | embedded | embedded is |\n| --- | --- | --- | --- |')
  embedded.forEach(({ name, unit, value, moreIsBetter }, index) => {
    const other = real?.[index]?.value
    const verdict = other === undefined ? '' : compared(moreIsBetter ? value / other : other / value)
    console.log(
      `| ${name} | ${other === undefined ? '' : `${shown(other)} ${unit}`} | ${shown(value)} ${unit} | ${verdict} |`,
    )
  })
}

/** @param times ratio; above 1 is better */
function compared(times: number): string {
  if (times >= 0.95 && times < 1.05) return 'the same'
  return times >= 1 ? `${times.toFixed(1)} times better` : `**${(1 / times).toFixed(1)} times worse**`
}

function shown(value: number): string {
  return value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en')
}
