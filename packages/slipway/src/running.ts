/** Parts that were started, to be stopped in reverse order. */
export class Running {
  private readonly parts: (() => Promise<void>)[] = []

  add(close: () => Promise<void>): void {
    this.parts.unshift(close)
  }

  async close(): Promise<void> {
    for (const close of this.parts.splice(0)) await close()
  }
}
