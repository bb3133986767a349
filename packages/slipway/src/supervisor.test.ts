import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
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
  readerToken: 'first token',
}

/** The process of a cluster, which does what the test says. */
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

const alive = (readerToken = 'token'): FromCluster => ({ type: 'alive', readerToken })

/** A supervisor of processes that the test plays. */
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
    /** The present process comes up after it was started again. */
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
afterEach(() => void vi.useRealTimers())

const notResponding = 'The cluster is not responding.'
const ended = 'The cluster has ended unexpectedly and is being started again.'

it('starts the cluster with its options, and lets it begin once the console is there', async () => {
  const { begin, current } = supervise()
  const cluster = await begin()
  expect(current().sent).toEqual([
    { type: 'start', options: { apiPort: 0, gitPort: 0, data: '/data', fresh: true } },
    { type: 'begin', consoleUrl: 'http://console.test', isFirst: true },
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
    ['a failure that people can put right', true],
    ['a defect', false],
  ])('says what the cluster says of %s', async (_, isStartFailure) => {
    const { supervising, current } = supervise()
    current().say({ type: 'failed', text: 'Port 8081 is in use.', isStartFailure })
    current().exit(1)
    const error: unknown = await supervising.catch((reason: unknown) => reason)
    expect(error).toEqual(new Error('Port 8081 is in use.'))
    expect(error instanceof StartError).toBe(isStartFailure)
  })

  it('says how the process ended when it said nothing, and how to check the data', async () => {
    const { supervising, current } = supervise()
    current().exit(null, 'SIGSEGV')
    await expect(supervising).rejects.toThrow(
      'The cluster could not be started: signal SIGSEGV. To check its data folder: npm start -- doctor /data',
    )
  })
})

describe('a cluster that is silent', () => {
  it('does not respond after 8 s, until it is heard again', async () => {
    const { begin, current, silentFor, onLost, errors } = supervise()
    const cluster = await begin()
    await silentFor(7)
    expect(cluster.unavailable()).toBeUndefined()
    await silentFor(1)
    expect(cluster.unavailable()).toBe(notResponding)
    expect(onLost).toHaveBeenCalledOnce()
    current().say(alive('second token'))
    expect([cluster.unavailable(), cluster.readerToken()]).toEqual([undefined, 'second token'])
    await silentFor(7)
    expect(cluster.unavailable()).toBeUndefined()
    expect(errors()).toEqual([`Warning: ${notResponding}`, 'The cluster responds again.'])
  })

  it('is ended after a minute, and started again', async () => {
    const { begin, processes, silentFor } = supervise()
    await begin()
    await silentFor(59)
    expect(processes[0]?.signals).toEqual([])
    await silentFor(2)
    expect(processes[0]?.signals).toEqual(['SIGKILL'])
    expect(processes).toHaveLength(2)
  })

  it('may take as long as it needs to become ready', async () => {
    const { supervising, current, silentFor } = supervise()
    current().say({ type: 'listening', view: addresses })
    const cluster = await supervising
    void cluster.begin('http://console.test')
    await silentFor(120)
    expect([cluster.unavailable(), current().signals]).toEqual([undefined, []])
  })
})

describe('a cluster that ends', () => {
  it('is started again at the same addresses, with its data, and is unavailable meanwhile', async () => {
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
          data: '/data',
          fresh: false,
        },
      },
      { type: 'begin', consoleUrl: 'http://console.test', isFirst: false },
    ])
    expect(errors()).toEqual([
      'Error: The cluster has ended: signal SIGKILL. It is started again in 0.25 s.',
      'The cluster runs again.',
    ])
  })

  it('is still unavailable when a process that is being started says that it lives', async () => {
    const { begin, processes, current } = supervise()
    const cluster = await begin()
    processes[0]?.exit(1)
    await vi.advanceTimersByTimeAsync(250)
    current().say({ type: 'listening', view: addresses })
    current().say(alive())
    await vi.advanceTimersByTimeAsync(0)
    expect(cluster.unavailable()).toBe(ended)
  })

  it('is given up after six restarts in a row, each after twice as long', async () => {
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
        'The cluster has ended 7 times in a row, the last time because: the disk is gone. It is not started again. To check its data folder: npm start -- doctor /data',
      ),
    )
    await vi.advanceTimersByTimeAsync(60_000)
    expect(processes).toHaveLength(7)
    expect(errors()).toHaveLength(6)
  })

  it('begins with the first delay again when it was well for a minute', async () => {
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
  it('stops the process, and ends one that does not stop', async () => {
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

  it('starts nothing again', async () => {
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
