import { fork, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { aliveEveryMs, type ClusterAddresses, type FromCluster, type ToCluster } from './cluster-messages'
import { StartError } from './start-error'
import type { ServicesOptions } from './services'

/** This file as source and as part of the bundle. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const program = fileURLToPath(new URL(`./cluster-process.${extension}`, import.meta.url))

/** A silence of so many seconds means that the cluster does not respond, and of so many that it never will. */
const silentTicks = 8
const hopelessTicks = 60
const firstDelayMs = 250
const longestDelayMs = 15_000
/** A cluster that has run for so long was well: what ends it then is no crash loop. */
const stableMs = 60_000
const mostRestarts = 6
const closeWithinMs = 2_500

export interface SupervisorOptions extends ServicesOptions {
  /** Where the output of the cluster goes, each line with a prefix, and what the supervisor itself reports. */
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
  /** The cluster has stopped responding, or has ended: connections through it are worth nothing. */
  onLost?: () => void
  /** Starts the process of the cluster, with a channel for messages. */
  spawnProcess?: () => ChildProcess
}

/** A cluster in a process of its own, which is started again when it ends. */
export interface SupervisedCluster {
  /** The same over every restart. */
  addresses: ClusterAddresses
  /** The present process. */
  pid(): number | undefined
  /** The token with which the gateway calls the archive. */
  readerToken(): string
  /** Why the cluster does not respond, in words; `undefined` while it does. */
  unavailable(): string | undefined
  /** Resolves once the scenario is created and things happen. */
  begin(consoleUrl: string): Promise<void>
  /** Rejects with a StartError when the cluster was not started again any more. */
  failed: Promise<never>
  close(): Promise<void>
}

const notResponding = 'The cluster is not responding.'
const ended = 'The cluster has ended unexpectedly and is being started again.'

/**
 * Starts the cluster; resolves when it listens.
 * @throws StartError for what the person who starts it can put right
 */
export async function superviseCluster(options: SupervisorOptions): Promise<SupervisedCluster> {
  const { stdout, stderr, onLost = () => {}, spawnProcess = forkCluster, ...services } = options
  let giveUp = (_: Error) => {}
  const failed = new Promise<never>((_, reject) => (giveUp = reject))
  failed.catch(() => {}) // the command awaits it once everything has started
  let reason: string | undefined
  let consoleUrl: string | undefined
  let restarts = 0
  let isClosing = false
  let delay: NodeJS.Timeout | undefined

  const report = (sentence: string) => void stderr.write(`${sentence}\n`)
  const spawn = (start: ServicesOptions) => spawnCluster(spawnProcess(), start, { stdout, stderr }, services.data)
  function lose(why: string): void {
    reason = why
    onLost()
  }

  let current = spawn(services)
  const addresses = await current.listening
  let { readerToken } = addresses
  watch(current)

  function watch({ child, ended: end, isReady }: Cluster): void {
    const startedMs = performance.now()
    let ticks = 0
    child.on('message', (message: FromCluster) => {
      if (message.type !== 'alive') return
      ticks = 0
      readerToken = message.readerToken
      if (reason !== notResponding) return
      reason = undefined
      report('The cluster responds again.')
    })
    // Ticks and not times: when this process itself was suspended, no silence of the other one follows from that.
    const timer = setInterval(() => {
      if (!isReady()) return
      ticks++
      if (ticks === silentTicks) {
        report(`Warning: ${notResponding}`)
        lose(notResponding)
      }
      if (ticks === hopelessTicks) child.kill('SIGKILL')
    }, aliveEveryMs)
    void end.then((how) => {
      clearInterval(timer)
      if (isClosing) return
      if (performance.now() - startedMs > stableMs) restarts = 0
      restart(how)
    })
  }

  function restart(how: string): void {
    restarts++
    lose(ended)
    if (restarts > mostRestarts) {
      giveUp(
        new StartError(
          `The cluster has ended ${restarts} times in a row, the last time because: ${how} It is not started again.${doctorHint(services.data)}`,
        ),
      )
      return
    }
    const delayMs = Math.min(firstDelayMs * 2 ** (restarts - 1), longestDelayMs)
    report(`Error: The cluster has ended: ${how} It is started again in ${delayMs / 1_000} s.`)
    delay = setTimeout(() => {
      current = spawn({ ...services, fresh: false, ...portsOf(addresses) })
      watch(current)
      // A failure is an end, which is watched.
      current.listening
        .then(() => begin(false))
        .then(
          () => report('The cluster runs again.'),
          () => {},
        )
    }, delayMs)
  }

  async function begin(isFirst: boolean): Promise<void> {
    if (consoleUrl !== undefined) await current.begin({ type: 'begin', consoleUrl, isFirst })
    reason = undefined
  }

  return {
    addresses,
    pid: () => current.child.pid,
    readerToken: () => readerToken ?? '',
    unavailable: () => reason,
    begin(url) {
      consoleUrl = url
      return begin(true)
    },
    failed,
    async close() {
      isClosing = true
      clearTimeout(delay)
      await current.close()
    },
  }
}

const doctorHint = (data: string | undefined): string =>
  data === undefined ? '' : ` To check its data folder: npm start -- doctor ${data}`

/** The ports that it had before: the gateway and people know them. */
function portsOf({ apiUrl, privateApiUrl, gitHostUrl, archive }: ClusterAddresses): Partial<ServicesOptions> {
  const portOf = (url: string) => Number(new URL(url).port)
  const archivePorts = Object.fromEntries(
    Object.entries(archive).flatMap(([name, url]) => (url ? [[name, portOf(url)]] : [])),
  )
  return { apiPort: portOf(apiUrl), privateApiPort: portOf(privateApiUrl), gitPort: portOf(gitHostUrl), archivePorts }
}

interface Cluster {
  child: ChildProcess
  /** Rejects when it ends before. */
  listening: Promise<ClusterAddresses>
  isReady(): boolean
  /** Resolves when it is ready; rejects when it ends before. */
  begin(message: Extract<ToCluster, { type: 'begin' }>): Promise<void>
  /** Resolves with a sentence that says how it ended. */
  ended: Promise<string>
  close(): Promise<void>
}

type Output = Pick<SupervisorOptions, 'stdout' | 'stderr'>

const forkCluster = () => fork(program, [], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })

function spawnCluster(
  child: ChildProcess,
  options: ServicesOptions,
  { stdout, stderr }: Output,
  data: string | undefined,
): Cluster {
  prefixLines(child.stdout, stdout)
  prefixLines(child.stderr, stderr)
  const send = (message: ToCluster) => void (child.connected && child.send(message))
  let failure: Extract<FromCluster, { type: 'failed' }> | undefined
  let isReady = false

  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`${error.message}.`))
    child.once('exit', (code, signal) =>
      resolve(failure?.text ?? (signal ? `signal ${signal}.` : `exit code ${String(code)}.`)),
    )
  })
  const endedError = async (): Promise<Error> => {
    const how = await ended
    if (failure?.isStartFailure) return new StartError(how)
    return failure ? new Error(how) : new StartError(`The cluster could not be started: ${how}${doctorHint(data)}`)
  }
  const listening = new Promise<ClusterAddresses>((resolve, reject) => {
    child.on('message', (message: FromCluster) => {
      if (message.type === 'listening') resolve(message.view)
      else if (message.type === 'failed') failure = message
      else if (message.type === 'ready') isReady = true
    })
    void endedError().then(reject)
  })
  listening.catch(() => {})
  send({ type: 'start', options })

  return {
    child,
    listening,
    isReady: () => isReady,
    begin(message) {
      send(message)
      return new Promise((resolve, reject) => {
        child.on('message', ({ type }: FromCluster) => type === 'ready' && resolve())
        void endedError().then(reject)
      })
    },
    ended,
    async close() {
      send({ type: 'stop' })
      const timer = setTimeout(() => child.kill('SIGKILL'), closeWithinMs)
      await ended
      clearTimeout(timer)
    },
  }
}

function prefixLines(from: Readable | null, to: NodeJS.WritableStream): void {
  if (from) createInterface({ input: from }).on('line', (line) => void to.write(`cluster: ${line}\n`))
}
