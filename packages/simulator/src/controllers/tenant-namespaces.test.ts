import { namespaceType, roleBindingType, serviceAccountType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { releasePlanAdmissionType, releasePlanType } from '@slipway/model/releases/release-plan'
import { aNamespace } from '@slipway/model/testing'
import { aReleasePlan, aReleasePlanAdmission } from '@slipway/model/testing/tests-and-releases'
import { expect, it } from 'vitest'
import { startWorld } from '../../test/world'
import { tenantNamespaces } from './tenant-namespaces'

it('only namespaces of teams get the service accounts of their pipelines', async () => {
  const pipelineRef = {
    resolver: 'git',
    params: [{ name: 'url', value: 'https://git.slipway.test/catalog/pipelines' }],
  }
  const world = await startWorld({
    controllers: [tenantNamespaces],
    accounts: [],
    objects: [
      [namespaceType, aNamespace()],
      [namespaceType, aNamespace({ metadata: { name: 'release-managed' } })],
      [namespaceType, aNamespace({ metadata: { name: 'somewhere', labels: { 'konflux-ci.dev/type': undefined } } })],
      [releasePlanType, aReleasePlan({ spec: { tenantPipeline: { pipelineRef, serviceAccountName: 'deployer' } } })],
      [
        releasePlanType,
        aReleasePlan({ metadata: { name: 'old' }, spec: { pipelineRef, serviceAccount: 'old-account' } }),
      ],
      [releasePlanAdmissionType, aReleasePlanAdmission()],
    ],
  })
  const accounts = async (namespace: string) =>
    (await world.client.list(serviceAccountType, { namespace })).items.map(nameOf)
  expect(await accounts('team-payments')).toEqual(['default', 'deployer', 'konflux-integration-runner', 'old-account'])
  expect(await accounts('release-managed')).toEqual(['default', 'konflux-integration-runner', 'release-pipeline'])
  expect(await accounts('somewhere')).toEqual(['default'])
  const bindings = await world.client.list(roleBindingType, { namespace: 'release-managed' })
  expect(bindings.items).toMatchObject([
    {
      metadata: { name: 'konflux-integration-runner' },
      roleRef: { kind: 'ClusterRole', name: 'konflux-integration-runner' },
      subjects: [{ kind: 'ServiceAccount', name: 'konflux-integration-runner', namespace: 'release-managed' }],
    },
    {
      metadata: { name: 'release-pipeline-resource-role-binding' },
      roleRef: { kind: 'ClusterRole', name: 'release-pipeline-resource-role' },
      subjects: [{ kind: 'ServiceAccount', name: 'release-pipeline', namespace: 'release-managed' }],
    },
  ])
  await world.client.delete(serviceAccountType, 'deployer', { namespace: 'team-payments' })
  await world.simulator.idle()
  expect(await accounts('team-payments')).toContain('deployer')
  await world.close()
})
