import { nameOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { releasePlanAdmissionType, releasePlanType, type ReleasePlan } from '@slipway/model/releases/release-plan'
import { anApplication } from '@slipway/model/testing'
import { aReleasePlan, aReleasePlanAdmission } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { isDryRun, namespace } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { paths } from '../../paths'

const at = { namespace }
const plan = (name: string, overrides: Parameters<typeof aReleasePlan>[0] = {}) =>
  aReleasePlan({ ...overrides, metadata: { name, namespace, ...overrides?.metadata } })

const objects = [
  anApplication({ metadata: { name: 'checkout', namespace }, spec: { displayName: 'The checkout' } }),
  plan('matched', { status: { releasePlanAdmission: { name: 'release-managed/prod', active: true } } }),
  plan('blocked', { status: { releasePlanAdmission: { name: 'release-managed/frozen', active: false } } }),
  plan('unmatched', {
    metadata: { labels: { [labels.autoRelease]: undefined, [labels.standingAttribution]: 'false' } },
    status: { releasePlanAdmission: {} },
  }),
  plan('of-a-group', { spec: { application: undefined, componentGroup: 'all', target: undefined } }),
]

const row = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(`(^| )${name}( |$)`) }))
const headers = () => screen.getAllByRole('columnheader').map((header) => header.textContent)
const rowNames = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent)
const menuOf = async (user: Awaited<ReturnType<typeof renderRoute>>['user'], name: string) => {
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
  return (label: string) => screen.findByRole('menuitem', { name: new RegExp(`^${label}`) })
}

describe('the release area', () => {
  it.each([
    [paths.releaseArea(at), 'Release Plan', 'Release plans'],
    [paths.releasePlans(at), 'Release Plan', 'Release plans'],
    [paths.releasePlanAdmissions(at), 'Release Plan Admission', 'Release plan admissions'],
  ])('PLAN-01, PLAN-03, PLAN-04, RPA-10 at %s has the tab %s', async (path, tab, table) => {
    const admission = aReleasePlanAdmission({ metadata: { name: 'prod', namespace } })
    await renderRoute(path, { objects: [...objects, admission] })
    expect(await screen.findByRole('heading', { name: 'Releases', level: 1 })).toBeVisible()
    expect(screen.getByText('Manage all your releases in this namespace.')).toBeVisible()
    expect(await screen.findByRole('table', { name: table })).toBeVisible()
    expect(screen.getByRole('tabpanel', { name: tab })).toBeVisible()
    const tabs = within(screen.getByRole('navigation', { name: 'Releases' })).getAllByRole('tab')
    expect(tabs.map((each) => each.textContent)).toEqual(['Release Plan', 'Release Plan Admission'])
    expect(document.title).toMatch(new RegExp(`^${tab} \\|`))
  })

  it('PLAN-05, PLAN-06, PLAN-57 offers to create a release plan, whose breadcrumb leads back', async () => {
    const { user, router } = await renderRoute(paths.releaseArea(at), { objects })
    await user.click(await screen.findByRole('link', { name: 'Create release plan' }))
    await screen.findByRole('heading', { name: 'Create release plan', level: 1 })
    expect(router.state.location.pathname).toBe(paths.createReleasePlan(at))
    const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
    expect(crumbs.getByRole('link', { name: 'Releases' })).toHaveAttribute('href', paths.releaseArea(at))
  })

  it('PLAN-06 says why a user cannot create one', async () => {
    const { user } = await renderRoute(paths.releaseArea(at), { as: 'contributor', objects })
    const create = await screen.findByRole('button', { name: 'Create release plan' })
    await seeTooltip(user, create, "You don't have access to create a release plan")
  })

  it('SHELL-22 is one click away in the sidebar', async () => {
    const { user } = await renderRoute(paths.applications(at), { objects })
    await user.click(await screen.findByRole('button', { name: 'Show navigation' }))
    await user.click(within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Releases' }))
    expect(await screen.findByRole('table', { name: 'Release plans' })).toBeVisible()
  })
})

describe('the release plans', () => {
  it('PLAN-09, PLAN-10, PLAN-11, PLAN-12 are listed with their columns and whether an admission matches them', async () => {
    await renderRoute(paths.releaseArea(at), { objects })
    const matched = await row('matched')
    expect(screen.getByRole('table', { name: 'Release plans' })).toBeVisible()
    expect(headers()).toEqual([
      'Name',
      'Application',
      'Target Namespace',
      'Auto release',
      'Standing attribution',
      'Status',
      'Release plan admission',
      'Actions',
    ])
    expect(matched.getByRole('link', { name: 'checkout' })).toHaveAttribute(
      'href',
      paths.application({ ...at, application: 'checkout' }),
    )
    const cells = matched.getAllByRole('cell').map((cell) => cell.textContent)
    expect(cells.slice(0, 6)).toEqual([
      'checkout',
      'release-managed',
      'True',
      'True',
      'Matched',
      'release-managed/prod',
    ])
    expect(matched.getByText('Matched').querySelector('.pf-m-success')).not.toBeNull()
    const unmatched = await row('unmatched')
    expect(
      unmatched
        .getAllByRole('cell')
        .map((cell) => cell.textContent)
        .slice(1, 6),
    ).toEqual(['release-managed', '-', 'False', 'Not Matched', '-'])
    expect(unmatched.getByText('Not Matched').querySelector('.pf-m-danger')).not.toBeNull()
    expect(unmatched.getByTitle(/^In release-managed, no admission or more than one/)).toBeVisible()
    expect((await row('blocked')).getByText('Blocked')).toBeVisible()
    expect((await row('of-a-group')).getByText('Component group all')).toBeVisible()
  })

  it('PLAN-11, PLAN-12 are not red without an admission that they do not need', async () => {
    const plan = aReleasePlan({
      metadata: { name: 'staging', namespace },
      spec: {
        target: undefined,
        tenantPipeline: { pipelineRef: { resolver: 'git', params: [{ name: 'url', value: 'https://git.test/p' }] } },
      },
    })
    await renderRoute(paths.releaseArea(at), { objects: [...objects, plan] })
    const status = (await row('staging')).getByText('Not Matched')
    expect(status).toHaveTextContent('Not Matched (Not needed)')
    expect(status.querySelector('.pf-m-danger')).toBeNull()
  })

  it('PLAN-07 are filtered by name', async () => {
    const { user } = await renderRoute(paths.releaseArea(at), { objects })
    await row('blocked')
    await user.type(screen.getByRole('textbox', { name: 'Filter by name' }), 'block')
    await waitFor(() => expect(rowNames()).toEqual(['blocked']))
  })

  it('PLAN-08, PLAN-13, PREF-06 show the columns that were chosen, also after returning', async () => {
    const { user, router } = await renderRoute(paths.releaseArea(at), { objects })
    await row('matched')
    await user.click(await screen.findByRole('button', { name: 'Manage columns' }))
    const dialog = await screen.findByRole('dialog', { name: 'Manage release plan columns' })
    await user.click(within(dialog).getByRole('checkbox', { name: 'Standing attribution' }))
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(headers()).not.toContain('Standing attribution'))
    expect(JSON.parse(localStorage.getItem('release-plan-columns@admin@slipway.test') ?? '')).not.toContain(
      'standingAttribution',
    )
    await router.navigate(paths.releasePlanAdmissions(at))
    await screen.findByText('No Release Plan Admission found')
    await router.navigate(paths.releaseArea(at))
    await row('matched')
    expect(headers()).not.toContain('Standing attribution')
  })

  it('PLAN-14 say that there are none, with a link to the documentation', async () => {
    await renderRoute(paths.releaseArea(at))
    expect(await screen.findByRole('heading', { name: 'No Release Plan found' })).toBeVisible()
    expect(screen.getByRole('link', { name: /^Learn how to release/ })).toHaveAttribute(
      'href',
      'https://konflux-ci.dev/docs/releasing/',
    )
  })

  it('PLAN-15, PLAN-16, PLAN-17, PLAN-20 can be triggered, edited and deleted', async () => {
    const { user, router } = await renderRoute(paths.releaseArea(at), { objects })
    const item = await menuOf(user, 'matched')
    await user.click(await item('Edit release plan'))
    expect(await screen.findByRole('heading', { name: 'Edit release plan', level: 1 })).toBeVisible()
    expect(router.state.location.pathname).toBe(`/ns/${namespace}/release/release-plan/edit/matched`)
    await router.navigate(paths.releaseArea(at))
    const again = await menuOf(user, 'matched')
    expect(await again('Delete release plan')).toBeVisible()
    await user.click(await again('Trigger release plan'))
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.triggerRelease(at)))
    expect(router.state.location.search).toBe('?releasePlan=matched')
  })

  it('PLAN-15, PLAN-16, PLAN-17 say why a user can do none of these', async () => {
    const { user } = await renderRoute(paths.releaseArea(at), { as: 'contributor', objects })
    for (const [label, reason] of [
      ['Trigger release plan', "You don't have access to trigger releases"],
      ['Edit release plan', "You don't have access to edit this release plan"],
      ['Delete release plan', "You don't have access to delete this release plan"],
    ] as const) {
      const item = await menuOf(user, 'matched')
      expect(await item(label)).toHaveAttribute('aria-disabled', 'true')
      await seeTooltip(user, await item(label), reason)
      await user.keyboard('{Escape}')
    }
    expect((await row('matched')).getByRole('link', { name: 'matched' })).toHaveAttribute(
      'href',
      paths.releasePlan({ ...at, releasePlan: 'matched' }),
    )
  })

  it('PLAN-45 are deleted once the name is typed, with a dry run first', async () => {
    const { user, cluster } = await renderRoute(paths.releaseArea(at), { objects })
    const item = await menuOf(user, 'blocked')
    await user.click(await item('Delete release plan'))
    const dialog = within(await screen.findByRole('dialog', { name: /Delete release plan\?$/ }))
    const submit = dialog.getByRole('button', { name: 'Delete' })
    expect(submit).toHaveAttribute('aria-disabled', 'true')
    await user.type(dialog.getByRole('textbox'), 'Blocked')
    expect(await dialog.findByText('Release plan name does not match')).toBeVisible()
    await user.clear(dialog.getByRole('textbox'))
    expect(await dialog.findByText('Release plan name missing')).toBeVisible()
    await user.type(dialog.getByRole('textbox'), 'blocked')
    await waitFor(() => expect(submit).not.toHaveAttribute('aria-disabled', 'true'))
    await user.click(submit)
    await waitFor(() => expect(rowNames()).toEqual(['matched', 'of-a-group', 'unmatched']))
    expect(cluster.calls.filter(({ method }) => method === 'DELETE').map(isDryRun)).toEqual([true, false])
    const { items } = await cluster.system.list(releasePlanType, { namespace })
    expect(items.map(nameOf)).not.toContain('blocked')
  })

  it('PLAN-47 show why they could not be loaded', async () => {
    const { cluster, router } = await renderRoute(paths.about(), { objects })
    cluster.faults.intercept((path) =>
      path.includes('/releaseplans')
        ? Response.json({ kind: 'Status', code: 400, message: 'etcd is down' }, { status: 400 })
        : undefined,
    )
    await router.navigate(paths.releaseArea(at))
    expect(await screen.findByText('Unable to load release plans')).toBeVisible()
    expect(screen.getByText(/etcd is down/)).toBeVisible()
  })

  it('are listed if other clients have written nonsense', async () => {
    const odd = { ...plan('odd'), status: { releasePlanAdmission: {} } } as unknown as ReleasePlan
    const { cluster, router } = await renderRoute(paths.about(), { objects })
    cluster.faults.areSocketsBlocked = true
    cluster.faults.intercept((path) =>
      path.includes('/releaseplans')
        ? Response.json({
            metadata: { resourceVersion: '1' },
            items: ['odd', 'odder'].map((name) => ({
              ...odd,
              metadata: { ...odd.metadata, uid: name, name },
              spec: name === 'odd' ? {} : null,
            })),
          })
        : undefined,
    )
    await router.navigate(paths.releaseArea(at))
    expect((await row('odd')).getAllByText('-').length).toBeGreaterThan(2)
    expect(await row('odder')).toBeTruthy()
  })

  it('are accessible, with and without rows', async () => {
    const { container, router } = await renderRoute(paths.releaseArea(at), { objects })
    await row('matched')
    expect((await axe.run(container)).violations).toEqual([])
    await router.navigate(paths.releasePlanAdmissions(at))
    await screen.findByText('No Release Plan Admission found')
    expect((await axe.run(container)).violations).toEqual([])
  })
})

describe('the release plan admissions', () => {
  const admission = (name: string, spec: object = {}, flags: Record<string, string | undefined> = {}) =>
    aReleasePlanAdmission({
      metadata: { name, namespace, labels: { [labels.blockReleases]: undefined, ...flags } },
      spec,
    })
  const admissions = [
    ...objects,
    admission('prod', { applications: ['checkout', 'gone'], origin: namespace }, { [labels.blockReleases]: 'true' }),
    admission('elsewhere', { applications: ['far'], origin: 'team-elsewhere' }, { [labels.blockReleases]: 'false' }),
    admission('old', { applications: ['ignored'], origin: 'team-elsewhere' }),
  ]
  const path = paths.releasePlanAdmissions(at)

  it('RPA-02, RPA-03, RPA-04, RPA-11 are listed with their columns', async () => {
    await renderRoute(path, { objects: admissions })
    const prod = await row('prod')
    expect(screen.getByRole('table', { name: 'Release plan admissions' })).toBeVisible()
    expect(headers()).toEqual(['Name', 'Application', 'Source Namespace', 'Block releases', 'Actions'])
    expect(await prod.findByRole('link', { name: 'The checkout' })).toHaveAttribute(
      'href',
      paths.application({ ...at, application: 'checkout' }),
    )
    expect(prod.getByText('gone')).toBeVisible()
    expect(prod.getByText('True')).toBeVisible()
    const elsewhere = (await row('elsewhere')).getAllByRole('cell').map((cell) => cell.textContent)
    expect(elsewhere.slice(0, 3)).toEqual(['far', 'team-elsewhere', 'False'])
    expect((await row('old')).getByText('-')).toBeVisible()
  })

  it('RPA-08 are listed in every shape', async () => {
    const { cluster, router } = await renderRoute(paths.about(), { objects })
    cluster.faults.areSocketsBlocked = true
    const shapes: [string, object | null][] = [
      ['old', { application: 'single', origin: 'a' }],
      ['groups', { componentGroups: ['all'], origin: 'a' }],
      ['nonsense', null],
    ]
    const items = shapes.map(([name, spec]) => ({ metadata: { name, namespace, uid: name }, spec }))
    cluster.faults.intercept((url) =>
      url.includes('/releaseplanadmissions') ? Response.json({ metadata: { resourceVersion: '1' }, items }) : undefined,
    )
    await router.navigate(path)
    expect((await row('old')).getByText('single')).toBeVisible()
    expect((await row('groups')).getByText('Component groups all')).toBeVisible()
    expect((await row('nonsense')).getAllByText('-')).toHaveLength(3)
  })

  it('RPA-07 say that there are none', async () => {
    await renderRoute(path)
    expect(await screen.findByRole('heading', { name: 'No Release Plan Admission found' })).toBeVisible()
  })

  it('RPA-05, RPA-09 are deleted once the name is typed', async () => {
    const { user, cluster } = await renderRoute(path, { objects: admissions })
    const item = await menuOf(user, 'old')
    expect(screen.getAllByRole('menuitem')).toHaveLength(1)
    await user.click(await item('Delete'))
    const dialog = within(await screen.findByRole('dialog', { name: /Delete release plan admission\?$/ }))
    await user.type(dialog.getByRole('textbox'), 'old')
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(rowNames()).toEqual(['elsewhere', 'prod']))
    const { items } = await cluster.system.list(releasePlanAdmissionType, { namespace })
    expect(items.map(nameOf)).toEqual(['elsewhere', 'prod'])
  })

  it('RPA-06 say why a user cannot delete one', async () => {
    const { user } = await renderRoute(path, { as: 'contributor', objects: admissions })
    const item = await menuOf(user, 'prod')
    expect(await item('Delete')).toHaveAttribute('aria-disabled', 'true')
    const reason = "You don't have access to delete this release plan admission"
    await seeTooltip(user, await item('Delete'), reason)
  })

  it('RPA-12 say in the dialog why one could not be deleted, which can be tried again', async () => {
    const { user, cluster } = await renderRoute(path, { objects: admissions })
    const end = cluster.faults.intercept((_, { method }) =>
      method === 'DELETE'
        ? Response.json({ kind: 'Status', code: 422, message: 'the webhook says no' }, { status: 422 })
        : undefined,
    )
    const item = await menuOf(user, 'prod')
    await user.click(await item('Delete'))
    const dialog = within(await screen.findByRole('dialog', { name: /Delete release plan admission\?$/ }))
    await user.type(dialog.getByRole('textbox'), 'prod')
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await dialog.findByText('An error occurred')).toBeVisible()
    expect(dialog.getByText('the webhook says no')).toBeVisible()
    end()
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(rowNames()).toEqual(['elsewhere', 'old']))
  })

  it('request the applications of a source namespace only from users who may list them', async () => {
    const only = grantTo({
      apiGroups: [releasePlanAdmissionType.group],
      resources: [releasePlanAdmissionType.plural],
      verbs: ['list', 'watch'],
    })
    const { cluster } = await renderRoute(path, { as: 'outsider', objects: [...admissions, ...only] })
    expect((await row('prod')).getByText('checkout')).toBeVisible()
    expect(cluster.calls.filter(({ path: url }) => url.includes('/applications'))).toEqual([])
  })
})
