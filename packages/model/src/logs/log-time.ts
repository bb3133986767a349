/** Line timestamps, which Kubernetes adds with `timestamps=true`. */

const stamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)(?: |$)/

export interface StampedLine {
  /** Milliseconds since 1970, with all decimals of the source; `NaN` for a line without a time. */
  timeMs: number
  text: string
}

/** Parses the timestamps of successive lines. Most lines share the second of the previous one, which is parsed once. */
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
