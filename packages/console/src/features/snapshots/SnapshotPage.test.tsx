import type { KubeObject } from '@slipway/kube/object'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { type Snapshot, type SnapshotComponent, snapshotType } from '@slipway/model/snapshots/snapshot'
import { anApplication, aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import { aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { fakeIntersectionObserver } from '../../../test/fake-intersection-observer'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout', snapshot: 'shop-1' }
const page = paths.snapshot(at)
const application = anApplication()
const sha = (digit: string) => digit.repeat(40)
const digest = (digit: string) => `sha256:${digit.repeat(64)}`
const component = (name: string, digit: string): SnapshotComponent => ({
  name,
  containerImage: `registry.slipway.test/payments/${name}@${digest(digit)}`,
  source: { git: { url: `https://github.com/payments/${name}.git`, revision: sha(digit) } },
})
const passed = [
  condition('AppStudioIntegrationStatus', 'True', 'Finished'),
  { ...condition('AppStudioTestSucceeded', 'True', 'Passed'), message: 'All Integration Pipeline tests passed' },
]

const snapshotWith = (
  components: unknown,
  metadata: { labels?: Record<string, string | undefined>; annotations?: Record<string, string> } = {},
): Snapshot =>
  aSnapshot({
    metadata: {
      name: 'shop-1',
      // A label that is `undefined` is removed.
      labels: {
        [labels.component]: 'api',
        [labels.buildPipelineRun]: 'api-on-push',
        [copiedPacKey(labels.commitSha)]: sha('a'),
        [copiedPacKey(labels.organization)]: 'payments',
        [copiedPacKey(labels.repositoryName)]: 'api',
        ...metadata.labels,
      } as Record<string, string>,
      annotations: {
        [copiedPacKey(annotations.pacShaTitle)]: 'Add a checkout\n\nWith a body.',
        [copiedPacKey(annotations.pacShaUrl)]: `https://github.com/payments/api/commit/${sha('a')}`,
        [copiedPacKey(annotations.pacRepositoryUrl)]: 'https://github.com/payments/api',
        [copiedPacKey(annotations.pacGitProvider)]: 'github',
        [annotations.branch]: 'main',
        ...metadata.annotations,
      },
    },
    // Archives validate nothing.
    spec: { components: components as SnapshotComponent[] },
    status: { conditions: passed },
  })
const snapshot = snapshotWith([component('api', 'a'), component('web', 'b'), component('worker', 'c')])

const build = (name: string, of: string, digit: string): PipelineRun =>
  aPipelineRun({
    metadata: { name, labels: { [labels.component]: of, [labels.commitSha]: sha(digit) } },
    status: {
      startTime: '2026-01-31T09:00:00Z',
      conditions: [condition('Succeeded', 'True')],
      results: [{ name: 'IMAGE_DIGEST', value: digest(digit) }],
    },
  })
const scan = (pipelineRun: string, found: Record<string, number>) =>
  aTaskRun({
    metadata: { name: `${pipelineRun}-scan`, labels: { [labels.pipelineRun]: pipelineRun } },
    status: { results: [{ name: 'SCAN_OUTPUT', value: JSON.stringify({ vulnerabilities: found }) }] },
  })
const test = (
  name: string,
  minute: number,
  marks: { labels?: Record<string, string>; annotations?: Record<string, string> },
) =>
  aPipelineRun({
    metadata: {
      name,
      labels: { [labels.pipelineType]: 'test', ...marks.labels },
      annotations: { ...marks.annotations },
    },
    status: {
      startTime: `2026-01-31T09:0${minute}:00Z`,
      conditions: [condition('Succeeded', minute % 2 ? 'True' : 'False')],
    },
  })
const archived = <T extends KubeObject>(object: T, createdAt = '2026-01-31T09:00:00Z'): T => ({
  ...object,
  metadata: { ...object.metadata, namespace, uid: object.metadata.name ?? '', creationTimestamp: createdAt },
})

const rowNames = () => screen.queryAllByRole('rowheader').map((cell) => cell.querySelector('a')?.textContent)
const rowOf = async (name: string) => {
  const header = await screen.findByRole('rowheader', { name: new RegExp(`^${name}( |$)`) })
  return within(header.closest('tr') ?? expect.fail('a header outside of a row'))
}
const fact = (term: string) => {
  const name = screen.getByText(term, { selector: 'dt *' }).closest('dt')
  return name?.nextElementSibling ?? expect.fail(`no fact ${term}`)
}
const notFound = () => screen.findByRole('heading', { name: '404: Page not found', level: 1 })

describe('the page of a snapshot', () => {
  it('SNAP-05, SNAP-06 has a header that says what triggered it', async () => {
    const { cluster } = await renderRoute(page, { objects: [application, snapshot] })
    const heading = await screen.findByRole('heading', { name: 'Triggered by Add a checkout', level: 1 })
    const header = within(heading.parentElement ?? expect.fail('a heading outside of the header'))
    expect(header.getByText('aaaaaaa')).toBeVisible()
    expect(header.getByText('Succeeded')).toBeVisible()
    const { metadata } = await cluster.system.get(snapshotType, 'shop-1', { namespace })
    expect(header.getByText(/ago|Just now/)).toHaveAttribute('datetime', metadata.creationTimestamp)
    const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
    expect(crumbs.getByRole('link', { name: 'Snapshots' })).toHaveAttribute('href', paths.snapshots(at))
  })

  it('NAV-02, SNAP-02, SNAP-04 has a path with its name, and tabs below it', async () => {
    const { user } = await renderRoute(`/ns/${namespace}/applications/checkout/snapshots/shop-1`, {
      objects: [application, snapshot],
    })
    await screen.findByRole('heading', { name: 'Triggered by Add a checkout', level: 1 })
    expect(
      screen
        .getAllByRole('tab')
        .map((tab) => tab.textContent)
        .slice(0, 2),
    ).toEqual(['Overview', 'Pipeline runs'])
    expect(document.title).toBe('shop-1 - Overview | Slipway')
    await user.click(screen.getByRole('tab', { name: 'Pipeline runs' }))
    await waitFor(() =>
      expect(location.pathname).toBe(`/ns/${namespace}/applications/checkout/snapshots/shop-1/pipelineruns`),
    )
  })

  it('SNAP-07, SNAP-08, SNAP-30 shows when it was created, its commit and its repository', async () => {
    const event = { [copiedPacKey(labels.eventType)]: 'pull_request', [copiedPacKey(labels.pullRequestNumber)]: '7' }
    const { cluster } = await renderRoute(page, {
      objects: [application, snapshotWith([component('api', 'a')], { labels: event })],
    })
    await screen.findByRole('heading', { name: 'Snapshot details' })
    const { metadata } = await cluster.system.get(snapshotType, 'shop-1', { namespace })
    expect(fact('Created at').querySelector('time')).toHaveAttribute('datetime', metadata.creationTimestamp)
    const links = within(screen.getByRole('region', { name: 'Snapshot details' }))
    const expected: [RegExp, string][] = [
      [/^Add a checkout \(aaaaaaa\)$/, paths.commit({ ...at, commit: sha('a') })],
      [/^payments\/api/, 'https://github.com/payments/api'],
      [/^#7/, 'https://github.com/payments/api/pull/7'],
      [/^Commit at github\.com/, `https://github.com/payments/api/commit/${sha('a')}`],
      [/^main/, 'https://github.com/payments/api/tree/main'],
      [/^api-on-push$/, paths.pipelineRun({ ...at, pipelineRun: 'api-on-push' })],
    ]
    for (const [name, href] of expected) expect(links.getByRole('link', { name })).toHaveAttribute('href', href)
    expect(fact('Event')).toHaveTextContent('Pull Request')
    expect(fact('Type')).toHaveTextContent('Pull request')
    expect(fact('Message')).toHaveTextContent('All Integration Pipeline tests passed')
  })

  it('SNAP-21, SNAP-31 is read by its namespace and name, in version v1alpha1', async () => {
    const { cluster } = await renderRoute(page, { objects: [application, snapshot] })
    await screen.findByRole('heading', { name: 'Triggered by Add a checkout' })
    const reads = cluster.calls.filter(({ path }) => path.endsWith('/snapshots/shop-1'))
    expect(reads.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET /api/k8s/apis/appstudio.redhat.com/v1alpha1/namespaces/${namespace}/snapshots/shop-1`,
    ])
  })

  it('SNAP-10, SNAP-11, SNAP-12, SNAP-27 lists its images, with what they were built from', async () => {
    const { user } = await renderRoute(page, { objects: [application, snapshot] })
    const row = await rowOf('web')
    expect(row.getByText(`registry.slipway.test/payments/web@sha256:${'b'.repeat(12)}`)).toBeVisible()
    await user.click(row.getByRole('button', { name: 'Copy image of web' }))
    expect(await navigator.clipboard.readText()).toBe(component('web', 'b').containerImage)
    expect(row.getByRole('link', { name: /^github\.com\/payments\/web/ })).toHaveAttribute(
      'href',
      'https://github.com/payments/web',
    )
    expect(row.getByRole('link', { name: 'bbbbbbb' })).toHaveAttribute(
      'href',
      paths.commit({ ...at, commit: sha('b') }),
    )
    expect(row.getByRole('link', { name: 'web' })).toHaveAttribute('href', paths.component({ ...at, component: 'web' }))
    expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual(
      expect.arrayContaining(['Name', 'Container Image', 'Git URL', 'Revision']),
    )
    const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it('SNAP-13 filters its components by name', async () => {
    const { user } = await renderRoute(page, { objects: [application, snapshot] })
    await rowOf('web')
    await user.type(screen.getByRole('textbox', { name: 'Filter by name' }), 'W')
    await waitFor(() => expect(rowNames()).toEqual(['web', 'worker']))
  })

  it('follows its tests', async () => {
    const { cluster } = await renderRoute(page, { objects: [application, snapshot] })
    await screen.findByRole('heading', { name: 'Triggered by Add a checkout' })
    const current = await cluster.system.get(snapshotType, 'shop-1', { namespace })
    const conditions = [condition('AppStudioIntegrationStatus', 'Unknown', 'InProgress')]
    await cluster.system.replaceStatus(snapshotType, { ...current, status: { conditions } })
    expect(await screen.findByText('In Progress')).toBeVisible()
  })
})

describe('a snapshot without components', () => {
  it('SNAP-14 offers to add one', async () => {
    await renderRoute(page, { objects: [application, snapshotWith([])] })
    expect(await screen.findByRole('heading', { name: 'No components' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Add component' })).toHaveAttribute('href', paths.createComponent(at))
    expect(fact('Vulnerabilities')).toHaveTextContent('-')
  })

  it('SNAP-32 says why the user cannot add one', async () => {
    const reader = grantTo({ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] })
    const { user } = await renderRoute(page, { as: 'outsider', objects: [application, snapshotWith([]), ...reader] })
    const add = await screen.findByRole('button', { name: 'Add component' })
    expect(add).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, add, "You don't have access to add a component")
  })
})

describe('the vulnerabilities of a snapshot', () => {
  const builds = [build('api-on-push', 'api', 'a'), build('web-on-push', 'web', 'b')]

  it('SNAP-09 are summed over the builds of its images, and unknown for an image without a scan', async () => {
    const { cluster } = await renderRoute(page, {
      objects: [
        application,
        snapshot,
        ...builds,
        // Of the same commit, but of another image.
        build('web-on-pull-request', 'web', 'd'),
        scan('api-on-push', { critical: 1, low: 2 }),
        scan('web-on-push', { critical: 3 }),
        scan('web-on-pull-request', { critical: 100 }),
      ],
    })
    await waitFor(() => expect(fact('Vulnerabilities')).toHaveTextContent('Critical 4Low 2 (2 of 3 images scanned)'))
    expect((await rowOf('web')).getAllByRole('cell')[1]).toHaveTextContent('Critical 3')
    expect((await rowOf('worker')).getAllByRole('cell')[1]).toHaveTextContent('Unknown')
    // Two requests, however many components there are.
    const reads = cluster.calls.map(({ path }) => decodeURIComponent(path.replaceAll('+', ' ')))
    expect(reads.filter((path) => path.includes(`${labels.commitSha} in (`))).toHaveLength(1)
    expect(reads.filter((path) => path.includes(`${labels.pipelineRun} in (`))).toHaveLength(1)
  })

  it('SNAP-09 include those of builds that only an archive has', async () => {
    const archive = await fakeArchive([archived(builds[1]!), archived(scan('web-on-push', { high: 5 }))])
    await renderRoute(page, {
      objects: [
        application,
        snapshotWith([component('api', 'a'), component('web', 'b')]),
        builds[0]!,
        scan('api-on-push', {}),
      ],
      archives: { kubeArchive: archive.plugin },
    })
    await waitFor(() => expect(fact('Vulnerabilities')).toHaveTextContent(/^High 5$/))
    const filters = archive.requests.map(({ searchParams }) => searchParams.get('labelSelector') ?? '')
    // Not for the component whose build the cluster still has.
    expect(filters.filter((filter) => filter.includes(sha('b')) && !filter.includes(sha('a')))).toHaveLength(1)
  })

  it('SNAP-09 say when they cannot be read', async () => {
    const { cluster, router } = await renderRoute(paths.overview(), { objects: [application, snapshot, ...builds] })
    cluster.faults.intercept((path) =>
      path.includes('/taskruns?') ? Response.json({ message: 'no scans for you' }, { status: 403 }) : undefined,
    )
    await screen.findByRole('heading', { name: 'Overview' })
    await router.navigate(page)
    await waitFor(() =>
      expect(fact('Vulnerabilities')).toHaveTextContent(
        /^Unknown \(0 of 3 images scanned\)\. Some scans could not be read: .*no scans for you/,
      ),
    )
  })
})

describe('a snapshot with unusual content', () => {
  it('is named if no commit is known, and says what kind it is', async () => {
    const manual: Snapshot = {
      ...snapshot,
      metadata: {
        name: 'shop-1',
        namespace,
        labels: { [labels.application]: 'checkout', [labels.snapshotType]: 'override' },
      },
      spec: {
        application: 'checkout',
        components: [{ name: 'api', containerImage: 'registry.slipway.test/api:latest' }],
      },
    }
    await renderRoute(page, { objects: [application, manual] })
    expect(await screen.findByRole('heading', { name: 'shop-1', level: 1 })).toBeVisible()
    await screen.findByRole('heading', { name: 'Snapshot details' })
    expect(fact('Type')).toHaveTextContent('Override')
    expect(fact('Triggered by')).toHaveTextContent('-')
    const row = await rowOf('api')
    expect(
      row
        .getAllByRole('cell')
        .slice(2, 4)
        .map((cell) => cell.textContent),
    ).toEqual(['-', '-'])
    await waitFor(() => expect(fact('Vulnerabilities')).toHaveTextContent('Unknown (0 of 1 image scanned)'))
  })

  it('shows all pull requests of a group', async () => {
    const members = ['api', 'web'].map((name, index) => ({
      component: name,
      repoUrl: `https://github.com/payments/${name}`,
      pullRequestNumber: String(index + 7),
    }))
    const group = snapshotWith([component('api', 'a'), component('web', 'b')], {
      labels: { [labels.snapshotType]: 'group' },
      annotations: { [annotations.groupMembers]: JSON.stringify(members) },
    })
    await renderRoute(page, { objects: [application, group] })
    await screen.findByRole('heading', { name: 'Snapshot details' })
    expect(fact('Pull requests')).toHaveTextContent('#7 (opens in a new tab) (api)#8 (opens in a new tab) (web)')
  })

  it.each<[string, unknown]>([
    ['text as components', 'nonsense'],
    ['null components', [null, { name: 7 }, { name: 'api', containerImage: 7, source: { git: null } }]],
    ['a source that is not an object', [{ name: 'api', containerImage: '', source: 'here' }]],
    [
      'links that are not web addresses',
      [{ name: 'api', containerImage: 'x', source: { git: { url: 'javascript:alert(1)', revision: '../..' } } }],
    ],
  ])('is shown with %s, which only an archive accepts', async (_, components) => {
    const nonsense = snapshotWith(components, {
      labels: { [copiedPacKey(labels.eventType)]: '{' },
      annotations: {
        [annotations.groupMembers]: '[null',
        [annotations.testStatus]: '{"scenario":',
        [copiedPacKey(annotations.pacShaUrl)]: 'javascript:alert(1)',
      },
    })
    const archive = await fakeArchive([archived(nonsense)])
    await renderRoute(page, { objects: [application], archives: { kubeArchive: archive.plugin } })
    expect(await screen.findByRole('heading', { name: 'Triggered by Add a checkout', level: 1 })).toBeVisible()
    expect(await screen.findByRole('heading', { name: 'Components' })).toBeVisible()
    for (const link of screen.getAllByRole('link')) expect(link.getAttribute('href')).not.toMatch(/^javascript:/)
  })
})

describe('a snapshot that the application does not have', () => {
  it('is not found if it belongs to another application', async () => {
    const other = { ...snapshot, spec: { ...snapshot.spec, application: 'ledger' } }
    await renderRoute(page, { objects: [application, other] })
    expect(await notFound()).toBeVisible()
  })

  it('is not found while it is being deleted', async () => {
    const { cluster, router } = await renderRoute(paths.overview(), {
      objects: [application, { ...snapshot, metadata: { ...snapshot.metadata, finalizers: ['test/keep'] } }],
    })
    await cluster.system.delete(snapshotType, 'shop-1', { namespace })
    await router.navigate(page)
    expect(await notFound()).toBeVisible()
  })

  it('stays as it was last known if it is deleted while it is shown', async () => {
    const { cluster } = await renderRoute(page, { objects: [application, snapshot] })
    await rowOf('api')
    await cluster.system.delete(snapshotType, 'shop-1', { namespace })
    expect(await screen.findByText('This snapshot was deleted')).toBeVisible()
    expect(rowNames()).toEqual(['api', 'web', 'worker'])
  })

  it('comes from the archive, and says so', async () => {
    const archive = await fakeArchive([archived(snapshot)])
    const { user } = await renderRoute(page, { objects: [application], archives: { kubeArchive: archive.plugin } })
    expect(await screen.findByRole('heading', { name: 'Triggered by Add a checkout', level: 1 })).toBeVisible()
    expect(await screen.findByText(/archive/i)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Actions for shop-1' }))
    await seeTooltip(user, await screen.findByRole('menuitem', { name: 'Rerun all tests' }), 'Deleted from the cluster')
  })
})

describe('the pipeline runs of a snapshot', () => {
  const runsPage = paths.snapshotPipelineRuns(at)
  const runs = [
    test('by-label', 1, { labels: { [labels.snapshot]: 'shop-1', [labels.scenario]: 'unit' } }),
    test('by-annotation', 2, { annotations: { [labels.snapshot]: 'shop-1' } }),
    test('by-either', 3, { labels: { [labels.snapshot]: 'shop-1' }, annotations: { [labels.snapshot]: 'shop-2' } }),
    test('other', 4, { labels: { [labels.snapshot]: 'shop-2' } }),
    test('none', 5, {}),
    test('elsewhere', 6, { labels: { [labels.snapshot]: 'shop-1', [labels.application]: 'ledger' } }),
  ]

  it('SNAP-18, SNAP-19 are those of the application that name it in a label or an annotation, newest first', async () => {
    await renderRoute(runsPage, { objects: [application, snapshot, ...runs] })
    await waitFor(() => expect(rowNames()).toEqual(['by-either', 'by-annotation', 'by-label']))
  })

  it('SNAP-15 are filtered by name, status and type', async () => {
    const { user } = await renderRoute(runsPage, { objects: [application, snapshot, ...runs] })
    await rowOf('by-label')
    const filter = screen.getByRole('textbox', { name: 'Filter by name' })
    await user.type(filter, 'LABEL')
    await waitFor(() => expect(rowNames()).toEqual(['by-label']))
    await user.clear(filter)
    await user.click(screen.getByRole('button', { name: 'Status', expanded: false }))
    await user.click(await screen.findByRole('checkbox', { name: /^Failed/ }))
    await waitFor(() => expect(rowNames()).toEqual(['by-annotation']))
    await user.click(screen.getByRole('button', { name: 'Type', expanded: false }))
    expect(await screen.findByRole('checkbox', { name: /^Test/ })).toBeVisible()
  })

  it('SNAP-16, PREF-12 remember their columns for the application', async () => {
    const { user } = await renderRoute(runsPage, { objects: [application, snapshot, ...runs] })
    await user.click(await screen.findByRole('button', { name: 'Manage columns' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('checkbox', { name: 'Type' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Type' })).not.toBeInTheDocument())
    expect(
      localStorage.getItem(`snapshot-pipeline-runs-columns-${namespace}/checkout@admin@slipway.test`),
    ).not.toContain('type')
  })

  it('SNAP-17 load more from an archive, Tekton Results, when the end of the list comes into view', async () => {
    const { reach } = fakeIntersectionObserver()
    const many = Array.from({ length: 31 }, (_, index) =>
      archived(test(`run-${index}`, 1, { labels: { [labels.snapshot]: 'shop-1' } })),
    )
    const archive = await fakeArchive(many)
    await renderRoute(runsPage, { objects: [application, snapshot], archives: { tektonResults: archive.plugin } })
    expect(await screen.findByText('30 loaded')).toBeVisible()
    reach()
    expect(await screen.findByText('31 total')).toBeVisible()
    expect(archive.requests[0]?.searchParams.get('filter')).toContain(
      `(data.metadata.labels["${labels.snapshot}"] == "shop-1" || data.metadata.annotations["${labels.snapshot}"] == "shop-1")`,
    )
  })
})
