/** Who is signed in. It comes from a session, never from a header that a browser may send. */
export interface Identity {
  /** The user's name in the cluster. */
  user: string
  /** Empty when the provider does not vouch for one. */
  email: string
  preferredUsername: string
  groups: string[]
}

/** Kubernetes keeps names with this prefix for itself: `system:masters` may do everything. */
const reservedPrefix = 'system:'
const unsafe = /[\u0000-\u001f\u007f,]/

/** Why this user may not be named to an upstream; `undefined` when nothing is wrong. */
export function identityProblem({ user }: Pick<Identity, 'user'>): string | undefined {
  if (user.trim() === '') return 'the user name is empty'
  if (user !== user.trim() || unsafe.test(user)) return 'the user name has a space, comma or control character'
  return undefined
}

/** Names that could be read as several or as another one. */
const isSafeGroup = (group: string): boolean => group !== '' && group === group.trim() && !unsafe.test(group)

/**
 * The groups sent upstream: those of the user without names that could be read as several or as another one, and
 * `system:authenticated`, which the API server gives to everyone it knows.
 */
export const upstreamGroups = ({ groups }: Identity): string[] => [
  ...new Set([...groups.filter(isSafeGroup), 'system:authenticated']),
]

/** What becomes of an identity at the door, whichever way it came. */
export type Admission = { identity: Identity; droppedGroups: string[] } | { problem: string }

/**
 * Every session passes here, each time it is read: users of Kubernetes itself are refused and its groups dropped,
 * unless they are named one by one, and so is what could be read in two ways.
 */
export function admission(identity: Identity, allowedSystemNames: ReadonlySet<string>): Admission {
  const isReserved = (name: string) => name.startsWith(reservedPrefix) && !allowedSystemNames.has(name)
  const problem = identityProblem(identity)
  if (problem !== undefined) return { problem }
  if (isReserved(identity.user)) return { problem: `the user name begins with ${reservedPrefix}` }
  const isDropped = (group: string) => !isSafeGroup(group) || isReserved(group)
  return {
    identity: {
      user: identity.user,
      // For people to read; names in the cluster are the other two.
      email: printable(identity.email),
      preferredUsername: printable(identity.preferredUsername),
      groups: [...new Set(identity.groups)].filter((group) => !isDropped(group)),
    },
    droppedGroups: identity.groups.filter(isDropped),
  }
}

const printable = (text: string): string => text.replace(/\p{Cc}/gu, '')
