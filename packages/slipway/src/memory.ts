import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By then startup work is complete: the simulator has processed new objects, and finished ones are archived. */
const restMs = 45_000

/**
 * Frees the memory used by the start, once. A start leaves more garbage than live data, and a mostly idle process would
 * retain it for hours. Afterwards the heap may grow only by a quarter between two collections instead of several times:
 * an idle process allocates little, and other programs on the machine need the memory.
 */
export function tidyAfterStart(): void {
  setTimeout(() => {
    setFlagsFromString('--heap-growing-percent=25')
    setFlagsFromString('--expose-gc')
    const collect: unknown = runInNewContext('gc')
    // Live objects are scattered over otherwise empty pages.
    setFlagsFromString('--compact-on-every-full-gc')
    if (typeof collect === 'function') collect()
    setFlagsFromString('--no-compact-on-every-full-gc')
  }, restMs).unref()
}
