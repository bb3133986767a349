import { type Role, roleType } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { clusterRoleName } from '@slipway/model/access/roles/user-actions'
import { aComponent, aNamespace, anApplication, aRelease, aRoleBinding, condition } from '@slipway/model/testing'
import { aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { emailOf } from '@slipway/slipway/users'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
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
import { componentsWith } from '../../parts/security/vulnerability-links'

const other = 'team-search'
const hidden = 'team-secret'

/** A namespace in which the user admin has a role. */
const space = (name: string, roleRef: { kind?: 'Role'; name: string }): KubeObject[] => [
  aNamespace({ metadata: { name } }),
  aRoleBinding({
    metadata: { name: 'member', namespace: name },
    roleRef,
    subjects: [{ kind: 'User', apiGroup: roleType.group, name: emailOf('admin') }],
  }),
]
const seen: Role = {
  apiVersion: `${roleType.group}/${roleType.version}`,
  kind: roleType.kind,
  metadata: { name: 'visitor', namespace: hidden },
  rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get'] }],
}
/** The user can see that it exists, and nothing else of it. */
const hiddenSpace = [...space(hidden, { kind: 'Role', name: 'visitor' }), seen]

const component = (name: string, of = namespace) =>
  aComponent({ metadata: { name, namespace: of }, spec: { application, componentName: name } })

const objects = [
  anApplication({ metadata: { name: application } }),
  ...space(other, { name: clusterRoleName('admin') }),
  anApplication({ metadata: { name: application, namespace: other } }),
  component('api'),
  component('web'),
  component('idle'),
  component('index', other),
  ...aScannedBuild('api-old', { day: 1 }),
  ...aScannedBuild('api-new', { day: 3 }),
  ...aScannedBuild('web-new', { day: 2, component: 'web' }),
  ...aScannedBuild('index-new', { day: 4, component: 'index', namespace: other }),
]
const logs: ScanLogs = {
  'api-old': [entry('CVE-2026-1001')],
  'api-new': [entry('CVE-2026-1001'), entry('CVE-2026-1002', 'CRITICAL', '')],
  'web-new': [entry('CVE-2026-1003', 'LOW')],
  'index-new': [entry('CVE-2026-1001', 'CRITICAL')],
}

const scene = (path: string, own: KubeObject[] = objects, ownLogs: ScanLogs = logs) =>
  renderRoute(path, { objects: own, prepare: withScanLogs(ownLogs) })

const rowsOf = (table: string) =>
  within(screen.getByRole('table', { name: table }))
    .getAllByRole('rowheader')
    .map((header) => header.closest('tr')?.textContent)

const progress = 'Looked at 3 of 4 components in 2 of 2 namespaces. No scan is known of idle in team-payments.'

/** Colours are checked in a browser. */
async function checkAccessibility() {
  const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } })
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}

describe('the vulnerabilities of all namespaces', () => {
  it('count the components that have each of them in their newest build, what can be fixed first', async () => {
    const { user } = await scene(paths.allVulnerabilities())
    expect(await screen.findByText(progress)).toBeVisible()
    await waitFor(() =>
      expect(rowsOf('Vulnerabilities')).toEqual([
        'CVE-2026-1001Criticalzlib22team-payments, team-search',
        'CVE-2026-1003Lowzlib11team-payments',
        'CVE-2026-1002Criticalzlib10team-payments',
      ]),
    )
    await checkAccessibility()
    await user.click(screen.getByRole('link', { name: 'CVE-2026-1001' }))
    expect(await screen.findByRole('heading', { name: 'Components with CVE-2026-1001', level: 1 })).toBeVisible()
  })

  it('are looked at in the last used namespace first, and in some at a time', async () => {
    const many = Array.from({ length: 45 }, (_, at) => component(`part-${String(at).padStart(2, '0')}`))
    const { user } = await scene(componentsWith('CVE-2026-1001'), [...objects, ...many])
    // Two batches of 20 components of the first namespace have been looked at.
    const more = await screen.findByRole('button', { name: 'Continue with other components' })
    expect(screen.getByText(/^Looked at 1 of 49 components in 1 of 2 namespaces\./)).toBeVisible()
    expect(rowsOf('Components')).toEqual([expect.stringMatching(/^apiteam-payments/)])
    await user.click(more)
    await waitFor(() => expect(rowsOf('Components')).toHaveLength(2))
    expect(screen.getByText(/^Looked at 3 of 49 components in 2 of 2 namespaces\./)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Continue with other components' })).not.toBeInTheDocument()
  })
})

describe('the components with a CVE', () => {
  const released = [
    aSnapshot({
      metadata: { name: 'first', labels: { [labels.application]: application } },
      spec: {
        application,
        components: [
          {
            name: 'api',
            containerImage: `quay.io/team/api@${digest('1')}`,
            source: { git: { url: 'https://github.com/team/api', revision: sha('1') } },
          },
        ],
      },
    }),
    aRelease({
      metadata: { name: 'released', labels: { [labels.application]: application } },
      spec: { snapshot: 'first' },
      status: { completionTime: '2026-01-02T12:00:00Z', conditions: [condition('Released', 'True', 'Succeeded')] },
    }),
  ]

  it('are those of all namespaces, with their versions, since when, and whether it was released', async () => {
    const { user } = await scene(componentsWith('cve-2026-1001'), [...objects, ...released])
    await waitFor(() =>
      expect(rowsOf('Components')).toEqual([
        expect.stringMatching(/^indexteam-searchCriticalzlib1\.02\.0-No release is known/),
        expect.stringMatching(/^apiteam-paymentsHighzlib1\.02\.0-Yes, in first/),
      ]),
    )
    expect(screen.getByText(progress)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Details of api' }))
    const details = within(screen.getByLabelText('CVE-2026-1001 in api'))
    expect(await details.findByText(/^before/)).toBeVisible()
    expect(details.getByRole('link', { name: 'api-new' })).toBeVisible()
    await checkAccessibility()
  })

  it('are not all known if a report or a namespace cannot be read', async () => {
    await scene(componentsWith('CVE-2026-1003'), [...objects, ...hiddenSpace], { ...logs, 'web-new': 'panic' })
    expect(await screen.findByText(/^Looked at 2 of 4 components in 2 of 2 namespaces\./)).toBeVisible()
    expect(await screen.findByText(/what the scan of web-new found: Its log has no report\./)).toBeVisible()
    expect(screen.getByText(new RegExp(`namespace ${hidden}:`))).toBeVisible()
    expect(screen.queryByText(/none found/)).not.toBeInTheDocument()
  })

  it('are none only if all of them were looked at', async () => {
    const all = objects.filter(({ metadata }) => metadata.name !== 'idle')
    const { router } = await scene(componentsWith('CVE-2026-9999'), all)
    expect(await screen.findByText('The scans of 3 components were read, and none found CVE-2026-9999.')).toBeVisible()
    await router.navigate(paths.overview())
  })

  it('may be others than those that were looked at', async () => {
    await scene(componentsWith('CVE-2026-9999'))
    expect(await screen.findByText(/It is not known whether others have it\./)).toBeVisible()
  })
})

it('the vulnerabilities of a namespace lead to those of all', async () => {
  const { user } = await scene(paths.vulnerabilities({ namespace }))
  await user.click(await screen.findByRole('link', { name: 'View all namespaces' }))
  expect(await screen.findByRole('heading', { name: 'Vulnerabilities in all namespaces', level: 1 })).toBeVisible()
})
