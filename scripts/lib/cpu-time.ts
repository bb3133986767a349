/**
 * CPU time of this process that some work took, in milliseconds. Unlike the time on a clock, it does not grow when other
 * processes keep the machine busy.
 */
export function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
