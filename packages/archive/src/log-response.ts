import type { ArchivedObject, ArchiveStore } from './store/store'

const encoder = new TextEncoder()

/** A log is untrusted output of a build: browsers must never interpret it as anything but text. */
export function logResponse(chunks: Iterable<Uint8Array>): Response {
  const iterator = chunks[Symbol.iterator]()
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void iterator.return?.(),
  })
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
  return new Response(body, { headers })
}

/** The logs of all containers of the pods, each after a line with its name. */
export function* logsOfPods({ logs }: ArchiveStore, pods: ArchivedObject[]): Generator<Uint8Array> {
  for (const { uid } of pods) {
    for (const container of logs.containers(uid)) {
      yield encoder.encode(`${container} :-\n`)
      yield* logs.read(uid, container) ?? []
      yield encoder.encode('\n')
    }
  }
}
