import { fork, type ChildProcess } from 'node:child_process'
import { setFlagsFromString } from 'node:v8'

/**
 * Lets the heap grow only by a quarter between two collections, once the start is complete. By default it grows further:
 * a mostly idle process would retain the garbage of its start for hours, up to 100 MB (docs/benchmarks.md).
 */
export const limitHeapGrowth = (): void => setFlagsFromString('--heap-growing-percent=25')

/**
 * Forks a process that retains little memory which it does not use, with pipes for its output and a message channel:
 *
 * - Its young generation has 8 MB instead of 32 MB, all of which a process touches in turn, however little it allocates.
 * - glibc returns large blocks to the system when they are freed. By default it raises the size from which it does so as
 *   soon as the first one is freed, and retains what is free between others. Other C libraries ignore the variable.
 */
export const forkWithLittleMemory = (program: string): ChildProcess =>
  fork(program, [], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: ['--max-semi-space-size=4', ...process.execArgv],
    env: { MALLOC_MMAP_THRESHOLD_: String(128 * 1024), ...process.env },
  })
