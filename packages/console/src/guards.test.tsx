import { roleBindingType, secretType } from '@slipway/kube/core-types'
import { applicationType } from '@slipway/model/supply-chain/application'
import { componentType } from '@slipway/model/supply-chain/component'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { releaseType } from '@slipway/model/supply-chain/release'
import { releasePlanAdmissionType, releasePlanType } from '@slipway/model/supply-chain/release-plan'
import { snapshotType } from '@slipway/model/supply-chain/snapshot'
import { taskRunType } from '@slipway/model/runs/task-run'
import { aComponent, anApplication, aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import { aReleasePlan, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { namespace } from '../test/cluster'
import { grantTo } from '../test/grant-to'
import { renderRoute } from '../test/render-route'
import { paths } from './paths'

const at = { namespace, application: 'checkout' }
const run = 'checkout-api-on-push-x4k2p'
const sha = 'a'.repeat(40)
const objects = [
  anApplication({ metadata: { name: 'checkout' } }),
  aComponent({ metadata: { name: 'checkout-api' } }),
  aPipelineRun({
    metadata: { name: run, labels: { [labels.commitSha]: sha } },
    status: { conditions: [condition('Succeeded', 'True')] },
  }),
  aTaskRun({ status: { conditions: [condition('Succeeded', 'True')] } }),
  aSnapshot({ metadata: { name: 'checkout-snapshot' } }),
  aReleasePlan({ metadata: { name: 'to-production' } }),
]
const binding = 'konflux-contributor-contributor-user-actions'
const taskRun = `${run}-build`

const kinds = [
  applicationType,
  componentType,
  snapshotType,
  releasePlanType,
  releasePlanAdmissionType,
  pipelineRunType,
  taskRunType,
  releaseType,
  roleBindingType,
  secretType,
]
const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']
type Right = `${string} ${string}`

/** Every permission for the kinds of these pages except one, such as `list components`. */
const allBut = (right: Right) =>
  kinds.map(({ group, plural }) => ({
    apiGroups: [group],
    resources: [plural],
    verbs: verbs.filter((verb) => `${verb} ${plural}` !== right),
  }))

/** Permissions to read some kinds, and others by name. */
const only = (read: readonly string[], others: readonly Right[] = []) =>
  kinds.flatMap(({ group, plural }) => {
    const verbs = [
      ...(read.includes(plural) ? ['get', 'list', 'watch'] : []),
      ...others.flatMap((right) => (right.endsWith(` ${plural}`) ? (right.split(' ')[0] ?? []) : [])),
    ]
    return verbs.length > 0 ? [{ apiGroups: [group], resources: [plural], verbs }] : []
  })

const forbiddenPage = () => screen.findByRole('heading', { name: "Let's get you access", level: 1 })

describe('a page without its required permission is forbidden', () => {
  it.each<[title: string, path: string, right: Right]>([
    ['ACC-11, APP-02 the list of applications', paths.applications(at), 'list applications'],
    ['the runs of all applications', paths.pipelineRuns(at), 'list pipelineruns'],
    ['ACC-11, APP-23 the components of an application', paths.components(at), 'list components'],
    ['ACC-11, CMP-22 a component', paths.component({ ...at, component: 'checkout-api' }), 'list components'],
    ['ACC-11, RUN-02 a run', paths.pipelineRun({ ...at, pipelineRun: run }), 'list pipelineruns'],
    ['ACC-11, RUN-02 a run', paths.pipelineRun({ ...at, pipelineRun: run }), 'list taskruns'],
    ['ACC-11, TASK-02 a task run', paths.taskRunDetails({ ...at, taskRun }), 'list taskruns'],
    ['ACC-11, APP-25 the snapshots of an application', paths.snapshots(at), 'list snapshots'],
    ['ACC-11, SNAP-03 a snapshot', paths.snapshot({ ...at, snapshot: 'checkout-snapshot' }), 'get snapshots'],
    ['ACC-11, SEC-02 the list of secrets', paths.secrets(at), 'list secrets'],
    ['ACC-11, PLAN-02 the list of release plans', paths.releaseArea(at), 'list releaseplans'],
    [
      'ACC-11, RPA-01 the list of release plan admissions',
      paths.releasePlanAdmissions(at),
      'list releaseplanadmissions',
    ],
    ['PLAN-19 the form that creates a release plan', paths.createReleasePlan(at), 'create releaseplans'],
    [
      'PLAN-21 the form that edits a release plan',
      paths.editReleasePlan({ ...at, releasePlan: 'to-production' }),
      'update releaseplans',
    ],
    ['ACC-11, UA-02 the list of role bindings', paths.access(at), 'list rolebindings'],
    ['TRIG-02 the form that triggers a release', paths.triggerRelease(at), 'list releases'],
    ['TRIG-02 the form that triggers a release', paths.triggerRelease(at), 'create releases'],
    ['TRIG-02 the form that triggers a release', paths.triggerRelease(at), 'list releaseplans'],
    ['UA-12 the form that grants access', paths.grantAccess(at), 'create rolebindings'],
    ['UA-14 the form that edits access', paths.editAccess({ ...at, binding }), 'update rolebindings'],
    ['NAV-40 the redirect to a run', `${paths.anyPipelineRun(at)}/${run}`, 'get pipelineruns'],
  ])('%s (%s without %s)', async (_, path, right) => {
    await renderRoute(path, { as: 'outsider', objects: [...objects, ...grantTo(...allBut(right))] })
    expect(await forbiddenPage()).toBeVisible()
  })
})

describe('a page with only its required permissions is shown', () => {
  it.each<[title: string, path: string, heading: string, read: string[], others?: Right[]]>([
    ['APP-02 the list of applications', paths.applications(at), 'Applications', ['applications']],
    ['the runs of all applications', paths.pipelineRuns(at), 'Pipeline runs', ['pipelineruns']],
    ['CMP-22 a component', paths.component({ ...at, component: 'checkout-api' }), 'checkout-api', ['components']],
    ['RUN-02 a run', paths.pipelineRun({ ...at, pipelineRun: run }), run, ['pipelineruns', 'taskruns']],
    ['TASK-02 a task run', paths.taskRunDetails({ ...at, taskRun }), taskRun, ['taskruns']],
    [
      'SNAP-03 a snapshot',
      paths.snapshot({ ...at, snapshot: 'checkout-snapshot' }),
      'checkout-snapshot',
      [],
      ['get snapshots'],
    ],
    ['SEC-02 the list of secrets', paths.secrets(at), 'Secrets', ['secrets']],
    ['PLAN-02 the list of release plans', paths.releasePlans(at), 'Releases', ['releaseplans']],
    ['RPA-01 the list of admissions', paths.releasePlanAdmissions(at), 'Releases', ['releaseplanadmissions']],
    [
      'PLAN-19 the form that creates a release plan',
      paths.createReleasePlan(at),
      'Create release plan',
      [],
      ['create releaseplans'],
    ],
    [
      'PLAN-21 the form that edits a release plan',
      paths.editReleasePlan({ ...at, releasePlan: 'to-production' }),
      'Edit release plan',
      [],
      ['update releaseplans', 'get releaseplans'],
    ],
    ['UA-02 the list of role bindings', paths.access(at), 'User access', ['rolebindings']],
    [
      'TRIG-02 the form that triggers a release',
      paths.triggerRelease(at),
      'Trigger release plan',
      [],
      ['list releases', 'create releases', 'list releaseplans'],
    ],
    ['UA-12 the form that grants access', paths.grantAccess(at), 'Grant access', [], ['create rolebindings']],
    ['NAV-40 the redirect to a run', `${paths.anyPipelineRun(at)}/${run}`, run, ['pipelineruns', 'taskruns']],
  ])('%s (%s)', async (_, path, heading, read, others) => {
    await renderRoute(path, { as: 'outsider', objects: [...objects, ...grantTo(...only(read, others))] })
    expect(await screen.findByRole('heading', { name: heading, level: 1 })).toBeVisible()
  })

  it('COM-02 a commit is shown without any permission, with the error of the cluster', async () => {
    await renderRoute(paths.commit({ ...at, commit: sha }), { as: 'outsider', objects: [...objects, ...grantTo()] })
    expect(await screen.findByRole('heading', { name: `Commit ${sha.slice(0, 7)}`, level: 1 })).toBeVisible()
    expect(
      await screen.findByText(/^pipelineruns.tekton.dev is forbidden: User "outsider@slipway.test" cannot list/),
    ).toBeVisible()
    expect(screen.queryByText("Let's get you access")).not.toBeInTheDocument()
  })
})
