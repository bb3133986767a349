import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ClusterAddresses, FromCluster, ToCluster } from './cluster-messages'
import { signInSecrets } from './credentials'
import { StartError } from './start-error'
import { superviseCluster } from './supervisor'

const addresses: ClusterAddresses = {
  apiUrl: 'https://127.0.0.1:8081',
  privateApiUrl: 'http://127.0.0.1:41001',
  gitHostUrl: 'http://127.0.0.1:9080',
  scenario: 'empty',
  kubeconfigPath: '/data/kubeconfig',
  credentials: { tokens: {}, sessionKey: 'key', signIn: signInSecrets() },
  archive: { kubeArchive: 'http://127.0.0.1:41002' },
  views: 'http://127.0.0.1:41003',
  readerTokens: { archive: 'first token' },
}

/** A cluster process controlled by the test. */
class Process extends EventEmitter {
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  readonly sent: ToCluster[] = []
  readonly signals: string[] = []
  readonly pid: number
  connected = true
  constructor(pid: number) {
    super()
    this.pid = pid
  }
  send(message: ToCluster): void {
    this.sent.push(message)
  }
  kill(signal: string): void {
    this.signals.push(signal)
    this.exit(null, signal)
  }
  exit(code: number | null, signal: string | null = null): void {
    this.emit('exit', code, signal)
  }
  say(message: FromCluster): void {
    this.emit('message', message)
  }
}

function sink() {
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString()
      done()
    },
  })
  return { stream, lines: () => text.split('\n').filter(Boolean) }
}

const alive = (archive = 'token'): FromCluster => ({ type: 'alive', readerTokens: { archive } })

/** A supervisor of processes controlled by the test. */
function supervise() {
  const processes: Process[] = []
  const [stdout, stderr] = [sink(), sink()]
  const onLost = vi.fn()
  const supervising = superviseCluster({
    apiPort: 0,
    gitPort: 0,
    data: '/data',
    fresh: true,
    stdout: stdout.stream,
    stderr: stderr.stream,
    onLost,
    spawnProcess() {
      const next = new Process(100 + processes.length)
      processes.push(next)
      return next as unknown as ChildProcess // As much of one as is used.
    },
  })
  const current = () => processes.at(-1) ?? expect.fail('no process was started')
  return {
    supervising,
    processes,
    current,
    onLost,
    out: stdout.lines,
    errors: stderr.lines,
    async begin() {
      current().say({ type: 'listening', view: addresses })
      const cluster = await supervising
      const begun = cluster.begin('http://console.test')
      await vi.advanceTimersByTimeAsync(0)
      current().say({ type: 'ready' })
      await begun
      return cluster
    },
    /** The current process becomes ready after a restart. */
    async comeUp() {
      current().say({ type: 'listening', view: addresses })
      await vi.advanceTimersByTimeAsync(0)
      current().say({ type: 'ready' })
      await vi.advanceTimersByTimeAsync(0)
    },
    async silentFor(seconds: number) {
      await vi.advanceTimersByTimeAsync(seconds * 1_000)
    },
  }
}

beforeEach(() => void vi.useFakeTimers())

const notResponding = 'The cluster is not responding.'
const ended = 'The cluster stopped unexpectedly and is restarting.'

it('starts the cluster with its options, and starts the simulation once the console is running', async () => {
  const { begin, current } = supervise()
  const cluster = await begin()
  expect(current().sent).toEqual([
    { type: 'start', options: { apiPort: 0, gitPort: 0, data: '/data', fresh: true } },
    { type: 'begin', consoleUrl: 'http://console.test' },
  ])
  expect([cluster.addresses, cluster.pid(), cluster.unavailable()]).toEqual([addresses, 100, undefined])
})

it('puts a prefix before each line of the cluster', async () => {
  const { begin, current, out, errors } = supervise()
  await begin()
  current().stdout.end('one\ntwo\n')
  current().stderr.end('three')
  await vi.waitFor(() => expect([out(), errors()]).toEqual([['cluster: one', 'cluster: two'], ['cluster: three']]))
})

describe('a start that fails', () => {
  it.each([
    ['a failure that users can fix', true],
    ['a defect', false],
  ])('reports the cluster’s message for %s', async (_, isStartFailure) => {
    const { supervising, current } = supervise()
    current().say({ type: 'failed', text: 'Port 8081 is in use.', isStartFailure })
    current().exit(1)
    const error: unknown = await supervising.catch((reason: unknown) => reason)
    expect(error).toEqual(new Error('Port 8081 is in use.'))
    expect(error instanceof StartError).toBe(isStartFailure)
  })

  it('reports how the process ended without a message, and how to check the data', async () => {
    const { supervising, current } = supervise()
    current().exit(null, 'SIGSEGV')
    await expect(supervising).rejects.toThrow(
      'The cluster could not be started: signal SIGSEGV. To check its data folder: npm start -- doctor /data',
    )
  })
})

describe('a cluster that is silent', () => {
  it('is reported as not responding after 8 s until it sends a message', async () => {
    const { begin, current, silentFor, onLost, errors } = supervise()
    const cluster = await begin()
    await silentFor(7)
    expect(cluster.unavailable()).toBeUndefined()
    await silentFor(1)
    expect(cluster.unavailable()).toBe(notResponding)
    expect(onLost).toHaveBeenCalledOnce()
    current().say(alive('second token'))
    expect([cluster.unavailable(), cluster.readerToken('archive')]).toEqual([undefined, 'second token'])
    await silentFor(7)
    expect(cluster.unavailable()).toBeUndefined()
    expect(errors()).toEqual([`Warning: ${notResponding}`, 'The cluster is responding again.'])
  })

  it('is killed after a minute and restarted', async () => {
    const { begin, processes, silentFor } = supervise()
    await begin()
    await silentFor(59)
    expect(processes[0]?.signals).toEqual([])
    await silentFor(2)
    expect(processes[0]?.signals).toEqual(['SIGKILL'])
    expect(processes).toHaveLength(2)
  })

  it('has no time limit to become ready', async () => {
    const { supervising, current, silentFor } = supervise()
    current().say({ type: 'listening', view: addresses })
    const cluster = await supervising
    void cluster.begin('http://console.test')
    await silentFor(120)
    expect([cluster.unavailable(), current().signals]).toEqual([undefined, []])
  })
})

describe('a cluster that ends', () => {
  it('is restarted at the same addresses with its data, and is unavailable meanwhile', async () => {
    const { begin, comeUp, processes, current, onLost, errors } = supervise()
    const cluster = await begin()
    processes[0]?.exit(null, 'SIGKILL')
    await vi.advanceTimersByTimeAsync(0)
    expect(cluster.unavailable()).toBe(ended)
    expect(onLost).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(249)
    expect(processes).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(cluster.pid()).toBe(101)
    await comeUp()
    expect(cluster.unavailable()).toBeUndefined()
    expect(current().sent).toEqual([
      {
        type: 'start',
        options: {
          apiPort: 8081,
          privateApiPort: 41001,
          gitPort: 9080,
          archivePorts: { kubeArchive: 41002 },
          viewsPort: 41003,
          data: '/data',
          fresh: false,
        },
      },
      { type: 'begin', consoleUrl: 'http://console.test' },
    ])
    expect(errors()).toEqual([
      'Error: The cluster stopped: signal SIGKILL. It will be restarted in 0.25 s.',
      'The cluster is running again.',
    ])
  })

  it('stays unavailable while the new process starts and sends heartbeats', async () => {
    const { begin, processes, current } = supervise()
    const cluster = await begin()
    processes[0]?.exit(1)
    await vi.advanceTimersByTimeAsync(250)
    current().say({ type: 'listening', view: addresses })
    current().say(alive())
    await vi.advanceTimersByTimeAsync(0)
    expect(cluster.unavailable()).toBe(ended)
  })

  it('is abandoned after six restarts in a row with doubling delays', async () => {
    const { begin, current, processes, errors } = supervise()
    const cluster = await begin()
    for (const delayMs of [250, 500, 1_000, 2_000, 4_000, 8_000]) {
      const known = processes.length
      current().exit(1)
      await vi.advanceTimersByTimeAsync(delayMs - 1)
      expect(processes).toHaveLength(known)
      await vi.advanceTimersByTimeAsync(1)
      expect(processes).toHaveLength(known + 1)
    }
    current().say({ type: 'failed', text: 'the disk is gone.', isStartFailure: false })
    current().exit(1)
    await expect(cluster.failed).rejects.toThrow(
      new StartError(
        'The cluster stopped 7 times in a row, most recently because: the disk is gone. It will not be restarted. To check its data folder: npm start -- doctor /data',
      ),
    )
    await vi.advanceTimersByTimeAsync(60_000)
    expect(processes).toHaveLength(7)
    expect(errors()).toHaveLength(6)
  })

  it('starts with the first delay again after running for a minute', async () => {
    const { begin, comeUp, current, processes } = supervise()
    await begin()
    for (let round = 0; round < 8; round++) {
      for (let second = 0; second < 61; second++) {
        await vi.advanceTimersByTimeAsync(1_000)
        current().say(alive())
      }
      current().exit(1)
      await vi.advanceTimersByTimeAsync(250)
      expect(processes).toHaveLength(round + 2)
      await comeUp()
    }
  })
})

describe('closing', () => {
  it('stops the process, and kills it if it does not stop', async () => {
    const { begin, current } = supervise()
    const cluster = await begin()
    const closing = cluster.close()
    expect(current().sent.at(-1)).toEqual({ type: 'stop' })
    await vi.advanceTimersByTimeAsync(2_499)
    expect(current().signals).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(current().signals).toEqual(['SIGKILL'])
    await closing
  })

  it('restarts nothing', async () => {
    const { begin, current, processes, errors } = supervise()
    const cluster = await begin()
    current().exit(1)
    await vi.advanceTimersByTimeAsync(100)
    const closing = cluster.close()
    await vi.advanceTimersByTimeAsync(60_000)
    await closing
    expect(processes).toHaveLength(1)
    const other = supervise()
    const running = await other.begin()
    const stopping = running.close()
    other.current().exit(0)
    await stopping
    await vi.advanceTimersByTimeAsync(60_000)
    expect(other.processes).toHaveLength(1)
    expect(other.errors()).toEqual([])
    expect(errors()).toHaveLength(1)
  })
})
