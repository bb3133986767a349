import { fieldNames, type Field, type Outcome } from './exchange'
import { reasons, type Reason } from './reasons'

export interface Row {
  name: string
  ours: Outcome['fields']
  theirs: Outcome['fields']
  expected: { [field in Field]?: Reason }
  /** Errors of our side alone. */
  errors?: string[]
}

/** Result of a comparison or of a check of one side. */
export type Verdict = 'same' | 'differs on purpose' | 'as it should be' | 'UNEXPECTED'

export interface Comparison {
  name: string
  verdict: Verdict
  why: Reason[]
  /** Unexpected results. */
  errors: string[]
}

export function compareRow({ name, ours, theirs, expected, errors = [] }: Row): Comparison {
  const why = new Set<Reason>()
  const unexpected = [...errors]
  for (const field of fieldNames) {
    const reason = expected[field]
    const differs = ours[field] !== theirs[field]
    if (differs && reason) why.add(reason)
    else if (differs) unexpected.push(`${field}: ours ${show(ours[field])}, theirs ${show(theirs[field])}`)
    else if (reason) unexpected.push(`${field}: no longer differs, both ${show(ours[field])} (${reason})`)
  }
  const verdict = unexpected.length > 0 ? 'UNEXPECTED' : why.size > 0 ? 'differs on purpose' : 'same'
  return { name, verdict, why: [...why], errors: unexpected }
}

const show = (value: string): string => (value === '' ? 'nothing' : JSON.stringify(value))

/** @returns the number of unexpected results */
export function print(title: string, rows: Comparison[]): number {
  console.log(`\n${title}\n`)
  const counts = new Map<Verdict, number>()
  for (const { name, verdict, why, errors } of rows) {
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
    console.log(`  ${verdict.padEnd(18)}  ${name}${why.length > 0 ? `  [${why.join(', ')}]` : ''}`)
    for (const error of errors) console.log(`      ${error}`)
  }
  console.log(`\n  ${[...counts].map(([verdict, count]) => `${count} ${verdict}`).join(', ')}`)
  return counts.get('UNEXPECTED') ?? 0
}

/** Prints the explanations of the reasons in brackets. */
export function printReasons(rows: Comparison[]): void {
  console.log('\nWhy')
  for (const reason of new Set(rows.flatMap(({ why }) => why))) console.log(`  ${reason}: ${reasons[reason]}`)
}
