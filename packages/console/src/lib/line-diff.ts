export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** The smallest number of lines to remove and add (longest common subsequence); removals come before additions. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start++
  let end = 0
  const shorter = Math.min(before.length, after.length) - start
  while (end < shorter && before[before.length - 1 - end] === after[after.length - 1 - end]) end++

  const old = before.slice(start, before.length - end)
  const now = after.slice(start, after.length - end)
  /** `common[i][j]`: lines in common of `old` from `i` and `now` from `j`. */
  const common = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1))
  const at = (i: number, j: number) => common[i]?.[j] ?? 0
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      common[i]?.fill(old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1)), j, j + 1)
    }
  }
  const changed: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      changed.push({ kind: 'same', text: old[i] ?? '' })
      i++
      j++
    } else if (i < old.length && (j === now.length || at(i + 1, j) >= at(i, j + 1))) {
      changed.push({ kind: 'removed', text: old[i++] ?? '' })
    } else {
      changed.push({ kind: 'added', text: now[j++] ?? '' })
    }
  }
  const same = (text: string): DiffLine => ({ kind: 'same', text })
  return [...before.slice(0, start).map(same), ...changed, ...before.slice(before.length - end).map(same)]
}

/** The lines near a change, in pieces; `hidden` counts the equal lines before each piece and at the end. */
export interface Hunks {
  pieces: { hidden: number; lines: DiffLine[] }[]
  hidden: number
}

export function hunksOf(lines: readonly DiffLine[], context = 3): Hunks {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ kind }) => kind !== 'same'),
  )
  const pieces: Hunks['pieces'] = []
  let hidden = 0
  lines.forEach((line, index) => {
    if (!isNear[index]) hidden++
    else if (hidden > 0 || pieces.length === 0) {
      pieces.push({ hidden, lines: [line] })
      hidden = 0
    } else pieces.at(-1)?.lines.push(line)
  })
  return { pieces, hidden }
}
