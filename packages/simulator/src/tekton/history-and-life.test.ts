import type { Pod } from '@slipway/kube/core-types'
import { customRunType, type CustomRun } from '@slipway/model/runs/custom-run'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { afterEach, expect, it } from 'vitest'
import { aRun, aTask, runName, startRun } from '../../test/runs'
import { catalogRun, worldOf } from '../../test/tekton'
import { finishedPipelineRun } from './history'
import type { Outcome } from './outcome'

let close = async () => {}
afterEach(() => close())

/** Without what only a server gives: uids, the QoS class, and defaults in the specs of pods. */
const comparable = ({ metadata, spec, status }: PipelineRun | TaskRun | CustomRun | Pod) => ({
  name: metadata.name,
  creationTimestamp: metadata.creationTimestamp,
  labels: { ...metadata.labels, 'tekton.dev/pipelineRunUID': '', 'tekton.dev/taskRunUID': '' },
  annotations: metadata.annotations,
  ...(!('containers' in spec) && { spec }),
  status: { ...status, qosClass: undefined },
})
const byName = (objects: (TaskRun | CustomRun | Pod)[]) =>
  Object.fromEntries(objects.map((object) => [object.metadata.name, comparable(object)]))

/** The world in which this run was lived, until well after its end, and the same run made up. */
async function liveAndPast(run: PipelineRun) {
  const { world, runs } = await startRun(run)
  close = () => world.close()
  const startMs = Date.parse((await runs.run()).metadata.creationTimestamp ?? '')
  return { world, runs, past: finishedPipelineRun({ run, startMs, world: worldOf() }) }
}
type Both = Awaited<ReturnType<typeof liveAndPast>>

const textOf = ({ lines }: Both['past']['logs'][number]) => [...lines()].map(({ text }) => `${text}\n`).join('')

async function expectSame({ world, runs, past }: Both) {
  expect(comparable(await runs.run())).toEqual(comparable(past.pipelineRun))
  expect(byName(Object.values(await runs.taskRuns()))).toEqual(byName(past.taskRuns))
  expect(byName((await world.client.list(customRunType, { namespace: 'team-payments' })).items)).toEqual(
    byName(past.customRuns),
  )
  expect(byName(await runs.pods())).toEqual(byName(past.pods))
  for (const log of past.logs) expect(await runs.log(log.pod, log.container)).toBe(textOf(log))
}

it.each<[string, Record<string, Outcome>]>([
  ['docker-build-oci-ta', { '*': 'success' }],
  ['docker-build-oci-ta', { '*': 'success', 'build-container': 'oom' }],
  ['docker-build-oci-ta', { '*': 'success', 'clair-scan': 'image-pull' }],
  ['docker-build-multi-platform-oci-ta', { '*': 'success' }],
  ['enterprise-contract', { verify: 'failure' }],
  ['e2e-tests', { '*': 'success', 'provision-cluster': 'flaky' }],
  ['unit-tests', { '*': 'timeout' }],
])('a past %s with %j is what one that was watched has become', async (pipeline, outcomes) => {
  const both = await liveAndPast(catalogRun(pipeline, outcomes, runName))
  await both.world.advance(70 * 60_000)
  await expectSame(both)
})

it('a past task that ran out of time has said what one that was watched had said by then', async () => {
  const run = aRun({ tasks: [aTask('build', { timeout: '10m0s' })] }, {}, { build: 'timeout' })
  const both = await liveAndPast(run)
  const { pods, logs } = both.past.deleted
  await both.world.advance(9 * 60_000)
  const namesOf = (some: Pod[]) => some.map(({ metadata }) => metadata.name)
  expect(namesOf(pods)).toEqual(namesOf(await both.runs.pods()))
  const said = await Promise.all(logs.map(({ pod, container }) => both.runs.log(pod, container)))
  expect(said.join('')).toContain('build')
  expect(logs.map(textOf)).toEqual(said)
  await both.world.advance(61 * 60_000)
  await expectSame(both)
})

const custom = {
  name: 'approve',
  taskRef: { apiVersion: 'approvals.example.test/v1', kind: 'Approval', name: 'release' },
}

it.each<[string, PipelineRun]>([
  ['waits for nobody', aRun({ tasks: [aTask('build'), custom], finally: [aTask('report')] })],
  [
    'is over before its last tasks',
    aRun({ tasks: [custom], finally: [aTask('report')] }, { timeouts: { tasks: '20m0s' } }),
  ],
  ['is refused', aRun({ tasks: [aTask('lint', { onError: 'continue', retries: 2 })] })],
])('a past run that %s is what one that was watched has become', async (_, run) => {
  const both = await liveAndPast(run)
  await both.world.advance(70 * 60_000)
  await expectSame(both)
})
