/**
 * Widths of columns of statuses, in rem, in which each word is whole in every window. A shared one would be cut at 800
 * pixels and mostly empty at 1440.
 */
export const statusWidthsRem = {
  /** `Not Matched`. */
  word: 9,
  /** `PipelineNotStarted`. */
  longWord: 11,
  /** `Succeeded (Test Warnings)`. */
  withVerdict: 13.5,
} as const
