import type { ArchivedObject, ArchiveStore } from './store/store'

const encoder = new TextEncoder()

/**
 * A log is untrusted output of a build: browsers must never interpret it as anything but text.
 * @param source headers that say whose log it is
 */
export function logResponse(chunks: Iterable<Uint8Array>, source: Record<string, string> = {}): Response {
  const iterator = chunks[Symbol.iterator]()
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void iterator.return?.(),
  })
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff', ...source }
  return new Response(body, { headers })
}

const newline = 10

/**
 * The logs of all containers of a task in the form in which the watcher of Tekton Results (v0.20) stores them, that of
 * tkn: each line begins with `[{step}] `, or with `[{task} : {step}] ` in the log of a pipeline run, and an empty line
 * ends each container.
 * @param pods of the attempts of the task, the first one first
 */
export function* logOfTask(
  { logs }: ArchiveStore,
  pods: readonly ArchivedObject[],
  task?: string,
): Generator<Uint8Array> {
  for (const { uid } of pods) {
    for (const container of logs.containers(uid)) {
      const step = container.replace(/^step-/, '')
      const mark = task === undefined ? `[${step}] ` : `[${task} : ${step}] `
      yield* markLines(logs.read(uid, container) ?? [], encoder.encode(mark))
      yield Uint8Array.of(newline)
    }
  }
}

/** Puts a mark before each line. The last line always ends. */
function* markLines(chunks: Iterable<Uint8Array>, mark: Uint8Array): Generator<Uint8Array> {
  let isInLine = false
  for (const chunk of chunks) {
    const parts: Uint8Array[] = []
    for (let from = 0; from < chunk.length;) {
      if (!isInLine) parts.push(mark)
      const end = chunk.indexOf(newline, from)
      isInLine = end < 0
      const to = isInLine ? chunk.length : end + 1
      parts.push(chunk.subarray(from, to))
      from = to
    }
    yield Buffer.concat(parts)
  }
  if (isInLine) yield Uint8Array.of(newline)
}
