import type { Pod } from '@slipway/kube/core-types'
import type { PipelineRun } from '@slipway/model/pipeline-run'
import type { TaskRun } from '@slipway/model/task-run'
import { afterEach, expect, it } from 'vitest'
import { runName, startRun } from '../../test/runs'
import { catalogRun, worldOf } from '../../test/tekton'
import { finishedPipelineRun } from './history'
import type { Outcome } from './outcome'

let close = async () => {}
afterEach(() => close())

/** Without what only a server gives: uids, and defaults in the specs of pods. */
const comparable = ({ metadata, spec, status }: PipelineRun | TaskRun | Pod) => ({
  name: metadata.name,
  creationTimestamp: metadata.creationTimestamp,
  labels: { ...metadata.labels, 'tekton.dev/pipelineRunUID': '', 'tekton.dev/taskRunUID': '' },
  annotations: metadata.annotations,
  ...(!('containers' in spec) && { spec }),
  status,
})
const byName = (objects: (TaskRun | Pod)[]) =>
  Object.fromEntries(objects.map((object) => [object.metadata.name, comparable(object)]))

it.each<[string, Record<string, Outcome>]>([
  ['docker-build-oci-ta', { '*': 'success' }],
  ['docker-build-oci-ta', { '*': 'success', 'build-container': 'oom' }],
  ['docker-build-oci-ta', { '*': 'success', 'clair-scan': 'image-pull' }],
  ['docker-build-multi-platform-oci-ta', { '*': 'success' }],
  ['enterprise-contract', { verify: 'failure' }],
  ['e2e-tests', { '*': 'success', 'provision-cluster': 'flaky' }],
  ['unit-tests', { '*': 'timeout' }],
])('a past %s with %j is what one that was watched has become', async (pipeline, outcomes) => {
  const run = catalogRun(pipeline, outcomes, runName)
  const { world, runs } = await startRun(run)
  close = () => world.close()
  const startMs = Date.parse((await runs.run()).metadata.creationTimestamp ?? '')
  const past = finishedPipelineRun({ run, startMs, world: worldOf() })
  await world.advance(70 * 60_000)
  const live = await runs.run()
  expect(comparable(live)).toEqual(comparable(past.pipelineRun))
  expect(byName(Object.values(await runs.taskRuns()))).toEqual(byName(past.taskRuns))
  expect(byName(await runs.pods())).toEqual(byName(past.pods))
  for (const { pod, container, lines } of past.logs) {
    const text = [...lines()].map((line) => `${line.text}\n`).join('')
    expect(await runs.log(pod, container)).toBe(text)
  }
})
