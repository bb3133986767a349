import type { WatchHandlers } from './list-watch'

/** Websocket close codes as `WatchHandlers` uses them: normal and abnormal closure. */
const normalClosure = 1000
const abnormalClosure = 1006

/**
 * Reads a watch over HTTP, one line of JSON for each event.
 * @param send opens the watch; must end when the signal is aborted
 */
export function readWatch(
  send: (signal: AbortSignal) => Promise<Response>,
  handlers: WatchHandlers,
): { close(): void } {
  const stop = new AbortController()
  const end = (code: number) => {
    if (!stop.signal.aborted) handlers.onClose(code)
  }
  run().then(
    () => end(normalClosure),
    () => end(abnormalClosure),
  )
  return { close: () => stop.abort() }

  async function run(): Promise<void> {
    const response = await send(stop.signal)
    if (!response.ok || !response.body) {
      await response.body?.cancel()
      return
    }
    if (stop.signal.aborted) return
    handlers.onOpen()
    const decoder = new TextDecoder()
    const reader = response.body.getReader()
    // An in-process fetch may ignore the signal once it has returned a response.
    stop.signal.addEventListener('abort', () => void reader.cancel().catch(() => {}))
    let rest = ''
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.trim() !== '' && !stop.signal.aborted) handlers.onMessage(line)
    }
  }
}
