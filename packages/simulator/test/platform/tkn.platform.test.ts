import { namespaceType, serviceAccountType } from '@slipway/kube/core-types'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import { isFinished, succeededCondition } from '@slipway/model/runs/tekton'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { aRun, aTask } from '../runs'
import { startKubelet, type Kubelet } from './kubelet'
import { provided, startRealTekton, type RealTekton } from './real-tekton'

/** `tkn` lists, describes, follows and cancels runs of the real controller on our API server. */

const namespace = 'team-payments'
let tekton: RealTekton
let kubelet: Kubelet

const tkn = (...args: string[]) => tekton.run(provided('TKN'), ...args, '--namespace', namespace, '--no-color')
const named = (name: string, run: PipelineRun): PipelineRun => ({ ...run, metadata: { ...run.metadata, name } })
const reasonOf = async (name: string) =>
  succeededCondition(await tekton.client.get(pipelineRunType, name, { namespace }))?.reason
/** Without the columns that depend on the time. */
const rows = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/\s{2,}/))
    .map(([name, ...others]) => [name, others.at(-1)])

beforeAll(async () => {
  tekton = await startRealTekton()
  const { client, nopImage } = tekton
  kubelet = startKubelet({ client, nopImage, isHeld: () => false, onError: (error) => console.error(error) })
  await client.create(namespaceType, { metadata: { name: namespace } })
  await client.create(serviceAccountType, { metadata: { name: 'build-pipeline-checkout-api', namespace } })
  const finished = aRun({ tasks: [aTask('one'), aTask('two', { runAfter: ['one'] })] }, {}, { two: 'fail' })
  await client.create(pipelineRunType, named('finished', finished))
  await client.create(pipelineRunType, named('running', aRun({ tasks: [aTask('one')] }, {}, { one: 'timeout' })))
  await vi.waitFor(async () => {
    expect(isFinished(await client.get(pipelineRunType, 'finished', { namespace }))).toBe(true)
    expect(succeededCondition(await client.get(taskRunType, 'running-one', { namespace }))?.reason).toBe('Running')
  })
})

afterAll(async () => {
  kubelet.close()
  await tekton.close()
})

it('tkn pipelinerun list shows runs with their statuses', async () => {
  const [header, ...runs] = rows(await tkn('pipelinerun', 'list'))
  expect(header).toEqual(['NAME', 'STATUS'])
  expect(runs.sort()).toEqual([
    ['finished', 'Failed'],
    ['running', 'Running'],
  ])
})

it('tkn taskrun list shows the tasks of runs', async () => {
  const [, ...tasks] = rows(await tkn('taskrun', 'list'))
  expect(tasks.sort()).toEqual([
    ['finished-one', 'Succeeded'],
    ['finished-two', 'Failed(StepFailed)'],
    ['running-one', 'Running'],
  ])
})

it('tkn pipelinerun describe shows the message of a run, and its tasks', async () => {
  const text = await tkn('pipelinerun', 'describe', 'finished')
  expect(text).toContain('\nTasks Completed: 2 (Failed: 1, Cancelled 0), Skipped: 0\n')
  expect(text).toMatch(/ finished-one +one .* Succeeded\n/)
  expect(text).toMatch(/ finished-two +two .* Failed\(StepFailed\)\n/)
})

it('tkn pipelinerun logs shows what the steps wrote', async () => {
  expect((await tkn('pipelinerun', 'logs', 'finished')).trim().split(/\n+/)).toEqual(
    expect.arrayContaining(['[one : main] output of step-main', '[two : main] output of step-main']),
  )
})

it('tkn pipelinerun logs --follow ends when a run is cancelled by tkn pipelinerun cancel', async () => {
  const following = tkn('pipelinerun', 'logs', '--follow', 'running')
  expect(await tkn('pipelinerun', 'cancel', 'running')).toBe('PipelineRun cancelled: running\n')
  await expect.poll(() => reasonOf('running'), { interval: 500 }).toBe('Cancelled')
  await following
})
