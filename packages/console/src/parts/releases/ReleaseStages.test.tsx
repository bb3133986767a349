import type { Condition, KubeObject } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { Release } from '@slipway/model/releases/release'
import { aNamespace, aPipelineRun, aRelease, aRoleBinding, aTaskRun, condition } from '@slipway/model/testing'
import { aReleasePlan, aReleasePlanAdmission } from '@slipway/model/testing/tests-and-releases'
import { emailOf } from '@slipway/slipway/users'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { ended, putPod } from '../../../test/pod-logs'
import { renderElement } from '../../../test/render-element'
import { markArchived } from '../../api/archive/origin'
import { paths } from '../../paths'
import { ReleaseStages } from './ReleaseStages'

const at = { namespace, application: 'checkout', release: 'checkout-x4k2p' }
const fromRelease = '?releaseName=checkout-x4k2p'
const managed = 'release-managed'

const written = (type: string, reason: string, message = ''): Condition => ({
  ...condition(type, reason === 'Succeeded' || reason === 'Skipped' ? 'True' : 'False', reason),
  message,
})
const processed = (name: string, reason: string, message?: string) =>
  written(`${name}PipelineProcessed`, reason, message)
const skipped = ['TenantCollectors', 'ManagedCollectors', 'Tenant'].map((name) => processed(name, 'Skipped'))
const run = (place = managed) => ({
  pipelineRun: `${place}/managed-x4k2p`,
  startTime: '2026-01-31T09:00:00Z',
  completionTime: '2026-01-31T09:02:00Z',
})

const failedRelease = (place = managed): Release =>
  aRelease({
    status: {
      conditions: [
        written('Released', 'Failed'),
        written('Validated', 'Succeeded'),
        ...skipped,
        processed('Managed', 'Failed', 'Tasks Completed: 3 (Failed: 1, Cancelled 0), Skipped: 2'),
        processed('Final', 'Skipped'),
      ],
      managedProcessing: run(place),
    },
  })

const failedRun = (place: string, task: string, step: string): KubeObject[] => [
  aPipelineRun({
    metadata: { name: 'managed-x4k2p', namespace: place },
    status: {
      startTime: '2026-01-31T09:00:00Z',
      completionTime: '2026-01-31T09:02:00Z',
      conditions: [condition('Succeeded', 'False', 'Failed')],
    },
  }),
  aTaskRun({
    metadata: {
      name: 'managed-x4k2p-task',
      namespace: place,
      labels: { [labels.pipelineRun]: 'managed-x4k2p', [labels.pipelineTask]: task },
    },
    status: {
      podName: 'managed-pod',
      completionTime: '2026-01-31T09:01:00Z',
      conditions: [condition('Succeeded', 'False', 'Failed')],
      steps: [
        { name: 'report-json', container: 'step-report-json', ...ended(0) },
        { name: step, container: `step-${step}`, ...ended(1) },
      ],
    },
  }),
]
const managedNamespace = aNamespace({ metadata: { name: managed } })
const accessToManaged = aRoleBinding({
  metadata: { name: 'reader', namespace: managed },
  subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: emailOf('contributor') }],
})

const stages = () => screen.getByRole('list', { name: 'Stages' })
const stageOf = (title: string) => {
  const step = within(stages())
    .getAllByRole('listitem')
    .find((item) => within(item).queryByText(title))
  return step ?? expect.fail(`There is no stage ${title}.`)
}
async function checkAccessibility() {
  const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } })
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}

describe('the stages of a release', () => {
  it('say which one is running, and what comes next', async () => {
    const release = aRelease({
      status: {
        conditions: [
          written('Released', 'Progressing'),
          written('Validated', 'Succeeded'),
          processed('TenantCollectors', 'Progressing'),
        ],
        collectorsProcessing: { tenantCollectorsProcessing: { ...run(namespace), completionTime: undefined } },
      },
    })
    const pipeline = { pipelineRef: { resolver: 'git', params: [] } }
    const plan = aReleasePlan({
      spec: {
        tenantPipeline: pipeline,
        target: undefined,
        collectors: { items: [{ name: 'a', type: 'a', params: [] }] },
      },
    })
    await renderElement(<ReleaseStages release={release} at={at} />, { objects: [plan] })
    expect(await screen.findByText('The tenant collectors are running.')).toBeVisible()
    expect(await screen.findByText(/Next: the tenant pipeline\./)).toBeVisible()
    await waitFor(() => expect(stageOf('Managed pipeline')).toHaveTextContent('Not needed'))
    expect(stageOf('Tenant collectors')).toHaveAttribute('aria-current', 'step')
    expect(stageOf('Tenant collectors')).toHaveTextContent(/Running for /)
    await waitFor(() =>
      expect(within(stageOf('Tenant collectors')).getByRole('link', { name: 'managed-x4k2p' })).toHaveAttribute(
        'href',
        paths.pipelineRun({ ...at, pipelineRun: 'managed-x4k2p' }) + fromRelease,
      ),
    )
    await checkAccessibility()
  })

  it('show the failing line of the managed run', async () => {
    const { cluster } = await renderElement(<ReleaseStages release={failedRelease(namespace)} at={at} />, {
      objects: failedRun(namespace, 'push-snapshot', 'push'),
      prepare: (faults) =>
        faults.intercept((path) =>
          path.includes('/pods/managed-pod/log') ? new Response('fine\nerror: denied\n') : undefined,
        ),
    })
    await putPod(cluster.system, 'managed-pod', { 'step-push': { state: ended(1) } })
    expect(await screen.findByText('The managed pipeline failed in task push-snapshot, step push.')).toBeVisible()
    expect(await screen.findByText('error: denied')).toBeVisible()
    expect(screen.getByRole('link', { name: 'See logs' })).toHaveAttribute(
      'href',
      expect.stringContaining(paths.pipelineRunLogs({ ...at, pipelineRun: 'managed-x4k2p' })),
    )
    expect(stageOf('Managed pipeline')).toHaveTextContent('Failed after 2m')
    expect(stageOf('Final pipeline')).toHaveTextContent('Not reached')
    expect(screen.queryByText(/The release service reports/)).not.toBeInTheDocument()
    await checkAccessibility()
  })

  it('list the rules of the policy that are violated', async () => {
    const rule = (title: string) => ({ msg: `${title}?`, metadata: { title, solution: `Do ${title}.` } })
    const report = {
      components: [
        { name: 'api', violations: [rule('sign'), rule('pin')] },
        { name: 'web', violations: [rule('sign')] },
      ],
    }
    await renderElement(<ReleaseStages release={failedRelease(namespace)} at={at} />, {
      objects: failedRun(namespace, 'verify-conforma', 'assert'),
      prepare: (faults) =>
        faults.intercept((path) => {
          if (!path.includes('/pods/managed-pod/log')) return undefined
          return new Response(path.includes('step-report-json') ? JSON.stringify(report) : 'false\n')
        }),
    })
    expect(
      await screen.findByText('The managed pipeline failed: the snapshot violates 2 rules of the policy.'),
    ).toBeVisible()
    const rules = screen.getByRole('list', { name: 'Violated rules:' }).children
    expect(Array.from(rules, (item) => item.textContent)).toEqual([
      'signapi: sign?web: sign?To do: Do sign.',
      'pinapi: pin?To do: Do pin.',
    ])
    expect(screen.getAllByRole('link', { name: 'web' })[0]).toHaveAttribute(
      'href',
      paths.component({ ...at, component: 'web' }),
    )
    await checkAccessibility()
  })

  it('name a run that the user may not read, and say so', async () => {
    const { cluster } = await renderElement(<ReleaseStages release={failedRelease()} at={at} />, {
      objects: [managedNamespace, ...failedRun(managed, 'push-snapshot', 'push')],
    })
    expect(await screen.findByText(/^You don't have access to the namespace release-managed, where/)).toBeVisible()
    expect(screen.getByText('The managed pipeline failed.')).toBeVisible()
    expect(screen.getByText(/^The release service reports: Tasks Completed: 3/)).toBeVisible()
    expect(stageOf('Managed pipeline')).toHaveTextContent('managed-x4k2p (no access to release-managed)')
    expect(within(stages()).queryByRole('link')).not.toBeInTheDocument()
    // Permission is checked instead of provoking a 403.
    expect(cluster.calls.filter(({ path }) => path.includes(`${managed}/pipelineruns`))).toEqual([])
    await checkAccessibility()
  })

  it('link to a run in another namespace that the user may read', async () => {
    await renderElement(<ReleaseStages release={failedRelease()} at={at} />, {
      as: 'contributor',
      objects: [managedNamespace, accessToManaged, ...failedRun(managed, 'push-snapshot', 'push')],
    })
    expect(await screen.findByText('The managed pipeline failed in task push-snapshot, step push.')).toBeVisible()
    expect(within(stages()).getByRole('link', { name: 'managed-x4k2p' })).toHaveAttribute(
      'href',
      paths.pipelineRun({ namespace: managed, application: 'checkout', pipelineRun: 'managed-x4k2p' }) + fromRelease,
    )
  })

  it('do without a run that has been deleted', async () => {
    await renderElement(<ReleaseStages release={failedRelease(namespace)} at={at} />)
    expect(await screen.findByText('The pipeline run managed-x4k2p has been deleted from team-payments.')).toBeVisible()
    expect(screen.getByText(/^The release service reports: Tasks Completed: 3/)).toBeVisible()
  })

  it('do without a run that cannot be read', async () => {
    await renderElement(<ReleaseStages release={failedRelease(namespace)} at={at} />, {
      prepare: (faults) =>
        faults.intercept((path) =>
          path.includes('/pipelineruns/') ? Response.json({ message: 'broken' }, { status: 400 }) : undefined,
        ),
    })
    expect(await screen.findByText(/^The pipeline run managed-x4k2p could not be read: broken\./)).toBeVisible()
  })

  it('say why a release is not valid, and whom to ask', async () => {
    const message = "found ReleasePlanAdmission 'prod' with block-releases label set to true"
    const release = aRelease({
      status: { conditions: [written('Released', 'Failed'), written('Validated', 'Failed', message)] },
    })
    const plan = aReleasePlan({ status: { releasePlanAdmission: { name: `${managed}/prod`, active: false } } })
    await renderElement(<ReleaseStages release={release} at={at} />, { objects: [plan] })
    expect(
      await screen.findByText(
        'The release is not valid: the admission prod blocks all releases by its label block-releases.',
      ),
    ).toBeVisible()
    expect(screen.getByText(/Ask the owners of the target namespace to set the label to false/)).toBeVisible()
    expect(screen.getByText(`The release service reports: ${message}`)).toBeVisible()
    await checkAccessibility()
  })

  it('know from an admission that the user may read whether there is a managed pipeline', async () => {
    const release = aRelease({ status: { conditions: [written('Released', 'Progressing')] } })
    const name = `${managed}/checkout-to-production`
    await renderElement(<ReleaseStages release={release} at={at} />, {
      as: 'contributor',
      objects: [
        managedNamespace,
        accessToManaged,
        aReleasePlan({ status: { releasePlanAdmission: { name, active: true } } }),
        aReleasePlanAdmission({ metadata: { namespace: managed } }),
      ],
    })
    expect(await screen.findByText(/Next: the managed pipeline\.$/)).toBeVisible()
    expect(stageOf('Managed collectors')).toHaveTextContent('Not needed')
  })

  it('of a release that was deleted before it ended are unknown', async () => {
    const release = aRelease({
      status: {
        conditions: [
          written('Released', 'Progressing'),
          written('Validated', 'Succeeded'),
          processed('Tenant', 'Progressing'),
        ],
      },
    })
    await renderElement(<ReleaseStages release={markArchived(release)} at={at} />)
    expect(await screen.findByText('The outcome of this release is unknown.')).toBeVisible()
    expect(stageOf('Validation')).toHaveTextContent('Succeeded')
    expect(stageOf('Tenant pipeline')).toHaveTextContent('Unknown')
    expect(stageOf('Final pipeline')).toHaveTextContent('Unknown')
  })
})
