import * as z from 'zod/mini'

/** Longest name by the rule that all names share. */
export const maxSharedNameLength = 45
const sharedRule = /^[a-zA-Z0-9_.@-]{2,45}$/
const sharedRuleMessage =
  'Must be 2 to 45 characters long and can only contain letters from a to Z, numbers from 0 to 9, underscores( _ ), hyphens( - ), periods( . ), or @ symbol.'

/** A DNS label (RFC 1035) of at most 63 characters, which clusters accept as the name of most objects. */
const clusterRule = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/
const clusterRuleMessage =
  'Must start with a letter and end with a letter or number. Valid characters include lowercase letters from a to z, numbers from 0 to 9, and hyphens ( - ).'

/** Name of a user in a form, such as an e-mail address: the shared rule only. */
export const userName = z.string().check(z.regex(sharedRule, { error: sharedRuleMessage }))

/** Why a name does not pass the rule that all names share, for objects that are selected and not named in a form. */
export const sharedNameError = (name: string): string | undefined =>
  sharedRule.test(name) ? undefined : sharedRuleMessage

/** Name of an object in a form: the rule shared by all names first, then the cluster's own. */
export const resourceName = z
  .string()
  .check(
    z.minLength(1, { error: 'Required', abort: true }),
    z.regex(sharedRule, { error: sharedRuleMessage, abort: true }),
    z.regex(clusterRule, { error: clusterRuleMessage }),
  )

/** Name of a secret in a form: a rule of its own, since its length has a message. */
export const secretName = z
  .string()
  .check(
    z.minLength(1, { error: 'Required', abort: true }),
    z.maxLength(63, { error: 'Must be no more than 63 characters.', abort: true }),
    z.regex(clusterRule, { error: clusterRuleMessage }),
  )

/** Why a text does not name an object that exists, which may start with a digit; `undefined` if it may. */
export function referenceError(name: string): string | undefined {
  if (name === '') return 'Required'
  return /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)
    ? undefined
    : 'Must start and end with a letter or number. Valid characters include lowercase letters from a to z, numbers from 0 to 9, and hyphens ( - ).'
}
