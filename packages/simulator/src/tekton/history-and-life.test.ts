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

/** Removes what only a server sets: uids, the QoS class, and defaults in the specs of pods. */
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

/** A world that plays this run, and the same run computed as history. */
async function startBoth(run: PipelineRun) {
  const { world, runs } = await startRun(run)
  close = () => world.close()
  const startMs = Date.parse((await runs.run()).metadata.creationTimestamp ?? '')
  return { world, runs, history: finishedPipelineRun({ run, startMs, world: worldOf() }) }
}
type Both = Awaited<ReturnType<typeof startBoth>>

const logText = ({ lines }: Both['history']['logs'][number]) => [...lines()].map(({ text }) => `${text}\n`).join('')

async function expectSame({ world, runs, history }: Both) {
  expect(comparable(await runs.run())).toEqual(comparable(history.pipelineRun))
  expect(byName(Object.values(await runs.taskRuns()))).toEqual(byName(history.taskRuns))
  expect(byName((await world.client.list(customRunType, { namespace: 'team-payments' })).items)).toEqual(
    byName(history.customRuns),
  )
  expect(byName(await runs.pods())).toEqual(byName(history.pods))
  for (const log of history.logs) expect(await runs.log(log.pod, log.container)).toBe(logText(log))
}

it.each<[string, Record<string, Outcome>]>([
  ['docker-build-oci-ta', { '*': 'success' }],
  ['docker-build-oci-ta', { '*': 'success', 'build-container': 'oom' }],
  ['docker-build-oci-ta', { '*': 'success', 'clair-scan': 'image-pull' }],
  ['docker-build-multi-platform-oci-ta', { '*': 'success' }],
  ['enterprise-contract', { verify: 'failure' }],
  ['e2e-tests', { '*': 'success', 'provision-cluster': 'flaky' }],
  ['unit-tests', { '*': 'timeout' }],
])('the history of %s with %j equals the played run', async (pipeline, outcomes) => {
  const both = await startBoth(catalogRun(pipeline, outcomes, runName))
  await both.world.advance(70 * 60_000)
  await expectSame(both)
})

it('the log of a timed-out task in the history equals that of the played run', async () => {
  const run = aRun({ tasks: [aTask('build', { timeout: '10m0s' })] }, {}, { build: 'timeout' })
  const both = await startBoth(run)
  const { pods, logs } = both.history.deleted
  await both.world.advance(9 * 60_000)
  const namesOf = (list: Pod[]) => list.map(({ metadata }) => metadata.name)
  expect(namesOf(pods)).toEqual(namesOf(await both.runs.pods()))
  const played = await Promise.all(logs.map(({ pod, container }) => both.runs.log(pod, container)))
  expect(played.join('')).toContain('build')
  expect(logs.map(logText)).toEqual(played)
  await both.world.advance(61 * 60_000)
  await expectSame(both)
})

const custom = {
  name: 'approve',
  taskRef: { apiVersion: 'approvals.example.test/v1', kind: 'Approval', name: 'release' },
}

it.each<[string, PipelineRun]>([
  ['has a custom task without a controller', aRun({ tasks: [aTask('build'), custom], finally: [aTask('report')] })],
  ['times out before finally', aRun({ tasks: [custom], finally: [aTask('report')] }, { timeouts: { tasks: '20m0s' } })],
  ['is invalid', aRun({ tasks: [aTask('lint', { onError: 'continue', retries: 2 })] })],
])('the history of a run that %s equals the played run', async (_, run) => {
  const both = await startBoth(run)
  await both.world.advance(70 * 60_000)
  await expectSame(both)
})
