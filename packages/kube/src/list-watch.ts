export interface ListWatchState {
  connection: 'init' | 'open' | 'error' | 'closed' | 'destroyed'
  /** Time of the last good list, event or bookmark, in ms since 1970; `undefined` before the first list. */
  asOf?: number
  /** For people: why the connection or the last list failed; `undefined` while all is well. */
  reason?: string
  /** The list is read again every 10 s, since there is no connection. */
  isPolling: boolean
}
