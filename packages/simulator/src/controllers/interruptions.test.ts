import { namespaceType, roleBindingType } from '@slipway/kube/core-types'
import { nameOf, type Condition, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { ApiError } from '@slipway/kube/status'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { releasePlanAdmissionType, releasePlanType } from '@slipway/model/releases/release-plan'
import { releaseType } from '@slipway/model/releases/release'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { aComponent, anApplication, aNamespace, aPipelineRun } from '@slipway/model/testing'
import {
  anIntegrationTestScenario,
  aReleasePlan,
  aReleasePlanAdmission,
} from '@slipway/model/testing/tests-and-releases'
import { expect, it } from 'vitest'
import { finish, imageResults } from '../../test/finish'
import { startWorld } from '../../test/world'
import type { Controller, ControllerClient } from '../controller'
import { automaticReleases } from './automatic-releases'
import { buildSnapshots } from './build-snapshots'
import { releasePlanAdmissions, releasePlans } from './release-plans'
import { releases } from './releases'
import { snapshotTests } from './snapshot-tests'
import { testScenarios } from './test-scenarios'

const controllers = [
  buildSnapshots,
  testScenarios('current'),
  snapshotTests('current'),
  automaticReleases,
  releasePlans,
  releasePlanAdmissions('current'),
  releases('current'),
]

/** The same controllers, but the response to their nth write is lost, as if they had been stopped after it. */
function losingResponse(number: number): { all: Controller[]; writes(): number } {
  let writes = 0
  const losing =
    <A extends unknown[], R>(write: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const result = await write(...args)
      writes++
      // A conflict is retried without a warning.
      if (writes === number) throw new ApiError({ code: 409, reason: 'Conflict', message: 'response lost', url: '' })
      return result
    }
  const withLoss = (client: ControllerClient): ControllerClient => ({
    ...client,
    create: losing(client.create) as ControllerClient['create'],
    replace: losing(client.replace) as ControllerClient['replace'],
    replaceStatus: losing(client.replaceStatus) as ControllerClient['replaceStatus'],
    delete: losing(client.delete) as ControllerClient['delete'],
  })
  const all = controllers.map((controller): Controller => ({
    ...controller,
    reconcile: (object, context) => controller.reconcile(object, { ...context, client: withLoss(context.client) }),
  }))
  return { all, writes: () => writes }
}

async function play(lostWrite: number) {
  const { all, writes } = losingResponse(lostWrite)
  const world = await startWorld({
    controllers: all,
    objects: [
      [namespaceType, aNamespace()],
      [namespaceType, aNamespace({ metadata: { name: 'release-managed' } })],
      [applicationType, anApplication()],
      [componentType, aComponent()],
      [integrationTestScenarioType, anIntegrationTestScenario()],
      [releasePlanType, aReleasePlan()],
      [releasePlanAdmissionType, aReleasePlanAdmission()],
      [pipelineRunType, aPipelineRun()],
    ],
  })
  const types: ResourceType[] = [pipelineRunType, snapshotType, releaseType, roleBindingType]
  // The build, its test and the managed pipeline end one after another.
  for (let ended = 0; ended < 3; ended++) {
    const { items } = await world.client.list(pipelineRunType)
    const run = items.find(({ status }) => !status?.completionTime)
    if (run) await finish(world, run, { results: imageResults('registry.slipway.test/payments/checkout-api:1') })
    await world.advance(10_000)
  }
  const lists = await Promise.all(types.map((type) => world.client.list(type)))
  const state = lists.flatMap(({ items }) =>
    items.map((item: KubeObject & { status?: { conditions?: Condition[] } }) => {
      const conditions = (item.status?.conditions ?? []).map(({ type, reason }) => `${type} ${reason}`)
      return `${item.kind} ${nameOf(item)}: ${conditions.join(', ')}`
    }),
  )
  await world.close()
  return { state, writes: writes() }
}

it('tests and releases end in the same state after an interruption at any write', async () => {
  const uninterrupted = await play(0)
  expect(uninterrupted.state.find((line) => line.startsWith('Release '))).toMatch(/Released Succeeded/)
  for (let write = 1; write <= uninterrupted.writes; write++) {
    const { state } = await play(write)
    expect(state, `without the response to write ${write}`).toEqual(uninterrupted.state)
  }
})
