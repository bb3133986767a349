import { Transform } from 'node:stream'
import type { FieldMask } from './mask'
import type { Layout } from './plan'
import { createProjector } from './projector'

/** The projector as a step of a pipeline: what is broken or cut off breaks the pipeline, so that no end is made up. */
export function projection(mask: FieldMask, layout: Layout): Transform {
  const projector = createProjector(mask, layout)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        const kept = projector.push(chunk)
        // An empty chunk is nothing to a stream, but a frame to a compressor that flushes each.
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
