import type { PageKey } from '../page-keys'

/** What `LogViewer` does with keys. */
export const logKeys: readonly PageKey[] = [
  { keys: ['/'], does: 'In a log: find' },
  { keys: ['N'], does: 'In a log: next match; with Shift the one before' },
  { keys: ['E'], does: 'In a log: next error; with Shift the one before' },
  { keys: ['Home'], does: 'In a log: first line' },
  { keys: ['End'], does: 'In a log: last line' },
  { keys: ['↑', '↓'], does: 'In a log: from the number of a line to the next; with Shift to select them' },
]
