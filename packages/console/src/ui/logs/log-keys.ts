import type { PageShortcut } from '../page/page-shortcuts'

/** The keyboard shortcuts of `LogViewer`. */
export const logKeys: readonly PageShortcut[] = [
  { keys: ['/'], description: 'In a log: find' },
  { keys: ['N'], description: 'In a log: next match (Shift: previous)' },
  { keys: ['E'], description: 'In a log: next error (Shift: previous)' },
  { keys: ['Home'], description: 'In a log: first line' },
  { keys: ['End'], description: 'In a log: last line' },
  { keys: ['↑', '↓'], description: 'In a log: move between line numbers (Shift: extend selection)' },
]
