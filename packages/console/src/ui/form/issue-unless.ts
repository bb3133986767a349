import * as z from 'zod/mini'

/** A check of a schema. @param errorOf returns the message for an invalid text, and `undefined` for a valid one */
export const issueUnless =
  (errorOf: (text: string) => string | undefined): z.core.CheckFn<string> =>
  ({ value, issues }) => {
    const message = errorOf(value)
    if (message) issues.push({ code: 'custom', message, input: value })
  }

/** Text that is checked without the spaces around it. */
export const trimmedText = (errorOf: (text: string) => string | undefined) =>
  z.string().check(issueUnless((text) => errorOf(text.trim())))
