/** Pieces larger than this are not put together any further. */
const chunkLength = 128 * 1024
const encoder = new TextEncoder()

/** Texts as the body of an answer, made while it is taken: however long it is, little of it is encoded at a time. */
export function streamOf(texts: Iterator<string>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const parts: string[] = []
        let length = 0
        let next = texts.next()
        for (; !next.done; next = texts.next()) {
          parts.push(next.value)
          length += next.value.length
          if (length >= chunkLength) break
        }
        if (length > 0) controller.enqueue(encoder.encode(parts.join('')))
        if (next.done) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
