import { Worker } from 'node:worker_threads'
import { aliveEveryMs, type FromCluster, type ToCluster } from './cluster-messages'
import { StartError } from './start-error'
import { limitHeapGrowth } from './memory'
import { type Services, startServices } from './services'

/**
 * The cluster process, started only by `superviseCluster`. It never outlives its supervisor: it exits when the channel
 * between them closes, and a separate thread kills it if it is too busy to notice.
 */

const closeWithinMs = 1_500

const send = (message: FromCluster) => void process.send?.(message)
let services: Promise<Services> | undefined
let isStopping = false

function stop(): void {
  if (isStopping) return
  isStopping = true
  setTimeout(() => process.exit(0), closeWithinMs)
  Promise.resolve(services)
    .then((each) => each?.close())
    .then(
      () => process.exit(0),
      () => process.exit(1),
    )
}

function fail(error: unknown): void {
  if (isStopping) return
  const isStartFailure = error instanceof StartError
  const text = error instanceof Error ? (!isStartFailure && error.stack) || error.message : String(error)
  const message: FromCluster = { type: 'failed', text, isStartFailure }
  process.send?.(message, undefined, undefined, () => process.exit(1))
}

process.on('message', (message: ToCluster) => {
  if (message.type === 'start') {
    services = startServices(message.options)
    services.then(listening).catch(fail)
  } else if (message.type === 'begin') {
    services
      ?.then((each) => each.begin(message))
      .then(() => {
        send({ type: 'ready' })
        limitHeapGrowth()
      })
      .catch(fail)
  } else stop()
})

function listening({
  apiUrl,
  privateApiUrl,
  gitHostUrl,
  scenario,
  kubeconfigPath,
  credentials,
  archive,
  views,
}: Services): void {
  const { tokens, sessionKey, signIn } = credentials
  const readerTokens = () => ({ archive: archive?.readerToken(), views: views?.readerToken() })
  send({
    type: 'listening',
    view: {
      apiUrl,
      privateApiUrl,
      gitHostUrl,
      scenario,
      kubeconfigPath,
      credentials: { tokens, sessionKey, signIn },
      archive: { kubeArchive: archive?.plugins.kubeArchive?.url, tektonResults: archive?.plugins.tektonResults?.url },
      views: views?.plugin.url,
      readerTokens: readerTokens(),
    },
  })
  setInterval(() => send({ type: 'alive', readerTokens: readerTokens() }), aliveEveryMs)
}

// The supervisor has exited, and the next one needs the data folder now. Every acknowledged write is on the disk.
process.on('disconnect', () => process.exit(1))
process.on('SIGTERM', stop)
// Ctrl-C reaches every process of the terminal, but the supervisor decides when to stop.
process.on('SIGINT', () => {})

new Worker(
  `const { ppid } = process
   setInterval(() => { if (process.ppid !== ppid) setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2_000) }, 1_000)`,
  {
    eval: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
  },
).unref()
