import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By then a start has come to rest: what was made has been seen by the simulator, and what has ended is archived. */
const restMs = 45_000

/**
 * Gives back, once, what a start has used. It leaves more garbage than everything that lives on, and a process that has
 * little to do afterwards would keep that for hours. From then on the heap may grow by half between two collections,
 * instead of by several times: what happens at rest is little, and memory is what others on the machine may want.
 */
export function tidyAfterStart(): void {
  setTimeout(() => {
    setFlagsFromString('--heap-growing-percent=50')
    setFlagsFromString('--expose-gc')
    const collect: unknown = runInNewContext('gc')
    if (typeof collect === 'function') collect()
  }, restMs).unref()
}
