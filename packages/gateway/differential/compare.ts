import { fieldNames, type Field, type Outcome } from './exchange'
import { reasons, type Reason } from './reasons'

export interface Row {
  name: string
  ours: Outcome['fields']
  theirs: Outcome['fields']
  expected: { [field in Field]?: Reason }
  /** What is wrong with ours alone. */
  faults?: string[]
}

/** What came of a comparison. */
export type Verdict = 'same' | 'differs on purpose' | 'UNEXPECTED'

export interface Compared {
  name: string
  verdict: Verdict
  /** The reasons that say why it differs, and what nobody expected. */
  lines: string[]
}

export function compared({ name, ours, theirs, expected, faults = [] }: Row): Compared {
  const why = new Set<Reason>()
  const unexpected = [...faults]
  for (const field of fieldNames) {
    const reason = expected[field]
    const differs = ours[field] !== theirs[field]
    if (differs && reason) why.add(reason)
    else if (differs) unexpected.push(`${field}: ours ${show(ours[field])}, theirs ${show(theirs[field])}`)
    else if (reason) unexpected.push(`${field}: no longer differs, both ${show(ours[field])} (${reason})`)
  }
  if (unexpected.length > 0) return { name, verdict: 'UNEXPECTED', lines: unexpected }
  if (why.size === 0) return { name, verdict: 'same', lines: [] }
  return { name, verdict: 'differs on purpose', lines: [...why].map((reason) => `${reason}: ${reasons[reason]}`) }
}

const show = (value: string): string => (value === '' ? 'nothing' : JSON.stringify(value))

/** @returns how many came out unexpected */
export function print(title: string, rows: Compared[]): number {
  console.log(`\n${title}\n`)
  for (const { name, verdict, lines } of rows) {
    const [first = '', ...rest] =
      verdict === 'UNEXPECTED' ? ['', ...lines] : [lines.map((line) => line.split(':')[0]).join(', ')]
    console.log(`  ${verdict.padEnd(18)}  ${name}${first && `  [${first}]`}`)
    for (const line of rest) console.log(`      ${line}`)
  }
  const count = (verdict: Verdict) => rows.filter((row) => row.verdict === verdict).length
  console.log(
    `\n  ${rows.length} compared: ${count('same')} the same, ${count('differs on purpose')} differ on purpose, ` +
      `${count('UNEXPECTED')} unexpected`,
  )
  return count('UNEXPECTED')
}
