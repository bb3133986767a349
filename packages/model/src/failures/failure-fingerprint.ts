import { isErrorLine } from '../logs/log-commands'
import { withoutNoise } from '../logs/log-noise'
import { type FailureClass, failureClassOf, type FailureEvidence } from './failure-class'

/** What makes two failures the same one. */
export interface Fingerprint {
  /** Equal for the same failure, whichever run it is of. */
  id: string
  class: FailureClass
  /** The line that names the failure, as it is in the log. */
  title: string
}

/** What one run has of its own beyond noise: paths, names in quotes and numbers. The host of an address tells, its path does not. */
const particulars: readonly (readonly [pattern: RegExp, placeholder: string])[] = [
  [/"[^"]*"|'[^']*'|`[^`]*`/g, '{text}'],
  [/\b([a-z][a-z0-9+.-]*:\/\/[^/\s]+)\/[^\s,;)]*/gi, '$1/{path}'],
  [/(?<![\w{}:/.-])[\w.-]+\.[a-z]{2,}(?::\d+)?\/[\w./@:{}-]+/gi, '{image}'],
  [/(?<![\w{}:/.@~-])[\w.@~-]*\/[\w./@:~{}-]+/g, '{path}'],
  [/\b[\w-]+\.(?:go|ts|tsx|js|py|java|rs|c|cc|cpp|h|rb|ya?ml|json)\b(?::[\d:]+)?/g, '{path}'],
  [/\d+/g, '{n}'],
]

/** A line as in every run that fails in this way. */
export const withoutParticulars = (line: string): string =>
  particulars
    .reduce((text, [pattern, placeholder]) => text.replace(pattern, placeholder), withoutNoise(line))
    .replace(/\s+/g, ' ')
    .trim()

/** What any program says when another one has failed: it names no cause. */
const generic =
  /^(?:\S+: )*(?:error:? )?(?:exit(?:ed)?(?: with)? (?:status|code):? \S+|make(?:\[\S+\])?: \*\*\* .*|command failed.*|failed|error)\.?$/i

/** An outage is the same one in any task. */
const classesOfAnyTask: ReadonlySet<FailureClass> = new Set(['Infrastructure', 'Registry'])

/** How many lines that tell name a failure: what comes behind them differs with what went before. */
const namingLines = 1

/** Deterministic: the same evidence always has the same fingerprint, in every browser. */
export function fingerprintOf(failure: FailureEvidence): Fingerprint {
  const kind = failureClassOf(failure)
  const titles = titlesOf(failure)
  const title = titles[0] ?? failure.message
  const parts = [
    kind,
    classesOfAnyTask.has(kind) ? '' : (failure.task ?? ''),
    failure.exitReason ?? '',
    failure.hasTimedOut ? 'timeout' : '',
    ...titles.map(withoutParticulars),
  ]
  return { id: hashOf(parts.join('\n')), class: kind, title: title.trim() }
}

/** The lines that name the failure: a failed test, or the first lines with an error that say more than that there is one. */
function titlesOf({ failedTests = [], lines, errorLine, message }: FailureEvidence): string[] {
  const [test] = failedTests
  if (test !== undefined) return [test]
  const errors = [...(errorLine === undefined ? [] : [errorLine]), ...lines.filter(isErrorLine)]
  const telling = [...new Set(errors)].filter((line) => !generic.test(withoutParticulars(line)))
  if (telling.length > 0) return telling.slice(0, namingLines)
  // Without an error in it, the end of the log is all that is known; without a log, the message is.
  const last = lines.filter((line) => line.trim() !== '' && !generic.test(withoutParticulars(line))).at(-1)
  return [last ?? message]
}

/** A hash of 53 bits (cyrb53 by bryc, public domain): collisions are unlikely below a million texts. */
function hashOf(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36)
}
