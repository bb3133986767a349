import type { core } from 'zod/mini'

/** A check of a schema. @param errorOf returns the message for an invalid text, and `undefined` for a valid one */
export const issueUnless =
  (errorOf: (text: string) => string | undefined): core.CheckFn<string> =>
  ({ value, issues }) => {
    const message = errorOf(value)
    if (message) issues.push({ code: 'custom', message, input: value })
  }
