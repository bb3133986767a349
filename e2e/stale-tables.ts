import type { Page } from '@playwright/test'

/** Maximum age of a table that says Live: a connection that is silently dead is only detected by its silence. */
const staleMs = 30_000

/** The newest rows of a table when its badge started or stopped saying Live, or when they changed. */
interface TableState {
  atMs: number
  isLive: boolean
  /** The highest number at the end of a row's name, such as `tick-7`; -1 without rows. */
  newest: number
}

/** When the server acknowledged the object with each number. */
export type Acknowledged = { number: number; atMs: number }[]

/** Runs in the page: records the table's content every quarter of a second. */
export function startRecording(table: string) {
  const states: TableState[] = []
  const look = () => {
    const cells = document.querySelectorAll(`table[aria-label="${table}"] [data-label="Name"]`)
    const numbers = [...cells].map(({ textContent }) => Number(/tick-(\d+)/.exec(textContent)?.[1] ?? -1))
    states.push({
      atMs: Date.now(),
      isLive: document.querySelector('.slipway-freshness')?.textContent === 'Live',
      newest: Math.max(-1, ...numbers),
    })
  }
  setInterval(look, 250)
  Object.assign(globalThis, { takeStates: () => states.splice(0) })
}

/** What has been recorded since the last call. */
export const takeStates = (page: Page) =>
  // Defined by the function above.
  page.evaluate(() => (globalThis as unknown as { takeStates(): TableState[] }).takeStates())

/** Snapshots in which a table said Live but lacked an object acknowledged long before. */
export function findStaleTables(states: TableState[], acknowledged: Acknowledged) {
  return states
    .filter(({ isLive }) => isLive)
    .map((state) => ({
      ...state,
      expected: Math.max(
        -1,
        ...acknowledged.filter(({ atMs }) => atMs < state.atMs - staleMs).map(({ number }) => number),
      ),
    }))
    .filter(({ newest, expected }) => newest < expected)
}
