import { roleBindingType, type RoleBinding, type Subject } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { clusterRoleName, type UserRole } from '@slipway/model/access/roles/user-actions'
import { aRoleBinding } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, test } from 'vitest'
import { isDryRun, namespace, writeLine, type Call } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const list = paths.access({ namespace })
const apiGroup = roleBindingType.group
const user = (name: string): Subject => ({ kind: 'User', apiGroup, name })
const crew: Subject = { kind: 'Group', apiGroup, name: 'crew' }
const robot: Subject = { kind: 'ServiceAccount', namespace, name: 'robot' }
const binding = (name: string, role: UserRole, ...subjects: Subject[]): RoleBinding =>
  aRoleBinding({
    metadata: { name, namespace },
    roleRef: { apiGroup, kind: 'ClusterRole', name: clusterRoleName(role) },
    subjects,
  })
const two = [binding('anns', 'contributor', user('ann')), binding('crews', 'contributor', crew)]

const writes = (calls: Call[]) =>
  calls
    .filter(({ method, path }) => method !== 'GET' && path.includes('/rolebindings'))
    .map((call) => writeLine(call, /^.*rolebindings\/?/))

async function scene(objects: KubeObject[], as: 'admin' | 'outsider' = 'admin') {
  const view = await renderRoute(list, { as, objects })
  const { user: actor, cluster } = view
  /** Who has which role, such as `ann: contributor`. */
  const roles = async () => {
    const { items } = await cluster.system.list(roleBindingType, { namespace })
    return items
      .flatMap(({ roleRef, subjects = [] }) =>
        subjects.map(({ name }) => `${name}: ${roleRef.name.replace(/^konflux-|-user-actions$/g, '')}`),
      )
      .filter((text) => !text.includes('@'))
      .sort()
  }
  const select = async (...names: string[]) => {
    for (const name of names) {
      const row = await screen.findByRole('row', { name: new RegExp(name) })
      await actor.click(within(row).getByRole('checkbox'))
    }
  }
  const open = async (...names: string[]) => {
    await select(...names)
    await actor.click(screen.getByRole('button', { name: 'Change role' }))
    return within(await screen.findByRole('dialog', { name: 'Change role' }))
  }
  type Opened = Awaited<ReturnType<typeof open>>
  const choose = (dialog: Opened, role: string) => actor.click(dialog.getByRole('radio', { name: new RegExp(role) }))
  const submit = (dialog: Opened) => actor.click(dialog.getByRole('button', { name: 'Change role' }))
  /** Each subject and what becomes of it. */
  const outcomes = (dialog: Opened) =>
    dialog
      .getAllByRole('row')
      .slice(1)
      .map((row) => [
        within(row).getByRole('rowheader').textContent,
        ...within(row)
          .getAllByRole('cell')
          .map((cell) => cell.textContent),
      ])
  return { ...view, roles, select, open, choose, submit, outcomes }
}

/** The API server rejects the writes, but not the dry runs, to which this applies. */
const rejecting =
  (method: string, part: string): Parameters<Awaited<ReturnType<typeof scene>>['cluster']['faults']['intercept']>[0] =>
  (path, { method: sent = 'GET', body }) =>
    sent === method && !isDryRun({ path, body }) && `${path} ${String(body)}`.includes(part)
      ? Response.json({ message: 'a webhook says no' }, { status: 422 })
      : undefined

describe('changing the role of several users and groups', () => {
  it('says what becomes of each, then gives all of them the role, and takes the old one last', async () => {
    const { open, choose, submit, outcomes, roles, cluster } = await scene([
      binding('anns', 'contributor', user('ann'), robot),
      binding('crews', 'admin', crew),
      binding('bobs', 'maintainer', user('bob')),
    ])
    const dialog = await open('anns', 'crews', 'bobs')
    expect(outcomes(dialog)).toEqual([
      ['ann', 'Contributor', '-'],
      [`${namespace}/robot (ServiceAccount)`, 'Contributor', '-'],
      ['bob', 'Maintainer', '-'],
      ['crew (Group)', 'Admin', '-'],
    ])
    await choose(dialog, 'Maintainer')
    expect(outcomes(dialog)).toEqual([
      ['ann', 'Contributor', 'Maintainer'],
      [`${namespace}/robot (ServiceAccount)`, 'Contributor', 'Unchanged: a service account'],
      ['bob', 'Maintainer', 'Unchanged: has this role already'],
      ['crew (Group)', 'Admin', 'Maintainer'],
    ])
    await submit(dialog)
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(await roles()).toEqual(['ann: maintainer', 'bob: maintainer', 'crew: maintainer', 'robot: contributor'])
    const sent = ['POST ', 'POST ', 'PUT anns', 'DELETE crews']
    expect(writes(cluster.calls)).toEqual([...sent.map((each) => `${each} (dry run)`), ...sent])
    expect(await screen.findByRole('row', { name: /crew \(Group\) Maintainer/ })).toBeVisible()
    expect(screen.queryByRole('group', { name: 'Selected rows' })).not.toBeInTheDocument()
  })

  it('changes nothing if one of the changes is rejected as a dry run, and says which', async () => {
    const { open, choose, submit, outcomes, roles, cluster } = await scene(two)
    const before = await roles()
    cluster.faults.intercept((path, { body }) =>
      path.includes('dryRun=All') && String(body).includes('"crew"')
        ? Response.json({ message: 'a webhook says no' }, { status: 422 })
        : undefined,
    )
    const dialog = await open('anns', 'crews')
    await choose(dialog, 'Admin')
    await submit(dialog)
    expect(await dialog.findByText('An error occurred')).toBeVisible()
    expect(outcomes(dialog)).toEqual([
      ['ann', 'Contributor', 'Not changed: has Contributor'],
      ['crew (Group)', 'Contributor', 'Failed, has Contributor: a webhook says no'],
    ])
    expect(await roles()).toEqual(before)
  })

  it('undoes what was done when a later step fails, says so for each, and can be tried again', async () => {
    const { open, choose, submit, outcomes, roles, cluster } = await scene(two)
    const before = await roles()
    const dialog = await open('anns', 'crews')
    await choose(dialog, 'Admin')
    const heal = cluster.faults.intercept(rejecting('DELETE', '/crews'))
    await submit(dialog)
    expect(await dialog.findByText('a webhook says no. All changes were undone.')).toBeVisible()
    expect(outcomes(dialog)).toEqual([
      ['ann', 'Contributor', 'Undone: has Contributor'],
      ['crew (Group)', 'Contributor', 'Failed, has Contributor: a webhook says no'],
    ])
    expect(await roles()).toEqual(before)
    heal()
    await waitFor(async () => {
      if (!screen.queryByRole('dialog')) return
      await submit(dialog)
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument(), { timeout: 1_000 })
    })
    expect(await roles()).toEqual(['ann: admin', 'crew: admin'])
  })

  it('says which subjects have both roles or none when the changes cannot be undone', async () => {
    const { open, choose, submit, outcomes, roles, cluster } = await scene([
      ...two,
      binding('dees', 'contributor', user('dee')),
    ])
    const dialog = await open('anns', 'crews', 'dees')
    await choose(dialog, 'Maintainer')
    cluster.faults.intercept(rejecting('DELETE', '/crews'))
    // Undoing: ann's old binding cannot be created again, and dee's new one cannot be deleted.
    cluster.faults.intercept(rejecting('POST', '"anns"'))
    cluster.faults.intercept(rejecting('DELETE', '/konflux-maintainer-dee'))
    await submit(dialog)
    expect(await dialog.findByText(/Could not be undone: RoleBinding anns was deleted/)).toBeVisible()
    expect(outcomes(dialog)).toEqual([
      ['ann', 'Contributor', 'Could not be undone: has lost Contributor'],
      ['dee', 'Contributor', 'Could not be undone: has Contributor and Maintainer'],
      ['crew (Group)', 'Contributor', 'Failed, has Contributor: a webhook says no'],
    ])
    expect(await roles()).toEqual(['crew: contributor', 'dee: contributor', 'dee: maintainer'])
  })

  it('takes no role from a user who has lost the other one meanwhile, although the list does not show it yet', async () => {
    const both = binding('konflux-admin-ann-user-actions', 'admin', user('ann'))
    const { open, choose, submit, outcomes, roles, cluster } = await scene([...two, both])
    const dialog = await open('anns', 'crews')
    await choose(dialog, 'Admin')
    expect(outcomes(dialog)[0]).toEqual(['ann', 'Contributor', 'Admin, which another binding gives already'])
    cluster.faults.muteSockets()
    await cluster.system.delete(roleBindingType, 'konflux-admin-ann-user-actions', { namespace })
    await submit(dialog)
    expect(await dialog.findByText('An error occurred')).toBeVisible()
    expect(outcomes(dialog)[0]?.[2]).toMatch(/^Failed, has Contributor: /)
    expect(await roles()).toEqual(['ann: contributor', 'crew: contributor'])
  })

  it('takes the old role alone from a user who has the other one too', async () => {
    const both = binding('konflux-admin-ann-user-actions', 'admin', user('ann'))
    const { open, choose, submit, roles } = await scene([...two, both])
    const dialog = await open('anns')
    await choose(dialog, 'Admin')
    await submit(dialog)
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(await roles()).toEqual(['ann: admin', 'crew: contributor'])
  })

  it('takes the role of the signed-in user last, and warns of it', async () => {
    const { open, choose, submit, cluster } = await scene(two)
    const dialog = await open('admin@', 'anns', 'crews')
    expect(dialog.queryByText(/Your own access/)).not.toBeInTheDocument()
    await choose(dialog, 'Contributor')
    expect(dialog.queryByText(/Your own access is among them/)).toBeVisible()
    await choose(dialog, 'Maintainer')
    await submit(dialog)
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(writes(cluster.calls).at(-1)).toBe('DELETE konflux-admin-admin-user-actions')
  })

  it('shows the requests before they are sent', async () => {
    const { user: actor, open, choose } = await scene(two)
    const dialog = await open('anns')
    await choose(dialog, 'Admin')
    await actor.click(dialog.getByRole('button', { name: 'Show change' }))
    expect(await dialog.findByRole('region', { name: 'Changes: Delete RoleBinding anns' })).toBeVisible()
    expect(dialog.getByRole('region', { name: /Create RoleBinding konflux-admin-ann-user-actions/ })).toBeVisible()
  })

  it('has nothing to submit for users who have the role already', async () => {
    const { open, choose } = await scene([])
    const dialog = await open('maintainer@')
    await choose(dialog, 'Maintainer')
    const button = dialog.getByRole('button', { name: 'Change role' })
    await waitFor(() => expect(button).toHaveAttribute('aria-disabled', 'true'))
    expect(button).toHaveAccessibleDescription('Nothing has been changed yet.')
  })

  it('leaves out a binding that another client deletes while the dialog is open', async () => {
    const { open, choose, outcomes, cluster } = await scene(two)
    const dialog = await open('anns', 'crews')
    await choose(dialog, 'Admin')
    await cluster.system.delete(roleBindingType, 'crews', { namespace })
    await waitFor(() => expect(outcomes(dialog)).toEqual([['ann', 'Contributor', 'Admin']]))
  })

  it('is disabled, with the reason, for bindings without a user or a group', async () => {
    const { select } = await scene([binding('robots', 'contributor', robot)])
    await select('robots')
    const button = screen.getByRole('button', { name: 'Change role' })
    expect(button).toHaveAttribute('aria-disabled', 'true')
    button.focus()
    expect(await screen.findByText('None of the selected bindings has a user or a group')).toBeInTheDocument()
  })

  test.each([
    ['list', 'watch', 'update', 'create'],
    ['list', 'watch', 'update', 'delete'],
    ['list', 'watch', 'create', 'delete'],
  ])(
    'ACC-02 is disabled, with the reason, for users with no more than the rights %s, %s, %s and %s',
    async (...verbs) => {
      const rights = grantTo({ apiGroups: [apiGroup], resources: ['rolebindings'], verbs })
      const { select } = await scene([...two, ...rights], 'outsider')
      await select('anns')
      const button = screen.getByRole('button', { name: 'Change role' })
      expect(button).toHaveAttribute('aria-disabled', 'true')
      button.focus()
      expect(await screen.findByText("You don't have permission to edit access")).toBeInTheDocument()
    },
  )
})
