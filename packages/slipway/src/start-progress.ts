/** Shows the steps of a start, each with the time it took. */
export interface StartProgress {
  /** Runs one step. A step that fails is shown without a time: the error follows. */
  step<T>(label: string, work: () => Promise<T>): Promise<T>
}

interface Output {
  isTTY?: boolean
  write(text: string): unknown
}

/** How often a step that takes long is shown again: at a terminal its line is rewritten, elsewhere each is a line. */
const terminalTickMs = 1_000
const plainTickMs = 10_000
const startOfLine = '\r\u001b[K'

/** One line per step at a terminal, rewritten in place; otherwise a line at the start and one at the end of each. */
export function startProgress(output: Output, now: () => number = () => performance.now()): StartProgress {
  const isTerminal = output.isTTY === true
  const show = (text: string) => void output.write(isTerminal ? `${startOfLine}${text}` : `${text}\n`)
  return {
    async step(label, work) {
      const startedMs = now()
      const elapsed = () => `${((now() - startedMs) / 1000).toFixed(1)} s`
      show(`${label} …`)
      const ticker = setInterval(() => show(`${label} … ${elapsed()}`), isTerminal ? terminalTickMs : plainTickMs)
      let isDone = false
      try {
        const result = await work()
        isDone = true
        return result
      } finally {
        clearInterval(ticker)
        if (isDone) show(`${label}: done in ${elapsed()}`)
        // What is written next starts on a line of its own.
        if (isTerminal) output.write('\n')
      }
    },
  }
}
