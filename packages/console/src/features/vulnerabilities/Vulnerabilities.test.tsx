import type { KubeObject } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { anApplication, aComponent, aRelease, aTaskRun, condition } from '@slipway/model/testing'
import { aReleasePlan, aReleasePlanAdmission, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { type ReleasePlan, releasePlanType } from '@slipway/model/releases/release-plan'
import { enterpriseContractPolicyType } from '@slipway/model/snapshots/enterprise-contract-policy'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import {
  aScannedBuild,
  application,
  digest,
  entry,
  type ScanLogs,
  sha,
  withScanLogs,
} from '../../../test/scanned-builds'
import { paths } from '../../paths'

const at = { namespace, application }

const scene = (path: string, objects: KubeObject[], logs: ScanLogs, options: object = {}) =>
  renderRoute(path, {
    ...options,
    objects: [anApplication({ metadata: { name: application } }), ...objects],
    prepare: withScanLogs(logs),
  })

/** Colours are checked in a browser. */
async function checkAccessibility() {
  const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } })
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}

const table = () => screen.findByRole('table', { name: 'Vulnerabilities' })
const found = async () =>
  within(await table())
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent)

const builds = [
  ...aScannedBuild('api-old', { day: 1 }),
  ...aScannedBuild('api-new', { day: 3 }),
  ...aScannedBuild('web-new', { day: 2, component: 'web' }),
]
const logs: ScanLogs = {
  'api-old': [entry('CVE-2026-1001'), entry('CVE-2026-1002')],
  'api-new': [entry('CVE-2026-1002', 'CRITICAL', ''), entry('CVE-2026-1003', 'LOW')],
  'web-new': [entry('CVE-2026-1003')],
}

describe('the vulnerabilities of a namespace', () => {
  it('are those of the newest build of each component, what can be fixed first', async () => {
    const { user } = await scene(paths.vulnerabilities({ namespace }), builds, logs)
    expect(await screen.findByRole('heading', { name: 'Vulnerabilities', level: 1 })).toBeVisible()
    await waitFor(async () => expect(await found()).toEqual(['CVE-2026-1003', 'CVE-2026-1003', 'CVE-2026-1002']))
    const [first] = screen.getAllByRole('row', { name: /CVE-2026-1003/ })
    expect(first).toHaveTextContent(/High.*zlib.*1\.0.*2\.0.*web/)
    const details = screen.getByRole('button', { name: 'Details of CVE-2026-1002' })
    await user.click(details)
    expect(screen.getByRole('link', { name: /^access\.redhat\.com/ })).toHaveAttribute(
      'href',
      'https://access.redhat.com/security/cve/CVE-2026-1002',
    )
    expect(screen.getByRole('link', { name: 'api-new' })).toHaveAttribute(
      'href',
      paths.pipelineRun({ ...at, pipelineRun: 'api-new' }),
    )
    await checkAccessibility()
  })

  it('say in the address which of its components have a CVE', async () => {
    await scene(`${paths.vulnerabilities({ namespace })}?vulnerability=cve-2026-1003`, builds, logs)
    await waitFor(async () => expect(await found()).toEqual(['CVE-2026-1003', 'CVE-2026-1003']))
    for (const component of ['api', 'web'])
      expect(screen.getByRole('link', { name: component })).toHaveAttribute(
        'href',
        paths.component({ ...at, component }),
      )
  })

  it.each<[string, string, RegExp]>([
    ['cannot be found', 'panic', /what the scan of web-new found: Its log has no report\./],
    [
      'is cut off',
      '{"manifest_hash":"sha256:aa","packages":{',
      /web-new found: The report in its log is cut off or invalid\./,
    ],
  ])('are not complete if a report %s', async (_, log, reason) => {
    await scene(paths.vulnerabilities({ namespace }), builds, { ...logs, 'web-new': log })
    expect(await screen.findByText(reason)).toBeVisible()
    expect(await found()).toEqual(['CVE-2026-1003', 'CVE-2026-1002'])
  })

  it('are read again on request, since a log may arrive later than its task ends', async () => {
    const arriving: ScanLogs = { ...logs, 'web-new': '' }
    const { user } = await scene(paths.vulnerabilities({ namespace }), builds, arriving)
    const retry = await screen.findByRole('button', { name: 'Try again' })
    arriving['web-new'] = [entry('CVE-2026-1009')]
    await user.click(retry)
    await waitFor(async () => expect(await found()).toContain('CVE-2026-1009'))
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
  })

  it('are not said to be none if nothing could be read', async () => {
    await scene(paths.vulnerabilities({ namespace }), aScannedBuild('web-new', { day: 2, counts: { low: 7 } }), {
      'web-new': [],
    })
    expect(await screen.findByText(/Its result counts 7 vulnerabilities, and its report has none\./)).toBeVisible()
    expect(screen.getByText(/It is not known whether there are any vulnerabilities\./)).toBeVisible()
    expect(screen.queryByRole('heading', { name: 'No vulnerabilities found' })).not.toBeInTheDocument()
  })

  it('are none if the scans found none, and unknown without a scan', async () => {
    const { router } = await scene(paths.vulnerabilities({ namespace }), aScannedBuild('api-new', { day: 2 }), {
      'api-new': [],
    })
    expect(await screen.findByRole('heading', { name: 'No vulnerabilities found' })).toBeVisible()
    await router.navigate(paths.applicationVulnerabilities({ namespace, application: 'other' }))
    expect(await screen.findByRole('heading', { name: 'No scans found' })).toBeVisible()
  })

  it('need the permission to list task runs', async () => {
    await scene(paths.vulnerabilities({ namespace }), grantTo(), {}, { as: 'outsider' })
    expect(await screen.findByRole('heading', { name: "Let's get you access", level: 1 })).toBeVisible()
  })

  it('are found from the list of applications', async () => {
    const { user } = await scene(paths.applications({ namespace }), [], {})
    await user.click(await screen.findByRole('link', { name: 'View vulnerabilities' }))
    expect(await screen.findByRole('heading', { name: 'Vulnerabilities', level: 1 })).toBeVisible()
  })
})

describe('the policy', () => {
  const verification = (component: string, policy: string) =>
    aTaskRun({
      metadata: {
        name: `verify-${component}`,
        labels: {
          [labels.application]: application,
          [labels.component]: component,
          [labels.scenario]: 'policy',
          [labels.pipelineTask]: 'verify',
        },
      },
      spec: { params: [{ name: 'POLICY_CONFIGURATION', value: policy }] },
      status: { startTime: '2026-01-03T09:00:00Z', conditions: [condition('Succeeded', 'True')] },
    })
  const policy: KubeObject = {
    apiVersion: `${enterpriseContractPolicyType.group}/${enterpriseContractPolicyType.version}`,
    kind: enterpriseContractPolicyType.kind,
    metadata: { name: 'default', namespace },
    spec: {
      sources: [
        {
          policy: ['oci::quay.io/conforma/release-policy'],
          volatileConfig: {
            exclude: [
              {
                value: 'cve.cve_blockers:CVE-2026-1003',
                componentNames: ['web'],
                effectiveUntil: '2099-06-15T12:00:00Z',
                reference: 'https://issues.test/1',
              },
            ],
          },
        },
      ],
    },
  } as KubeObject

  it('says which vulnerabilities it ignores, for which component and until when', async () => {
    const { user, router } = await scene(
      paths.vulnerabilities({ namespace }),
      [...builds, verification('api', `${namespace}/default`), policy],
      logs,
    )
    const rowsOf = (component: string) =>
      screen.getAllByRole('row').filter((row) => within(row).queryByRole('link', { name: component }))
    await waitFor(() => expect(rowsOf('web')[0]).toHaveTextContent('Ignored until June 15, 2099'))
    // Low ones do not count by default, and neither do those without a fix.
    for (const row of rowsOf('api')) expect(row).toHaveTextContent('Not blocking')
    await router.navigate(`${paths.vulnerabilities({ namespace })}?policy=Ignored`)
    await waitFor(async () => expect(await found()).toEqual(['CVE-2026-1003']))
    await user.click(screen.getByRole('button', { name: 'Details of CVE-2026-1003' }))
    expect(screen.getByText('cve.cve_blockers:CVE-2026-1003')).toBeVisible()
    expect(screen.getByText('https://issues.test/1')).toBeVisible()
    await checkAccessibility()
  })

  it('of a release counts too, unless it cannot be read, which the page says', async () => {
    const admitted = { releasePlanAdmission: { name: `${namespace}/admission`, active: true } }
    const plan = (name: string, status: ReleasePlan['status']) =>
      aReleasePlan({ metadata: { name }, spec: { application }, status })
    const { cluster } = await scene(
      paths.vulnerabilities({ namespace }),
      [
        ...builds,
        policy,
        plan('to-production', admitted),
        aReleasePlanAdmission({ metadata: { name: 'admission', namespace }, spec: { policy: 'default' } }),
      ],
      logs,
    )
    const row = async () => (await screen.findAllByRole('row', { name: /web/ }))[0]
    await waitFor(async () => expect(await row()).toHaveTextContent('Ignored until June 15, 2099'))
    const hidden = await cluster.system.create(releasePlanType, {
      ...plan('to-partners', {}),
      metadata: { name: 'to-partners', namespace },
    })
    await cluster.system.replaceStatus(releasePlanType, {
      ...hidden,
      status: { releasePlanAdmission: { name: 'partners/admission', active: true } },
    })
    expect(
      await screen.findByText(
        'What a policy ignores is not known: the policy of release plan to-partners: you may not read admissions in partners',
      ),
    ).toBeVisible()
    await waitFor(async () => expect(await row()).toHaveTextContent('Partly ignored'))
  })

  it('is said to be unknown if it cannot be read', async () => {
    await scene(paths.vulnerabilities({ namespace }), [...builds, verification('api', 'github.com/team/policy')], logs)
    expect(
      await screen.findByText(
        'What a policy ignores is not known: github.com/team/policy: it is not an object of the cluster',
      ),
    ).toBeVisible()
    const [row] = await screen.findAllByRole('row', { name: /CVE-2026-1002/ })
    expect(row).toHaveTextContent('Not known')
  })
})

it('the vulnerabilities of a run are in a tab of it', async () => {
  const { user } = await scene(paths.pipelineRun({ ...at, pipelineRun: 'api-old' }), builds, logs)
  await user.click(await screen.findByRole('tab', { name: 'Vulnerabilities' }))
  await waitFor(async () => expect(await found()).toEqual(['CVE-2026-1001', 'CVE-2026-1002']))
  await checkAccessibility()
})

const component = aComponent({ metadata: { name: 'api' }, spec: { application, componentName: 'api' } })

describe('the vulnerabilities of a component', () => {
  it('are those of its newest build, with the commits that brought and fixed them', async () => {
    const { user } = await scene(
      paths.componentVulnerabilities({ ...at, component: 'api' }),
      [component, ...builds],
      logs,
    )
    await waitFor(async () => expect(await found()).toEqual(['CVE-2026-1003', 'CVE-2026-1002']))
    const trend = await screen.findByRole('table', { name: 'Builds' })
    expect(within(trend).getByRole('row', { name: /api-new/ })).toHaveTextContent('1 arrived, 1 fixed')
    expect(within(await table()).getByRole('row', { name: /CVE-2026-1003/ })).toHaveTextContent(/with 3333333/)
    expect(within(await table()).getByRole('row', { name: /CVE-2026-1002/ })).toHaveTextContent(/before/)
    await user.click(within(trend).getByRole('button', { name: 'Details of api-new' }))
    expect(screen.getByText('CVE-2026-1001 (zlib)')).toBeVisible()
    await checkAccessibility()
  })

  it('are not those of an older build if the newest report cannot be read', async () => {
    await scene(paths.componentVulnerabilities({ ...at, component: 'api' }), [component, ...builds], {
      ...logs,
      'api-new': 'panic',
    })
    const trend = await screen.findByRole('table', { name: 'Builds' })
    expect(within(trend).getByRole('row', { name: /api-new/ })).toHaveTextContent('Not fully known')
    expect(screen.getByText(/It is not known whether there are any vulnerabilities\./)).toBeVisible()
    expect(screen.queryByText('CVE-2026-1001')).not.toBeInTheDocument()
  })
})

const snapshotOf = (name: string, digits: Record<string, string>) =>
  aSnapshot({
    metadata: { name, labels: { [labels.application]: application } },
    spec: {
      application,
      components: Object.entries(digits).map(([each, digit]) => ({
        name: each,
        containerImage: `quay.io/team/${each}@${digest(digit)}`,
        source: { git: { url: `https://github.com/team/${each}`, revision: sha(digit) } },
      })),
    },
  })

const released = [
  snapshotOf('first', { api: '1', web: '2' }),
  snapshotOf('second', { api: '3', web: '2' }),
  aRelease({
    metadata: { name: 'released', labels: { [labels.application]: application } },
    spec: { snapshot: 'first' },
    status: { completionTime: '2026-01-02T12:00:00Z', conditions: [condition('Released', 'True', 'Succeeded')] },
  }),
]

it('the vulnerabilities of a snapshot are not complete without the build or the scan of a component', async () => {
  const [unscanned] = aScannedBuild('old', { component: 'old', day: 4 })
  await scene(
    paths.snapshotVulnerabilities({ ...at, snapshot: 'third' }),
    [...builds, ...(unscanned ? [unscanned] : []), snapshotOf('third', { api: '3', web: '9', old: '4' })],
    logs,
  )
  await waitFor(async () => expect(await found()).toEqual(['CVE-2026-1003', 'CVE-2026-1002']))
  expect(await screen.findByText(/the build of web: It is not known\./)).toBeVisible()
  expect(screen.getByText(/a scan of old: Its build has none\./)).toBeVisible()
})

describe('the vulnerabilities since the last release', () => {
  it.each([
    ['a snapshot', paths.snapshotVulnerabilities({ ...at, snapshot: 'second' })],
    ['an application', paths.applicationVulnerabilities(at)],
  ])('are marked for %s', async (_, path) => {
    const { router } = await scene(path, [...builds, ...released], logs)
    expect(await screen.findByText(/which was released last\./)).toBeVisible()
    await waitFor(async () => expect(await found()).toContain('CVE-2026-1003 (new)'))
    expect(await found()).toEqual(['CVE-2026-1003', 'CVE-2026-1003 (new)', 'CVE-2026-1002'])
    await router.navigate(`${path}?new=New+since+then`)
    await waitFor(async () => expect(await found()).toEqual(['CVE-2026-1003 (new)']))
    await checkAccessibility()
  })
})
