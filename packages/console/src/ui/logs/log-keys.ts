import type { PageShortcut } from '../page/page-shortcuts'

/** What `LogViewer` does with keys. */
export const logKeys: readonly PageShortcut[] = [
  { keys: ['/'], description: 'In a log: find' },
  { keys: ['N'], description: 'In a log: next match; with Shift the one before' },
  { keys: ['E'], description: 'In a log: next error; with Shift the one before' },
  { keys: ['Home'], description: 'In a log: first line' },
  { keys: ['End'], description: 'In a log: last line' },
  { keys: ['↑', '↓'], description: 'In a log: from the number of a line to the next; with Shift to select them' },
]
