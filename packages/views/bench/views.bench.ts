import { availableParallelism, loadavg } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from '@slipway/kube/clock'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { commitView } from '@slipway/model/views/commits'
import { pipelineRunView } from '@slipway/model/views/pipeline-runs'
import { percentile } from '../../../e2e/bench/report'
import { aLargeRun } from '../../../e2e/bench/runs'
import { cpuMsOf } from '../../../scripts/lib/cpu-time'
import type { ViewQuery } from '../src/frame'
import { openSession } from '../src/session'
import type { ShelfSink } from '../src/shelf-sink'
import { createShelves, type ShelfLease, type Shelves } from '../src/shelves'
import type { ViewKind } from '../src/view-kind'
import { computeWindow } from '../src/window'

/** The engine of views without its hosts, on pipeline runs of 17 kB as lists have them. */

const runCount = 100_000
const pageSize = 500
const repeats = 40
const kinds: ViewKind[] = [pipelineRunView]
const allowAll = { mayRead: () => 'allowed' as const, onChange: () => () => {} }

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const namespacesOf = (count: number) => Array.from({ length: count }, (_, index) => `team-${index}`)

/** Every tenth run has failed, and every hundredth one is running. Only what no row shows makes a run large. */
function aRun(index: number, namespace: string, isLarge = false): PipelineRun {
  const run = aLargeRun(index, { namespace, application: `application-${index % 7}` })
  if (!isLarge) Reflect.deleteProperty(run, 'spec')
  if (!isLarge) Reflect.deleteProperty(run.status ?? {}, 'pipelineSpec')
  const status = index % 100 === 0 ? 'Unknown' : index % 10 === 1 ? 'False' : 'True'
  return {
    ...run,
    metadata: { ...run.metadata, uid: `${index.toString(16).padStart(8, '0')}-0000-4000-8000-${namespace}` },
    status: { ...run.status, conditions: [{ type: 'Succeeded', status }] },
  }
}

/** Shelves with as many runs in all of these namespaces. */
function fill(namespaces: readonly string[], count: number, isLarge = false) {
  const sinks = new Map<string, ShelfSink>()
  let due: (() => void)[] = []
  const clock: Clock = { now: () => 0, after: (_, run) => (due.push(run), () => {}) }
  /** Lets all timers run. */
  const wait = () => {
    const timers = due
    due = []
    for (const run of timers) run()
  }
  const shelves = createShelves({
    kinds,
    clock,
    maxBytes: Infinity,
    keepMs: Infinity,
    read(_, namespace, sink) {
      sinks.set(namespace, sink)
      return { close() {} }
    },
  })
  for (const namespace of namespaces) shelves.use(pipelineRunView, namespace, () => {})
  let fillMs = 0
  const each = count / namespaces.length
  for (const [at, namespace] of namespaces.entries()) {
    const sink = sinks.get(namespace)
    sink?.beginList()
    for (let from = 0; from < each; from += pageSize) {
      // As they arrive: parsed, with what no row shows.
      const text = JSON.stringify(
        Array.from({ length: Math.min(pageSize, each - from) }, (_, index) =>
          aRun(at * each + from + index, namespace, isLarge),
        ),
      )
      const page = JSON.parse(text) as PipelineRun[]
      fillMs += cpuMsOf(() => sink?.addPage(page))
    }
    sink?.endList(String(count))
  }
  return { shelves, sinks, clock, wait, fillMs }
}

const print = (figure: string, measured: string, aim = '') =>
  console.log(`| ${figure.padEnd(72)} | ${measured.padStart(20)} | ${aim.padStart(16)} |`)
const ms = (value: number) => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`

/** Each query in the variants of users who type, choose and page. */
const queries: Record<string, (at: number) => Partial<ViewQuery>> = {
  'Newest 50': (at) => ({ limit: 50 - (at % 10) }),
  'Newest 50 of one component': (at) => ({ where: { component: [`service-${at % 20}`] } }),
  'Newest 50 that failed, of two components': (at) => ({
    where: { status: ['Failed'], component: [`service-${at % 20}`, `service-${(at + 3) % 20}`] },
  }),
  'By name, 50 from the middle': (at) => ({ sort: 'name', offset: 50_000 + at }),
  'By duration, then newest first': (at) => ({ sort: 'duration', offset: at }),
  'By status, 50 from the middle': (at) => ({ sort: '-status', offset: 40_000 + at }),
  'Newest 50 whose name contains a text': (at) => ({ text: `${at % 10}${(at * 7) % 10}` }),
  'The run of a commit': (at) => ({ identifier: (at * 1_000).toString(16).padStart(40, '0') }),
  'Newest 50 with four facets': (at) => ({
    facets: ['status', 'type', 'application', 'component'],
    where: { application: [`application-${at % 7}`] },
  }),
  'Position and neighbours of a run': (at) => ({
    around: `${(at * 1_000).toString(16).padStart(8, '0')}-0000-4000-8000-team-0`,
    limit: 3,
  }),
  'Newest run of each component': (at) => ({ firstOf: 'component', limit: 20 + at }),
}

function measureQueries(shelves: Shelves, namespaces: readonly string[], what: string): number[] {
  const used = namespaces.map((namespace) => shelves.use(pipelineRunView, namespace, () => {}).shelf)
  const all: number[] = []
  for (const [name, variant] of Object.entries(queries)) {
    const times = Array.from({ length: repeats }, (_, at) => {
      const query: ViewQuery = { kind: pipelineRunView.id, namespaces, limit: 50, ...variant(at) }
      return cpuMsOf(() => computeWindow(pipelineRunView, used, query).rows.map(({ object }) => object))
    })
    print(`${name}, ${what}: p50, p99`, `${ms(percentile(times, 50))}, ${ms(percentile(times, 99))}`)
    all.push(...times)
  }
  return all
}

function measureSessions() {
  const { shelves, sinks, clock, wait } = fill(['team-0'], 1_000)
  const tabs = 1_000
  let frames = 0
  let bytes = 0
  const sessions = Array.from({ length: tabs }, () =>
    openSession({
      kinds,
      shelves,
      rights: allowAll,
      clock,
      isDrained: () => true,
      send(frame) {
        frames++
        bytes += JSON.stringify(frame).length
      },
    }),
  )
  const query: ViewQuery = { kind: pipelineRunView.id, namespaces: ['team-0'], limit: 50, facets: ['status'] }
  const openMs = cpuMsOf(() => sessions.forEach((session) => session.receive({ type: 'open', id: 'runs', query })))
  print('1,000 tabs open the newest 50 of 1,000, each', `${ms(openMs / tabs)}, ${Math.round(bytes / tabs / 1_000)} kB`)
  const times: number[] = []
  bytes = 0
  for (let at = 1; at <= repeats; at++) {
    frames = 0
    const object = aRun(1_000 + at, 'team-0')
    object.metadata.resourceVersion = String(1_000 + at)
    const reportMs = cpuMsOf(() => sinks.get('team-0')?.apply([{ type: 'ADDED', object }]))
    times.push(reportMs + cpuMsOf(wait))
    if (frames !== tabs) throw new Error(`${frames} frames were sent, not one to each tab.`)
  }
  const kilobytes = (bytes / repeats / tabs / 1_000).toFixed(1)
  print(
    'One event to 1,000 tabs, without waiting: p50, p99',
    `${ms(percentile(times, 50))}, ${ms(percentile(times, 99))}`,
    '200 ms at p99',
  )
  print('Its frame', `${kilobytes} kB`)
}

function measureCommits() {
  const { shelves, wait } = fill(['team-0'], runCount)
  const parts: number[] = []
  let lease: ShelfLease | undefined
  parts.push(cpuMsOf(() => (lease = shelves.use(commitView, 'team-0', () => {}))))
  while (lease && lease.shelf.version === undefined) parts.push(cpuMsOf(wait))
  print('Commits of 100,000 runs: all', ms(parts.reduce((sum, each) => sum + each, 0)))
  print('… the longest time in which the host does nothing else', ms(Math.max(...parts)), '50 ms')
  shelves.close()
}

function measureMemory() {
  collectGarbage()
  const before = process.memoryUsage()
  const namespaces = namespacesOf(200)
  const filled = fill(namespaces, 200_000)
  collectGarbage()
  const after = process.memoryUsage()
  const megabytes = (after.heapUsed + after.external - before.heapUsed - before.external) / 1e6
  print('200 namespaces of 1,000 runs: memory', `${megabytes.toFixed(0)} MB`, '300 MB')
  print('The same, as the engine estimates it', `${(filled.shelves.bytes / 1e6).toFixed(0)} MB`)
  filled.shelves.close()
  print('Adding 1,000 listed runs of 17 kB', ms(fill(['team-0'], 2_000, true).fillMs / 2))
}

print('Figure', 'Measured', 'Aim')
console.log(`| ${'-'.repeat(72)} | ${'-'.repeat(19)}: | ${'-'.repeat(15)}: |`)
measureMemory()
const times: number[] = []
for (const [namespaces, what] of [
  [namespacesOf(1), 'one namespace'],
  [namespacesOf(200), '200 namespaces'],
] as const) {
  const { shelves } = fill(namespaces, runCount)
  times.push(...measureQueries(shelves, namespaces, what))
  shelves.close()
}
print('All of these: p50, p99', `${ms(percentile(times, 50))}, ${ms(percentile(times, 99))}`, '5 ms, 50 ms')
measureSessions()
measureCommits()
const [load = 0] = loadavg()
console.log(
  `\n${runCount.toLocaleString('en')} runs of 17 kB, CPU times; ${availableParallelism()} cores, load ${load.toFixed(1)}`,
)
