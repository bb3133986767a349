import { Alert, Content } from '@patternfly/react-core'
import type { RoleBinding } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { type RoleChange, roleChange, type SubjectChange } from '@slipway/model/access/role-change'
import { type AccessRole, configuredRole, grantedRole, subjectText } from '@slipway/model/access/user-access'
import type { GrantableRole } from '@slipway/model/platform/public-info'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { userQuery } from '../../api/session/session'
import { type RowKind, useFixed, useList } from '../../api/source'
import { allOrNothing } from '../../api/writes/all-or-nothing'
import { WriteError } from '../../api/writes/perform-writes'
import { roleBindings } from '../../resources/role-bindings'
import { fieldsOf } from '../../ui/form/fields'
import { FormDialog } from '../../ui/form/FormDialog'
import { useResourceForm } from '../../ui/form/resource-form'
import { PickTable } from '../../ui/table/PickTable'
import type { Column } from '../../ui/table/rows'
import { offeredRoles } from './access-form'
import { changeWrites, outcomeText, plannedText, type RoleInput, roleSchema } from './role-change-form'

const { RadioField } = fieldsOf<RoleInput>()

interface ChangeRoleDialogProps {
  namespace: string
  /** Those that were selected; what has become of them meanwhile is read from the list. */
  bindings: readonly RoleBinding[]
  roles: readonly GrantableRole[]
  onDone: () => void
  onClose: () => void
}

/** The change that was last attempted, and how it failed. */
interface Attempt {
  change: RoleChange
  role: AccessRole
  error?: WriteError
}

/** Gives the users and groups of several bindings another role: all of them, or none. */
export function ChangeRoleDialog({ namespace, bindings, roles, onDone, onClose }: ChangeRoleDialogProps) {
  const { data: user } = useQuery(userQuery)
  const existing = useList(roleBindings.list(namespace)).rows ?? bindings
  const selected = bindings.flatMap((each) => existing.find((binding) => nameOf(binding) === nameOf(each)) ?? [])
  const changeTo = (role: AccessRole) => roleChange(namespace, selected, role, roles, existing, user?.email)
  const [attempt, setAttempt] = useState<Attempt>()
  const form = useResourceForm({
    schema: roleSchema,
    defaults: { role: undefined },
    toWrites: ({ role }) => changeWrites(changeTo(role)),
    async perform(writes, { values: { role }, previous }) {
      // The list changes while the writes are sent, and what they are about must not.
      const current = { change: changeTo(role), role }
      setAttempt(current)
      try {
        return await allOrNothing(writes, { values: undefined, previous })
      } catch (error) {
        setAttempt(error instanceof WriteError ? { ...current, error } : undefined)
        throw error
      }
    },
    blocked: ({ role }) => (role && changeTo(role).left.length === 0 ? 'unchanged' : undefined),
    onDone: () => {
      onDone()
      onClose()
    },
    onCancel: onClose,
  })
  const role = attempt?.role ?? form.fields.watch('role')
  const change = attempt?.change ?? (role && changeTo(role))
  const isOwn = change?.left.some(({ binding }) =>
    binding.subjects?.some(({ kind, name }) => kind === 'User' && name === user?.email),
  )
  return (
    <FormDialog title="Change role" submitLabel="Change role" variant="medium" form={form}>
      <Content component="p">
        The users and groups of the selected bindings get this role in <strong>{namespace}</strong> in place of the one
        that they have. If a change fails, those before it are undone.
      </Content>
      <RadioField
        name="role"
        label="Role"
        isRequired
        options={offeredRoles(roles)}
        onSelect={() => setAttempt(undefined)}
      />
      {isOwn && (
        <Alert isInline variant="warning" component="p" title="Your own access is among them">
          Only another admin can restore it.
        </Alert>
      )}
      <PickTable
        label="Users and groups"
        at={{ roles, role, error: attempt?.error }}
        source={useFixed(change ? change.subjects : subjectsOf(selected), changeRows)}
        columns={columns}
        empty={<Content component="p">The selected bindings have been deleted.</Content>}
      />
    </FormDialog>
  )
}

/** What is listed before a role is selected. */
interface ListedSubject extends Omit<SubjectChange, 'outcome'> {
  outcome?: SubjectChange['outcome']
}

const subjectsOf = (bindings: readonly RoleBinding[]): ListedSubject[] =>
  bindings.flatMap((binding) => (binding.subjects ?? []).map((subject) => ({ binding, subject })))

const changeRows: RowKind<ListedSubject> = {
  idOf: ({ binding, subject }) => `${nameOf(binding)} ${subjectText(subject)}`,
  nameOf: ({ subject }) => subjectText(subject),
  isBeingDeleted: () => false,
}

interface CellParams {
  roles: readonly GrantableRole[]
  role: AccessRole | undefined
  error: WriteError | undefined
}

const roleNow = ({ binding }: ListedSubject, { roles }: CellParams) => grantedRole(roles, binding)?.displayName ?? '-'

function outcomeOf(row: ListedSubject, at: CellParams): string {
  const { outcome } = row
  if (!outcome || !at.role) return '-'
  const names = { old: roleNow(row, at), next: configuredRole(at.roles, at.role)?.displayName ?? at.role }
  const change = { ...row, outcome }
  return at.error ? outcomeText(change, names, at.error) : plannedText(change, names)
}

const columns: Column<ListedSubject, CellParams>[] = [
  { id: 'name', label: 'Username', isRowHeader: true, cell: changeRows.nameOf },
  { id: 'now', label: 'Role before', width: 20, cell: roleNow },
  { id: 'outcome', label: 'Role after', width: 50, wraps: true, cell: outcomeOf },
]
