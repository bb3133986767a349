import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aRun, definition, fill, nameOf, namespace, runsPath, selector } from './objects'
import { clientOf, percentile, timed } from './load'
import { startServer } from './server'
import { deliver, openWatchers } from './watchers'

/**
 * Measures the API server over HTTP, with storage on disk and clients in another process, and compares with the targets.
 * `npm run bench -w packages/apiserver -- --json=<file>` also writes the figures to a file.
 */
interface Figure {
  figure: string
  measured: string
  aim: string
  isMet?: boolean
}

const sizes = [1_000, 10_000, 50_000]
const writers = 16
const watcherCount = 1_000
const eventCount = 500
const eventsPerSecond = 25
const figures: Figure[] = []

function report(figure: string, value: number, unit: string, aim?: { atMost?: number; atLeast?: number }) {
  const { atMost = Infinity, atLeast = -Infinity } = aim ?? {}
  const measured = `${value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en')} ${unit}`
  const bound = aim?.atMost === undefined ? aim?.atLeast : aim.atMost
  const target =
    bound === undefined ? '' : `${aim?.atMost === undefined ? '≥' : '≤'} ${bound.toLocaleString('en')} ${unit}`
  const isMet = aim && value <= atMost && value >= atLeast
  figures.push({ figure, measured, aim: target, ...(isMet !== undefined && { isMet }) })
  console.log(
    `${figure.padEnd(70)} ${measured.padStart(14)}  ${target.padStart(14)} ${isMet === false ? 'MISSED' : ''}`,
  )
}

const startMs = performance.now()
const folder = await mkdtemp(join(tmpdir(), 'apiserver-bench-'))
const path = join(folder, 'data.db')
try {
  await prepare()
  await measureWrites()
  let filled = 0
  for (const size of sizes) {
    await fill(path, filled, size)
    filled = size
    await measureReads(size)
  }
  await measureWatches()
} finally {
  await rm(folder, { recursive: true })
}
console.log(`\nObjects of 5 KB, ${((performance.now() - startMs) / 1000).toFixed(0)} s in all`)
const json = process.argv.find((argument) => argument.startsWith('--json='))?.slice('--json='.length)
if (json) await writeFile(json, `${JSON.stringify(figures, null, 2)}\n`)

async function prepare() {
  const server = await startServer(path)
  const client = clientOf(server, 1)
  await client.send('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  })
  await client.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  client.close()
  await server.stop()
}

/** In a file of the given size. Objects created here are deleted before the reads are measured. */
async function measureWrites() {
  const server = await startServer(path)
  const client = clientOf(server, writers)
  const create = (name: string, number: number) => client.send('POST', runsPath, aRun(name, number))
  let next = 0
  const durations: number[] = []
  const writeUntil = async (endMs: number, durations: number[]) => {
    await Promise.all(
      Array.from({ length: writers }, async () => {
        while (performance.now() < endMs) {
          const number = next++
          const startMs = performance.now()
          await create(`write-${number}`, number)
          durations.push(performance.now() - startMs)
        }
      }),
    )
  }
  await writeUntil(performance.now() + 2_000, [])
  const startMs = performance.now()
  await writeUntil(startMs + 5_000, durations)
  const seconds = (performance.now() - startMs) / 1000
  durations.sort((a, b) => a - b)
  report(`durable creates, ${writers} clients`, durations.length / seconds, '/s', { atLeast: 2_000 })
  report('  p95 of one create', percentile(durations, 95), 'ms')
  await client.send('DELETE', runsPath)
  client.close()
  await server.stop()
}

async function measureReads(size: number) {
  const server = await startServer(path)
  const client = clientOf(server, 1)
  const shown = size.toLocaleString('en')
  const isLargest = size === sizes.at(-1)
  report(`start with ${shown} objects`, server.startedMs, 'ms', isLargest ? { atMost: 1_500 } : undefined)
  report('  of it, opening and checking the file', server.openedMs, 'ms')
  const pages = await timed(100, () => client.send('GET', `${runsPath}?limit=500`))
  report(`list of 500 out of ${shown}, p95`, percentile(pages, 95), 'ms', isLargest ? { atMost: 30 } : undefined)
  report('  p50', percentile(pages, 50), 'ms')
  if (isLargest) {
    const token = encodeURIComponent(await middleToken(client))
    const middle = await timed(100, () => client.send('GET', `${runsPath}?limit=500&continue=${token}`))
    report(`list of 500 from the middle of ${shown}, p95`, percentile(middle, 95), 'ms')
    const gets = await timed(2_000, (index) => client.send('GET', `${runsPath}/${nameOf((index * 7919) % size)}`))
    report('get, p95', percentile(gets, 95), 'ms', { atMost: 2 })
  }
  if (size === 10_000) {
    const cold = performance.now()
    await client.send('GET', `${runsPath}?labelSelector=${encodeURIComponent(selector)}`)
    report('whole list of 10,000 with a selector (500 match), first time', performance.now() - cold, 'ms')
    const selected = await timed(30, () =>
      client.send('GET', `${runsPath}?labelSelector=${encodeURIComponent(selector)}`),
    )
    report('whole list of 10,000 with a selector (500 match), p95', percentile(selected, 95), 'ms')
    const whole = await timed(10, () => client.send('GET', runsPath))
    report('whole list of 10,000, p95', percentile(whole, 95), 'ms')
  }
  client.close()
  await server.stop()
}

async function middleToken(client: ReturnType<typeof clientOf>): Promise<string> {
  const response = await client.send('GET', `${runsPath}?limit=25000`)
  // A Kubernetes list.
  return (JSON.parse(response.text()) as { metadata: { continue: string } }).metadata.continue
}

async function measureWatches() {
  const server = await startServer(path)
  const client = clientOf(server, writers)
  const first = await client.send('GET', `${runsPath}?limit=1`)
  const { resourceVersion } = (JSON.parse(first.text()) as { metadata: { resourceVersion: string } }).metadata
  const watched = `${runsPath}?watch=true&resourceVersion=${resourceVersion}`
  const watchers = await openWatchers(server, watched, watcherCount)
  const objects = sizes.at(-1)?.toLocaleString('en') ?? ''
  report(
    `memory with ${objects} objects and ${watcherCount.toLocaleString('en')} watchers`,
    (await server.memory()) / 1e6,
    'MB',
    { atMost: 400 },
  )
  const steady = await deliver(client, watchers, { from: 0, count: eventCount, perSecond: eventsPerSecond })
  const title = `${watcherCount.toLocaleString('en')} watchers, ${eventCount} events each`
  report(`${title}: events missing`, watchers.gaps(), '', { atMost: 0 })
  report('  last event at the last watcher, after the response to its write', steady.lastMs, 'ms', { atMost: 1_000 })
  report(`  p95 of all events at ${eventsPerSecond} a second`, percentile(steady.lags, 95), 'ms')
  const burst = await deliver(client, watchers, { from: eventCount, count: eventCount })
  report(`${title} more, as fast as one client creates: events missing`, watchers.gaps(), '', { atMost: 0 })
  report('  last event at the last watcher, after the response to its write', burst.lastMs, 'ms', { atMost: 1_000 })
  report('  all of it', burst.allMs / 1000, 's')
  report('  memory afterwards', (await server.memory()) / 1e6, 'MB', { atMost: 400 })
  watchers.close()
  client.close()
  await server.stop()
}
