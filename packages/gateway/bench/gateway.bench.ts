import { createClient, loadAtRate, percentile } from './load'
import { runsPath, smallPath, tableMask } from './objects'
import { startGateway, startUpstream, startWatchers, type UpstreamProcess } from './processes'
import { machineState, printHeader, report } from './report'

/** A day with all users signed in: each has five open watches and makes a call every four seconds. */
const people = 1_000
const sockets = 5_000
const callsPerSecond = 250
/** Rate of changes in the cluster: an event per user every four seconds, and in a storm every second. */
const rates = [
  { name: 'a day', eventsPerSecond: 250, addedAtMost: 20 },
  { name: 'a storm', eventsPerSecond: 1_000, addedAtMost: undefined },
]
const forMs = 30_000
const sampleMs = 250
/** Direct watches for comparison. */
const directSockets = 100

printHeader()
const upstream = await startUpstream()
await measureLoad(upstream)
await upstream.stop()
console.log(`\nPipeline runs of 17 kB; ${machineState()}`)

/**
 * A thousand sessions with five thousand websockets at one replica, with events on all of them and concurrent calls.
 * Calls and events go through the gateway and directly at the same time, so that other load on the machine affects both.
 * The clients offer compression, as browsers do.
 */
async function measureLoad(upstream: UpstreamProcess): Promise<void> {
  const gateway = await startGateway(upstream.url, people)
  const { cookies } = gateway
  const path = `${runsPath}?watch=true`
  // Like the console's requests.
  const masked = `${path}&fieldMask=${encodeURIComponent(tableMask)}`
  const origin = gateway.url
  const all = [
    { url: `${gateway.url.replace('http', 'ws')}/wss/k8s${masked}`, count: sockets, origin, cookies },
    { url: `${upstream.url.replace('http', 'ws')}${path}`, count: directSockets },
  ]
  const opening = await gateway.during(() => startWatchers(all))
  const watchers = opening.result
  report('1,000 sessions, 5,000 sockets: opening rate', (sockets + directSockets) / (opening.ms / 1000), '/s')
  report("  the gateway's CPU per socket", opening.cpuMs / sockets, 'ms')
  report("  the gateway's memory with all open", opening.nowBytes / 1e6, 'MB')
  report('  its open files', await gateway.openFiles(), '')

  const client = createClient(256)
  const cookieOf = (index: number) => ({ cookie: cookies[index % people] ?? '' })
  const through = (index: number) => client.get(`${gateway.url}/api/k8s${smallPath}`, cookieOf(index))
  const directly = () => client.get(`${upstream.url}${smallPath}`)
  const work = async (eventsPerSecond: number, ms: number) => {
    const [sent, viaGateway, direct] = await Promise.all([
      upstream.sendSteadily(eventsPerSecond, ms),
      loadAtRate(callsPerSecond, ms, through),
      loadAtRate(callsPerSecond, ms, directly),
    ])
    return { sent, viaGateway, direct, watched: await watchers.seen(sent) }
  }
  // One round, so that every socket has received an event.
  await work(1_000, sockets + 500)

  for (const { name, eventsPerSecond, addedAtMost } of rates) {
    const aim = addedAtMost === undefined ? undefined : { atMost: addedAtMost }
    const { result, cpuMs, ms, peakBytes } = await gateway.during(() => work(eventsPerSecond, forMs), sampleMs)
    const { sent, viaGateway, direct } = result
    const [watched, beside] = result.watched
    if (!watched || !beside) throw new Error('The watchers have not received anything.')
    report(`${name}: events sent`, sent / (forMs / 1000), '/s')
    report('    lost, duplicated or out of order', sent - watched.events - beside.events + watched.wrong, '', {
      atMost: 0,
    })
    report('    websockets ended', watched.ended, '', { atMost: 0 })
    report('    p50 added', watched.p50 - beside.p50, 'ms')
    report('    p99 added', watched.p99 - beside.p99, 'ms', aim)
    for (const percent of [50, 99]) {
      const [own, other] = [percentile(viaGateway, percent), percentile(direct, percent)]
      report(`  a call: p${percent}`, own, 'ms')
      report(`    directly`, other, 'ms')
      report(`    added`, own - other, 'ms', percent === 99 ? aim : undefined)
    }
    report("  the gateway's CPU, of one core", (cpuMs / ms) * 100, '%')
    report("  the gateway's peak memory", peakBytes / 1e6, 'MB')
  }
  client.close()
  await watchers.stop()
  await gateway.stop()
}
