import { secretType, serviceAccountType, type Secret } from '@slipway/kube/core-types'
import { labels } from '@slipway/model/labels'
import { aComponent, anApplication, type Overrides } from '@slipway/model/testing'
import { aSecret, aServiceAccount } from '@slipway/model/testing/build-services'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { isDryRun, namespace, type testCluster } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout', component: 'web' }
const page = paths.linkedSecrets(at)

const pullSecret = (name: string, over: Overrides<Secret> = {}) =>
  aSecret({
    ...over,
    metadata: { name, ...over.metadata },
    type: 'kubernetes.io/dockerconfigjson',
    data: { snyk_token: undefined, '.dockerconfigjson': btoa('{"auths":{}}') },
  })
const basicAuth = (name: string) =>
  aSecret({
    metadata: { name },
    type: 'kubernetes.io/basic-auth',
    data: { snyk_token: undefined, username: btoa('bot'), password: btoa('made-up') },
  })
const account = (names: readonly string[], imagePullSecrets: readonly string[] = []) =>
  aServiceAccount({
    metadata: { name: 'build-pipeline-web' },
    secrets: names.map((name) => ({ name })),
    imagePullSecrets: imagePullSecrets.map((name) => ({ name })),
  })
const component = aComponent({ metadata: { name: 'web' } })
const basics = [anApplication(), component]

const rowNames = () => screen.queryAllByRole('rowheader').map((cell) => cell.textContent)
/** A dialog that has taken the focus, which it does shortly after it appears. */
const inDialog = async () => {
  const dialog = await screen.findByRole('dialog')
  await waitFor(() => expect(dialog).toContainElement(document.activeElement as HTMLElement))
  return within(dialog)
}
const links = async ({ system }: { system: Awaited<ReturnType<typeof testCluster>>['system'] }) => {
  const { secrets = [], imagePullSecrets = [] } = await system.get(serviceAccountType, 'build-pipeline-web', {
    namespace,
  })
  return [secrets.map(({ name }) => name), imagePullSecrets.map(({ name }) => name)]
}
const openMenu = async (user: Awaited<ReturnType<typeof renderRoute>>['user'], name: string) => {
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
}

describe('the linked secrets of a component', () => {
  const objects = [
    ...basics,
    pullSecret('registry'),
    basicAuth('git'),
    pullSecret('other'),
    account(['registry', 'git', 'gone'], ['registry']),
  ]

  it('LINK-41 can be created from here, in the secret form', async () => {
    const { user } = await renderRoute(page, { objects })
    await user.click(await screen.findByRole('link', { name: 'Add secret' }))
    expect(await screen.findByRole('heading', { name: 'Add secret', level: 1 })).toBeVisible()
    await waitFor(() => expect(location.pathname).toBe(paths.createSecret({ namespace })))
  })

  it('LINK-01, LINK-03, LINK-18, LINK-36 are listed with their type and use, under a way back to the components', async () => {
    await renderRoute(page, { objects })
    expect(await screen.findByRole('heading', { name: 'Linked secrets', level: 1 })).toBeVisible()
    await waitFor(() => expect(rowNames()).toEqual(['git', 'gone', 'registry']))
    expect(screen.getByRole('table', { name: 'Linked secrets' })).toBeVisible()
    const row = (name: string) => screen.getByRole('rowheader', { name }).closest('tr')
    expect(row('registry')).toHaveTextContent('Image pullTasks and image pulls')
    expect(row('git')).toHaveTextContent('Key/value (2)Tasks')
    const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
    expect(crumbs.getByRole('link', { name: 'Components' })).toHaveAttribute('href', paths.components(at))
    expect(crumbs.getByRole('link', { name: 'web' })).toHaveAttribute('href', paths.component(at))
    const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it('LINK-04 can be filtered by name', async () => {
    const { user } = await renderRoute(page, { objects })
    await user.type(await screen.findByRole('textbox', { name: /name/i }), 'regi')
    await waitFor(() => expect(rowNames()).toEqual(['registry']))
  })

  it('LINK-06, LINK-16, PAC-39 are unlinked from both lists, and the others stay', async () => {
    const { user, cluster } = await renderRoute(page, { objects })
    await openMenu(user, 'registry')
    await user.click(await screen.findByRole('menuitem', { name: 'Unlink' }))
    const dialog = await inDialog()
    expect(dialog.getByText('Unlink registry?')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Unlink' }))
    await waitFor(() => expect(rowNames()).toEqual(['git', 'gone']))
    expect(await links(cluster)).toEqual([['git', 'gone'], []])
    expect(await cluster.system.get(secretType, 'registry', { namespace })).toBeDefined()
  })

  it('LINK-06 that do not exist are marked, and several are unlinked with one patch', async () => {
    const { user, cluster } = await renderRoute(page, { objects })
    const missing = (await screen.findByRole('rowheader', { name: 'gone' })).closest('tr')
    expect(missing).toHaveTextContent('Secret does not exist')
    await user.click(screen.getByRole('checkbox', { name: 'Select gone' }))
    await user.click(screen.getByRole('checkbox', { name: 'Select git' }))
    await user.click(screen.getByRole('button', { name: 'Unlink' }))
    await user.click((await inDialog()).getByRole('button', { name: 'Unlink' }))
    await waitFor(() => expect(rowNames()).toEqual(['registry']))
    expect(await links(cluster)).toEqual([['registry'], ['registry']])
    const patches = cluster.calls.filter((call) => call.method === 'PATCH' && !isDryRun(call))
    expect(patches).toHaveLength(1)
    expect(screen.queryByText(/selected/)).not.toBeInTheDocument()
  })

  it('appear as soon as another client links them', async () => {
    const { cluster } = await renderRoute(page, { objects })
    await waitFor(() => expect(rowNames()).toHaveLength(3))
    const step = { op: 'add', path: '/secrets/-', value: { name: 'other' } } as const
    await cluster.system.patch(serviceAccountType, 'build-pipeline-web', [step], { namespace })
    await waitFor(() => expect(rowNames()).toEqual(['git', 'gone', 'other', 'registry']))
  })

  it('that are common say that they stay linked to the other components', async () => {
    const common = pullSecret('shared', { metadata: { labels: { [labels.commonSecret]: 'true' } } })
    const { user } = await renderRoute(page, { objects: [...basics, common, account(['shared'], ['shared'])] })
    await openMenu(user, 'shared')
    await user.click(await screen.findByRole('menuitem', { name: 'Unlink' }))
    expect((await inDialog()).getByText(/shared stays linked to all other components/)).toBeVisible()
  })

  it('LINK-07 that there are none of reads No linked secrets found', async () => {
    await renderRoute(page, { objects: [...basics, account([])] })
    expect(await screen.findByRole('heading', { name: 'No linked secrets found' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Link Secrets' })).toBeEnabled()
  })

  it('LINK-17 say that the service account of the component does not exist yet', async () => {
    await renderRoute(page, { objects: basics })
    expect(await screen.findByText(/The service account build-pipeline-web does not exist yet/)).toBeVisible()
  })

  it('LINK-10, LINK-11 cannot be unlinked while the component cannot be loaded', async () => {
    const { user, cluster, router } = await renderRoute(paths.about(), { objects })
    cluster.faults.intercept((path) =>
      path.includes('/components/web')
        ? Response.json({ message: 'the webhook is broken' }, { status: 422 })
        : undefined,
    )
    await screen.findByRole('heading', { name: 'About Slipway' })
    await router.navigate(page)
    await openMenu(user, 'registry')
    await user.click(await screen.findByRole('menuitem', { name: 'Unlink' }))
    const dialog = await inDialog()
    const alert = (await dialog.findByText('Unable to load component')).closest('.pf-v6-c-alert')
    expect(alert).toHaveClass('pf-m-danger')
    expect(alert).toHaveTextContent('the webhook is broken')
    const unlink = dialog.getByRole('button', { name: 'Unlink' })
    expect(unlink).toHaveAttribute('aria-disabled', 'true')
    await user.click(unlink)
    expect(cluster.calls.filter(({ method }) => method === 'PATCH')).toEqual([])
  })

  it('LINK-10 cannot be unlinked while the component is loading', async () => {
    const { user, cluster, router } = await renderRoute(paths.about(), { objects })
    let answer = () => {}
    cluster.faults.intercept((path, init) =>
      path.includes('/components/web')
        ? new Promise((resolve) => (answer = () => resolve(cluster.faults.pass(path, init))))
        : undefined,
    )
    await screen.findByRole('heading', { name: 'About Slipway' })
    await router.navigate(page)
    await openMenu(user, 'registry')
    await user.click(await screen.findByRole('menuitem', { name: 'Unlink' }))
    const dialog = await inDialog()
    expect(dialog.getByText('The component is loading.')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Unlink' })).toHaveAttribute('aria-disabled', 'true')
    answer()
    await waitFor(() =>
      expect(dialog.getByRole('button', { name: 'Unlink' })).not.toHaveAttribute('aria-disabled', 'true'),
    )
  })

  it('of a component of another application are not found', async () => {
    await renderRoute(paths.linkedSecrets({ ...at, application: 'other' }), { objects })
    expect(await screen.findByText(/Looks like that page doesn't exist/)).toBeVisible()
  })

  it('LINK-02 are forbidden without permission to patch service accounts', async () => {
    await renderRoute(page, { as: 'maintainer', objects })
    expect(await screen.findByText("Let's get you access")).toBeVisible()
  })

  it("CMP-13 are reached from the component's actions", async () => {
    const { user, router } = await renderRoute(paths.component(at), { objects })
    await openMenu(user, 'web')
    await user.click(await screen.findByRole('menuitem', { name: 'Manage linked secrets' }))
    await waitFor(() => expect(router.state.location.pathname).toBe(page))
  })

  it("CMP-13 cannot be reached without access, with the reason at the component's action", async () => {
    const { user } = await renderRoute(paths.component(at), { as: 'maintainer', objects })
    await openMenu(user, 'web')
    const item = await screen.findByRole('menuitem', { name: /Manage linked secrets/ })
    expect(item).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, item, "You don't have access to manage linked secrets")
  })
})

describe('the dialog that links secrets', () => {
  const open = async (objects: NonNullable<Parameters<typeof renderRoute>[1]>['objects'], search = '') => {
    const rendered = await renderRoute(`${page}${search}`, { objects })
    // The button moves to the message if no secret is linked.
    await waitFor(() => expect(rowNames().length > 0 || screen.queryByText('No linked secrets found')).toBeTruthy())
    await rendered.user.click(screen.getByRole('button', { name: 'Link Secrets' }))
    return { ...rendered, dialog: await inDialog() }
  }
  const objects = [
    ...basics,
    pullSecret('registry'),
    basicAuth('git'),
    pullSecret('linked'),
    aSecret({ metadata: { name: 'opaque' } }),
    account(['linked'], ['linked']),
  ]

  it('LINK-12, LINK-13 offers the secrets of the namespace that can be linked and are not', async () => {
    const { dialog } = await open(objects)
    const names = (await dialog.findAllByRole('rowheader')).map((cell) => cell.textContent)
    expect(names).toEqual(['git', 'registry'])
    const { violations } = await axe.run(screen.getByRole('dialog'), {
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it('LINK-05, LINK-09, LINK-14, LINK-15 links what is selected, once something is', async () => {
    const { user, dialog, cluster } = await open(objects)
    const submit = await dialog.findByRole('button', { name: 'Link Secrets' })
    expect(submit).toHaveAttribute('aria-disabled', 'true')
    await user.click(dialog.getByRole('checkbox', { name: 'Select registry' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Select git' }))
    await user.click(await dialog.findByRole('button', { name: 'Link 2 Secrets' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await waitFor(() => expect(rowNames()).toEqual(['git', 'linked', 'registry']))
    const [all, forImages] = await links(cluster)
    expect([all?.sort(), forImages?.sort()]).toEqual([
      ['git', 'linked', 'registry'],
      ['linked', 'registry'],
    ])
  })

  it('LINK-09 counts only selected secrets that still exist, and links nothing once all of them are deleted', async () => {
    const { user, dialog, cluster } = await open(objects)
    await user.click(await dialog.findByRole('checkbox', { name: 'Select registry' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Select git' }))
    expect(await dialog.findByRole('button', { name: 'Link 2 Secrets' })).toBeVisible()
    await cluster.system.delete(secretType, 'git', { namespace })
    const submit = await dialog.findByRole('button', { name: 'Link Secrets' })
    expect(submit).not.toHaveAttribute('aria-disabled', 'true')
    await cluster.system.delete(secretType, 'registry', { namespace })
    await waitFor(() => expect(submit).toHaveAttribute('aria-disabled', 'true'))
    expect(dialog.getByText('Select at least one secret.')).toBeInTheDocument()
  })

  it('LINK-40 filters by a part of the name, without changing the URL or submitting', async () => {
    const { user, dialog, router } = await open(objects, '?name=l')
    const filter = await dialog.findByRole('textbox', { name: /name/i })
    expect(filter).toHaveValue('')
    await user.type(filter, 'ist{Enter}')
    await waitFor(() => expect(dialog.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual(['registry']))
    expect(router.state.location.search).toBe('?name=l')
    expect(screen.getByRole('dialog')).toBeVisible()
  })

  it('shows pages of ten, and links what is selected on several of them', async () => {
    const many = Array.from({ length: 23 }, (_, index) => basicAuth(`git-${String(index + 1).padStart(2, '0')}`))
    const { user, dialog, cluster } = await open([...basics, ...many, account([])])
    await waitFor(() => expect(dialog.getAllByRole('rowheader')).toHaveLength(10))
    await user.click(dialog.getByRole('checkbox', { name: 'Select git-01' }))
    await user.click(dialog.getByRole('button', { name: 'Go to next page' }))
    await user.click(await dialog.findByRole('checkbox', { name: 'Select git-11' }))
    await user.click(await dialog.findByRole('button', { name: 'Link 2 Secrets' }))
    await waitFor(() => expect(rowNames()).toEqual(['git-01', 'git-11']))
    expect(await links(cluster)).toEqual([['git-01', 'git-11'], []])
  })

  it('LINK-08 without anything to link reads No Unlinked Secrets', async () => {
    const { dialog } = await open([...basics, aSecret({ metadata: { name: 'opaque' } }), account([])])
    expect(await dialog.findByRole('heading', { name: 'No Unlinked Secrets' })).toBeVisible()
  })

  it('LINK-19 keeps what another client links at the same moment', async () => {
    const { user, dialog, cluster } = await open(objects)
    let isFirst = true
    cluster.faults.intercept((path, init) => {
      if (init.method !== 'PATCH' || !isFirst) return undefined
      isFirst = false
      const step = { op: 'add', path: '/secrets/-', value: { name: 'git' } } as const
      return cluster.system
        .patch(serviceAccountType, 'build-pipeline-web', [step], { namespace })
        .then(() => cluster.faults.pass(path, init))
    })
    await user.click(await dialog.findByRole('checkbox', { name: 'Select registry' }))
    await user.click(dialog.getByRole('button', { name: 'Link Secrets' }))
    await waitFor(() => expect(rowNames()).toEqual(['git', 'linked', 'registry']))
    expect(await links(cluster)).toEqual([
      ['linked', 'git', 'registry'],
      ['linked', 'registry'],
    ])
  })

  it('stays open with the reason if the service account cannot be changed', async () => {
    const { user, dialog, cluster } = await open(objects)
    cluster.faults.intercept((_, { method }) =>
      method === 'PATCH' ? Response.json({ message: 'a policy forbids it' }, { status: 403 }) : undefined,
    )
    await user.click(await dialog.findByRole('checkbox', { name: 'Select registry' }))
    await user.click(dialog.getByRole('button', { name: 'Link Secrets' }))
    expect(await dialog.findByText('a policy forbids it')).toBeVisible()
    expect(dialog.getByRole('checkbox', { name: 'Select registry' })).toBeChecked()
  })

  it('shows the change before it is made', async () => {
    const { user, dialog } = await open(objects)
    await user.click(await dialog.findByRole('checkbox', { name: 'Select git' }))
    await user.click(dialog.getByRole('button', { name: 'Show change' }))
    expect(await dialog.findByRole('heading', { name: /Change ServiceAccount build-pipeline-web/ })).toBeVisible()
  })
})
