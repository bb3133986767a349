import { customResourceDefinitionType, eventType, namespaceType } from '@slipway/kube/core-types'
import { customRunType } from '@slipway/model/runs/custom-run'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { customRuns } from '@slipway/model/crds/custom-runs'
import { succeededCondition } from '@slipway/model/runs/tekton'
import { aNamespace } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { aRun, aTask, runName, runsIn } from '../../test/runs'
import { startWorld } from '../../test/world'
import { pipelineRuns } from './pipeline-runs'
import { taskRuns } from './task-runs'

const namespace = 'team-payments'
const approval = {
  name: 'approve',
  taskRef: { apiVersion: 'approvals.example.test/v1', kind: 'Approval', name: 'release' },
}

/** A cluster without the definition of CustomRuns. */
async function start(run: PipelineRun) {
  const world = await startWorld({
    controllers: [pipelineRuns, taskRuns],
    objects: [[namespaceType, aNamespace()]],
    unservedTypes: [customRunType],
  })
  await world.client.create(pipelineRunType, run)
  await world.simulator.idle()
  const condition = async () => succeededCondition(await runsIn(world).run())
  return { world, condition }
}

it('runs pipelines without custom tasks in a cluster that does not serve custom runs', async () => {
  const { world, condition } = await start(aRun({ tasks: [aTask('build')] }, {}, { '*': 'success' }))
  await world.advance(1_800_000)
  expect(await condition()).toMatchObject({ status: 'True' })
  await expect(world.close()).rejects.toThrow('The cluster does not serve customruns.tekton.dev.')
})

it('waits with a custom task until it times out, and records why', async () => {
  const { world, condition } = await start(aRun({ tasks: [approval] }, { timeouts: { pipeline: '20m0s' } }))
  const { items } = await world.client.list(eventType, { namespace, fields: { reason: 'RunsCreationFailed' } })
  expect(items).toMatchObject([
    {
      type: 'Warning',
      involvedObject: { kind: 'PipelineRun', name: runName },
      message: expect.stringMatching(/^Failed to create CustomRuns \["run-a-approve"\]: .+/) as string,
    },
  ])
  await world.advance(1_000_000)
  expect(await condition()).toMatchObject({ status: 'Unknown' })
  await world.advance(600_000)
  expect(await condition()).toMatchObject({ status: 'False', reason: 'PipelineRunTimeout' })
  await expect(world.close()).rejects.toThrow(
    'error creating CustomRuns called [run-a-approve] for PipelineTask approve',
  )
})

it('continues with a custom task once custom runs are served', async () => {
  const { world } = await start(aRun({ tasks: [approval] }))
  await world.client.create(customResourceDefinitionType, customRuns)
  await world.advance(600_000)
  const { items } = await world.client.list(customRunType, { namespace })
  expect(items).toMatchObject([{ metadata: { name: 'run-a-approve' } }])
  await world.advance(600_000)
  expect(succeededCondition(await runsIn(world).run())).toMatchObject({ reason: 'Running' })
  await expect(world.close()).rejects.toThrow('The cluster does not serve customruns.tekton.dev.')
})
