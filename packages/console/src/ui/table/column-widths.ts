/**
 * Widths of columns whose longest value is known, in rem, in which it is whole in every window, and so is each word of
 * the header. A share of the table would be cut at 800 pixels and mostly empty at 1440: the names have what is left.
 */
export const statusWidthsRem = {
  /** `Not Matched`. */
  word: 9,
  /** `PipelineNotStarted`. */
  longWord: 11,
  /** `Succeeded (Release Failed)`. */
  withVerdict: 12.75,
} as const

export const valueWidthsRem = {
  /** `Sep 24, 2025`. */
  age: 6.25,
  /** `23h 59m 59s`. */
  duration: 6,
  /** `Managed`, which is longer than most types of runs, or a flag. */
  type: 6,
  /** `Pull Request`, which is longer than most events. */
  event: 7,
  /** A branch or a user, of which few are longer. */
  shortName: 6.75,
  /** `#1234 faef902`. */
  reference: 7,
  /** `faef902`. */
  sha: 5.5,
  /** A number, below a header such as `Components`. */
  count: 7,
  /** `Critical 12, High 3`, below `Vulnerabilities`. */
  severities: 9.5,
} as const
