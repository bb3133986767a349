import { setFlagsFromString } from 'node:v8'

/**
 * Lets the heap grow only by a quarter between two collections, once the start is complete. By default it grows further:
 * a mostly idle process would retain the garbage of its start for hours, up to 100 MB (docs/benchmarks.md).
 */
export const limitHeapGrowth = (): void => setFlagsFromString('--heap-growing-percent=25')
