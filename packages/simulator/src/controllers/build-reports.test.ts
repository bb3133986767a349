import { namespaceType } from '@slipway/kube/core-types'
import { repositoryType } from '@slipway/model/builds/repository'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { aNamespace, aPipelineRun } from '@slipway/model/testing'
import { aRepository } from '@slipway/model/testing/build-services'
import { expect, it } from 'vitest'
import { finish } from '../../test/finish'
import { startWorld } from '../../test/world'
import type { PlatformVersion } from '../platform-version'
import { buildReports } from './build-reports'

const namespace = 'team-payments'

it.each<[PlatformVersion, string[] | undefined]>([
  ['current', undefined],
  ['legacy', ['build-1']],
])('in the %s platform, the Repository of a finished build lists the runs %j', async (platform, expected) => {
  const world = await startWorld({
    controllers: [buildReports(platform)],
    objects: [
      [namespaceType, aNamespace()],
      [repositoryType, aRepository()],
    ],
  })
  const run = aPipelineRun({ metadata: { name: 'build-1', labels: { [labels.repository]: 'checkout-api' } } })
  await finish(world, await world.client.create(pipelineRunType, run))
  const reported = await world.client.get(pipelineRunType, 'build-1', { namespace })
  expect(reported.metadata.labels?.[labels.runState]).toBe('completed')
  const repository = await world.client.get(repositoryType, 'checkout-api', { namespace })
  expect(repository.pipelinerun_status?.map(({ pipelineRunName }) => pipelineRunName)).toEqual(expected)
  await world.close()
})
