import { nameOf } from '@slipway/kube/object'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { aComponent, anApplication, aPipelineRun, aRelease, aTaskRun, condition } from '@slipway/model/testing'
import { anIntegrationTestScenario, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const sha = 'faef902212a6c7cd3c6a79fa778410972259ef03'
const at = { namespace, application: 'checkout' }
const reporting = (result: string) => [{ name: 'TEST_OUTPUT', value: JSON.stringify({ result, failures: 4 }) }]
const succeeded = [condition('Succeeded', 'True')]

const build = aPipelineRun({
  metadata: {
    name: 'build-1',
    labels: { [labels.commitSha]: sha, [labels.eventType]: 'push', [labels.snapshot]: 'checkout-1' },
    annotations: { [annotations.pacShaTitle]: 'Add a checkout' },
  },
  status: { startTime: '2026-01-31T09:01:00Z', completionTime: '2026-01-31T09:01:30Z', conditions: succeeded },
})
const test = aPipelineRun({
  metadata: {
    name: 'e2e-1',
    labels: {
      [copiedPacKey(labels.commitSha)]: sha,
      [labels.eventType]: 'push',
      [labels.pipelineType]: 'test',
      [labels.scenario]: 'e2e',
      [labels.snapshot]: 'checkout-1',
    },
  },
  spec: { pipelineSpec: { tasks: [{ name: 'run' }] } },
  status: { startTime: '2026-01-31T09:02:00Z', completionTime: '2026-01-31T09:02:30Z', conditions: succeeded },
})
const taskOf = (run: PipelineRun, task: string, result: string) =>
  aTaskRun({
    metadata: {
      name: `${nameOf(run)}-${task}`,
      labels: { [labels.pipelineRun]: nameOf(run), [labels.pipelineTask]: task },
    },
    status: { startTime: run.status?.startTime, conditions: succeeded, results: reporting(result) },
  })
const withStatus = (run: PipelineRun, status: PipelineRun['status']) => ({
  ...run,
  status: { ...run.status, ...status },
})
const around = [
  anApplication(),
  aComponent(),
  aSnapshot({ metadata: { name: 'checkout-1' } }),
  anIntegrationTestScenario({ metadata: { name: 'e2e' } }),
]

/** The words of the statuses of runs on the screen that are not plain success. A delivery has an outcome of its own. */
const concerns = () =>
  [...document.querySelectorAll('.slipway-status:not(.slipway-delivery__heading *)')]
    .flatMap(({ textContent }) => (textContent === 'Succeeded' ? [] : textContent))
    .sort()
/** How many are plain success. */
const successes = () =>
  screen.queryAllByText('Succeeded').filter(({ textContent }) => textContent === 'Succeeded').length
const full = 'Succeeded (Test Failures)'
const ofTask = 'Test Failures'
const ofSnapshot = 'Unknown'

const pages: [string, string, string[]][] = [
  ['the runs of a namespace', paths.pipelineRuns(at), [full]],
  ['the runs of an application', paths.activityTab({ ...at, activityTab: 'pipelineruns' }), [full]],
  ['the runs of a snapshot', paths.snapshotPipelineRuns({ ...at, snapshot: 'checkout-1' }), [full, ofSnapshot]],
  // The header, the details and its task.
  ['the page of the run', paths.pipelineRun({ ...at, pipelineRun: 'e2e-1' }), [full, full, ofTask]],
  ['the tasks of the run', paths.pipelineRunTaskRuns({ ...at, pipelineRun: 'e2e-1' }), [full, ofTask]],
  ['the logs of the run', paths.pipelineRunLogs({ ...at, pipelineRun: 'e2e-1' }), [full, ofTask]],
  ['the runs of the commit', paths.commitPipelineRuns({ ...at, commit: sha }), [full, full]],
  ['the commits of an application', paths.activityTab({ ...at, activityTab: 'latest-commits' }), [full]],
  ['the page of the commit, its graph included', paths.commit({ ...at, commit: sha }), [full, full, full]],
  ['the page of the commit, its list', `${paths.commit({ ...at, commit: sha })}?view=list`, [full, full, full]],
  ['the tests of a snapshot', paths.snapshot({ ...at, snapshot: 'checkout-1' }), [full, ofSnapshot]],
  ['the integration tests', paths.integrationTests(at), [full]],
  ['the integration test', paths.integrationTest({ ...at, integrationTest: 'e2e' }), [full]],
  ['the runs of the integration test', paths.integrationTestPipelineRuns({ ...at, integrationTest: 'e2e' }), [full]],
  ['the collapsed workflow', `${paths.application(at)}?workflow=collapsed`, [ofTask]],
  ['the workflow', paths.application(at), [full]],
  ['the workflow, its list', `${paths.application(at)}?view=list`, [full]],
]

describe.each<[string, PipelineRun, TaskRun[]]>([
  ['the run itself reports', withStatus(test, { results: reporting('FAILURE') }), [taskOf(test, 'run', 'FAILURE')]],
  ['only its task reports', test, [taskOf(test, 'run', 'FAILURE')]],
  [
    'only a task before the last reports',
    withStatus(test, { results: reporting('SUCCESS') }),
    [taskOf(test, 'run', 'FAILURE'), taskOf(test, 'clean-up', 'SUCCESS')],
  ],
])('failed tests that %s', (_, run, tasks) => {
  const objects = [...around, build, run, ...tasks]
  it.each(pages)('STAT-01, STAT-44, STAT-60 are seen on %s', async (_, path, expected) => {
    await renderRoute(path, { objects })
    await waitFor(() => expect(concerns()).toEqual([...expected].sort()))
    // In no other place is the run, or its commit, plainly successful: only the build and a task are.
    expect(successes()).toBeLessThan(3)
  })
})

it.each<[string, string, string[]]>([
  ['the runs of an application', paths.activityTab({ ...at, activityTab: 'pipelineruns' }), [full]],
  ['the page of the run', paths.pipelineRun({ ...at, pipelineRun: 'build-1' }), [full, full, ofTask]],
  ['the commits of an application', paths.activityTab({ ...at, activityTab: 'latest-commits' }), [full]],
  ['the page of the commit', paths.commit({ ...at, commit: sha }), [full, full, full]],
  ['the components', paths.components(at), [full]],
  ['the component', paths.component({ ...at, component: 'checkout-api' }), [full]],
  ['the workflow', paths.application(at), [full, 'Idle']],
])('STAT-01, STAT-44, STAT-60 a failed check of a build that succeeded is seen on %s', async (_, path, expected) => {
  const checks = [taskOf(build, 'sast', 'FAILURE'), taskOf(build, 'lint', 'WARNING')]
  await renderRoute(path, { objects: [...around, build, ...checks] })
  await waitFor(() => expect(concerns()).toEqual(expect.arrayContaining(expected)))
})

it.each<[string, PipelineRun[], string]>([
  [
    'a build',
    [withStatus(build, { conditions: [condition('Succeeded', 'False', 'Failed')] }), test],
    'Succeeded (Build Failed)',
  ],
  [
    'a required test',
    [
      withStatus(test, { conditions: [condition('Succeeded', 'False', 'Failed')] }),
      withStatus(build, { startTime: '2026-01-31T09:05:00Z' }),
    ],
    'Succeeded (Test Failed)',
  ],
])(
  'STAT-44 a commit whose newest run succeeded says that %s has failed and still counts',
  async (_, runs, expected) => {
    await renderRoute(paths.activityTab({ ...at, activityTab: 'latest-commits' }), { objects: [...around, ...runs] })
    await waitFor(() => expect(concerns()).toEqual([expected]))
  },
)

const releaseFailed = 'Succeeded (Release Failed)'
it.each<[string, string, string[]]>([
  ['the list of commits', paths.activityTab({ ...at, activityTab: 'latest-commits' }), [releaseFailed]],
  // The release itself is in the graph.
  ['the page of the commit', paths.commit({ ...at, commit: sha }), ['Failed', releaseFailed, releaseFailed]],
])('STAT-44 a commit whose release failed in a managed namespace says so in %s', async (_, path, expected) => {
  const release = aRelease({
    metadata: { name: 'checkout-1-prod', labels: { [labels.application]: 'checkout' } },
    spec: { releasePlan: 'prod', snapshot: 'checkout-1' },
    status: { conditions: [condition('Released', 'False', 'Failed')] },
  })
  await renderRoute(path, { objects: [...around, build, test, release] })
  await waitFor(() => expect(concerns()).toEqual(expected))
})

it('the results of the tasks of many runs are read together', async () => {
  const runs = Array.from({ length: 40 }, (_, index) => ({
    ...test,
    metadata: { ...test.metadata, name: `e2e-${index}`, uid: `e2e-${index}` },
  }))
  const { cluster } = await renderRoute(paths.pipelineRuns(at), {
    objects: [...around, ...runs, ...runs.map((run) => taskOf(run, 'run', 'FAILURE'))],
  })
  await waitFor(() => expect(concerns().length).toBeGreaterThan(10))
  await waitFor(() => expect(new Set(concerns())).toEqual(new Set([full])))
  const lists = cluster.calls.filter(({ method, path }) => method === 'GET' && path.includes('/taskruns?'))
  expect(lists.length).toBeLessThanOrEqual(2)
})
