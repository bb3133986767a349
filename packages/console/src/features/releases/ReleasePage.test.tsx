import type { KubeObject } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { enterpriseContractPolicyType } from '@slipway/model/snapshots/enterprise-contract-policy'
import { type Release, releaseType } from '@slipway/model/releases/release'
import {
  anApplication,
  aNamespace,
  aPipelineRun,
  aRelease,
  aRoleBinding,
  aTaskRun,
  condition,
} from '@slipway/model/testing'
import { aReleasePlan, aReleasePlanAdmission, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { emailOf } from '@slipway/slipway/users'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { detail } from '../../../test/run-page'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout', release: 'shop-1' }
const page = paths.release(at)
const managed = 'release-managed'
const application = anApplication()
const started = '2026-01-31T09:00:00Z'
const ended = '2026-01-31T09:05:10Z'

const status: NonNullable<Release['status']> = {
  conditions: [condition('Released', 'True', 'Succeeded')],
  startTime: started,
  completionTime: ended,
  target: managed,
  automated: true,
  tenantProcessing: { pipelineRun: `${namespace}/tenant-1`, startTime: started, completionTime: ended },
  managedProcessing: { pipelineRun: `${managed}/managed-1`, startTime: started },
  finalProcessing: { pipelineRun: `${namespace}/final-1` },
}
const release = (over: Parameters<typeof aRelease>[0] = {}): Release =>
  aRelease({ ...over, metadata: { name: 'shop-1', ...over.metadata }, status: over.status ?? status })

const matched = aReleasePlan({
  status: { releasePlanAdmission: { name: `${managed}/checkout-to-production`, active: true } },
})
/** The managed namespace with what is in it, which the admin may read only with the binding. */
const managedObjects = ({ isReadable }: { isReadable: boolean }): KubeObject[] => [
  aNamespace({ metadata: { name: managed } }),
  aReleasePlanAdmission({ spec: { policy: 'strict' } }),
  {
    apiVersion: `${enterpriseContractPolicyType.group}/${enterpriseContractPolicyType.version}`,
    kind: enterpriseContractPolicyType.kind,
    metadata: { name: 'strict', namespace: managed },
  },
  ...(isReadable
    ? [
        aRoleBinding({
          metadata: { name: 'konflux-admin', namespace: managed },
          subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: emailOf('admin') }],
        }),
      ]
    : []),
]
const base = [application, matched, aSnapshot({ metadata: { name: 'checkout-snapshot' } })]

async function expectAccessible() {
  const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } })
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}
const rowOf = async (name: string) => {
  const header = await screen.findByRole('rowheader', { name: new RegExp(`^${name}( |$)`) })
  return within(header.closest('tr') ?? expect.fail('a header outside of a row'))
}
const headers = () =>
  screen
    .getAllByRole('columnheader')
    .map((header) => header.textContent)
    .filter(Boolean)

describe('the page of a release', () => {
  it('REL-18, REL-19 has three tabs with addresses of their own', async () => {
    const { user } = await renderRoute(page, { objects: [...base, release()] })
    expect(await screen.findByRole('heading', { name: 'shop-1', level: 1 })).toBeVisible()
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'Overview',
      'Pipeline runs',
      'Release artifacts',
    ])
    expect(screen.getByRole('tab', { name: 'Overview', selected: true })).toBeVisible()
    for (const [tab, path] of [
      ['Pipeline runs', paths.releasePipelineRuns(at)],
      ['Release artifacts', paths.releaseArtifacts(at)],
    ] as const) {
      await user.click(screen.getByRole('tab', { name: tab }))
      await waitFor(() => expect(location.pathname).toBe(path))
    }
  })

  it('REL-20, REL-21, REL-22, REL-23 shows when it ran, its plan and its target', async () => {
    await renderRoute(page, { objects: [...base, release()] })
    expect((await detail('Created at')).querySelector('time')).toBeVisible()
    expect(await detail('Duration')).toHaveTextContent('5m 10s')
    expect(within(await detail('Release plan')).getByRole('link')).toHaveAttribute(
      'href',
      paths.releasePlan({ ...at, releasePlan: 'checkout-to-production' }),
    )
    expect(await detail('Release target')).toHaveTextContent(`${managed} Managed Namespace`)
    await expectAccessible()
  })

  it('REL-23 does not mark the target in its own namespace', async () => {
    await renderRoute(page, { objects: [...base, release({ status: { ...status, target: namespace } })] })
    expect((await detail('Release target')).textContent).toBe(namespace)
  })

  it('REL-24, REL-25, REL-26, REL-27 shows labels, annotations, status, trigger and snapshot', async () => {
    const { user } = await renderRoute(page, {
      objects: [...base, release({ metadata: { labels: { team: 'payments' }, annotations: { note: 'kept' } } })],
    })
    expect(await detail('Status')).toHaveTextContent('Succeeded')
    expect(await detail('Release trigger')).toHaveTextContent('Automatic')
    expect(within(await detail('Snapshot')).getByRole('link')).toHaveAttribute(
      'href',
      paths.snapshot({ ...at, snapshot: 'checkout-snapshot' }),
    )
    await user.click(screen.getByRole('button', { name: 'Show 2 labels' }))
    expect(await screen.findByText('payments')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Show 1 annotation' }))
    expect(await screen.findByText('kept')).toBeVisible()
  })

  it('REL-44, REL-45, TIME-06 shows its notes, with the bugs and vulnerabilities that it fixes', async () => {
    const releaseNotes = {
      synopsis: 'New prices',
      topic: 'Prices in *euros*',
      references: ['https://docs.example.com', 'javascript:alert(1)'],
      issues: { fixed: [{ id: 'SHOP-1', source: 'https://issues.example.com', uploadDate: '2026-01-31T09:00:00Z' }] },
      cves: [{ key: 'CVE-2026-1', component: 'api', packages: ['openssl', 'zlib'] }],
      type: 'RHSA',
    }
    await renderRoute(page, { objects: [...base, release({ spec: { data: { releaseNotes } } })] })
    expect(await detail('Synopsis')).toHaveTextContent('New prices')
    const references = within(await detail('References'))
    expect(references.getAllByRole('link')).toHaveLength(1)
    expect(references.getByText('javascript:alert(1)')).toBeVisible()
    expect(await detail('Fixed bugs')).toHaveTextContent(
      'SHOP-1, https://issues.example.com (opens in a new tab), 01-31-2026',
    )
    expect(await detail('Fixed CVEs')).toHaveTextContent('CVE-2026-1 in api (openssl, zlib)')
    expect(await detail('type')).toHaveTextContent('RHSA')
  })

  it('MD-05 says that texts of its notes are not available', async () => {
    const releaseNotes = { synopsis: 'New prices', topic: ' ', description: 'All of **them**' }
    await renderRoute(page, { objects: [...base, release({ spec: { data: { releaseNotes } } })] })
    expect(await detail('Topic')).toHaveTextContent('Not available')
    // The code that renders Markdown is loaded on demand.
    await waitFor(async () => expect(await detail('Description')).toHaveTextContent('All of them'))
    expect(await detail('Solution')).toHaveTextContent('Not available')
  })

  it('MD-04 shows the beginning of a long text of its notes, and the rest on demand', async () => {
    const releaseNotes = { synopsis: 'New prices', description: 'word '.repeat(60) + 'end' }
    const { user } = await renderRoute(page, { objects: [...base, release({ spec: { data: { releaseNotes } } })] })
    await waitFor(async () => expect(await detail('Description')).toHaveTextContent(/ word w…\s*Show more$/))
    await user.click(screen.getByRole('button', { name: 'Show more' }))
    await waitFor(async () => expect(await detail('Description')).toHaveTextContent(/word end\s*Show less$/))
  })

  it('shows why it failed', async () => {
    const failed = (type: string, message: string) => ({ ...condition(type, 'False', 'Failed'), message })
    const conditions = [
      failed('Released', 'Release processing failed'),
      failed('ManagedPipelineProcessed', 'no task left'),
    ]
    await renderRoute(page, { objects: [...base, release({ status: { ...status, conditions } })] })
    expect(await detail('Message')).toHaveTextContent('Release processing failed. no task left')
    expect(await detail('Status')).toHaveTextContent('Failed')
  })

  it('REL-11 offers a re-run next to its title, and where it says that it failed', async () => {
    const conditions = [condition('Released', 'False', 'Failed')]
    const { user } = await renderRoute(page, { objects: [...base, release({ status: { ...status, conditions } })] })
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Re-run' })).toHaveLength(2))
    await expectAccessible()
    const stages = within(screen.getByRole('region', { name: 'Stages' }))
    await user.click(stages.getByRole('button', { name: 'Re-run' }))
    expect(await screen.findByRole('dialog', { name: 'Re-run shop-1?' })).toBeVisible()
  })

  it('LIVE-26, REL-47 is watched by name', async () => {
    const { cluster } = await renderRoute(page, {
      objects: [...base, release({ status: { conditions: [condition('Released', 'False', 'Progressing')] } })],
    })
    expect(await detail('Status')).toHaveTextContent('In Progress')
    await waitFor(() =>
      expect(cluster.sockets().map(({ searchParams }) => searchParams.get('fieldSelector'))).toContain(
        'metadata.name=shop-1',
      ),
    )
    const current = await cluster.system.get(releaseType, 'shop-1', { namespace })
    await cluster.system.replaceStatus(releaseType, { ...current, status })
    await waitFor(async () => expect(await detail('Status')).toHaveTextContent('Succeeded'))
  })

  it('comes from the archive once it is deleted', async () => {
    const own = release({ status: { startTime: started, conditions: [condition('Released', 'False', 'Progressing')] } })
    const archive = await fakeArchive([{ ...own, metadata: { ...own.metadata, namespace, uid: 'u-1' } }])
    await renderRoute(page, { objects: [application], archives: { kubeArchive: archive.plugin } })
    expect(await detail('Status')).toHaveTextContent('Unknown')
    expect(await detail('Duration')).toHaveTextContent('-')
    await waitFor(async () =>
      expect(await detail('Admission')).toHaveTextContent('Unknown: the release plan no longer exists'),
    )
  })

  it('REL-02 needs permission to list releases', async () => {
    await renderRoute(page, { as: 'outsider', objects: [...base, release(), ...grantTo()] })
    expect(await screen.findByText("Let's get you access")).toBeVisible()
  })

  it.each([
    ['does not exist', []],
    ['belongs to another application', [release({ metadata: { labels: { [labels.application]: 'ledger' } } })]],
  ])('REL-48 is the not-found page for a release that %s', async (_, objects) => {
    await renderRoute(page, { objects: [...base, ...objects] })
    expect(await screen.findByText('404: Page not found')).toBeVisible()
  })

  it('REL-48 says that the release could not be loaded, and tries again', async () => {
    const { cluster, router } = await renderRoute(paths.releases(at), { objects: [...base, release()] })
    const heal = cluster.faults.intercept((path) =>
      path.endsWith('/releases/shop-1')
        ? Response.json({ kind: 'Status', message: 'no way' }, { status: 422 })
        : undefined,
    )
    await router.navigate(page)
    expect(await screen.findByRole('heading', { name: 'Unable to load release' })).toBeVisible()
    expect(screen.getByText(/no way/)).toBeVisible()
    heal()
    screen.getByRole('button', { name: 'Try again' }).click()
    expect(await detail('Status')).toHaveTextContent('Succeeded')
  })

  it('shows nonsense as unknown', async () => {
    const bare = { ...release(), spec: undefined, status: { target: '', artifacts: 'done', managedProcessing: [] } }
    const archive = await fakeArchive([
      { ...bare, metadata: { ...bare.metadata, namespace, uid: 'u-1' } } as unknown as KubeObject,
    ])
    const { user } = await renderRoute(page, { objects: [application], archives: { kubeArchive: archive.plugin } })
    for (const term of ['Release plan', 'Release target', 'Snapshot', 'Duration'])
      expect(await detail(term)).toHaveTextContent('-')
    await user.click(screen.getByRole('tab', { name: 'Pipeline runs' }))
    expect(await screen.findByRole('heading', { name: 'No pipeline runs found' })).toBeVisible()
    await user.click(screen.getByRole('tab', { name: 'Release artifacts' }))
    expect(await screen.findByText('done')).toBeVisible()
  })
})

describe('what a release needs in a managed namespace', () => {
  it('is linked if the user may read it', async () => {
    const { user } = await renderRoute(page, { objects: [...base, release(), ...managedObjects({ isReadable: true })] })
    const link = async (term: string) => within(await detail(term)).findByRole('link')
    expect(await link('Admission')).toHaveAttribute(
      'href',
      `${paths.releasePlanAdmissions({ namespace: managed })}?name=checkout-to-production`,
    )
    expect(await link('Managed pipeline run')).toHaveAttribute(
      'href',
      `${paths.pipelineRun({ ...at, namespace: managed, pipelineRun: 'managed-1' })}?releaseName=shop-1`,
    )
    await user.click(await within(await detail('Policy')).findByRole('button', { name: 'Show the YAML of strict' }))
    expect(await screen.findByRole('dialog', { name: 'YAML of strict' })).toBeVisible()
  })

  it('is named otherwise, with the reason', async () => {
    await renderRoute(page, { objects: [...base, release(), ...managedObjects({ isReadable: false })] })
    await waitFor(async () =>
      expect(await detail('Admission')).toHaveTextContent(`checkout-to-production (no access to ${managed})`),
    )
    expect(await detail('Policy')).toHaveTextContent(`Unknown (no access to ${managed}, whose admission names it)`)
    expect(await detail('Managed pipeline run')).toHaveTextContent(`managed-1 (no access to ${managed})`)
  })

  it('names an admission as the plan does, even if the plan does not say in which namespace it is', async () => {
    const plan = aReleasePlan({ status: { releasePlanAdmission: { name: 'somewhere', active: true } } })
    await renderRoute(page, { objects: [application, plan, release()] })
    await waitFor(async () => expect(await detail('Admission')).toHaveTextContent(/^somewhere$/))
    expect(await detail('Policy')).toHaveTextContent(
      'Unknown (the namespace of the admission, which names it, is unknown)',
    )
  })

  it('says that no admission matches the plan', async () => {
    await renderRoute(page, {
      objects: [application, aReleasePlan({ status: { releasePlanAdmission: {} } }), release()],
    })
    await waitFor(async () => expect(await detail('Admission')).toHaveTextContent('None'))
  })
})

describe('the runs of a release', () => {
  const runs = paths.releasePipelineRuns(at)

  it('ACT-18, REL-28, REL-29, REL-33 are listed in whatever namespace they are', async () => {
    await renderRoute(runs, { objects: [...base, release(), ...managedObjects({ isReadable: true })] })
    const row = await rowOf('managed-1')
    expect(headers()).toEqual(['Name', 'Started', 'Duration', 'Type', 'Snapshot', 'Namespace'])
    expect(row.getAllByRole('cell').map((cell) => cell.textContent)).toEqual([
      'Jan 31',
      expect.stringMatching(/\d/),
      'Managed',
      'checkout-snapshot',
      managed,
    ])
    expect(await row.findByRole('link', { name: 'managed-1' })).toHaveAttribute(
      'href',
      `${paths.pipelineRun({ ...at, namespace: managed, pipelineRun: 'managed-1' })}?releaseName=shop-1`,
    )
    expect(screen.queryByText(/don't have access/)).not.toBeInTheDocument()
    await expectAccessible()
  })

  it('REL-32 are named even if the user may not open them, and the page says so', async () => {
    await renderRoute(runs, { objects: [...base, release(), ...managedObjects({ isReadable: false })] })
    expect(await screen.findByText(`You don't have access to ${managed}`)).toBeVisible()
    const row = await rowOf('managed-1')
    expect(row.queryByRole('link', { name: 'managed-1' })).not.toBeInTheDocument()
    expect((await rowOf('tenant-1')).getByText('Tenant')).toBeVisible()
    await expectAccessible()
  })

  it('REL-28, REL-30, PREF-07, RELSTAT-08 can show their status and end, and remembers that', async () => {
    const { user, router } = await renderRoute(runs, { objects: [...base, release()] })
    await rowOf('tenant-1')
    await user.click(screen.getByRole('button', { name: 'Manage columns' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByRole('checkbox', { name: 'Name' })).toBeDisabled()
    for (const column of ['Status', 'Completed']) await user.click(dialog.getByRole('checkbox', { name: column }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(headers()).toEqual(expect.arrayContaining(['Status', 'Completed'])))
    const statusOf = async (name: string) => (await rowOf(name)).getAllByRole('cell')[0]?.textContent
    expect(await statusOf('tenant-1')).toBe('Completed')
    // On a busy machine, it is 'as last known' until the connection is open again.
    await waitFor(async () => expect(await statusOf('managed-1')).toBe('Running'))
    expect(await statusOf('final-1')).toBe('Pending')
    expect(JSON.parse(localStorage.getItem('release-pipeline-visible-columns@admin@slipway.test') ?? '')).toContain(
      'completionTime',
    )
    await router.navigate(paths.release(at))
    await detail('Status')
    await router.navigate(runs)
    await waitFor(() => expect(headers()).toContain('Completed'))
  })

  it('REL-31 are filtered by name', async () => {
    const { user } = await renderRoute(runs, { objects: [...base, release()] })
    await rowOf('tenant-1')
    await user.type(screen.getByRole('textbox', { name: 'Filter by name' }), 'FINAL')
    await waitFor(() => expect(screen.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual(['final-1']))
  })

  it('RUN-03 lead back to the release, which may be in another namespace', async () => {
    const run = aPipelineRun({
      metadata: {
        name: 'managed-1',
        namespace: managed,
        labels: { [labels.releaseName]: 'shop-1', [labels.releaseNamespace]: namespace },
      },
    })
    const { user } = await renderRoute(runs, {
      objects: [...base, release(), ...managedObjects({ isReadable: true }), run],
    })
    await user.click(await (await rowOf('managed-1')).findByRole('link', { name: 'managed-1' }))
    await screen.findByRole('heading', { name: 'managed-1', level: 1 })
    const trail = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
    await waitFor(() =>
      expect(trail.getByRole('link', { name: 'shop-1' })).toHaveAttribute('href', paths.releasePipelineRuns(at)),
    )
    expect(trail.getByRole('link', { name: 'Releases' })).toHaveAttribute('href', paths.releases(at))
    // The tabs of the run keep it, and its details link to the release.
    expect(await screen.findByRole('tab', { name: 'Logs' })).toHaveAttribute(
      'href',
      `${paths.pipelineRunLogs({ ...at, namespace: managed, pipelineRun: 'managed-1' })}?releaseName=shop-1`,
    )
    expect(within(await detail('Release')).getByRole('link')).toHaveAttribute('href', page)
  })
})

describe('a run of a managed pipeline', () => {
  const ofRelease = {
    [labels.releaseName]: 'shop-1',
    [labels.releaseNamespace]: namespace,
    [labels.component]: 'checkout-api',
    [labels.commitSha]: 'a'.repeat(40),
    [labels.releaseSnapshot]: 'checkout-snapshot',
    [labels.scenario]: 'e2e',
  }
  const objects = [
    ...base,
    release(),
    ...managedObjects({ isReadable: true }),
    aPipelineRun({ metadata: { name: 'managed-1', namespace: managed, labels: ofRelease } }),
    aTaskRun({
      metadata: { name: 'sign', namespace: managed, labels: { ...ofRelease, [labels.pipelineRun]: 'managed-1' } },
    }),
  ]
  const inManaged = { ...at, namespace: managed }
  /** Where the links of a part of the page lead, without those to the run and its tasks. */
  const targetsIn = (part: HTMLElement) =>
    within(part)
      .getAllByRole('link')
      .flatMap((link) => link.getAttribute('href') ?? [])
      .filter((path) => !/\/(pipelineruns|taskruns)\/(managed-1|sign)/.test(path))
  const trail = () => targetsIn(screen.getByRole('navigation', { name: 'Breadcrumb' }))

  it('RUN-03 has links to the namespace of its release, from wherever it was opened', async () => {
    await renderRoute(paths.pipelineRun({ ...inManaged, pipelineRun: 'managed-1' }), { objects })
    await waitFor(() =>
      expect(trail()).toEqual([
        paths.applications(at),
        paths.application(at),
        paths.releases(at),
        paths.releasePipelineRuns(at),
      ]),
    )
    const facts = (await screen.findByText('Created at', { selector: 'dt *' })).closest('dl') as HTMLElement
    expect(new Set(targetsIn(facts))).toEqual(
      new Set([
        paths.application(at),
        paths.component({ ...at, component: 'checkout-api' }),
        paths.commit({ ...at, commit: 'a'.repeat(40) }),
        paths.integrationTest({ ...at, integrationTest: 'e2e' }),
        page,
      ]),
    )
  })

  it('TASK-07 and its task runs have links to the namespace of their release', async () => {
    await renderRoute(paths.taskRunDetails({ ...inManaged, taskRun: 'sign' }), { objects })
    await waitFor(() => expect(trail()).toEqual([paths.releases(at), paths.releasePipelineRuns(at)]))
    const facts = (await screen.findByText('Created at', { selector: 'dt *' })).closest('dl') as HTMLElement
    expect(targetsIn(facts)).toEqual([paths.application(at), paths.component({ ...at, component: 'checkout-api' })])
  })

  it('is listed in its namespace with links to that of its release', async () => {
    await renderRoute(paths.pipelineRuns({ namespace: managed }), { objects })
    const row = await screen.findByRole('row', { name: /managed-1/ })
    expect(targetsIn(row)).toEqual([
      paths.application(at),
      paths.component({ ...at, component: 'checkout-api' }),
      paths.commit({ ...at, commit: 'a'.repeat(40) }),
    ])
  })
})

it.each([
  [
    'the e-mail address in its annotation',
    { [labels.author]: 'bob@slipway.test' },
    'admin.slipway.test',
    'bob@slipway.test',
  ],
  ['the e-mail address of the signed-in user, whose label it has', {}, 'admin.slipway.test', 'admin@slipway.test'],
  ['the label of another user', {}, 'ada.slipway.test', 'ada.slipway.test'],
])('a release says who requested it: %s', async (_, annotations, label, expected) => {
  const requested = release({ metadata: { annotations, labels: { [labels.author]: label } } })
  await renderRoute(page, { objects: [...base, requested] })
  expect(await detail('Requested by')).toHaveTextContent(new RegExp(`^${expected}$`))
})

describe('the artifacts of a release', () => {
  const artifacts = paths.releaseArtifacts(at)
  const withArtifacts = (value: unknown, releaseNotes?: unknown) => ({
    objects: [
      ...base,
      release({ spec: releaseNotes ? { data: { releaseNotes } } : {}, status: { ...status, artifacts: value } }),
    ],
  })

  it('REL-34, REL-35, REL-36, REL-46 start with the released URLs', async () => {
    await renderRoute(
      artifacts,
      withArtifacts(
        {
          index_image: { index_image: 'quay.io/i:1', index_image_resolved: 'quay.io/i@sha256:aa' },
          'github-release': { url: 'https://github.com/shop/api/releases/1' },
        },
        { references: ['https://docs.example.com'] },
      ),
    )
    const linkIn = async (term: string) =>
      within(await detail(term))
        .getByRole('link')
        .getAttribute('href')
    expect(await linkIn('Release notes references')).toBe('https://docs.example.com/')
    expect(await linkIn('GitHub release')).toBe('https://github.com/shop/api/releases/1')
    expect(await detail('Index image')).toHaveTextContent('quay.io/i:1')
    expect(within(await detail('Index image')).queryByRole('link')).not.toBeInTheDocument()
    expect(await detail('Index image (resolved)')).toHaveTextContent('quay.io/i@sha256:aa')
    await expectAccessible()
  })

  it('REL-37, REL-38, REL-39 list the images, with their additional URLs below, and filter them by name', async () => {
    const { user } = await renderRoute(
      artifacts,
      withArtifacts({
        images: [
          { name: 'api', arches: ['amd64', 'arm64'], urls: ['quay.io/shop/api:1', 'quay.io/shop/api:latest'] },
          { name: 'web', arches: ['amd64'], urls: ['quay.io/shop/web:1'] },
        ],
      }),
    )
    const row = await rowOf('api')
    expect(headers().slice(-3)).toEqual(['Component', 'URL', 'Architectures'])
    expect(row.getByText('quay.io/shop/api:1')).toBeVisible()
    expect(row.getByText('amd64, arm64')).toBeVisible()
    expect((await rowOf('web')).queryByRole('button', { name: /^Details/ })).not.toBeInTheDocument()
    await user.click(row.getByRole('button', { name: 'Details of api' }))
    expect(await detail('Additional URLs')).toHaveTextContent('quay.io/shop/api:latest')
    await expectAccessible()
    await user.type(screen.getByRole('textbox', { name: 'Filter by name' }), 'we')
    await waitFor(() => expect(screen.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual(['web']))
    await waitFor(() => expect(new URLSearchParams(location.search).get('name')).toBe('we'))
  })

  it('REL-40, REL-41, REL-42 show everything else as lists of terms', async () => {
    await renderRoute(
      artifacts,
      withArtifacts({
        advisory: { url: 'https://advisories.example.com/1', internal_url: '' },
        catalog_urls: [{ name: 'api', url: 'https://catalog.example.com/api' }],
        'github-release': { url: 'https://github.com/shop' },
      }),
    )
    const section = within(await screen.findByRole('region', { name: 'Additional artifacts' }))
    expect(section.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'advisory',
      'catalog_urls',
    ])
    expect(section.getByRole('link', { name: /^https:\/\/catalog/ })).toBeVisible()
    expect(screen.getByRole('heading', { name: 'No release artifacts images found' })).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Other data' })).not.toBeInTheDocument()
  })

  it.each<[string, unknown, string[]]>([
    // From an archive, which validates nothing.
    ['a text', 'all of it', ['all of it']],
    ['a list', ['one', { two: 2 }], ['one', '2']],
    ['images that are an object', { images: { api: 'quay.io/api' } }, ['quay.io/api']],
    ['an index image of another shape', { index_image: [{ ocp: '4.18' }] }, ['4.18']],
  ])('show %s as it is', async (_, value, texts) => {
    const own = release({ metadata: { namespace, uid: 'u-1' }, status: { ...status, artifacts: value } })
    const archive = await fakeArchive([own])
    await renderRoute(artifacts, { objects: [application], archives: { kubeArchive: archive.plugin } })
    const section = within(await screen.findByRole('region', { name: 'Other data' }))
    for (const text of texts) expect(section.getByText(text)).toBeVisible()
  })

  it('REL-42 say that there are none', async () => {
    await renderRoute(artifacts, { objects: [...base, release()] })
    expect(await screen.findByRole('heading', { name: 'No release artifacts images found' })).toBeVisible()
  })
})
