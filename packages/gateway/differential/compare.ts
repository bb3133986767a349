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

/** What came of a comparison, or of a check that needs none. */
export type Verdict = 'same' | 'differs on purpose' | 'as it should be' | 'UNEXPECTED'

export interface Compared {
  name: string
  verdict: Verdict
  why: Reason[]
  /** What nobody expected. */
  faults: string[]
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
  const verdict = unexpected.length > 0 ? 'UNEXPECTED' : why.size > 0 ? 'differs on purpose' : 'same'
  return { name, verdict, why: [...why], faults: unexpected }
}

const show = (value: string): string => (value === '' ? 'nothing' : JSON.stringify(value))

/** @returns how many came out unexpected */
export function print(title: string, rows: Compared[]): number {
  console.log(`\n${title}\n`)
  const counts = new Map<Verdict, number>()
  for (const { name, verdict, why, faults } of rows) {
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
    console.log(`  ${verdict.padEnd(18)}  ${name}${why.length > 0 ? `  [${why.join(', ')}]` : ''}`)
    for (const fault of faults) console.log(`      ${fault}`)
  }
  console.log(`\n  ${[...counts].map(([verdict, count]) => `${count} ${verdict}`).join(', ')}`)
  return counts.get('UNEXPECTED') ?? 0
}

/** What the names in brackets mean. */
export function printReasons(rows: Compared[]): void {
  console.log('\nWhy')
  for (const reason of new Set(rows.flatMap(({ why }) => why))) console.log(`  ${reason}: ${reasons[reason]}`)
}
