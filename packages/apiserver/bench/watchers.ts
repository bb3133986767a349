import { request } from 'node:http'

export interface Watchers {
  /** Resolves when every watcher has seen so many events, with the time of the last one; rejects when one has ended. */
  all(events: number): Promise<number>
  /** Events that were missing or out of order. */
  gaps(): number
  /** When the last watcher had its event with this number, by the number in its name. */
  seenMs(number: number): number
  close(): void
}

const newline = 0x0a

/** So many watches of one path, each on a connection of its own; each event's object is named `event-<number>`. */
export async function openWatchers(url: string, path: string, count: number): Promise<Watchers> {
  const closes: (() => void)[] = []
  const seen = new Map<number, number>()
  let gaps = 0
  let received = 0
  let awaited = Infinity
  let finish: (lastMs: number) => void = () => undefined
  let fail: (error: Error) => void = () => undefined

  const open = () =>
    new Promise<void>((resolve, reject) => {
      const outgoing = request(new URL(path, url), { agent: false, headers: { authorization: 'Bearer bench' } })
      let expected = 0
      let isLineStart = true
      let head = ''
      closes.push(() => outgoing.destroy())
      outgoing.on('error', reject)
      outgoing.on('response', (incoming) => {
        incoming.on('error', () => undefined)
        incoming.on('end', () => fail(new Error('a watch has ended')))
        incoming.on('data', (chunk: Buffer) => {
          // The name is near the start of each line; the rest is only skipped.
          for (let at = 0; at < chunk.length;) {
            const end = chunk.indexOf(newline, at)
            const stop = end < 0 ? chunk.length : end
            if (isLineStart) head = ''
            if (head.length < 300) head += chunk.toString('latin1', at, Math.min(stop, at + 300))
            isLineStart = end >= 0
            if (isLineStart) {
              const number = Number(/"name":"event-(\d+)"/.exec(head)?.[1])
              if (number !== expected) gaps++
              expected = number + 1
              const nowMs = performance.now()
              seen.set(number, nowMs)
              if (++received === awaited) finish(nowMs)
            }
            at = stop + 1
          }
        })
        resolve()
      })
      outgoing.end()
    })
  for (let opened = 0; opened < count; opened += 50) {
    await Promise.all(Array.from({ length: Math.min(50, count - opened) }, open))
  }
  return {
    all: (events) =>
      new Promise((resolve, reject) => {
        awaited = events * count
        finish = resolve
        fail = reject
        if (received >= awaited) resolve(performance.now())
      }),
    gaps: () => gaps,
    seenMs: (number) => seen.get(number) ?? NaN,
    close() {
      fail = () => undefined
      for (const close of closes) close()
    },
  }
}
