/** A queue of lines with a single consumer. */
export interface Lines {
  /** Calls `onChange` when lines are available or the end is reached. Replaces any previous listener. */
  follow(onChange: () => void): void
  /**
   * Removes some of the queued lines, in order; `undefined` if the queue is empty. No bytes mean that finding the next
   * line takes longer: call it again after other work.
   */
  take(): Uint8Array | undefined
  /** True once no more lines will be added, although some may still be queued. */
  isEnded(): boolean
  cancel(): void
}

/** Lines as a stream. A socket writer takes the lines directly instead. */
export class LineStream extends ReadableStream<Uint8Array> {
  readonly lines: Lines

  constructor(lines: Lines) {
    let isPulled = false
    let flush = () => {}
    super(
      {
        start(controller) {
          flush = () => {
            const bytes = isPulled ? lines.take() : undefined
            if (bytes?.length === 0) {
              setTimeout(flush)
            } else if (bytes) {
              isPulled = false
              controller.enqueue(bytes)
            } else if (isPulled && lines.isEnded()) {
              controller.close()
            }
          }
          lines.follow(flush)
        },
        pull() {
          isPulled = true
          flush()
        },
        cancel() {
          isPulled = false
          lines.cancel()
        },
      },
      // Take nothing from the queue until the stream is read.
      { highWaterMark: 0 },
    )
    this.lines = lines
  }
}
