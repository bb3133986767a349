import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By then a start has come to rest: what was made has been seen by the simulator, and what has ended is archived. */
const restMs = 45_000

/**
 * Gives back, once, what a start has used. It leaves more garbage than everything that lives on, and a process that has
 * little to do afterwards would keep that for hours. From then on the heap may grow by a quarter between two collections,
 * instead of by several times: what happens at rest is little, and memory is what others on the machine may want.
 */
export function tidyAfterStart(): void {
  setTimeout(() => {
    setFlagsFromString('--heap-growing-percent=25')
    setFlagsFromString('--expose-gc')
    const collect: unknown = runInNewContext('gc')
    // What lives on is scattered over pages that are otherwise empty.
    setFlagsFromString('--compact-on-every-full-gc')
    if (typeof collect === 'function') collect()
    setFlagsFromString('--no-compact-on-every-full-gc')
  }, restMs).unref()
}
