/** When a line was written, as Kubernetes puts it before each line that is asked for with `timestamps=true`. */

const stamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)(?: |$)/

export interface StampedLine {
  /** Milliseconds since 1970, with as many decimals as the source has; `NaN` for a line without a time. */
  timeMs: number
  text: string
}

/** Reads times of lines that follow each other: most are of the second of the one before, which is read once. */
export function stampReader(): (line: string) => StampedLine {
  let second = ''
  let secondMs = NaN
  return (line) => {
    const [whole, date = '', fraction = '', zone = ''] = stamp.exec(line) ?? []
    if (whole === undefined) return { timeMs: NaN, text: line }
    if (second !== date + zone) {
      second = date + zone
      secondMs = Date.parse(second)
    }
    return { timeMs: secondMs + Number(fraction) * 1_000, text: line.slice(whole.length) }
  }
}
