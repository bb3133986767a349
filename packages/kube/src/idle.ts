/** A turn of the event loop; a timer would wait for at least a millisecond. */
export const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** It takes a few turns of the event loop until the events of a write arrive. */
const quietTurns = 4

/** Settles once there has been no work for a few turns. @param busy settles when the present work, if any, has ended */
export async function untilIdle(busy: () => Promise<unknown> | undefined): Promise<void> {
  for (let turns = 0; turns < quietTurns; turns++) {
    await nextTurn()
    for (let work = busy(); work; work = busy()) {
      turns = -1
      await work
    }
  }
}
