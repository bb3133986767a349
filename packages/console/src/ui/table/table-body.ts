interface TableContents {
  /** Number of rows that have been read; `undefined` before the first read has succeeded. */
  total: number | undefined
  /** How many of them the filters leave. */
  matching: number
  /** The last read failed. */
  hasFailed: boolean
  /** One of the sources of the rows failed, such as the archive of a history, and an alert above the rows says so. */
  isPartial: boolean
  /** More rows exist than have been read; `loading` while some are being read. */
  more: 'none' | 'idle' | 'loading'
}

/**
 * What a table shows below its toolbar.
 * - `empty`: every source was read to its end and has nothing. Nothing else may look like this.
 * - `failure`: nothing can be shown, because it could not be read.
 * - `no matches`: every row was read, and the filters leave none of them.
 * - `no loaded matches`: the same of those that were read; others exist or may exist.
 * - `nothing`: the alert above or the spinner below says what is missing.
 */
export type TableBody = 'loading' | 'rows' | 'empty' | 'failure' | 'no matches' | 'no loaded matches' | 'nothing'

export function tableBody({ total, matching, hasFailed, isPartial, more }: TableContents): TableBody {
  if (total === undefined) return hasFailed ? 'failure' : 'loading'
  if (matching > 0) return 'rows'
  if (total === 0) {
    if (hasFailed) return 'failure'
    if (isPartial) return 'nothing'
    return more === 'none' ? 'empty' : 'loading'
  }
  if (more === 'loading') return 'nothing'
  return isPartial || more === 'idle' ? 'no loaded matches' : 'no matches'
}
