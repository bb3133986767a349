/** Special lines of a log: commands of build tools, and likely errors. */

export type LogCommand = { kind: 'group'; text: string } | { kind: 'end' } | { kind: 'error' | 'warning'; text: string }

const command = /^(?:::(group|endgroup|error|warning)(?: [^:]*)?::|##\[(group|endgroup|error|warning)\])(.*)$/s

/** Parses `::group::Title`, `::endgroup::`, `::error file=a.go,line=3::message`, and the form `##[error]message`. */
export function logCommandOf(text: string): LogCommand | undefined {
  // Fast path for nearly all lines.
  if (!text.startsWith('::') && !text.startsWith('##[')) return undefined
  const [, first, second, rest = ''] = command.exec(text) ?? []
  const kind = first ?? second
  if (kind === 'endgroup') return { kind: 'end' }
  return kind === 'group' || kind === 'error' || kind === 'warning' ? { kind, text: rest.trim() } : undefined
}

/** Longer lines are data, and a marker would be at the beginning. */
const scannedPrefix = 1_000

const errorWords = new RegExp(
  [
    // `error: no such file`, `npm ERR! code 1`, `fatal: not a git repository`, `panic: …`.
    String.raw`(?:^|[^\w-])(?:[Ee]rror|ERROR|[Ff]atal|FATAL|[Pp]anic)(?:\[\w+\])?: (?!0\b)`,
    String.raw`\bERR!`,
    // `TypeError: …`, `java.lang.IllegalStateException: …`.
    String.raw`\b[A-Z]\w*(?:Error|Exception): `,
    // Levels and verdicts are separate words in capitals; `ERROR=0`, `0 FAILED` and `FAILED: 0` are not errors.
    String.raw`(?<!\b(?:0|[Nn]o|NO) )\b(?:ERROR|FATAL|CRITICAL|PANIC|FAILED|FAILURE)\b(?!\s*[:=]\s*0\b)`,
    String.raw`^--- FAIL`,
    String.raw`^FAIL\b`,
    String.raw`^Traceback \(most recent call last\)`,
    String.raw`\bexit(?:ed)?(?: with)? (?:status|code):? [1-9]`,
    String.raw`\blevel="?(?:error|fatal|panic)\b`,
    String.raw`"level":\s*"(?:error|fatal|panic)"`,
    // The format of klog: `E0131 09:00:00.000000`.
    String.raw`^[EF]\d{4} \d\d:\d\d:\d\d\.`,
    String.raw`\b[Cc]ommand not found\b`,
    String.raw`\bSegmentation fault\b`,
  ].join('|'),
)

/** Whether a line is likely to help find what went wrong. Prefers false positives to missed errors. */
export function isErrorLine(text: string): boolean {
  const found = logCommandOf(text)
  if (found) return found.kind === 'error'
  return errorWords.test(text.length > scannedPrefix ? text.slice(0, scannedPrefix) : text)
}
