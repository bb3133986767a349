import { type Event, eventType, type Pod, type PolicyRule } from '@slipway/kube/core-types'
import type { Condition, KubeObject } from '@slipway/kube/object'
import { userRoles } from '@slipway/model/access/roles/user-actions'
import { customRunType } from '@slipway/model/runs/custom-run'
import { annotations, labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { TaskRun } from '@slipway/model/runs/task-run'
import {
  aComponent,
  anApplication,
  aPipelineRun,
  aPod,
  aRelease,
  aTaskRun,
  condition,
  type Overrides,
} from '@slipway/model/testing'
import { konfluxRules } from '@slipway/model/testing/konflux-roles'
import { aReleasePlan, anIntegrationTestScenario, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { namespace } from '../test/cluster'
import { grantTo } from '../test/grant-to'
import { renderRoute } from '../test/render-route'
import { aRun, name as build, page as buildPage, params, started } from '../test/run-page'
import { paths } from './paths'

/**
 * What the console says about why something waits or has failed, to users with the roles of Konflux, none of which
 * includes events. The conclusion must be the same if anything else shows the reason. If only events do, the page must
 * say that they may not be read, and never that there are none.
 */

const events: PolicyRule = { apiGroups: [''], resources: ['events'], verbs: ['get', 'list', 'watch'] }

const noEvents = `Events may say why, but your role does not let you read them in ${namespace}.`
const at = { namespace, application: 'checkout' }
const pod = `${build}-build-pod`
const application = anApplication()
const component = aComponent()

const unfinished = (reason: string, message = ''): Condition => ({
  ...condition('Succeeded', 'Unknown', reason),
  message,
})
const task = (reason: string, more: TaskRun['status'] = {}) =>
  aTaskRun({
    metadata: { name: `${build}-build` },
    status: { podName: pod, startTime: started, conditions: [unfinished(reason)], ...more },
  })
const container = (reason: string, message: string) => ({
  containerStatuses: [
    {
      name: 'step-build',
      image: '',
      imageID: '',
      ready: false,
      restartCount: 0,
      state: { waiting: { reason, message } },
    },
  ],
})
const aTaskPod = (status: Pod['status']) => aPod({ metadata: { name: pod }, status: { phase: 'Pending', ...status } })
const preparing = aTaskPod(container('ContainerCreating', ''))
const full: Condition = {
  ...condition('PodScheduled', 'False', 'Unschedulable'),
  message: '0/5 nodes are available: 5 Insufficient memory.',
}

const eventOf = (kind: string, name: string, reason: string, message: string): Event => ({
  apiVersion: 'v1',
  kind: eventType.kind,
  metadata: { name: `${name}.${reason.toLowerCase()}`, namespace },
  involvedObject: { kind, name, namespace },
  type: 'Warning',
  reason,
  message,
  lastTimestamp: started,
})
const mount = eventOf('Pod', pod, 'FailedMount', 'MountVolume.SetUp failed: secret "git" not found')
const volume = 'A volume of its pod cannot be mounted.'

const testRun = (over: Overrides<PipelineRun>) =>
  aPipelineRun({
    ...over,
    metadata: {
      name: 'e2e-1',
      labels: { [labels.pipelineType]: 'test', [labels.scenario]: 'e2e', [labels.snapshot]: 'shop-1' },
    },
  })
const snapshot = aSnapshot({
  metadata: {
    name: 'shop-1',
    annotations: {
      [annotations.testStatus]: JSON.stringify([
        { scenario: 'e2e', status: 'Pending', testPipelineRunName: 'e2e-1', details: 'Pending' },
      ]),
    },
  },
})
const testOf = (run: PipelineRun): KubeObject[] => [
  application,
  snapshot,
  anIntegrationTestScenario({ metadata: { name: 'e2e' } }),
  run,
]
const release = aRelease({
  status: {
    conditions: [
      condition('Released', 'False', 'Progressing'),
      condition('Validated', 'True', 'Succeeded'),
      condition('ManagedPipelineProcessed', 'False', 'Progressing'),
    ],
    managedProcessing: { pipelineRun: `${namespace}/${build}`, startTime: started },
  },
})
const exited = { name: 'build', container: 'step-build', terminated: { exitCode: 137, reason: 'OOMKilled' } }
const failedTask = aTaskRun({
  status: {
    conditions: [{ ...condition('Succeeded', 'False', 'Failed'), message: '"step-build" exited with code 137' }],
    steps: [exited],
    completionTime: started,
  },
})
const failed = { completionTime: started, conditions: [condition('Succeeded', 'False', 'Failed')] }

interface Explanation {
  path: string
  objects: KubeObject[]
  /** Name of a button that opens it. */
  button?: string
  /** Texts that both users see. */
  both?: (string | RegExp)[]
  /** Texts that only one of them sees. */
  withEvents?: (string | RegExp)[]
  withoutEvents?: (string | RegExp)[]
}

const runPage = (objects: KubeObject[], texts: Omit<Explanation, 'path' | 'objects'>): Explanation => ({
  path: buildPage,
  objects: [application, component, ...objects],
  ...texts,
})

const explanations: [title: string, Explanation][] = [
  [
    'a run whose pod cannot mount a volume, which only an event says',
    runPage([aRun(), task('Pending'), preparing, mount], {
      both: ['Task build is waiting', /^Since/],
      withEvents: [volume, /MountVolume\.SetUp failed/],
      withoutEvents: [`Its pod is being prepared. ${noEvents}`],
    }),
  ],
  [
    'a run whose pod has no node, as the pod says too',
    runPage(
      [
        aRun(),
        task('Pending'),
        aTaskPod({ conditions: [full] }),
        eventOf('Pod', pod, 'FailedScheduling', '0/5 nodes are available: 5 Insufficient memory.'),
      ],
      { both: ['No node of the cluster has room for it. It starts when one has.', 'Unschedulable'] },
    ),
  ],
  [
    'a run whose image cannot be pulled, as the container says too',
    runPage(
      [
        aRun(),
        task('Pending'),
        aTaskPod(container('ImagePullBackOff', 'Back-off pulling image "x"')),
        eventOf('Pod', pod, 'Failed', 'Failed to pull image "x"'),
      ],
      { both: ['An image that it needs cannot be pulled.', /Back-off pulling image/] },
    ),
  ],
  [
    'a run without quota, as the condition of its task says too',
    runPage([aRun(), task('ExceededResourceQuota', { podName: '' })], {
      both: ['The quota of this namespace is used up. It starts when other work ends.'],
    }),
  ],
  [
    'a run that the pipeline controller has not picked up',
    runPage([aRun({ status: { startTime: undefined, conditions: [] } })], {
      both: [/^Not picked up yet/],
      withoutEvents: [`Not picked up yet: the pipeline controller has not reported anything. ${noEvents}`],
    }),
  ],
  [
    'a run without tasks',
    runPage([aRun()], {
      both: [/^Its first tasks have not been created yet/],
      withoutEvents: [`Its first tasks have not been created yet. ${noEvents}`],
    }),
  ],
  [
    'a run on hold',
    runPage([aRun({ spec: { status: 'PipelineRunPending' }, status: { startTime: undefined, conditions: [] } })], {
      both: ['It is on hold, for example in a build queue, and starts when it is released.'],
    }),
  ],
  [
    'a run whose custom task may not be read',
    runPage(
      [
        aRun({
          status: {
            childReferences: [{ kind: customRunType.kind, name: `${build}-approve`, pipelineTaskName: 'approve' }],
          },
        }),
      ],
      {
        both: [
          'No other task is running, so it probably waits for approve, of which the state is not known. ' +
            `Custom runs may say why, but your role does not let you read them in ${namespace}.`,
          /You need permission to list customruns\.tekton\.dev\. The graph shows the tasks that the pipeline defines/,
        ],
      },
    ),
  ],
  [
    'a failed run',
    runPage([aRun({ status: failed }), failedTask], {
      both: ['Task build failed in step build (exit code 137, OOMKilled)', '"step-build" exited with code 137'],
    }),
  ],
  [
    'a failed task run',
    {
      path: paths.taskRunDetails({ ...at, taskRun: failedTask.metadata.name ?? '' }),
      objects: [application, aRun({ status: failed }), failedTask],
      both: ['Failure - check logs for details. "step-build" exited with code 137'],
    },
  ],
  [
    'the log of a task whose pod is being prepared',
    {
      path: paths.pipelineRunLogs(params),
      objects: [application, aRun(), task('Pending'), preparing, mount],
      both: ['Waiting'],
    },
  ],
  [
    'the log of a task without a pod',
    {
      path: paths.pipelineRunLogs(params),
      objects: [application, aRun(), task('ExceededResourceQuota', { podName: '' })],
      both: ['Waiting on task to start.'],
    },
  ],
  [
    'a test of a snapshot that the pipeline controller has not picked up',
    {
      path: paths.snapshot({ ...at, snapshot: 'shop-1' }),
      objects: testOf(testRun({ status: { conditions: [] } })),
      both: [/e2e has not started: not picked up yet: the pipeline controller has not reported anything\.$/],
      withoutEvents: [`Not picked up yet: the pipeline controller has not reported anything. ${noEvents}`],
    },
  ],
  [
    'a test of a snapshot that is on hold',
    {
      path: paths.snapshot({ ...at, snapshot: 'shop-1' }),
      objects: testOf(
        testRun({
          spec: { status: 'PipelineRunPending' },
          status: { conditions: [unfinished('PipelineRunPending', 'is pending')] },
        }),
      ),
      both: [
        'It is on hold, for example in a build queue, and starts when it is released.',
        /e2e has not started: it is/,
      ],
    },
  ],
  [
    'a release whose run cannot mount a volume, which only an event says',
    {
      path: paths.release({ ...at, release: release.metadata.name ?? '' }),
      objects: [
        application,
        release,
        aReleasePlan({ metadata: { name: 'checkout-to-production' } }),
        aRun(),
        task('Pending'),
        preparing,
        mount,
      ],
      both: ['The managed pipeline is waiting in task build.'],
      withEvents: [volume],
      withoutEvents: [`Its pod is being prepared. ${noEvents}`],
    },
  ],
  [
    'why a commit was not built',
    {
      path: paths.component({ ...at, component: 'checkout-api' }),
      objects: [
        application,
        component,
        aPipelineRun({
          metadata: {
            labels: { [labels.eventType]: 'push' },
            annotations: {
              'pipelinesascode.tekton.dev/on-cel-expression': 'event == "push" && target_branch == "release"',
              [labels.originalPipelineRunName]: 'api-on-push',
            },
          },
          status: failed,
        }),
      ],
      button: 'Why was it not built?',
      both: ['target_branch == "release"', /target_branch is "main"/],
    },
  ],
  [
    'why a snapshot is not released',
    {
      path: paths.snapshot({ ...at, snapshot: 'shop-1' }),
      objects: [
        application,
        snapshot,
        aReleasePlan({ status: { releasePlanAdmission: { name: 'managed/prod', active: false } } }),
      ],
      both: [/The admission managed\/prod blocks all releases/],
    },
  ],
]

/** Opens a page as a user with the given rights alone. Returns what the cluster has denied, but for reviews. */
async function open({ path, objects }: Pick<Explanation, 'path' | 'objects'>, rules: PolicyRule[]) {
  Element.prototype.scrollTo ??= () => undefined
  const denied: string[] = []
  const view = await renderRoute(path, {
    as: 'outsider',
    objects: [...grantTo(...rules), ...objects],
    prepare: (faults) =>
      faults.intercept(async (at, init) => {
        const response = await faults.pass(at, init)
        if (response.status === 403) denied.push(at)
        return response
      }),
  })
  const requested = () => view.cluster.calls.filter(({ path }) => /\/events\?/.test(path)).map(({ path }) => path)
  return { ...view, denied, requested }
}

const see = async (texts: (string | RegExp)[] = []) => {
  for (const text of texts) expect((await screen.findAllByText(text))[0]).toBeVisible()
}
const openExplanation = async ({ user }: Pick<Awaited<ReturnType<typeof open>>, 'user'>, button?: string) => {
  if (button) await user.click(await screen.findByRole('button', { name: button }))
}
const alertsInRed = () => document.querySelectorAll('.pf-m-danger').length

describe('the console', () => {
  it.each(explanations)('explains %s, and without the right to events says what they may add', async (_, page) => {
    const first = await open(page, [...konfluxRules.viewer, events])
    await openExplanation(first, page.button)
    await see([...(page.both ?? []), ...(page.withEvents ?? [])])
    expect(screen.queryByText(noEvents, { exact: false })).not.toBeInTheDocument()
    const red = alertsInRed()
    first.unmount()

    const second = await open(page, konfluxRules.viewer)
    await openExplanation(second, page.button)
    await see([...(page.both ?? []), ...(page.withoutEvents ?? [])])
    if (!page.withoutEvents?.length) expect(screen.queryByText(noEvents, { exact: false })).not.toBeInTheDocument()
    expect(screen.queryByText(/No events/)).not.toBeInTheDocument()
    expect(alertsInRed()).toBe(red)
    expect(second.requested()).toEqual([])
    expect(second.denied).toEqual([])
  })

  it.each(userRoles)('explains a waiting run to users with the role %s of Konflux', async (role) => {
    const objects = [application, component, aRun(), task('Pending'), preparing, mount]
    const { denied } = await open({ path: buildPage, objects }, konfluxRules[role])
    await see([`Its pod is being prepared. ${noEvents}`])
    expect(denied).toEqual([])
  })

  it('says of a waiting run that its pod and the events could not be read, and why', async () => {
    await renderRoute(buildPage, {
      as: 'outsider',
      objects: [...grantTo(...konfluxRules.viewer, events), application, component, aRun(), task('Pending')],
      prepare: (faults) =>
        faults.intercept((path) =>
          /\/(events|pods)\b/.test(path) ? Response.json({ message: 'no such field' }, { status: 422 }) : undefined,
        ),
    })
    await see([
      'Its pod is being prepared. Pods may say why, but they could not be read: no such field. ' +
        'Events may say why, but they could not be read: no such field.',
    ])
  })
})

describe('the events', () => {
  const scenario = anIntegrationTestScenario({ metadata: { name: 'e2e' } })
  it.each<[string, string, KubeObject[], string, string]>([
    ['pipeline run', buildPage, [aRun()], 'PipelineRun', build],
    [
      'task run',
      paths.taskRunDetails({ ...at, taskRun: `${build}-build` }),
      [task('Pending')],
      'TaskRun',
      `${build}-build`,
    ],
    ['component', paths.component({ ...at, component: 'checkout-api' }), [], 'Component', 'checkout-api'],
    ['snapshot', paths.snapshot({ ...at, snapshot: 'shop-1' }), [snapshot], 'Snapshot', 'shop-1'],
    [
      'integration test',
      paths.integrationTest({ ...at, integrationTest: 'e2e' }),
      [scenario],
      'IntegrationTestScenario',
      'e2e',
    ],
    ['release', paths.release({ ...at, release: 'checkout-x4k2p' }), [release], 'Release', 'checkout-x4k2p'],
  ])('of a %s are listed, or never requested without the right', async (_, path, own, kind, name) => {
    const objects = [application, component, ...own, eventOf(kind, name, 'Odd', 'something odd')]
    const toggle = () => screen.findByRole('button', { name: 'Events' })
    const first = await open({ path, objects }, [...konfluxRules.viewer, events])
    await first.user.click(await toggle())
    expect(await screen.findByRole('table', { name: 'Events' })).toHaveTextContent(/something odd/)
    first.unmount()

    const { user, denied, requested } = await open({ path, objects }, konfluxRules.viewer)
    await user.click(await toggle())
    await see(['Restricted Access', 'You need permission to list events.'])
    expect(screen.queryByText(/No events/)).not.toBeInTheDocument()
    expect(requested()).toEqual([])
    expect(denied).toEqual([])
  })
})
