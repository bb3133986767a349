import { roleBindingType } from '@slipway/kube/core-types'
import { aRoleBinding } from '@slipway/model/testing'
import { emailOf } from '@slipway/slipway/users'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { isDryRun, namespace, writeLine, type Call } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const grantPage = paths.grantAccess({ namespace })
const contributor = 'konflux-contributor-contributor-user-actions'
const editPage = paths.editAccess({ namespace, binding: contributor })

const bobsBinding = aRoleBinding({
  metadata: { name: 'konflux-contributor-bob-user-actions', namespace },
  subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: 'bob' }],
})

const field = () => screen.findByRole('textbox', { name: /Usernames/ })
const role = (name: string) => screen.findByRole('radio', { name: new RegExp(name) })
const entries = () => {
  const group = screen.queryByRole('list', { name: 'Entered usernames' })
  return group
    ? within(group)
        .getAllByRole('listitem')
        .map((item) => item.textContent)
    : []
}
const submit = () => screen.getByRole('button', { name: /^(Grant access|Save changes)/ })
const enabled = () => waitFor(() => expect(submit()).not.toHaveAttribute('aria-disabled', 'true'))
const listed = (router: Awaited<ReturnType<typeof renderRoute>>['router']) =>
  waitFor(() => expect(router.state.location.pathname).toBe(paths.access({ namespace })))
const writes = (calls: Call[]) =>
  calls
    .filter(({ method, path }) => method !== 'GET' && path.includes('/rolebindings'))
    .map((call) => writeLine(call, /^.*rolebindings\/?/))

async function scene(page = grantPage, options: Parameters<typeof renderRoute>[1] = {}) {
  const view = await renderRoute(page, options)
  const names = async () => {
    const { items } = await view.cluster.system.list(roleBindingType, { namespace })
    return items.map(({ metadata }) => metadata.name)
  }
  return { ...view, names }
}

describe('granting', () => {
  it('leads back to the list of the namespace, which the switcher names', async () => {
    await scene()
    const breadcrumbs = within(await screen.findByRole('navigation', { name: 'Breadcrumb' }))
    expect(breadcrumbs.getByRole('link')).toHaveAttribute('href', paths.access({ namespace }))
    expect(breadcrumbs.getByRole('link')).toHaveTextContent('User access')
  })

  it('UA-11, UA-28 says that usernames are not validated', async () => {
    await scene()
    expect(await screen.findByRole('heading', { name: 'Grant access', level: 1 })).toBeVisible()
    expect(
      screen.getByText(/Usernames are not validated against a server/, { selector: '.pf-m-info.pf-m-inline *' }),
    ).toBeVisible()
  })

  it('UA-25, UA-26, ACC-13 offers three roles with the descriptions from the configuration', async () => {
    await scene()
    await role('Maintainer')
    expect(screen.getAllByRole('radio').map((radio) => radio.parentElement?.textContent)).toEqual([
      'ContributorCan view everything except secrets',
      'MaintainerCan edit applications, tests and releases; cannot see secrets',
      'AdminFull access, including secrets and user access',
    ])
  })

  it('UA-18, UA-34, UA-35, UA-48 gives several users a role', async () => {
    const { user, cluster, router } = await scene()
    await field()
    expect(submit()).toHaveAttribute('aria-disabled', 'true')
    await user.type(await field(), 'Ann.Lee@Example.com{Enter}bob{Enter}')
    expect(submit()).toHaveAttribute('aria-disabled', 'true')
    await user.click(await role('Maintainer'))
    await enabled()
    await user.click(submit())
    // It disappears by itself.
    expect(await screen.findByText('Access granted: Ann.Lee@Example.com, bob.')).toBeVisible()
    await listed(router)
    expect(writes(cluster.calls)).toEqual(['POST  (dry run)', 'POST  (dry run)', 'POST ', 'POST '])
    const made = await cluster.system.get(roleBindingType, 'konflux-maintainer-ann-lee-example-com-user-actions', {
      namespace,
    })
    expect(made.subjects).toEqual([{ kind: 'User', apiGroup: roleBindingType.group, name: 'Ann.Lee@Example.com' }])
    expect(await screen.findByRole('row', { name: /Ann\.Lee@Example\.com Maintainer/ })).toBeVisible()
    const toasts = within(await screen.findByRole('list', { name: 'Notices' }))
    expect(await toasts.findByText('Access granted: Ann.Lee@Example.com, bob.')).toBeVisible()
  })

  it('UA-19 Enter adds the username that was typed', async () => {
    const { user } = await scene()
    await user.type(await field(), 'ann{Enter}')
    expect(entries()).toEqual(['ann'])
  })

  it('UA-20 Tab adds the username that was typed', async () => {
    const { user } = await scene()
    await user.type(await field(), 'bob')
    await user.tab()
    expect(entries()).toEqual(['bob'])
  })

  it('UA-21 leaving the field adds the username that was typed', async () => {
    const { user } = await scene()
    await user.type(await field(), 'cy')
    await user.click(screen.getByRole('heading', { level: 1 }))
    expect(entries()).toEqual(['cy'])
  })

  it.each([
    ['UA-22 a username that is there already', 'ann{Enter}'],
    ['UA-23 a blank', '   {Enter}'],
  ])('%s is ignored', async (_, typed) => {
    const { user } = await scene()
    await user.type(await field(), 'ann{Enter}')
    await user.type(await field(), typed)
    await user.tab()
    expect(entries()).toEqual(['ann'])
  })

  it('entries are removed by their buttons and with Backspace, and a pasted list adds its new names', async () => {
    const { user } = await scene()
    const input = await field()
    await user.type(input, 'ann{Enter}bob{Enter}cy{Enter}')
    await user.click(screen.getByRole('button', { name: /Remove bob/ }))
    expect(entries()).toEqual(['ann', 'cy'])
    expect(input).toHaveFocus()
    await user.keyboard('{Backspace}')
    expect(entries()).toEqual(['ann'])
    await user.click(input)
    await user.paste('dee, eve\nfay;ann')
    expect(entries()).toEqual(['ann', 'dee', 'eve', 'fay'])
  })

  it('pressing Enter with nothing typed submits the form, as in any other field', async () => {
    const { user, router } = await scene()
    await user.click(await role('Contributor'))
    await user.type(await field(), 'ann{Enter}')
    await enabled()
    expect(router.state.location.pathname).toBe(grantPage)
    await user.type(await field(), '{Enter}')
    await listed(router)
  })

  it('UA-29, UA-31 reports a required field that is left empty', async () => {
    const { user } = await scene(grantPage)
    await user.click(await field())
    await user.tab()
    expect(await screen.findByText('Must have at least 1 username.')).toBeVisible()
    expect(await field()).toBeInvalid()
    expect(screen.queryByText('Required.')).not.toBeInTheDocument()
    await user.tab()
    expect(await screen.findByText('Required.')).toBeVisible()
    await user.type(await field(), 'ann{Enter}')
    await waitFor(() => expect(screen.queryByText('Must have at least 1 username.')).not.toBeInTheDocument())
  })

  it('UA-21 leaving the field adds the typed name instead of reporting a missing one', async () => {
    const { user } = await scene(grantPage)
    await user.type(await field(), 'ann')
    await user.tab()
    await waitFor(() => expect(entries()).toEqual(['ann']))
    expect(await field()).toBeValid()
    expect(screen.queryByText('Must have at least 1 username.')).not.toBeInTheDocument()
  })

  it('UA-24, UA-29 reports invalid usernames and keeps the input', async () => {
    const { user } = await scene()
    await user.click(await role('Admin'))
    await user.type(await field(), 'a!{Enter}')
    expect(entries()).toEqual(['a!'])
    expect(await screen.findByText(/^Must be 2 to 45 characters long/)).toBeVisible()
    expect(submit()).toHaveAttribute('aria-disabled', 'true')
    await user.click(screen.getByRole('button', { name: /Remove a!/ }))
    expect(await screen.findByText('Must have at least 1 username.')).toBeVisible()
  })

  it('lists every user whose binding was rejected, and creates nothing', async () => {
    const { user, cluster, names } = await scene(grantPage, { objects: [bobsBinding] })
    const before = await names()
    await user.type(await field(), 'ann{Enter}bob{Enter}')
    await user.click(await role('Contributor'))
    await enabled()
    await user.click(submit())
    expect(await screen.findByText(/An error occurred/)).toBeVisible()
    expect(screen.getByText('Nothing was changed.')).toBeVisible()
    expect(screen.getByText(/^bob: .*already exists/)).toBeVisible()
    expect(entries()).toEqual(['ann', 'bob'])
    expect(writes(cluster.calls)).toEqual(['POST  (dry run)', 'POST  (dry run)'])
    expect(await names()).toEqual(before)
  })

  it('UA-38 grants access to users whose sanitized names are equal, one of whom already has it', async () => {
    const { user, router, cluster, names } = await scene(grantPage, { objects: [bobsBinding] })
    await user.type(await field(), 'Bob{Enter}')
    await user.click(await role('Contributor'))
    await enabled()
    await user.click(submit())
    await listed(router)
    const name = (await names()).find((each) => /^konflux-contributor-bob-.{7}-user-actions$/.test(String(each)))
    const made = await cluster.system.get(roleBindingType, String(name), { namespace })
    expect(made.subjects?.map((subject) => subject.name)).toEqual(['Bob'])
  })

  it('names the users who were left out, keeps the input, and can be submitted again', async () => {
    const { user, cluster, router, names } = await scene()
    const heal = cluster.faults.intercept((path, { body }) =>
      !path.includes('dryRun') && String(body).includes('"bob"')
        ? Response.json({ message: 'a webhook says no' }, { status: 422 })
        : undefined,
    )
    await user.type(await field(), 'ann{Enter}bob{Enter}cy{Enter}')
    await user.click(await role('Contributor'))
    await enabled()
    await user.click(submit())
    expect(await screen.findByText('bob: a webhook says no')).toBeVisible()
    expect(screen.getByText('Succeeded: ann, cy. Failed:')).toBeVisible()
    expect(entries()).toEqual(['ann', 'bob', 'cy'])
    expect(await role('Contributor')).toBeChecked()
    heal()
    await enabled()
    await user.click(submit())
    await listed(router)
    expect(await names()).toEqual(
      expect.arrayContaining(['ann', 'bob', 'cy'].map((name) => `konflux-contributor-${name}-user-actions`)),
    )
  })

  it('UA-48 Cancel leaves without writing', async () => {
    const { user, cluster, router } = await scene()
    await user.type(await field(), 'ann{Enter}')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await listed(router)
    expect(writes(cluster.calls)).toEqual([])
  })

  it('UA-12 the page is forbidden without permission to create role bindings', async () => {
    await scene(grantPage, { as: 'maintainer' })
    expect(await screen.findByRole('heading', { name: "Let's get you access" })).toBeVisible()
  })
})

describe('editing', () => {
  it('UA-13, UA-43, UA-44, UA-46 starts from the binding, dry-runs every write, and deletes the old binding last', async () => {
    const { user, cluster, router, names } = await scene(editPage)
    expect(await screen.findByRole('heading', { name: 'Edit access', level: 1 })).toBeVisible()
    expect(cluster.calls.map(({ method, path }) => `${method} ${path}`)).toContain(
      `GET /api/k8s/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings/${contributor}`,
    )
    expect(entries()).toEqual([emailOf('contributor')])
    expect(await role('Contributor')).toBeChecked()
    expect(submit()).toHaveAttribute('aria-disabled', 'true')
    await user.click(await role('Maintainer'))
    await enabled()
    await user.click(submit())
    await listed(router)
    expect(writes(cluster.calls)).toEqual([
      'POST  (dry run)',
      `DELETE ${contributor} (dry run)`,
      'POST ',
      `DELETE ${contributor}`,
    ])
    expect(await names()).toContain('konflux-maintainer-contributor-slipway-test-user-actions')
    expect(await names()).not.toContain(contributor)
  })

  it('deletes the new bindings when the old one cannot be deleted', async () => {
    const { user, cluster, names } = await scene(editPage)
    const before = await names()
    cluster.faults.intercept((path, { method, body }) =>
      method === 'DELETE' && path.endsWith(contributor) && !isDryRun({ path, body })
        ? Response.json({ message: 'a webhook says no' }, { status: 422 })
        : undefined,
    )
    await user.click(await role('Maintainer'))
    await enabled()
    await user.click(submit())
    expect(await screen.findByText('a webhook says no. All changes were undone.')).toBeVisible()
    expect(await role('Maintainer')).toBeChecked()
    expect(await names()).toEqual(before)
    await enabled()
  })

  it('keeps a subject that was added while the form was open', async () => {
    const { user, cluster, names } = await scene(editPage)
    await user.click(await role('Maintainer'))
    const bob = { kind: 'User', apiGroup: roleBindingType.group, name: 'bob' }
    const addition = [{ op: 'add' as const, path: '/subjects/-', value: bob }]
    await cluster.system.patch(roleBindingType, contributor, addition, { namespace })
    const before = await names()
    await enabled()
    await user.click(submit())
    expect(await screen.findByText(/An error occurred/)).toBeVisible()
    expect(screen.getByText(/The object might have been modified/)).toBeVisible()
    expect(await names()).toEqual(before)
  })

  it('says that the groups of a binding keep their role', async () => {
    const subject = (kind: 'User' | 'Group', name: string) => ({ kind, apiGroup: roleBindingType.group, name })
    const binding = aRoleBinding({
      metadata: { name: 'x', namespace },
      subjects: [subject('User', 'ann'), subject('Group', 'crew'), subject('Group', 'testers')],
    })
    await scene(paths.editAccess({ namespace, binding: 'x' }), { objects: [binding] })
    expect(await screen.findByText(/^crew \(Group\), testers \(Group\) keep the role/)).toBeVisible()
  })

  it('UA-24 says immediately why an existing binding cannot be saved unchanged', async () => {
    const long = `${'a'.repeat(40)}@example.com`
    const binding = aRoleBinding({
      metadata: { name: 'x', namespace },
      subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: long }],
    })
    await scene(paths.editAccess({ namespace, binding: 'x' }), { objects: [binding] })
    expect(await field()).toHaveAccessibleDescription(/^Must be 2 to 45 characters long/)
    expect(await field()).toBeInvalid()
  })

  it('starts from the current binding, not from a cached one', async () => {
    const { user, cluster, router } = await scene(editPage)
    expect(await role('Contributor')).toBeChecked()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await listed(router)
    const bob = { kind: 'User', apiGroup: roleBindingType.group, name: 'bob' }
    await cluster.system.patch(roleBindingType, contributor, [{ op: 'add', path: '/subjects/-', value: bob }], {
      namespace,
    })
    await act(() => router.navigate(editPage))
    expect(await screen.findByRole('heading', { name: 'Edit access', level: 1 })).toBeVisible()
    await waitFor(() => expect(entries()).toEqual([emailOf('contributor'), 'bob']))
  })

  it('UA-43 starts from the current binding when the user leaves and returns before another page is rendered', async () => {
    const { user, cluster, router, names } = await scene(editPage)
    expect(await role('Contributor')).toBeChecked()
    const bob = { kind: 'User', apiGroup: roleBindingType.group, name: 'bob' }
    // React renders only after the whole act, as it may in a busy browser.
    await act(async () => {
      await router.navigate(paths.access({ namespace }))
      await cluster.system.patch(roleBindingType, contributor, [{ op: 'add', path: '/subjects/-', value: bob }], {
        namespace,
      })
      await router.navigate(editPage)
    })
    await waitFor(() => expect(entries()).toEqual([emailOf('contributor'), 'bob']))
    await user.click(await role('Maintainer'))
    await enabled()
    await user.click(submit())
    await listed(router)
    expect(await names()).toContain('konflux-maintainer-bob-user-actions')
  })

  // Editing creates and deletes bindings.
  it.each(['update', 'create', 'delete'])(
    'UA-14 the page is forbidden without permission to %s role bindings',
    async (verb) => {
      const verbs = ['get', 'list', 'update', 'create', 'delete'].filter((each) => each !== verb)
      const objects = grantTo({ apiGroups: [roleBindingType.group], resources: ['rolebindings'], verbs })
      await scene(editPage, { as: 'outsider', objects })
      expect(await screen.findByRole('heading', { name: "Let's get you access" })).toBeVisible()
    },
  )

  it.each([
    ['a missing binding', []],
    ['a binding without a user', [aRoleBinding({ metadata: { name: 'x', namespace }, subjects: [] })]],
    [
      'a binding of a role that is not configured',
      [
        aRoleBinding({
          metadata: { name: 'x', namespace },
          roleRef: { apiGroup: roleBindingType.group, kind: 'ClusterRole', name: 'runner' },
        }),
      ],
    ],
  ])('UA-08 shows the not-found page for %s', async (_, objects) => {
    // React logs errors that its boundaries catch.
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await scene(paths.editAccess({ namespace, binding: 'x' }), { objects })
    expect(await screen.findByText(/^Looks like that page doesn't exist/)).toBeVisible()
  })
})
