import type { LogGroup } from '@slipway/model/logs/log-lines'

/** The rows from top to bottom: the head of each step, its lines except folded ones, and its foot. */
export type LogRow =
  { kind: 'head' | 'foot'; step: number } | { kind: 'line'; step: number; line: number; group?: LogGroup | undefined }

export interface LogRows {
  readonly count: number
  at(index: number): LogRow
  /** Identifies a row even if other rows are added or removed. */
  keyAt(index: number): number
  /** Index of the row of a line, or of the row that it is folded into. */
  indexOf(step: number, line: number): number
  /** Indexes of the heads and feet, which are higher. */
  readonly others: ReadonlySet<number>
}

export interface StepRows {
  container: string
  count: number
  groups: readonly LogGroup[]
  hasFoot: boolean
}

/** A stretch of consecutive lines, so that half a million lines are one entry. */
interface Stretch {
  first: number
  kind: LogRow['kind']
  step: number
  /** Index of the first line; the others follow. */
  line: number
  count: number
}

/** Keys of what can be folded: a step, or a group within it. */
export const stepFold = (container: string): string => container
export const groupFold = (container: string, { first }: LogGroup): string => `${container}:${first}`

const keysPerStep = 2 ** 32

/** The key of the row of a line. */
export const lineKey = (step: number, line: number): number => step * keysPerStep + line + 2

export function logRows(steps: readonly StepRows[], folded: ReadonlySet<string>): LogRows {
  const stretches: Stretch[] = []
  const others = new Set<number>()
  const groupsAt = new Map<string, LogGroup>()
  let count = 0
  const add = (kind: LogRow['kind'], step: number, line = 0, length = 1) => {
    if (length <= 0) return
    if (kind !== 'line') others.add(count)
    stretches.push({ first: count, kind, step, line, count: length })
    count += length
  }
  steps.forEach(({ container, count: lines, groups, hasFoot }, step) => {
    add('head', step)
    if (folded.has(stepFold(container))) return
    let from = 0
    for (const { first, last } of hidden(container, groups, folded)) {
      add('line', step, from, Math.min(first, lines) - from)
      from = Math.max(from, last + 1)
    }
    add('line', step, from, lines - from)
    if (hasFoot) add('foot', step)
    for (const group of groups) groupsAt.set(`${step}:${group.first}`, group)
  })

  let near = 0
  /** Rows are mostly read in sequence. */
  function stretchAt(index: number): Stretch {
    for (const guess of [near, near + 1]) {
      const stretch = stretches[guess]
      if (stretch && stretch.first <= index && index < stretch.first + stretch.count) {
        near = guess
        return stretch
      }
    }
    let low = 0
    let high = stretches.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((stretches[middle]?.first ?? Infinity) <= index) low = middle
      else high = middle - 1
    }
    near = low
    return stretches[low] ?? { first: 0, kind: 'head', step: 0, line: 0, count: 1 }
  }

  return {
    count,
    others,
    at(index) {
      const { first, kind, step, line } = stretchAt(index)
      if (kind !== 'line') return { kind, step }
      const number = line + index - first
      return { kind, step, line: number, group: groupsAt.get(`${step}:${number}`) }
    },
    keyAt(index) {
      const { first, kind, step, line } = stretchAt(index)
      return kind === 'line' ? lineKey(step, line + index - first) : step * keysPerStep + (kind === 'head' ? 0 : 1)
    },
    indexOf(step, line) {
      let found = 0
      for (const stretch of stretches) {
        if (stretch.step > step) break
        if (stretch.step < step || stretch.kind === 'foot') continue
        if (stretch.kind === 'head') found = stretch.first
        else if (stretch.line <= line) found = stretch.first + Math.min(line - stretch.line, stretch.count - 1)
      }
      return found
    },
  }
}

/** Hidden lines as sorted, disjoint stretches: all but the title of a folded group, the end marker of an open one. */
function hidden(container: string, groups: readonly LogGroup[], folded: ReadonlySet<string>) {
  const stretches = groups
    .map((group) => {
      if (folded.has(groupFold(container, group))) return { first: group.first + 1, last: group.last }
      return { first: group.last, last: group.last }
    })
    .filter(({ first }) => first !== Infinity)
    .sort((a, b) => a.first - b.first)
  const apart: { first: number; last: number }[] = []
  for (const { first, last } of stretches) {
    const before = apart.at(-1)
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last)
    else apart.push({ first, last })
  }
  return apart
}

/** The folds without those that hide a line. */
export function unfolded(
  folded: ReadonlySet<string>,
  { container, groups }: Pick<StepRows, 'container' | 'groups'>,
  line: number,
): ReadonlySet<string> {
  const after = new Set(folded)
  after.delete(stepFold(container))
  for (const group of groups) {
    if (group.first < line && line <= group.last) after.delete(groupFold(container, group))
  }
  return after.size === folded.size ? folded : after
}
