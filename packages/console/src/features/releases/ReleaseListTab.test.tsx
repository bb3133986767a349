import type { KubeObject } from '@slipway/kube/object'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { type Release, releaseType } from '@slipway/model/releases/release'
import { anApplication, aRelease, condition } from '@slipway/model/testing'
import { aReleasePlan, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { emailOf } from '@slipway/slipway/users'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { fakeIntersectionObserver } from '../../../test/fake-intersection-observer'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { storedUser } from '../../api/session/session'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout' }
const page = paths.releases(at)
const application = anApplication()
const released = [condition('Released', 'True', 'Succeeded')]

type Status = NonNullable<Release['status']>
const release = (name: string, over: Parameters<typeof aRelease>[0] = {}, status: Status = { conditions: released }) =>
  aRelease({ ...over, metadata: { name, ...over.metadata }, status })

const archived = (object: KubeObject, createdAt: string): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, namespace, uid: object.metadata.name ?? '', creationTimestamp: createdAt },
})
const isReleaseList = (path: string) => path.startsWith('/api/k8s/apis/') && path.includes('/releases?')
const clusterFails = (code: number) => (path: string) =>
  isReleaseList(path) ? Response.json({ kind: 'Status', message: 'the cluster says no' }, { status: code }) : undefined

const rowNames = () => screen.queryAllByRole('rowheader').map((cell) => cell.querySelector('a')?.textContent)
const rowOf = async (name: string) => {
  const header = await screen.findByRole('rowheader', { name: new RegExp(`^${name}( |$)`) })
  return within(header.closest('tr') ?? expect.fail('a header outside of a row'))
}
const headers = () => screen.getAllByRole('columnheader').map((header) => header.textContent)

describe('the releases of an application', () => {
  it('REL-01, REL-08, REL-09 shows each of them with six columns, one row each', async () => {
    const { cluster } = await renderRoute(page, {
      objects: [
        application,
        release(
          'shop-1',
          {},
          {
            conditions: released,
            startTime: '2026-01-31T09:00:00Z',
            completionTime: '2026-01-31T09:05:10Z',
          },
        ),
        release('other-1', { metadata: { labels: { [labels.application]: 'ledger' } } }),
      ],
    })
    const row = await rowOf('shop-1')
    expect(screen.getByRole('table', { name: 'Releases' })).toBeVisible()
    expect(headers().filter(Boolean)).toEqual([
      'Status',
      'Name',
      'Created',
      'Duration',
      'Release plan',
      'Release snapshot',
      'Actions',
    ])
    const cells = row.getAllByRole('cell').map((cell) => cell.textContent)
    expect(cells[0]).toBe('Succeeded')
    expect(cells[1]).toMatch(/ago|Just now/)
    expect(cells[2]).toContain('5m 10s')
    expect(rowNames()).toEqual(['shop-1'])
    const [list] = cluster.calls.filter(({ path }) => isReleaseList(path))
    // Neither notes nor artifacts are read for a list.
    expect(list?.path).not.toMatch(/spec\.data|artifacts/)
    const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it('say whose change of which branch they contain, by which they are filtered', async () => {
    const by = (user: string) => ({
      [copiedPacKey(annotations.pacSender)]: user,
      [copiedPacKey(annotations.pacBranch)]: 'main',
    })
    const { user } = await renderRoute(page, {
      objects: [
        application,
        release('shop-1', { metadata: { annotations: by('ada') } }),
        release('shop-2', { metadata: { annotations: by('bob') } }),
      ],
    })
    const texts = () => screen.queryAllByRole('rowheader').map((cell) => cell.textContent)
    await waitFor(() => expect(texts().toSorted()).toEqual(['shop-1 main · ada', 'shop-2 main · bob']))
    await user.click(screen.getByRole('button', { name: 'By user', expanded: false }))
    await user.click(await screen.findByRole('checkbox', { name: /^bob/ }))
    await waitFor(() => expect(texts()).toEqual(['shop-2 main · bob']))
  })

  it('REL-06, REL-08, REL-51, PREF-06 links to the plan, the snapshot and the runs, whose columns can be shown', async () => {
    const { user, router } = await renderRoute(page, {
      objects: [
        application,
        release(
          'shop-1',
          {},
          {
            conditions: released,
            tenantProcessing: { pipelineRun: `${namespace}/tenant-1` },
            managedProcessing: { pipelineRun: 'elsewhere/managed-1' },
          },
        ),
      ],
    })
    await rowOf('shop-1')
    await user.click(screen.getByRole('button', { name: 'Manage columns' }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByRole('checkbox', { name: 'Name' })).toBeDisabled()
    for (const pipeline of ['Tenant collector', 'Tenant', 'Managed', 'Final'])
      await user.click(within(dialog).getByRole('checkbox', { name: `${pipeline} pipeline run` }))
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(headers()).toContain('Final pipeline run'))
    const row = await rowOf('shop-1')
    const linkTo = (name: string) => row.getByRole('link', { name }).getAttribute('href')
    expect(linkTo('shop-1')).toBe(paths.release({ ...at, release: 'shop-1' }))
    expect(linkTo('checkout-to-production')).toBe(paths.releasePlan({ ...at, releasePlan: 'checkout-to-production' }))
    expect(linkTo('checkout-snapshot')).toBe(paths.snapshot({ ...at, snapshot: 'checkout-snapshot' }))
    await waitFor(() =>
      expect(linkTo('tenant-1')).toBe(`${paths.pipelineRun({ ...at, pipelineRun: 'tenant-1' })}?releaseName=shop-1`),
    )
    expect(await row.findByText('managed-1 (no access to elsewhere)')).toBeVisible()
    expect(JSON.parse(localStorage.getItem('releases-visible-columns@admin@slipway.test') ?? '')).toContain(
      'managedPipelineRun',
    )
    await router.navigate(paths.components(at))
    await screen.findByRole('tab', { name: 'Components', selected: true })
    await router.navigate(page)
    await waitFor(() => expect(headers()).toContain('Managed pipeline run'))
    // Another user signs in, in the same browser.
    const other = 'jane@example.com'
    storedUser.set({ email: other, preferredUsername: '' })
    await router.navigate(paths.components(at))
    await screen.findByRole('tab', { name: 'Components', selected: true })
    await router.navigate(page)
    await rowOf('shop-1')
    expect(headers()).not.toContain('Managed pipeline run')
    expect(localStorage.getItem(`releases-visible-columns@${other}`)).toBeNull()
  })

  it('APP-21 are loaded before the tab renders', async () => {
    const { user } = await renderRoute(paths.components(at), { objects: [application, release('shop-1')] })
    await user.click(await screen.findByRole('tab', { name: 'Releases' }))
    await screen.findByRole('table', { name: 'Releases' })
    expect(screen.queryByText('Loading Releases')).not.toBeInTheDocument()
    expect(rowNames()).toEqual(['shop-1'])
    expect(location.pathname).toBe(page)
  })

  it('APP-26, REL-02 needs permission to list releases', async () => {
    await renderRoute(page, {
      as: 'outsider',
      objects: [application, ...grantTo({ apiGroups: ['*'], resources: ['applications'], verbs: ['*'] })],
    })
    expect(await screen.findByText("Let's get you access")).toBeVisible()
  })

  it('REL-07, REL-10 includes those in the archive, newest first, and loads more when its end comes into view', async () => {
    const { reach } = fakeIntersectionObserver()
    const time = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString()
    const many = Array.from({ length: 201 }, (_, index) => archived(release(`old-${index}`), time(index)))
    const archive = await fakeArchive(many)
    const { user } = await renderRoute(page, {
      objects: [application, release('shop-now')],
      archives: { kubeArchive: archive.plugin },
    })
    expect(await screen.findByText('1 loaded')).toBeVisible()
    await screen.findByRole('button', { name: 'Load more' })
    reach()
    expect(await screen.findByText('201 loaded')).toBeVisible()
    expect(screen.getByRole('columnheader', { name: 'Created' })).toHaveAttribute('aria-sort', 'descending')
    reach()
    expect(await screen.findByText('202 total')).toBeVisible()
    await user.type(screen.getByRole('textbox', { name: 'Filter by name' }), 'old-20')
    await waitFor(() => expect(rowNames()).toEqual(['old-200', 'old-20']))
    expect((await rowOf('old-200')).getByText('Archived')).toBeVisible()
  })

  it('REL-03, REL-04, REL-05 are filtered by name, release plan, snapshot and status', async () => {
    const { user } = await renderRoute(page, {
      objects: [
        application,
        release('shop-1', { spec: { releasePlan: 'production', snapshot: 'snap-a' } }),
        release(
          'shop-2',
          { spec: { releasePlan: 'staging', snapshot: 'snap-b' } },
          {
            conditions: [condition('Released', 'False', 'Failed')],
          },
        ),
      ],
    })
    await rowOf('shop-1')
    const filter = screen.getByRole('textbox', { name: 'Filter by name' })
    await user.type(filter, 'SHOP-2')
    await waitFor(() => expect(rowNames()).toEqual(['shop-2']))
    await waitFor(() => expect(new URLSearchParams(location.search).get('name')).toBe('SHOP-2'))
    await user.clear(filter)
    for (const [label, value, names] of [
      ['Release plan', 'production', ['shop-1']],
      ['Release snapshot', 'snap-b', ['shop-2']],
      ['Status', 'Failed', ['shop-2']],
    ] as const) {
      await user.click(screen.getByRole('button', { name: label, expanded: false }))
      await user.click(await screen.findByRole('checkbox', { name: new RegExp(`^${value}`) }))
      await waitFor(() => expect(rowNames()).toEqual(names))
      expect(new URLSearchParams(location.search).get(label.toLowerCase())).toContain(value)
      await user.click(screen.getByRole('button', { name: 'Clear all filters' }))
      await waitFor(() => expect(rowNames()).toHaveLength(2))
    }
  })

  it('says when there are none', async () => {
    await renderRoute(page, { objects: [application] })
    expect(await screen.findByRole('heading', { name: 'No releases found' })).toBeVisible()
    expect(screen.queryByRole('table')).not.toBeInTheDocument()
  })

  it('changes when a release is created or ends', async () => {
    const { cluster } = await renderRoute(page, {
      objects: [application, release('shop-1', {}, { conditions: [condition('Released', 'False', 'Progressing')] })],
    })
    expect((await rowOf('shop-1')).getByText('In Progress')).toBeVisible()
    const current = await cluster.system.get(releaseType, 'shop-1', { namespace })
    await cluster.system.replaceStatus(releaseType, { ...current, status: { conditions: released } })
    await cluster.system.create(releaseType, release('shop-2'))
    await waitFor(() => expect(rowNames()).toContain('shop-2'))
    await waitFor(async () => expect((await rowOf('shop-1')).getByText('Succeeded')).toBeVisible())
  })

  it('RELSTAT-01 shows that a new release is pending, here and on its page', async () => {
    const { user } = await renderRoute(page, {
      objects: [application, aRelease({ metadata: { name: 'shop-1' }, status: undefined })],
    })
    const row = await rowOf('shop-1')
    expect(row.getByText('Unknown')).toHaveTextContent(/^Unknown \(Pending\)$/)
    await user.click(row.getByRole('link', { name: 'shop-1' }))
    await screen.findByRole('heading', { name: 'shop-1', level: 1 })
    const labels = await screen.findAllByText('Unknown')
    expect(labels.map((label) => label.textContent)).toEqual(['Unknown (Pending)', 'Unknown (Pending)'])
  })

  it('shows nonsense as unknown', async () => {
    const bare = { ...release('shop-1'), spec: undefined, status: { startTime: 'x', managedProcessing: 7 } }
    const archive = await fakeArchive([archived(bare as unknown as KubeObject, 'yesterday')])
    await renderRoute(page, { objects: [application], archives: { kubeArchive: archive.plugin } })
    const cells = (await rowOf('shop-1')).getAllByRole('cell').map((cell) => cell.textContent)
    expect(cells.slice(0, 5)).toEqual(['Unknown', '-', '-', '-', '-'])
  })
})

describe('a list of releases that cannot be read from the cluster', () => {
  async function scene(code: number, archiveFailure?: number) {
    const archive = await fakeArchive([archived(release('shop-old'), '2026-01-31T09:00:00Z')])
    archive.failure = archiveFailure
    const view = await renderRoute(paths.components(at), {
      objects: [application],
      archives: { kubeArchive: archive.plugin },
    })
    view.cluster.faults.intercept(clusterFails(code))
    await view.user.click(await screen.findByRole('tab', { name: 'Releases' }))
    return view
  }

  it('comes from the archive, and says that the cluster is missing', async () => {
    await scene(422)
    expect((await rowOf('shop-old')).getByText('Archived')).toBeVisible()
    expect(screen.getByText('Error while fetching releases')).toBeVisible()
  })

  it('REL-48 shows the error of the cluster if the archive fails too', async () => {
    await scene(422, 422)
    expect(await screen.findByRole('heading', { name: 'Unable to load releases' })).toBeVisible()
    expect(screen.getByText(/the cluster says no/)).toBeVisible()
  })

  it('REL-48 shows the error of the archive if the cluster does not have the list', async () => {
    await scene(404, 422)
    expect(await screen.findByRole('heading', { name: 'Unable to load releases' })).toBeVisible()
    expect(screen.getByText(/the archive is unavailable/)).toBeVisible()
  })
})

describe('a release', () => {
  it.each([
    ['an empty list', []],
    ['a list', [release('shop-1', {})]],
  ])('can be triggered from %s, if the user may', async (_, releases) => {
    const { user } = await renderRoute(page, { objects: [application, ...releases] })
    await screen.findByRole(releases.length > 0 ? 'rowheader' : 'heading', { name: /shop-1|No releases found/ })
    await user.click(await screen.findByRole('link', { name: 'Trigger release' }))
    expect(await screen.findByRole('heading', { name: 'Trigger release plan', level: 1 })).toBeVisible()
  })

  it('cannot be triggered without the right to, which it says', async () => {
    const { user } = await renderRoute(page, { as: 'contributor', objects: [application] })
    await screen.findByRole('heading', { name: 'No releases found' })
    const button = await screen.findByRole('button', { name: 'Trigger release' })
    await seeTooltip(user, button, "You don't have access to trigger releases")
  })
})

describe('a rerun', () => {
  const full = release('shop-1-rerun-abc12', {
    metadata: {
      labels: { [labels.automated]: 'true', team: 'payments' },
      annotations: { note: 'kept' },
    },
    spec: { data: { releaseNotes: { synopsis: 'New prices' } } },
  })
  const objects = [application, full, aReleasePlan(), aSnapshot({ metadata: { name: 'checkout-snapshot' } })]
  const open = async (user: Awaited<ReturnType<typeof renderRoute>>['user'], name = 'shop-1-rerun-abc12') => {
    await user.click((await rowOf(name)).getByRole('button', { name: `Actions for ${name}` }))
    return screen.findByRole('menuitem', { name: 'Re-run' })
  }

  /** The dialog once it has read the whole release. */
  const confirmation = async () => {
    const button = await screen.findByRole('button', { name: 'Re-run' })
    return within(button.closest<HTMLElement>('[role=dialog]') ?? expect.fail('a button outside of a dialog'))
  }

  it('REL-11, REL-12, REL-13, REL-50 copies what it has shown before, and opens the new release', async () => {
    const { user, cluster } = await renderRoute(page, { objects })
    await user.click(await open(user))
    const dialog = await confirmation()
    expect(dialog.getByRole('heading', { name: 'Re-run shop-1-rerun-abc12?' })).toBeVisible()
    for (const text of ['shop-1-rerun-…', 'checkout-to-production', 'checkout-snapshot', 'New prices'])
      expect(await dialog.findByText(text)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Show 4 labels' }))
    expect(dialog.getByText('payments')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Re-run' }))
    await waitFor(() => expect(location.pathname).toMatch(/\/releases\/shop-1-rerun-[a-z0-9]{5}$/))
    const name = location.pathname.split('/').at(-1) ?? ''
    expect(name).not.toBe('shop-1-rerun-abc12')
    const created = await cluster.system.get(releaseType, name, { namespace })
    expect(created.spec).toEqual(full.spec)
    expect(created.status).toBeUndefined()
    expect(await screen.findByRole('heading', { name, level: 1 })).toBeVisible()
  })

  it('REL-14, REL-15, REL-16, REL-17 sends this release, as a dry run first', async () => {
    const { user, cluster } = await renderRoute(page, { objects })
    await user.click(await open(user))
    await user.click(await screen.findByRole('button', { name: 'Re-run' }))
    await waitFor(() => expect(location.pathname).not.toBe(page))
    const posts = cluster.calls.filter(({ method, path }) => method === 'POST' && path.includes('/releases'))
    expect(posts.map(({ path }) => path.includes('dryRun=All'))).toEqual([true, false])
    expect(posts[1]?.body).toEqual({
      apiVersion: 'appstudio.redhat.com/v1alpha1',
      kind: 'Release',
      metadata: {
        generateName: 'shop-1-rerun-',
        namespace,
        labels: {
          [labels.application]: 'checkout',
          team: 'payments',
          [labels.automated]: 'false',
          [labels.author]: 'admin.slipway.test',
        },
        annotations: { note: 'kept', [labels.author]: emailOf('admin') },
      },
      spec: full.spec,
    })
  })

  it('of an archived release works too, and says what the cluster no longer has', async () => {
    const archive = await fakeArchive([
      archived({ ...full, status: { startTime: 'x' } } as KubeObject, '2026-01-31T09:00:00Z'),
    ])
    const { user } = await renderRoute(page, { objects: [application], archives: { kubeArchive: archive.plugin } })
    await user.click(await open(user))
    const dialog = await confirmation()
    expect(await dialog.findByText('New prices')).toBeVisible()
    expect(
      await dialog.findByText(
        /The release plan checkout-to-production and the snapshot checkout-snapshot no longer exist/,
      ),
    ).toBeVisible()
    const { violations } = await axe.run(screen.getByRole('dialog'), {
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(violations).toEqual([])
  })

  it('keeps the dialog open with the message of the cluster when it is rejected', async () => {
    const { user, cluster } = await renderRoute(page, { objects })
    cluster.faults.intercept((path, { method }) =>
      method === 'POST' && path.includes('/releases')
        ? Response.json({ kind: 'Status', message: 'the quota is exceeded', reason: 'Forbidden' }, { status: 403 })
        : undefined,
    )
    await user.click(await open(user))
    await user.click(await screen.findByRole('button', { name: 'Re-run' }))
    expect(await within(screen.getByRole('dialog')).findByText(/the quota is exceeded/)).toBeVisible()
  })

  it('TRIG-04, TRIG-05 can have other notes, in the form that is filled with the same plan and snapshot', async () => {
    const { user } = await renderRoute(page, { objects })
    await open(user)
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['Re-run', 'Trigger release'])
    expect(screen.getByRole('separator').nextElementSibling).toHaveTextContent('Trigger release')
    await user.click(screen.getByRole('menuitem', { name: 'Trigger release' }))
    expect(await screen.findByRole('heading', { name: 'Trigger release plan', level: 1 })).toBeVisible()
    expect(location.search).toBe('?releasePlan=checkout-to-production&snapshot=checkout-snapshot')
  })

  it('says in the dialog why the release cannot be read', async () => {
    const { user, cluster } = await renderRoute(page, { objects })
    cluster.faults.intercept((path) =>
      path.includes('/releases/shop-1')
        ? Response.json({ kind: 'Status', message: 'no way' }, { status: 422 })
        : undefined,
    )
    await user.click(await open(user))
    expect(await within(await screen.findByRole('dialog')).findByText('Error Loading release')).toBeVisible()
  })

  it('REL-49 is offered without the right to create releases too, disabled with a tooltip', async () => {
    const reader = grantTo({ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] })
    const { user } = await renderRoute(page, { as: 'outsider', objects: [...objects, ...reader] })
    const item = await open(user)
    expect(item).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, item, "You don't have access to re-run releases")
  })
})
