/** The signed-in user. It comes from a session, never from a header that a browser may send. */
export interface Identity {
  /** The user's name in the cluster. */
  user: string
  /** Empty if the provider does not vouch for one. */
  email: string
  preferredUsername: string
  groups: string[]
}

/** Kubernetes reserves names with this prefix: `system:masters` may do everything. */
const reservedPrefix = 'system:'
/** A comma, and everything invisible: a name with it looks like another name. */
const unsafe = /[,\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** Why this user name must not be sent to an upstream; `undefined` if it is fine. */
export function identityError({ user }: Pick<Identity, 'user'>): string | undefined {
  if (user.trim() === '') return 'the user name is empty'
  if (user !== user.trim() || unsafe.test(user))
    return 'the user name contains a space, comma, control character or invisible character'
  return undefined
}

/** Rejects names that could be read as several names or as another one. */
const isSafeGroup = (group: string): boolean => group !== '' && group === group.trim() && !unsafe.test(group)

/**
 * The groups to send upstream: those of the user with a safe name, and `system:authenticated`, which the API server gives
 * to every authenticated user.
 */
export const upstreamGroups = ({ groups }: Identity): string[] => [
  ...new Set([...groups.filter(isSafeGroup), 'system:authenticated']),
]

/** Whether an identity is accepted, from whichever source. */
export type Admission = { identity: Identity; droppedGroups: string[] } | { error: string }

/**
 * Checks every session each time it is read: system users are rejected and system groups dropped, unless explicitly
 * allowed, and so are ambiguous names.
 */
export function checkAdmission(identity: Identity, allowedSystemNames: ReadonlySet<string>): Admission {
  const isReserved = (name: string) => name.startsWith(reservedPrefix) && !allowedSystemNames.has(name)
  const error = identityError(identity)
  if (error !== undefined) return { error }
  if (isReserved(identity.user)) return { error: `the user name starts with ${reservedPrefix}` }
  const isDropped = (group: string) => !isSafeGroup(group) || isReserved(group)
  return {
    identity: {
      user: identity.user,
      // Only shown to people; the cluster uses the other two.
      email: printable(identity.email),
      preferredUsername: printable(identity.preferredUsername),
      groups: [...new Set(identity.groups)].filter((group) => !isDropped(group)),
    },
    droppedGroups: identity.groups.filter(isDropped),
  }
}

/** Without characters that change how the text around them looks. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '')
