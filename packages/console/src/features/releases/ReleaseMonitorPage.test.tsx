import { type Role, roleType } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { type Release, releaseType } from '@slipway/model/releases/release'
import { aNamespace, aRelease, aRoleBinding, condition } from '@slipway/model/testing'
import { emailOf } from '@slipway/slipway/users'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it, vi } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { renderRoute } from '../../../test/render-route'
import { isFlagOn, setFlag } from '../../api/flags/flags'
import { paths } from '../../paths'

const page = `${paths.releaseMonitor()}?ff=release-monitor`
const released = [condition('Released', 'True', 'Succeeded')]
const failed = [condition('Released', 'False', 'Failed')]
const running = [condition('Released', 'False', 'Progressing')]

interface Place {
  namespace?: string
  application?: string
  component?: string
  plan?: string
}
const release = (name: string, status: Release['status'], place: Place = {}) =>
  aRelease({
    metadata: {
      name,
      namespace: place.namespace ?? namespace,
      labels: {
        [labels.application]: place.application ?? 'checkout',
        ...(place.component && { [labels.component]: place.component }),
      },
    },
    spec: { releasePlan: place.plan ?? 'production' },
    status,
  })
const ended = (hour: number, conditions = released): Release['status'] => ({
  conditions,
  completionTime: `2026-01-31T${String(hour).padStart(2, '0')}:00:00Z`,
})

/** A namespace that the user admin can see, and in which they may read releases or may not. */
function space(name: string, mayRead = true): KubeObject[] {
  const role: Role = {
    apiVersion: `${roleType.group}/${roleType.version}`,
    kind: roleType.kind,
    metadata: { name: 'reader', namespace: name },
    rules: [
      { apiGroups: [''], resources: ['namespaces'], verbs: ['get'] },
      ...(mayRead
        ? [{ apiGroups: [releaseType.group], resources: [releaseType.plural], verbs: ['get', 'list', 'watch'] }]
        : []),
    ],
  }
  return [
    aNamespace({ metadata: { name } }),
    role,
    aRoleBinding({
      metadata: { name: 'reader', namespace: name },
      roleRef: { kind: 'Role', name: 'reader' },
      subjects: [{ kind: 'User', apiGroup: roleType.group, name: emailOf('admin') }],
    }),
  ]
}

const rowNames = () => screen.queryAllByRole('rowheader').map((cell) => cell.textContent)
const shows = (...names: string[]) => waitFor(() => expect(rowNames()).toEqual(names))
const rowOf = async (name: string) => {
  const header = await screen.findByRole('rowheader', { name })
  return within(header.closest('tr') ?? expect.fail('a header outside of a row'))
}
const releaseListIn = (path: string): string | undefined =>
  /^\/api\/k8s\/apis\/.*\/namespaces\/([^/]+)\/releases\?/.exec(path)?.[1]

describe('the release monitor', () => {
  it('MON-03, MON-04, MON-05 shows the releases of all namespaces in seven columns, without a namespace', async () => {
    const { cluster } = await renderRoute(page, {
      objects: [
        ...space('team-search'),
        release('shop-1', ended(9), { component: 'api' }),
        release('find-1', ended(8, failed), { namespace: 'team-search', application: 'search', plan: 'staging' }),
      ],
    })
    expect(await screen.findByRole('heading', { name: 'Release Monitor', level: 1 })).toBeVisible()
    expect(screen.getByText('The dashboard to monitor the releases you care about')).toBeVisible()
    await shows('shop-1', 'find-1')
    expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
      'Name',
      'Status',
      'Completion Time',
      'Component',
      'Application',
      'Release Plan',
      'Namespace',
    ])
    const shop = await rowOf('shop-1')
    const at = { namespace, application: 'checkout' }
    const linkTo = (row: typeof shop, name: string) => row.getByRole('link', { name }).getAttribute('href')
    expect(linkTo(shop, 'shop-1')).toBe(paths.release({ ...at, release: 'shop-1' }))
    expect(linkTo(shop, 'api')).toBe(paths.component({ ...at, component: 'api' }))
    expect(linkTo(shop, 'checkout')).toBe(paths.application(at))
    expect(linkTo(shop, 'production')).toBe(paths.releasePlan({ ...at, releasePlan: 'production' }))
    const cells = (await rowOf('find-1')).getAllByRole('cell').map((cell) => cell.textContent)
    expect(cells).toEqual(['Failed', expect.stringMatching(/\d/), '-', 'search', 'staging', 'team-search'])
    // Neither notes nor artifacts are read for a list.
    const [list] = cluster.calls.filter(({ path }) => releaseListIn(path))
    expect(list?.path).not.toMatch(/spec\.data|artifacts/)
    const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it('LIST-09, LIST-13 has more than six columns, which can be chosen and are remembered', async () => {
    const { user } = await renderRoute(page, { objects: [release('first', ended(9))] })
    await user.click(await screen.findByRole('button', { name: 'Manage columns' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Manage columns' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Component' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.getAllByRole('columnheader')).toHaveLength(6))
    expect(screen.queryByRole('columnheader', { name: 'Component' })).not.toBeInTheDocument()
    expect(localStorage.getItem('release-monitor-columns@admin@slipway.test')).not.toContain('component')
  })

  it('LIST-09 keeps the dialog of its columns open when the namespaces become known', async () => {
    let respond = () => {}
    const held = new Promise<void>((resolve) => (respond = resolve))
    const { user } = await renderRoute(page, {
      objects: [release('first', ended(9))],
      prepare: (faults) =>
        faults.intercept((path, init) =>
          /\/v1\/namespaces(\?|$)/.test(path) ? held.then(() => faults.pass(path, init)) : undefined,
        ),
    })
    await user.click(await screen.findByRole('button', { name: 'Manage columns' }))
    const dialog = await screen.findByRole('dialog', { name: 'Manage columns' })
    respond()
    // Behind the dialog.
    expect(await screen.findByRole('rowheader', { name: 'first', hidden: true })).toBeInTheDocument()
    expect(dialog).toBeVisible()
  })

  it('MON-06 starts with what is not complete, then the last completed', async () => {
    await renderRoute(page, {
      objects: [
        release('early', ended(7)),
        release('late', ended(9)),
        release('middle', ended(8, failed)),
        release('now', { conditions: running }),
      ],
    })
    await shows('now', 'late', 'middle', 'early')
    expect(screen.getByRole('columnheader', { name: 'Completion Time' })).toHaveAttribute('aria-sort', 'descending')
  })

  it('MON-07 filters by name, status, component, application, release plan and namespace, with counts', async () => {
    const { user } = await renderRoute(page, {
      objects: [
        ...space('team-search'),
        release('shop-1', ended(9), { component: 'api' }),
        release('shop-2', ended(8), { component: 'web' }),
        release('find-1', ended(7, failed), { namespace: 'team-search', application: 'search', plan: 'staging' }),
      ],
    })
    await shows('shop-1', 'shop-2', 'find-1')
    const filter = screen.getByRole('textbox', { name: 'Filter by name' })
    await user.type(filter, 'SHOP')
    await shows('shop-1', 'shop-2')
    await waitFor(() => expect(new URLSearchParams(location.search).get('name')).toBe('SHOP'))
    await user.clear(filter)
    for (const [label, id, value, count, names] of [
      ['Status', 'status', 'Failed', 1, ['find-1']],
      ['Component', 'component', 'web', 1, ['shop-2']],
      ['Component', 'component', 'No component', 1, ['find-1']],
      ['Application', 'application', 'checkout', 2, ['shop-1', 'shop-2']],
      ['Release Plan', 'releasePlan', 'staging', 1, ['find-1']],
      ['Namespace', 'namespace', namespace, 2, ['shop-1', 'shop-2']],
    ] as const) {
      await user.click(screen.getByRole('button', { name: label, expanded: false }))
      const choice = await screen.findByRole('menuitem', { name: new RegExp(`^${value} ?${count}$`) })
      await user.click(within(choice).getByRole('checkbox'))
      await shows(...names)
      expect(new URLSearchParams(location.search).get(id)).toBe(value)
      await user.click(screen.getByRole('button', { name: 'Clear all filters' }))
      await shows('shop-1', 'shop-2', 'find-1')
    }
  })

  it('MON-08 shows the latest release of each component of a namespace, and those without a component', async () => {
    const { user, cluster } = await renderRoute(page, {
      objects: [
        ...space('team-search'),
        release('api-1', ended(9), { component: 'api' }),
        release('other-api-1', ended(8), { component: 'api', namespace: 'team-search' }),
        release('bare-1', ended(7)),
        release('bare-2', ended(6)),
      ],
    })
    await shows('api-1', 'other-api-1', 'bare-1', 'bare-2')
    await user.click(screen.getByRole('switch', { name: 'Show latest release for each component' }))
    await waitFor(() => expect(new URLSearchParams(location.search).get('showLatest')).toBe('true'))
    await shows('api-1', 'other-api-1', 'bare-1', 'bare-2')
    const first = await cluster.system.get(releaseType, 'api-1', { namespace })
    // Creation times have a precision of one second.
    await waitFor(() =>
      expect(Date.now() - Date.parse(first.metadata.creationTimestamp ?? '')).toBeGreaterThanOrEqual(1_000),
    )
    await cluster.system.create(releaseType, release('api-2', undefined, { component: 'api' }))
    await shows('api-2', 'other-api-1', 'bare-1', 'bare-2')
    await user.click(screen.getByRole('switch', { name: 'Show latest release for each component' }))
    await shows('api-2', 'api-1', 'other-api-1', 'bare-1', 'bare-2')
  })

  it('MON-09 says when there are none', async () => {
    await renderRoute(page)
    expect(await screen.findByRole('heading', { name: 'No releases found' })).toBeVisible()
    expect(screen.queryByRole('table')).not.toBeInTheDocument()
  })

  it('MON-03, MON-11 needs no namespace and no permission', async () => {
    await renderRoute(page, { as: 'outsider' })
    expect(await screen.findByRole('heading', { name: 'Release Monitor', level: 1 })).toBeVisible()
    expect(await screen.findByRole('heading', { name: 'No releases found' })).toBeVisible()
  })

  it('MON-01, MON-02, FLAG-21 is not found without its flag', async () => {
    const { router } = await renderRoute(paths.releaseMonitor())
    expect(await screen.findByRole('heading', { name: /404/ })).toBeVisible()
    expect(isFlagOn('release-monitor')).toBe(false)
    setFlag('release-monitor', true)
    await router.navigate(paths.releaseMonitor())
    expect(await screen.findByRole('heading', { name: 'Release Monitor', level: 1 })).toBeVisible()
  })

  it('MON-03 adds what is archived when the user asks for more, a page of each namespace at a time', async () => {
    const archived = (name: string, minute: number, place: Place = {}): KubeObject => {
      const { metadata, ...rest } = release(name, ended(7), place)
      const creationTimestamp = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
      return { ...rest, metadata: { ...metadata, uid: name, creationTimestamp } }
    }
    const archive = await fakeArchive([
      ...Array.from({ length: 201 }, (_, index) => archived(`old-${index}`, index)),
      archived('find-old', 0, { namespace: 'team-search' }),
    ])
    const { user } = await renderRoute(page, {
      objects: [...space('team-search'), release('shop-1', ended(9))],
      archives: { kubeArchive: archive.plugin },
    })
    await shows('shop-1')
    await user.click(await screen.findByRole('button', { name: 'Load more' }))
    expect(await screen.findByText(/^202 loaded/)).toBeVisible()
    await user.click(await screen.findByRole('button', { name: 'Load more' }))
    expect(await screen.findByText('203 total')).toBeVisible()
    // On a slow machine, a request may be repeated.
    expect(new Set(archive.requests.map(String)).size).toBe(3)
    await user.type(screen.getByRole('textbox', { name: 'Filter by name' }), 'find-old')
    await waitFor(() => expect(rowNames()).toEqual(['find-old Archived']))
    expect(screen.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument()
  })

  it('MON-10 names the archive of a namespace that fails, and keeps the rows', async () => {
    const archive = await fakeArchive([])
    archive.failure = 422
    const { user } = await renderRoute(page, {
      objects: [release('shop-1', ended(9))],
      archives: { kubeArchive: archive.plugin },
    })
    await shows('shop-1')
    await user.click(await screen.findByRole('button', { name: 'Load more' }))
    expect(
      await screen.findByText(/Could not read the archive of namespace team-payments: .*unavailable/),
    ).toBeVisible()
    expect(rowNames()).toEqual(['shop-1'])
    archive.failure = undefined
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('1 total')).toBeVisible()
  })

  it('changes as it happens in a few namespaces, with a watch for each', async () => {
    const { cluster } = await renderRoute(page, { objects: [...space('team-search'), release('shop-1', ended(9))] })
    await shows('shop-1')
    await waitFor(() => expect(cluster.openSockets().filter((path) => path.endsWith('/releases'))).toHaveLength(2))
    expect(await screen.findByRole('button', { name: 'Live' })).toBeVisible()
    await cluster.system.create(releaseType, release('find-1', undefined, { namespace: 'team-search' }))
    await shows('find-1', 'shop-1')
  })

  it('finds a release of a namespace to which the user got access after the namespaces were read, and says how old those are', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { user, cluster } = await renderRoute(page, { objects: [release('shop-1', ended(9))] })
    await shows('shop-1')
    await user.click(await screen.findByRole('button', { name: 'Live' }))
    const namespaces = await screen.findByText('namespaces')
    expect(namespaces.closest('div')).toHaveTextContent(/^namespacesUpdated \d+ s ago$/)
    await user.keyboard('{Escape}')
    await cluster.put([...space('team-new'), release('find-1', undefined, { namespace: 'team-new' })])
    await user.type(screen.getByRole('textbox', { name: /name/i }), 'find-1')
    expect(await screen.findByRole('heading', { name: 'No results found' })).toBeVisible()
    // The gateway may cache its last response for a few seconds of real time.
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(20_000)
      expect(rowNames()).toEqual(['find-1'])
    })
  })

  it('polls more than ten namespaces, and says how old its rows are', async () => {
    const names = Array.from({ length: 11 }, (_, index) => `team-${index}`)
    const { cluster } = await renderRoute(page, {
      objects: [
        ...names.flatMap((name) => space(name)),
        ...names.map((name) => release(`release-${name}`, ended(9), { namespace: name })),
      ],
    })
    expect(await screen.findByText('11 total')).toBeVisible()
    expect(await screen.findByRole('button', { name: /^Updated \d+ s ago$/ })).toBeVisible()
    await cluster.system.create(releaseType, release('new', undefined, { namespace: 'team-10' }))
    await waitFor(() => expect(rowNames()[0]).toBe('new'))
    expect(cluster.openSockets().filter((path) => path.endsWith('/releases'))).toEqual([])
  })
})

describe('the release monitor of twenty namespaces', () => {
  const names = Array.from({ length: 20 }, (_, index) => `team-${String(index).padStart(2, '0')}`)
  const denied = ['team-07', 'team-11', 'team-13']
  const [slow, silent] = ['team-02', 'team-15']
  const readable = names.filter((name) => !denied.includes(name))
  const objects = [
    ...names.flatMap((name) => space(name, !denied.includes(name))),
    ...readable.map((name) => release(`release-${name}`, ended(9), { namespace: name })),
  ]

  /** `queryBy`, since a failing `getBy` prints a large page each time that it changes. */
  const loads = (count: number) =>
    waitFor(() => expect(screen.queryByText(new RegExp(`^${count} loaded`))).not.toBeNull())

  async function open() {
    const opened = new Map<string, () => void>()
    const gates = new Map(names.map((name) => [name, new Promise<void>((open) => opened.set(name, open))]))
    const waiting = new Map<string, number>()
    let most = 0
    const view = await renderRoute(paths.about(), { objects })
    const { faults } = view.cluster
    faults.intercept((path, init) => {
      const name = releaseListIn(path)
      const gate = name && gates.get(name)
      if (!gate) return undefined
      const count = (change: number) => waiting.set(name, (waiting.get(name) ?? 0) + change)
      count(1)
      most = Math.max(most, [...waiting.values()].filter(Boolean).length)
      const aborted = new Promise<never>((_, reject) =>
        init.signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError'))),
      )
      return Promise.race([gate.then(() => faults.pass(path, init)), aborted]).finally(() => count(-1))
    })
    const respond = (name: string) => opened.get(name)?.()
    await view.router.navigate(page)
    return { ...view, respond, mostAtOnce: () => most }
  }

  it('MON-10, MON-11 shows each as it responds, names those that do not, and sends five requests at a time', async () => {
    const { user, cluster, respond, mostAtOnce } = await open()
    respond('team-00')
    await shows('release-team-00')
    await loads(1)
    for (const name of names) if (name !== slow && name !== silent) respond(name)
    await loads(15)
    const alert = await screen.findByText(/What is shown is not complete\./)
    await waitFor(() => {
      for (const name of [...denied, slow, silent]) expect(alert).toHaveTextContent(`namespace ${name}`)
    })
    // The reasons would hide the rows.
    expect(alert).not.toHaveTextContent('access')
    expect(alert).toHaveTextContent('The badge of this page says why.')
    await waitFor(() => expect(screen.queryByText('Partial')).not.toBeNull())
    await user.click(screen.getByRole('button', { name: 'Partial' }))
    for (const name of denied)
      expect(await screen.findByText(new RegExp(`^namespace ${name}: .*don't have access`))).toBeVisible()
    for (const name of [slow, silent]) expect(screen.getByText(new RegExp(`^namespace ${name}: `))).toBeVisible()
    respond(slow)
    await loads(16)
    await waitFor(() => expect(alert).not.toHaveTextContent(`namespace ${slow}`))
    expect(alert).toHaveTextContent(`namespace ${silent}`)
    expect(mostAtOnce()).toBeLessThanOrEqual(5)
    expect(cluster.openSockets().filter((path) => path.endsWith('/releases'))).toEqual([])
  })
})
