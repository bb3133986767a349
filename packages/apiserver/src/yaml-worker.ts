import { Worker } from 'node:worker_threads'
import { BodyLimitError } from './body-limits.js'
import type { YamlDocument } from './http/yaml.js'
import type { YamlReader } from './http/body'

const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

/** A body within the limits takes less than a second on an idle processor. */
const defaultTimeoutMs = 15_000

type Result = { document: YamlDocument } | { error: string }

interface Job {
  text: string
  resolve(document: YamlDocument): void
  reject(error: Error): void
}

/**
 * Parses YAML in a separate thread, which the first text starts and later ones reuse. Parsing YAML is far slower than
 * JSON, and a text that takes too much memory or time ends only the thread. Parses one text at a time.
 */
export function yamlWorker({ timeoutMs = defaultTimeoutMs } = {}): YamlReader {
  const queue: Job[] = []
  let thread: Worker | undefined
  let running: { job: Job; timer: NodeJS.Timeout } | undefined

  /** Settles the running job and starts the next one, in a new thread if the old one failed. */
  function settle(end: (job: Job) => void) {
    if (!running) return
    clearTimeout(running.timer)
    const { job } = running
    running = undefined
    end(job)
    next()
  }

  function fail(failed: Worker, error: Error) {
    if (thread !== failed) return
    thread = undefined
    void failed.terminate()
    settle((job) => job.reject(error))
  }

  function start(): Worker {
    const started = new Worker(new URL('./yaml-thread.js', import.meta.url), { resourceLimits })
    started.on('message', (result: Result) => {
      if (thread !== started) return
      settle((job) =>
        'document' in result ? job.resolve(result.document) : job.reject(new BodyLimitError(result.error)),
      )
    })
    started.on('error', (error) => fail(started, isOutOfMemory(error) ? tooMuch() : error))
    started.on('exit', () => fail(started, tooMuch()))
    return started
  }

  function next() {
    const job = running ? undefined : queue.shift()
    if (!job) {
      // An idle thread does not keep the process alive.
      if (!running) thread?.unref()
      return
    }
    const used = (thread ??= start())
    used.ref()
    running = { job, timer: setTimeout(() => fail(used, tooMuch()), timeoutMs) }
    used.postMessage(job.text)
  }

  return {
    read: (text) =>
      new Promise((resolve, reject) => {
        queue.push({ text, resolve, reject })
        next()
      }),
    async close() {
      const closed = new Error('closed')
      queue.splice(0).forEach((job) => job.reject(closed))
      if (thread) fail(thread, closed)
    },
  }
}

const tooMuch = () => new BodyLimitError('reading it takes too much memory or time')

const isOutOfMemory = (error: Error & { code?: string }) => error.code === 'ERR_WORKER_OUT_OF_MEMORY'
