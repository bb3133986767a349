import { roleBindingType, type RoleBinding } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import type { RoleChange, SubjectChange } from '@slipway/model/access/role-change'
import { hasSubject } from '@slipway/model/access/user-access'
import * as z from 'zod/mini'
import { failureText } from '../../api/messages'
import type { WriteError } from '../../api/writes/perform-writes'
import { create, refOf, replace, type Write } from '../../api/writes/writes'
import { remainder, schema } from './access-form'

export const roleSchema = z.pick(schema, { role: true })
export type RoleInput = z.input<typeof roleSchema>

/**
 * New bindings before old ones go, so that no user loses access in between. A binding that a user depends on is replaced
 * by itself at first, which fails if it is not as it was read: the list may be behind the cluster.
 */
export const changeWrites = ({ required, created, left }: RoleChange): Write[] => [
  ...required.map((binding) => replace(roleBindingType, binding)),
  ...created.map((binding) => create(roleBindingType, binding)),
  ...left.flatMap(({ binding, remaining }) => remainder(binding, remaining)),
]

interface RoleNames {
  /** Display name of the role that the subject has by now. */
  old: string
  /** Display name of the selected role. */
  next: string
}

/** What is going to become of a subject. */
export function plannedText({ subject, outcome }: SubjectChange, { next }: RoleNames): string {
  switch (outcome) {
    case 'changes':
      return next
    case 'merges':
      return `${next}, which another binding gives already`
    case 'has':
      return 'Unchanged: has this role already'
    case 'stays':
      return `Unchanged: a ${subject.kind === 'Group' ? 'group of the cluster' : 'service account'}`
  }
}

/** What has become of a subject after not every write was applied: what was undone, and what could not be. */
export function outcomeText(change: SubjectChange, names: RoleNames, error: WriteError): string {
  if (change.outcome === 'has' || change.outcome === 'stays') return plannedText(change, names)
  const isOfSubject = ({ write }: { write: Write }) => concerns(write, change)
  const failed = error.failures.find(
    (each) => isOfSubject(each) || (change.other && refOf(each.write).name === nameOf(change.other)),
  )
  const cause = failed ? `: ${failureText(failed.cause)}` : ''
  const applied = error.applied.filter(isOfSubject)
  const isAdded = applied.some(({ write }) => write.verb === 'create')
  const isRemoved = applied.some(({ write }) => write.verb !== 'create')
  const { old, next } = names
  if (failed && error.isUncertain) return `Could not be confirmed${cause}`
  if (isAdded && isRemoved) return `Could not be undone: has ${next}`
  if (isAdded) return `Could not be undone: has ${old} and ${next}${cause && `. Failed${cause}`}`
  if (isRemoved) return `Could not be undone: has lost ${old}`
  if (failed) return `Failed, has ${old}${cause}`
  return error.undone.some(isOfSubject) ? `Undone: has ${old}` : `Not changed: has ${old}`
}

/** A new binding has one subject; an old one is left by all subjects that it is listed with. */
const concerns = (write: Write, { binding, subject }: SubjectChange): boolean =>
  write.verb === 'create' ? hasSubject(write.object as RoleBinding, subject) : refOf(write).name === nameOf(binding)
