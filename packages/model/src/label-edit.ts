import { labelValueErrors, qualifiedNameErrors } from '@slipway/kube/label-syntax'

/** The labels of an object as users edit them. */

export const labelKeyError = (key: string): string | undefined =>
  qualifiedNameErrors(key).length > 0 ? 'Must be a label key, such as team or example.com/team.' : undefined

export const labelValueError = (value: string): string | undefined =>
  labelValueErrors(value).length > 0
    ? 'Must be at most 63 letters, numbers, hyphens ( - ), underscores ( _ ) or periods ( . ), and start and end with a letter or number.'
    : undefined

/** Which entries lead from one map to another. */
export const changesBetween = (
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Record<string, string | undefined> =>
  Object.fromEntries(
    [...Object.keys(before), ...Object.keys(after)]
      .filter((key) => before[key] !== after[key])
      .map((key) => [key, after[key]]),
  )
