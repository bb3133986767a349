const chunkBytes = 128 * 1024
const encoder = new TextEncoder()

/** Texts as a response body, encoded lazily: however long it is, only one chunk is in memory at a time. */
export function streamOf(texts: Iterator<string>): ReadableStream<Uint8Array> {
  let rest = ''
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = new Uint8Array(chunkBytes)
        let length = 0
        let isDone = false
        for (;;) {
          if (rest === '') {
            const next = texts.next()
            isDone = next.done === true
            if (next.done) break
            rest = next.value
          }
          // Encode directly into the chunk: joining long texts first would take twice the time.
          const { read, written } = encoder.encodeInto(rest, chunk.subarray(length))
          length += written
          rest = rest.slice(read)
          if (rest !== '') break
        }
        if (length > 0) controller.enqueue(chunk.subarray(0, length))
        if (isDone) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
