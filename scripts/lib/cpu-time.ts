/**
 * CPU time that some work took in this process, in milliseconds. Unlike wall-clock time, it does not depend on how busy
 * other processes keep the machine.
 */
export function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
