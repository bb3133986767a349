import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import {
  aliveEveryMs,
  type ClusterAddresses,
  type FromCluster,
  type ReaderTokens,
  type ToCluster,
} from './cluster-messages'
import { invocation } from './invocation'
import { forkWithLittleMemory } from './memory'
import { StartError } from './start-error'
import type { ServicesOptions } from './services'

/** Extension of this file, as source or in the bundle. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const program = fileURLToPath(new URL(`./cluster-process.${extension}`, import.meta.url))

/** Seconds of silence after which the cluster is not responding, and after which it is killed. */
const silentTicks = 8
const killTicks = 60
const firstDelayMs = 250
const maxDelayMs = 15_000
/** A cluster that has run this long was healthy: its end is not part of a crash loop. */
const stableMs = 60_000
const maxRestarts = 6
const closeWithinMs = 2_500

export interface SupervisorOptions extends ServicesOptions {
  /** Receive the output of the cluster, with a prefix on each line, and the supervisor's own messages. */
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
  /** Called when the cluster stops responding or exits: existing connections through it are useless. */
  onLost?: () => void
  /** Starts the cluster process with a message channel. */
  spawnProcess?: () => ChildProcess
}

/** A cluster in a separate process, which is restarted when it exits. */
export interface SupervisedCluster {
  /** Unchanged by restarts. */
  addresses: ClusterAddresses
  /** Pid of the current process. */
  pid(): number | undefined
  /** The token with which the gateway calls a service next to the cluster. */
  readerToken(service: keyof ReaderTokens): string
  /** Human-readable reason why the cluster does not respond; `undefined` while it does. */
  unavailable(): string | undefined
  /** Resolves once the scenario is created and the simulation runs. */
  begin(consoleUrl: string): Promise<void>
  /** Rejects with a StartError once the supervisor stops restarting the cluster. */
  failed: Promise<never>
  close(): Promise<void>
}

const notResponding = 'The cluster is not responding.'
const ended = 'The cluster stopped unexpectedly and is restarting.'

/**
 * Starts the cluster; resolves once it listens.
 * @throws StartError for problems that the user can fix
 */
export async function superviseCluster(options: SupervisorOptions): Promise<SupervisedCluster> {
  const { stdout, stderr, onLost = () => {}, spawnProcess = () => forkWithLittleMemory(program), ...services } = options
  let giveUp = (_: Error) => {}
  const failed = new Promise<never>((_, reject) => (giveUp = reject))
  failed.catch(() => {}) // the command awaits it once everything has started
  let reason: string | undefined
  let consoleUrl: string | undefined
  let restarts = 0
  let isClosing = false
  let delay: NodeJS.Timeout | undefined

  const report = (message: string) => void stderr.write(`${message}\n`)
  const spawn = (start: ServicesOptions) => spawnCluster(spawnProcess(), start, { stdout, stderr }, services.data)
  function lose(why: string): void {
    reason = why
    onLost()
  }

  let current = spawn(services)
  const addresses = await current.listening
  let { readerTokens } = addresses
  watch(current)

  function watch({ child, ended: end, isReady }: Cluster): void {
    const startedMs = performance.now()
    let ticks = 0
    child.on('message', (message: FromCluster) => {
      if (message.type !== 'alive') return
      ticks = 0
      readerTokens = message.readerTokens
      if (reason !== notResponding) return
      reason = undefined
      report('The cluster is responding again.')
    })
    // Counts ticks instead of time: after this process was suspended, the other one has not been silent.
    const timer = setInterval(() => {
      if (!isReady()) return
      ticks++
      if (ticks === silentTicks) {
        report(`Warning: ${notResponding}`)
        lose(notResponding)
      }
      if (ticks === killTicks) child.kill('SIGKILL')
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
    if (restarts > maxRestarts) {
      giveUp(
        new StartError(
          `The cluster stopped ${restarts} times in a row, most recently because: ${how} It will not be restarted.${doctorHint(services.data)}`,
        ),
      )
      return
    }
    const delayMs = Math.min(firstDelayMs * 2 ** (restarts - 1), maxDelayMs)
    report(`Error: The cluster stopped: ${how} It will be restarted in ${delayMs / 1_000} s.`)
    delay = setTimeout(() => {
      current = spawn({ ...services, fresh: false, ...portsOf(addresses) })
      watch(current)
      // A failure also ends the process, which is watched.
      current.listening.then(begin).then(
        () => report('The cluster is running again.'),
        () => {},
      )
    }, delayMs)
  }

  async function begin(): Promise<void> {
    if (consoleUrl !== undefined) await current.begin({ type: 'begin', consoleUrl })
    reason = undefined
  }

  return {
    addresses,
    pid: () => current.child.pid,
    readerToken: (service) => readerTokens[service] ?? '',
    unavailable: () => reason,
    begin(url) {
      consoleUrl = url
      return begin()
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
  data === undefined ? '' : ` To check its data folder: ${invocation} doctor ${data}`

/** The previous ports, which the gateway and users know. */
function portsOf({ apiUrl, privateApiUrl, gitHostUrl, archive, views }: ClusterAddresses): Partial<ServicesOptions> {
  const portOf = (url: string) => Number(new URL(url).port)
  const archivePorts = Object.fromEntries(
    Object.entries(archive).flatMap(([name, url]) => (url ? [[name, portOf(url)]] : [])),
  )
  return {
    apiPort: portOf(apiUrl),
    privateApiPort: portOf(privateApiUrl),
    gitPort: portOf(gitHostUrl),
    archivePorts,
    viewsPort: views === undefined ? undefined : portOf(views),
  }
}

interface Cluster {
  child: ChildProcess
  /** Rejects if the process exits first. */
  listening: Promise<ClusterAddresses>
  isReady(): boolean
  /** Resolves once it is ready; rejects if the process exits first. */
  begin(message: Extract<ToCluster, { type: 'begin' }>): Promise<void>
  /** Resolves with a sentence that says how the process ended. */
  ended: Promise<string>
  close(): Promise<void>
}

type Output = Pick<SupervisorOptions, 'stdout' | 'stderr'>

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
