/** Lines of a log that mean more than text: commands of build tools, and what looks like an error. */

export type LogCommand = { kind: 'group'; text: string } | { kind: 'end' } | { kind: 'error' | 'warning'; text: string }

const command = /^(?:::(group|endgroup|error|warning)(?: [^:]*)?::|##\[(group|endgroup|error|warning)\])(.*)$/s

/** `::group::Title`, `::endgroup::`, `::error file=a.go,line=3::message`, and the same as `##[error]message`. */
export function logCommandOf(text: string): LogCommand | undefined {
  // Nearly every line ends here.
  if (!text.startsWith('::') && !text.startsWith('##[')) return undefined
  const [, first, second, rest = ''] = command.exec(text) ?? []
  const kind = first ?? second
  if (kind === 'endgroup') return { kind: 'end' }
  return kind === 'group' || kind === 'error' || kind === 'warning' ? { kind, text: rest.trim() } : undefined
}

/** Longer lines are data; what they are said to be stands at the beginning. */
const scannedPrefix = 1_000

const errorWords = new RegExp(
  [
    // `error: no such file`, `npm ERR! code 1`, `fatal: not a git repository`, `panic: …`.
    String.raw`(?:^|[^\w-])(?:[Ee]rror|ERROR|[Ff]atal|FATAL|[Pp]anic)(?:\[\w+\])?: (?!0\b)`,
    String.raw`\bERR!`,
    // `TypeError: …`, `java.lang.IllegalStateException: …`.
    String.raw`\b[A-Z]\w*(?:Error|Exception): `,
    // Levels and verdicts stand alone, in capitals; `ERROR=0`, `0 FAILED` and `FAILED: 0` find nothing wrong.
    String.raw`(?<!\b(?:0|[Nn]o|NO) )\b(?:ERROR|FATAL|CRITICAL|PANIC|FAILED|FAILURE)\b(?!\s*[:=]\s*0\b)`,
    String.raw`^--- FAIL`,
    String.raw`^FAIL\b`,
    String.raw`^Traceback \(most recent call last\)`,
    String.raw`\bexit(?:ed)?(?: with)? (?:status|code):? [1-9]`,
    String.raw`\blevel="?(?:error|fatal|panic)\b`,
    String.raw`"level":\s*"(?:error|fatal|panic)"`,
    // As klog writes: `E0131 09:00:00.000000`.
    String.raw`^[EF]\d{4} \d\d:\d\d:\d\d\.`,
    String.raw`\b[Cc]ommand not found\b`,
    String.raw`\bSegmentation fault\b`,
  ].join('|'),
)

/** Would somebody who looks for what went wrong want to see this line? It may be one too many, to miss none. */
export function isErrorLine(text: string): boolean {
  const found = logCommandOf(text)
  if (found) return found.kind === 'error'
  return errorWords.test(text.length > scannedPrefix ? text.slice(0, scannedPrefix) : text)
}
