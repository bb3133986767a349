/** Lines that come one after the other, for one who takes them. */
export interface Lines {
  /** Calls `onChange` when there is something to take, or the end has come; in place of whoever followed before. */
  follow(onChange: () => void): void
  /** Some of what waits, in order; `undefined` when nothing does. */
  take(): Uint8Array | undefined
  /** Nothing is added any more, though something may wait still. */
  isEnded(): boolean
  cancel(): void
}

/** Lines as a stream, for whoever wants one; who writes them to a socket takes them without. */
export class LineStream extends ReadableStream<Uint8Array> {
  readonly lines: Lines

  constructor(lines: Lines) {
    let isWanted = false
    let flush = () => {}
    super(
      {
        start(controller) {
          flush = () => {
            const bytes = isWanted ? lines.take() : undefined
            if (bytes) {
              isWanted = false
              controller.enqueue(bytes)
            } else if (isWanted && lines.isEnded()) {
              controller.close()
            }
          }
          lines.follow(flush)
        },
        pull() {
          isWanted = true
          flush()
        },
        cancel: () => lines.cancel(),
      },
      // Nothing is taken before somebody reads.
      { highWaterMark: 0 },
    )
    this.lines = lines
  }
}
