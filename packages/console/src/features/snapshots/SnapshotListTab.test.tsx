import type { KubeObject } from '@slipway/kube/object'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { releaseType } from '@slipway/model/releases/release'
import { type Snapshot, snapshotType } from '@slipway/model/snapshots/snapshot'
import { anApplication, aRelease, condition } from '@slipway/model/testing'
import { aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout' }
const page = paths.snapshots(at)
const sha = (digit: string) => digit.repeat(40)
const application = anApplication()

interface Given {
  labels?: Record<string, string | undefined>
  annotations?: Record<string, string>
  components?: string[]
  conditions?: NonNullable<Snapshot['status']>['conditions']
}
const passed = [
  condition('AppStudioIntegrationStatus', 'True', 'Finished'),
  condition('AppStudioTestSucceeded', 'True', 'Passed'),
]
const failed = [
  condition('AppStudioIntegrationStatus', 'True', 'Finished'),
  condition('AppStudioTestSucceeded', 'False', 'Failed'),
]

const snapshot = (
  name: string,
  { labels: known = {}, annotations: notes = {}, components = ['checkout-api'], conditions = passed }: Given = {},
) =>
  aSnapshot({
    metadata: {
      name,
      // A label that is `undefined` is removed.
      labels: { [copiedPacKey(labels.commitSha)]: sha('a'), ...known } as Record<string, string>,
      annotations: { [copiedPacKey(annotations.pacShaTitle)]: `Change ${name}`, ...notes },
    },
    spec: { components: components.map((each) => ({ name: each, containerImage: `registry.slipway.test/${each}` })) },
    status: { conditions },
  })
const event = copiedPacKey(labels.eventType)
const pullRequest = { [event]: 'pull_request', [copiedPacKey(labels.pullRequestNumber)]: '7' }
const github = {
  [copiedPacKey(annotations.pacRepositoryUrl)]: 'https://github.com/payments/api',
  [copiedPacKey(annotations.pacGitProvider)]: 'github',
}

const rowNames = () =>
  screen.queryAllByRole('rowheader').map((cell) => (cell.querySelector('code') ?? cell.querySelector('a'))?.textContent)
const rowOf = async (name: string) => {
  const header = await screen.findByRole('rowheader', { name: new RegExp(`(^| )${name}( |$)`) })
  return within(header.closest('tr') ?? expect.fail('a header outside of a row'))
}
const cellsOf = (row: Awaited<ReturnType<typeof rowOf>>) => row.getAllByRole('cell').map((cell) => cell.textContent)
const archived = (object: KubeObject, createdAt: string): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, namespace, uid: object.metadata.name ?? '', creationTimestamp: createdAt },
})
const isSnapshotList = (path: string) => path.startsWith('/api/k8s/apis/') && path.includes('/snapshots?')
const clusterFails = (code: number) => (path: string) =>
  isSnapshotList(path) ? Response.json({ kind: 'Status', message: 'the cluster says no' }, { status: code }) : undefined

describe('the snapshots of an application', () => {
  it('SNAP-01, SNAP-20, SNAP-27 shows what each of them records, one row each', async () => {
    const { cluster } = await renderRoute(page, {
      objects: [
        application,
        snapshot('shop-1', { components: ['checkout-api', 'checkout-web', 'checkout-worker'], annotations: github }),
        snapshot('shop-2', { labels: { [labels.application]: 'ledger' } }),
      ],
    })
    const row = await rowOf('shop-1')
    expect(row.getByRole('link', { name: 'Change shop-1 shop-1' })).toHaveAttribute(
      'href',
      paths.snapshot({ ...at, snapshot: 'shop-1' }),
    )
    expect(row.getByRole('link', { name: 'checkout-api' })).toHaveAttribute(
      'href',
      paths.component({ ...at, component: 'checkout-api' }),
    )
    expect(row.getByRole('link', { name: 'aaaaaaa' })).toHaveAttribute(
      'href',
      paths.commit({ ...at, commit: sha('a') }),
    )
    const [status, created, components] = cellsOf(row)
    expect([status, components]).toEqual(['Succeeded', 'checkout-api, 2 more'])
    expect(created).toMatch(/ago|Just now/)
    // By its label the other one is of another application, whatever its spec says.
    expect(rowNames()).toEqual(['shop-1'])
    const [list] = cluster.calls.filter(({ path }) => isSnapshotList(path))
    // Images and sources of dozens of components are not read for a list.
    expect(list?.path).toContain('spec.components.name')
    const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it('say how they were released last, and can be reduced to those that can be released', async () => {
    const { user } = await renderRoute(page, {
      objects: [
        application,
        snapshot('shop-1'),
        snapshot('shop-2', { conditions: failed }),
        snapshot('shop-3', { labels: pullRequest }),
        aRelease({
          metadata: { name: 'release-1' },
          spec: { snapshot: 'shop-1' },
          status: { conditions: [condition('Released', 'False', 'Failed')] },
        }),
      ],
    })
    const release = await (await rowOf('shop-1')).findByRole('link', { name: 'checkout-to-production' })
    expect(release).toHaveAttribute('href', paths.release({ ...at, release: 'release-1' }))
    expect(release.closest('td')).toHaveTextContent('Failed checkout-to-production')
    await waitFor(async () => expect(cellsOf(await rowOf('shop-2')).at(-2)).toBe('-'))
    await user.click(screen.getByRole('switch', { name: 'Releasable only' }))
    await waitFor(() => expect(rowNames()).toEqual(['shop-1']))
  })

  it('say that their last release is not known when the releases could not be read completely', async () => {
    const archive = await fakeArchive()
    archive.failure = 422
    await renderRoute(page, { objects: [application, snapshot('shop-1')], archives: { kubeArchive: archive.plugin } })
    await waitFor(async () => expect(cellsOf(await rowOf('shop-1')).at(-2)).toBe('Not known'))
  })

  it('say it when they are released while they are on screen', async () => {
    const { cluster } = await renderRoute(page, { objects: [application, snapshot('shop-1')] })
    await waitFor(async () => expect(cellsOf(await rowOf('shop-1')).at(-2)).toBe('-'))
    await cluster.system.create(releaseType, aRelease({ metadata: { name: 'late' }, spec: { snapshot: 'shop-1' } }))
    const link = await (await rowOf('shop-1')).findByRole('link', { name: 'checkout-to-production' })
    expect(link).toHaveAttribute('href', paths.release({ ...at, release: 'late' }))
  })

  it('say how they were released last, even if only the archive has the release', async () => {
    const release = aRelease({ metadata: { name: 'old' }, spec: { snapshot: 'shop-1' } })
    const archive = await fakeArchive([archived(release, '2026-01-31T09:03:00Z')])
    await renderRoute(page, { objects: [application, snapshot('shop-1')], archives: { kubeArchive: archive.plugin } })
    const link = await (await rowOf('shop-1')).findByRole('link', { name: 'checkout-to-production' })
    expect(link).toHaveAttribute('href', paths.release({ ...at, release: 'old' }))
  })

  it('APP-20 are loaded before the tab renders', async () => {
    const { user } = await renderRoute(paths.components(at), { objects: [application, snapshot('shop-1')] })
    await user.click(await screen.findByRole('tab', { name: 'Snapshots' }))
    await screen.findByRole('table', { name: 'Snapshots' })
    expect(screen.queryByText('Loading Snapshots')).not.toBeInTheDocument()
    expect(rowNames()).toEqual(['shop-1'])
    expect(location.pathname).toBe(page)
  })

  it('SNAP-22, SNAP-23 are sorted by name, newest first after one click, and that order is remembered', async () => {
    // The archive is used since it keeps creation times, which a cluster sets itself.
    const archive = await fakeArchive([
      archived(snapshot('shop-b'), '2026-01-31T09:03:00Z'),
      archived(snapshot('shop-a'), '2026-01-31T09:01:00Z'),
      archived(snapshot('shop-c'), '2026-01-31T09:02:00Z'),
    ])
    const { user, cluster, router } = await renderRoute(paths.components(at), {
      objects: [application],
      archives: { kubeArchive: archive.plugin },
    })
    cluster.faults.intercept(clusterFails(404))
    await screen.findByRole('tab', { name: 'Snapshots' })
    await router.navigate(page)
    await waitFor(() => expect(rowNames()).toEqual(['shop-a', 'shop-b', 'shop-c']))
    expect(screen.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
    await user.click(screen.getByRole('button', { name: 'Created at' }))
    await waitFor(() => expect(rowNames()).toEqual(['shop-b', 'shop-c', 'shop-a']))
    await router.navigate(paths.components(at))
    await screen.findByRole('tab', { name: 'Components', selected: true })
    await router.navigate(page)
    await waitFor(() => expect(rowNames()).toEqual(['shop-b', 'shop-c', 'shop-a']))
  })

  it('SNAP-23 can be sorted newest first on a phone, whose cards have no headers', async () => {
    const media = vi.spyOn(globalThis, 'matchMedia')
    onTestFinished(() => media.mockRestore())
    const matches = (query: string) => query === '(width < 48rem)'
    media.mockImplementation(
      (query) =>
        // The members that are read.
        ({ matches: matches(query), addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList,
    )
    const { user } = await renderRoute(page, { objects: [application, snapshot('shop-1'), snapshot('shop-2')] })
    await rowOf('shop-1')
    await user.click(screen.getByRole('button', { name: 'Sort' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Name, descending' }))
    await waitFor(() => expect(rowNames()).toEqual(['shop-2', 'shop-1']))
    expect(new URLSearchParams(location.search).get('sort')).toBe('-name')
    await user.click(screen.getByRole('button', { name: 'Sort' }))
    expect(await screen.findByRole('menuitem', { name: 'Created at, descending' })).toBeVisible()
  })

  it('SNAP-24 says when there are none', async () => {
    await renderRoute(page, { objects: [application] })
    expect(await screen.findByRole('heading', { name: 'No snapshots found' })).toBeVisible()
    expect(screen.queryByRole('table')).not.toBeInTheDocument()
  })

  it('are filtered by name, commit message, SHA and status', async () => {
    const { user } = await renderRoute(page, {
      objects: [
        application,
        snapshot('shop-1', { annotations: { [copiedPacKey(annotations.pacShaTitle)]: 'Round prices' } }),
        snapshot('shop-2', { labels: { [copiedPacKey(labels.commitSha)]: sha('b') }, conditions: failed }),
      ],
    })
    await rowOf('shop-1')
    const filter = screen.getByRole('textbox', { name: 'Filter by name or commit' })
    for (const [typed, names] of [
      ['SHOP-2', ['shop-2']],
      ['round', ['shop-1']],
      ['bbbbbbb', ['shop-2']],
    ] as const) {
      await user.clear(filter)
      await user.type(filter, typed)
      await waitFor(() => expect(rowNames()).toEqual(names))
    }
    await user.clear(filter)
    await user.click(screen.getByRole('button', { name: 'Status', expanded: false }))
    await user.click(await screen.findByRole('checkbox', { name: /^Failed/ }))
    await waitFor(() => expect(rowNames()).toEqual(['shop-2']))
  })

  it('say whose change of which branch or pull request they contain', async () => {
    const sender = { [copiedPacKey(annotations.pacSender)]: 'ada' }
    await renderRoute(page, {
      objects: [
        application,
        snapshot('shop-1', { annotations: { ...sender, [copiedPacKey(annotations.pacBranch)]: 'refs/heads/main' } }),
        snapshot('shop-2', { labels: pullRequest, annotations: sender }),
      ],
    })
    const texts = () => screen.queryAllByRole('rowheader').map((cell) => cell.textContent)
    await waitFor(() =>
      expect(texts()).toEqual(['Change shop-1 shop-1 main · ada', 'Change shop-2 shop-2 Pull request #7 · ada']),
    )
  })

  it('SNAP-28 shows which of them are of pull requests, which a switch in the URL hides', async () => {
    const members = [
      { component: 'checkout-api', repoUrl: 'https://github.com/payments/api', pullRequestNumber: '7' },
      { component: 'checkout-web', repoUrl: 'https://github.com/payments/web', pullRequestNumber: '12' },
    ]
    const { user } = await renderRoute(page, {
      objects: [
        application,
        snapshot('shop-1'),
        snapshot('shop-2', { labels: pullRequest, annotations: github }),
        snapshot('shop-3', {
          labels: { ...pullRequest, [labels.snapshotType]: 'group' },
          annotations: { [annotations.groupMembers]: JSON.stringify(members) },
          components: ['checkout-api', 'checkout-web', 'checkout-worker'],
        }),
        snapshot('shop-4', { labels: { [labels.snapshotType]: 'override' } }),
      ],
    })
    const own = await rowOf('shop-2')
    expect(own.getByText('Pull request')).toBeVisible()
    expect(own.getByRole('link', { name: /^#7/ })).toHaveAttribute('href', 'https://github.com/payments/api/pull/7')
    const group = await rowOf('shop-3')
    expect(group.getByText('Group')).toBeVisible()
    expect(cellsOf(group)[2]).toBe('checkout-apicheckout-web, 1 more')
    expect(group.getAllByRole('link', { name: /^#/ }).map((link) => link.getAttribute('href'))).toEqual([
      'https://github.com/payments/api/pull/7',
      'https://github.com/payments/web/pull/12',
    ])
    expect((await rowOf('shop-4')).getByText('Override')).toBeVisible()

    await user.click(screen.getByRole('switch', { name: 'Hide pull requests' }))
    await waitFor(() => expect(rowNames()).toEqual(['shop-1', 'shop-4']))
    expect(new URLSearchParams(location.search).get('hide-pull-requests')).toBe('true')
    await user.click(screen.getByRole('switch', { name: 'Hide pull requests' }))
    await waitFor(() => expect(rowNames()).toHaveLength(4))
    expect(location.search).toBe('')
  })

  it('says that nothing matches when all of them are hidden by the URL, which ignores other values', async () => {
    const objects = [application, snapshot('shop-1', { labels: pullRequest })]
    const { user, router } = await renderRoute(`${page}?hide-pull-requests=true`, { objects })
    expect(await screen.findByText('No results found')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Clear all filters' }))
    await waitFor(() => expect(rowNames()).toEqual(['shop-1']))
    await router.navigate(`${page}?hide-pull-requests=perhaps`)
    await waitFor(() => expect(rowNames()).toEqual(['shop-1']))
    expect(screen.getByRole('switch', { name: 'Hide pull requests' })).not.toBeChecked()
  })

  it('are found by a switch, however many others come before them', async () => {
    const others = Array.from({ length: 101 }, (_, n) => snapshot(`shop-${n + 100}`, { labels: pullRequest }))
    const objects = [application, ...others, snapshot('shop-x', { conditions: failed }), snapshot('shop-y')]
    const { router } = await renderRoute(`${page}?hide-pull-requests=true`, { objects })
    await waitFor(() => expect(rowNames()).toEqual(['shop-x', 'shop-y']))
    await router.navigate(`${page}?releasable=true`)
    await waitFor(() => expect(rowNames()).toEqual(['shop-y']))
  })

  it('show nonsense as unknown', async () => {
    const { user } = await renderRoute(page, {
      objects: [
        application,
        snapshot('shop-1', {
          labels: { [event]: 'Nonsense', [labels.component]: 'gone', [labels.snapshotType]: 'group' },
          annotations: { [annotations.groupMembers]: '[null, {"pullRequestNumber": "x"}, 7' },
          components: [],
          conditions: [],
        }),
        { ...snapshot('shop-2'), spec: { application: 'checkout' } },
      ],
    })
    expect(
      cellsOf(await rowOf('shop-1'))
        .filter((_, column) => column !== 1)
        .slice(0, 2),
    ).toEqual(['Unknown', 'None'])
    expect(cellsOf(await rowOf('shop-2'))[2]).toBe('None')
    // A filter reads every field that it knows.
    await user.click(screen.getByRole('switch', { name: 'Hide pull requests' }))
    await waitFor(() => expect(rowNames()).toEqual(['shop-2']))
  })

  it('changes when a snapshot is created or its tests end', async () => {
    const { cluster } = await renderRoute(page, {
      objects: [
        application,
        snapshot('shop-1', { conditions: [condition('AppStudioIntegrationStatus', 'Unknown', 'InProgress')] }),
      ],
    })
    expect((await rowOf('shop-1')).getByText('In Progress')).toBeVisible()
    const current = await cluster.system.get(snapshotType, 'shop-1', { namespace })
    await cluster.system.replaceStatus(snapshotType, { ...current, status: { conditions: failed } })
    await cluster.system.create(snapshotType, snapshot('shop-2'))
    await waitFor(() => expect(rowNames()).toEqual(['shop-1', 'shop-2']))
    expect((await rowOf('shop-1')).getByText('Failed')).toBeVisible()
  })
})

describe('a list of snapshots that cannot be read from the cluster', () => {
  async function scene(code: number, archiveFailure?: number) {
    const archive = await fakeArchive([archived(snapshot('shop-old'), '2026-01-31T09:00:00Z')])
    archive.failure = archiveFailure
    const view = await renderRoute(paths.components(at), {
      objects: [application],
      archives: { kubeArchive: archive.plugin },
    })
    view.cluster.faults.intercept(clusterFails(code))
    await view.user.click(await screen.findByRole('tab', { name: 'Snapshots' }))
    return { ...view, archive }
  }

  it('ARCH-17 comes from the archive after a 404', async () => {
    await scene(404)
    expect((await rowOf('shop-old')).getByText('Archived')).toBeVisible()
  })

  it('SNAP-25 shows the error of the cluster unless it is a 404', async () => {
    const { archive } = await scene(422)
    expect(await screen.findByRole('heading', { name: 'Unable to load snapshots' })).toBeVisible()
    expect(screen.getByText(/the cluster says no/)).toBeVisible()
    expect(archive.requests.filter(({ pathname }) => pathname.includes('/snapshots'))).toEqual([])
  })

  it('SNAP-26 shows the error of the archive if both fail', async () => {
    await scene(404, 422)
    expect(await screen.findByRole('heading', { name: 'Unable to load snapshots' })).toBeVisible()
    expect(screen.getByText(/the archive is unavailable/)).toBeVisible()
    expect(screen.queryByText(/the cluster says no/)).not.toBeInTheDocument()
  })
})

describe('the tests of a snapshot', () => {
  const open = async (user: Awaited<ReturnType<typeof renderRoute>>['user'], name: string) => {
    await user.click((await rowOf(name)).getByRole('button', { name: `Actions for ${name}` }))
    return screen.findByRole('menuitem', { name: 'Rerun all tests' })
  }

  it('are all run again by a label', async () => {
    const { user, cluster } = await renderRoute(page, { objects: [application, snapshot('shop-1')] })
    await user.click(await open(user, 'shop-1'))
    expect(await screen.findByText('Rerun requested. The status changes when the tests start.')).toBeVisible()
    const { metadata } = await cluster.system.get(snapshotType, 'shop-1', { namespace })
    expect(metadata.labels).toMatchObject({ [labels.rerun]: 'all', [labels.application]: 'checkout' })
    const patches = cluster.calls.filter(({ method }) => method === 'PATCH')
    expect(patches.map(({ path }) => path.includes('dryRun=All'))).toEqual([true, false])
    // Until the platform has removed the label, a second request would change nothing.
    await open(user, 'shop-1')
    const again = () => screen.getByRole('menuitem', { name: 'Rerun all tests' })
    await waitFor(() => expect(again()).toHaveAttribute('aria-disabled', 'true'))
  })

  it('cannot be run again without access', async () => {
    const reader = grantTo({ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] })
    const { user } = await renderRoute(page, { as: 'outsider', objects: [application, snapshot('shop-1'), ...reader] })
    await seeTooltip(user, await open(user, 'shop-1'), "You don't have access to rerun")
  })
})

describe('a release of a snapshot', () => {
  const open = async (user: Awaited<ReturnType<typeof renderRoute>>['user']) => {
    await user.click((await rowOf('shop-1')).getByRole('button', { name: 'Actions for shop-1' }))
    return screen.findByRole('menuitem', { name: 'Trigger release' })
  }

  it('TRIG-05 is triggered by a form that has it selected', async () => {
    const { user, router } = await renderRoute(page, { objects: [application, snapshot('shop-1')] })
    await user.click(await open(user))
    expect(await screen.findByRole('heading', { name: 'Trigger release plan', level: 1 })).toBeVisible()
    expect(router.state.location.search).toBe('?snapshot=shop-1')
    expect(screen.getByRole('button', { name: /^Snapshot / })).toHaveTextContent('shop-1')
  })

  it('TRIG-03 cannot be triggered without access', async () => {
    const { user } = await renderRoute(page, { as: 'contributor', objects: [application, snapshot('shop-1')] })
    await seeTooltip(user, await open(user), "You don't have access to trigger releases")
  })
})
