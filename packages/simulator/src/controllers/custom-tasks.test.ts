import { customRunType } from '@slipway/model/runs/custom-run'
import { succeededCondition } from '@slipway/model/runs/tekton'
import { afterEach, expect, it } from 'vitest'
import { aRun, aTask, startRun } from '../../test/runs'

const namespace = 'team-payments'
const approval = {
  name: 'approve',
  taskRef: { apiVersion: 'approvals.example.test/v1', kind: 'Approval', name: 'release' },
}
let started: Awaited<ReturnType<typeof startRun>>

afterEach(() => started.world.close())

const customRun = () => started.world.client.get(customRunType, 'run-a-approve', { namespace })
const start = async (spec: Parameters<typeof aRun>[1] = {}) =>
  (started = await startRun(aRun({ tasks: [aTask('build'), approval], finally: [aTask('report')] }, spec)))

it('a pipeline waits for the controller of a custom task and uses the status that it reports', async () => {
  await start()
  await started.world.advance(1_800_000)
  expect((await customRun()).spec).toMatchObject({
    customRef: approval.taskRef,
    serviceAccountName: 'build-pipeline-checkout-api',
  })
  expect((await customRun()).status).toBeUndefined()
  const run = await started.runs.run()
  expect(succeededCondition(run)).toMatchObject({ reason: 'Running', status: 'Unknown' })
  expect(run.status?.childReferences).toContainEqual({
    apiVersion: 'tekton.dev/v1beta1',
    kind: 'CustomRun',
    name: 'run-a-approve',
    pipelineTaskName: 'approve',
  })
  const conditions = [{ type: 'Succeeded', status: 'True' as const, reason: 'Approved', message: '' }]
  await started.world.client.replaceStatus(customRunType, { ...(await customRun()), status: { conditions } })
  await started.until(({ run: reason }) => reason === 'Succeeded')
})

it('a custom run is cancelled when its pipeline run times out', async () => {
  await start({ timeouts: { pipeline: '20m0s' } })
  await started.world.advance(1_200_000)
  expect(succeededCondition(await started.runs.run())).toMatchObject({ reason: 'PipelineRunTimeout', status: 'False' })
  expect((await customRun()).spec).toMatchObject({
    status: 'RunCancelled',
    statusMessage: 'TaskRun cancelled as the PipelineRun it belongs to has timed out.',
  })
})

it('a custom run is cancelled when its pipeline run is cancelled', async () => {
  await start()
  await started.world.advance(60_000)
  await started.runs.setSpecStatus('Cancelled')
  await started.world.simulator.idle()
  expect(succeededCondition(await started.runs.run())).toMatchObject({ reason: 'Cancelled', status: 'False' })
  expect((await customRun()).spec.status).toBe('RunCancelled')
})
