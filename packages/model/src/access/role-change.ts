import type { RoleBinding, Subject } from '@slipway/kube/core-types'
import type { GrantableRole } from '../platform/public-info'
import { type AccessRole, configuredRole, grantedRole, hasSubject, subjectBindings, subjectText } from './user-access'

/**
 * What a change of roles does to one subject of a binding:
 * - `changes`: it gets the role from a new binding, and loses that of the old one
 * - `merges`: another binding gives it the role already, so that it only loses that of the old one
 * - `has`: the binding gives the role already, and stays as it is
 * - `stays`: service accounts and groups of the cluster itself never change, since no person is meant by them
 */
export type SubjectOutcome = 'changes' | 'merges' | 'has' | 'stays'

export interface SubjectChange {
  /** The binding that gives the subject its role by now. */
  binding: RoleBinding
  subject: Subject
  outcome: SubjectOutcome
  /** For one that merges: the other binding, without which it would be left without a role. */
  other?: RoleBinding
}

export interface RoleChange {
  subjects: SubjectChange[]
  /** The other bindings of subjects that merge: nothing may be done if one of them is not as it was read. */
  required: RoleBinding[]
  /** New bindings, one for each subject that changes. */
  created: RoleBinding[]
  /** The bindings that subjects leave, with the subjects that remain in them: if there are none, they are deleted. */
  left: { binding: RoleBinding; remaining: Subject[] }[]
}

/**
 * How the subjects of several bindings get another role. The role of a binding cannot be changed, so each subject gets a
 * new binding (Kubernetes: rbac.md, "Referring to subjects"), and leaves the old one.
 * @param existing all bindings of the namespace
 * @param username the signed-in user, whose own bindings come last: until then, the user may undo what was done
 */
export function roleChange(
  namespace: string,
  selected: readonly RoleBinding[],
  role: AccessRole,
  roles: readonly GrantableRole[],
  existing: readonly RoleBinding[],
  username?: string,
): RoleChange {
  const configured = configuredRole(roles, role)
  if (!configured) return { subjects: [], required: [], created: [], left: [] }
  const subjects = selected
    .toSorted((a, b) => rankOf(a, username) - rankOf(b, username))
    .flatMap((binding) =>
      distinct(binding.subjects ?? []).map((subject): SubjectChange => {
        if (grantedRole([configured], binding)) return { binding, subject, outcome: 'has' }
        if (isFixed(subject)) return { binding, subject, outcome: 'stays' }
        const other = existing.find((each) => grantedRole([configured], each) && hasSubject(each, subject))
        return other ? { binding, subject, outcome: 'merges', other } : { binding, subject, outcome: 'changes' }
      }),
    )
  const changing = subjects.flatMap(({ subject, outcome }) => (outcome === 'changes' ? subject : []))
  const leaving = subjects.filter(({ outcome }) => outcome === 'changes' || outcome === 'merges')
  return {
    subjects,
    required: [...new Set(subjects.flatMap(({ other }) => other ?? []))],
    created: subjectBindings(namespace, role, configured, distinct(changing), existing),
    left: [...new Set(leaving.map(({ binding }) => binding))].map((binding) => ({
      binding,
      remaining: (binding.subjects ?? []).filter(isFixed),
    })),
  }
}

/** Whether there is a subject in a binding whose role may be changed with those of others. */
export const hasChangeableSubject = ({ subjects = [] }: RoleBinding): boolean => subjects.some((each) => !isFixed(each))

/** Such as `system:authenticated`, which stands for everyone: giving it another role is never one change among many. */
const isFixed = ({ kind, name }: Subject): boolean =>
  kind === 'ServiceAccount' || (kind === 'Group' && name.startsWith('system:'))

/** Users may have their own rights from a group, so that groups come after other users. */
function rankOf({ subjects = [] }: RoleBinding, username: string | undefined): number {
  if (subjects.some(({ kind, name }) => kind === 'User' && name === username)) return 2
  return subjects.some(({ kind }) => kind === 'Group') ? 1 : 0
}

const distinct = (subjects: readonly Subject[]): Subject[] => [
  ...new Map(subjects.map((subject) => [subjectText(subject), subject])).values(),
]
