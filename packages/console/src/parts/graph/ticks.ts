const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** Intervals that are natural on a clock. */
const stepsMs = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * secondMs),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 6, 12].map((hours) => hours * hourMs),
]

/** Marks along a duration, from 0. @param most the maximum number of marks, not counting the first */
export function ticksOf(durationMs: number, most = 5): number[] {
  const stepMs =
    stepsMs.find((each) => durationMs / each <= most) ?? Math.max(1, Math.ceil(durationMs / most / dayMs)) * dayMs
  return Array.from({ length: Math.floor(Math.max(0, durationMs) / stepMs) + 1 }, (_, index) => index * stepMs)
}
