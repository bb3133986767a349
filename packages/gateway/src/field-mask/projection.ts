import { Transform } from 'node:stream'
import type { Projector } from './projector'

/** A projector as a stream: malformed or truncated JSON fails the pipeline, so that the output never looks complete. */
export function projection(projector: Projector): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        const kept = projector.push(chunk)
        // A stream ignores an empty chunk, but a compressor that flushes each chunk would send a frame.
        if (kept.length > 0) this.push(kept)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      try {
        projector.end()
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
}
