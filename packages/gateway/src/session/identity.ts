/** Who is signed in. It comes from the session cookie, never from a header. */
export interface Identity {
  /** The user's name in the cluster. */
  user: string
  email: string
  preferredUsername: string
  groups: string[]
}

/** Kubernetes keeps names with this prefix for itself: `system:masters` may do everything. */
const reservedPrefix = 'system:'
const unsafe = /[\u0000-\u001f\u007f,]/

/** Why this user may not be impersonated; `undefined` when nothing is wrong. */
export function identityProblem({ user }: Identity): string | undefined {
  if (user.trim() === '') return 'the user name is empty'
  if (user !== user.trim() || unsafe.test(user)) return 'the user name has a space, comma or control character'
  if (user.startsWith(reservedPrefix)) return `the user name begins with ${reservedPrefix}`
  return undefined
}

/**
 * The groups sent upstream: those of the user, without Kubernetes' own and without names that could be read as
 * several or as another one, and `system:authenticated`, which the API server gives to everyone it knows.
 */
export function upstreamGroups({ groups }: Identity): string[] {
  const safe = groups.filter(
    (group) => group !== '' && group === group.trim() && !unsafe.test(group) && !group.startsWith(reservedPrefix),
  )
  return [...new Set(safe), 'system:authenticated']
}
