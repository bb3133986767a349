import { namespaceType } from '@slipway/kube/core-types'
import { nameOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { type ComponentGroup, componentGroupType } from '@slipway/model/builds/component-group'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { snapshotType, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { testStatusesOf } from '@slipway/model/snapshots/snapshot-tests'
import { aComponent, anApplication, aNamespace, aPipelineRun } from '@slipway/model/testing'
import { aComponentGroup } from '@slipway/model/testing/build-services'
import { anIntegrationTestScenario } from '@slipway/model/testing/tests-and-releases'
import { afterEach, describe, expect, it } from 'vitest'
import { digestOf, finish, imageResults } from '../../test/finish'
import { startWorld, type World } from '../../test/world'
import { automaticReleases } from './automatic-releases'
import { buildReports } from './build-reports'
import { buildSnapshots } from './build-snapshots'
import { componentGroups, parentSnapshots } from './component-groups'
import { snapshotTests } from './snapshot-tests'
import { testScenarios } from './test-scenarios'

const namespace = 'team-payments'
const controllers = [
  buildReports('current'),
  buildSnapshots,
  componentGroups,
  parentSnapshots,
  testScenarios('current'),
  snapshotTests('current'),
  automaticReleases,
]

let world: World
afterEach(() => world.close())

const group = (
  name: string,
  components: ComponentGroup['spec']['components'],
  testGraph?: object,
): [ResourceType, KubeObject] => [
  componentGroupType,
  aComponentGroup({ metadata: { name }, spec: { components, testGraph } }),
]
const member = (name: string, version = 'main') => ({ name, kind: 'component', componentVersion: { name: version } })
const nested = (name: string) => ({ name, kind: 'componentGroup' })
const test = (name: string): [ResourceType, KubeObject] => [
  integrationTestScenarioType,
  anIntegrationTestScenario({
    metadata: { name },
    spec: { application: undefined, componentGroup: 'web', contexts: undefined },
  }),
]

async function start(...objects: [ResourceType, KubeObject][]) {
  world = await startWorld({
    controllers,
    objects: [
      [namespaceType, aNamespace()],
      [applicationType, anApplication()],
      [componentType, aComponent()],
      [componentType, aComponent({ metadata: { name: 'checkout-web' } })],
      ...objects,
    ],
  })
  // Groups promote what was built after they were created.
  await world.advance(60_000)
}

/** Builds a push. @param digit of the digest of its image */
async function build(component: string, digit: string, marks: Record<string, string> = {}) {
  const run = await world.client.create(
    pipelineRunType,
    aPipelineRun({
      metadata: {
        name: `${component}-on-push-${digit}`,
        labels: {
          [labels.component]: component,
          [labels.eventType]: 'push',
          [labels.pullRequestNumber]: undefined,
          [labels.repository]: component,
          ...marks,
        },
        annotations: { [annotations.branch]: 'main' },
      },
    }),
  )
  await finish(world, run, { results: imageResults(`registry.slipway.test/payments/${component}:1`, digestOf(digit)) })
  await world.advance(60_000)
}

const get = (name: string) => world.client.get(componentGroupType, name, { namespace })
const snapshotsOf = async (name: string) =>
  (await world.client.list(snapshotType, { namespace })).items.filter(({ spec }) => spec.componentGroup === name)
const imagesIn = ({ spec }: Snapshot) =>
  spec.components?.map((each) => `${each.name} ${each.version} ${each.containerImage.at(-1)}`)
const candidatesOf = async (name: string) =>
  (await get(name)).status?.globalCandidateList?.map(
    (each) => `${each.name} ${each.version} ${each.lastPromotedImage?.at(-1)}`,
  )
const runsOf = async (scenario: string): Promise<PipelineRun[]> =>
  (await world.client.list(pipelineRunType, { namespace })).items.filter(
    ({ metadata }) => metadata.labels?.[labels.scenario] === scenario,
  )

describe('a build of a member', () => {
  it('is promoted in its group, and is the reason for a snapshot of all that was promoted there', async () => {
    await start(group('web', [member('checkout-api'), member('checkout-web')]))
    expect(await candidatesOf('web')).toEqual(['checkout-api main undefined', 'checkout-web main undefined'])
    await build('checkout-api', 'a')
    await build('checkout-web', 'b')
    expect(await candidatesOf('web')).toEqual(['checkout-api main a', 'checkout-web main b'])
    const snapshots = await snapshotsOf('web')
    expect(snapshots.map(imagesIn)).toEqual([['checkout-api main a'], ['checkout-api main a', 'checkout-web main b']])
    expect(snapshots[0]?.metadata.ownerReferences).toMatchObject([{ kind: 'ComponentGroup', name: 'web' }])
    expect(snapshots[0]?.metadata.labels).not.toHaveProperty([labels.application])
    // The snapshot of the application is another one.
    const [built] = (await world.client.list(pipelineRunType, { namespace })).items
    const ofApplication = built?.metadata.annotations?.[labels.snapshot]
    expect(snapshots.map(nameOf)).not.toContain(ofApplication)
    expect(ofApplication).toMatch(/^checkout-/)
  })

  it.each<[string, Record<string, string>, string]>([
    ['that it names', { [labels.version]: 'v1' }, 'v1'],
    ['of its branch, if it names none', {}, 'main'],
  ])('is of the version %s', async (_, marks, version) => {
    await start(group('web', [member('checkout-api'), member('checkout-api', 'v1')]))
    await build('checkout-api', 'a', marks)
    expect((await snapshotsOf('web')).map(imagesIn)).toEqual([[`checkout-api ${version} a`]])
  })

  it('is the reason for snapshots of the groups that its group is nested in, also if they contain each other', async () => {
    await start(
      group('web', [member('checkout-api'), nested('all')]),
      group('all', [nested('web'), member('checkout-web')]),
    )
    await build('checkout-api', 'a')
    expect((await snapshotsOf('all')).map(imagesIn)).toEqual([['checkout-api main a']])
    const [own, ...others] = await snapshotsOf('web')
    expect(others).toEqual([])
    const [parent] = await snapshotsOf('all')
    expect(own?.status?.parentSnapshots).toMatchObject({ all: { created: true, name: parent?.metadata.name } })
    expect(own?.status?.conditions?.find(({ type }) => type === 'ParentSnapshotsCreated')).toMatchObject({
      status: 'True',
    })
  })
})

describe('the tests of a group', () => {
  const testGraph = {
    e2e: [{ name: 'scan', failFast: true }, { name: 'deploy' }],
    verify: [{ name: 'e2e' }, { name: 'missing', failFast: true }],
  }
  const startTested = async () => {
    await start(group('web', [member('checkout-api')], testGraph), ...['scan', 'deploy', 'e2e', 'verify'].map(test))
    await build('checkout-api', 'a')
  }
  const end = async (scenario: string, succeeds = true) => {
    const [run] = await runsOf(scenario)
    if (!run) throw new Error(`no run of ${scenario}`)
    await finish(world, run, { succeeds })
  }
  const statuses = async () => {
    const [snapshot] = await snapshotsOf('web')
    return Object.fromEntries(
      (snapshot ? testStatusesOf(snapshot) : []).map(({ scenario, status }) => [scenario, status]),
    )
  }
  const succeeded = async () =>
    (await snapshotsOf('web'))[0]?.status?.conditions?.find(({ type }) => type === 'AppStudioTestSucceeded')?.status

  it('start once those before them have ended, whatever their outcome', async () => {
    await startTested()
    expect(await statuses()).toEqual({ scan: 'InProgress', deploy: 'InProgress', e2e: 'Pending', verify: 'Pending' })
    expect((await runsOf('scan'))[0]?.metadata.labels?.[labels.application]).toBe('checkout')
    await end('scan')
    expect(await runsOf('e2e')).toEqual([])
    await end('deploy', false)
    expect(await statuses()).toMatchObject({ deploy: 'TestFail', e2e: 'InProgress', verify: 'Pending' })
    await end('e2e')
    expect(await statuses()).toMatchObject({ verify: 'InProgress' })
    await end('verify')
    expect(await succeeded()).toBe('False')
  })

  it('are skipped after a failure with failFast, and so are those that wait for them', async () => {
    await startTested()
    await end('scan', false)
    await end('deploy')
    expect(await statuses()).toEqual({ scan: 'TestFail', deploy: 'TestPassed', e2e: 'Skipped', verify: 'Skipped' })
    expect(await runsOf('e2e')).toEqual([])
    expect(await succeeded()).toBe('False')
  })
})

it('an integration test of a group is valid while that exists', async () => {
  await start(group('web', [member('checkout-api')]), test('scan'))
  const validity = async () =>
    (await world.client.get(integrationTestScenarioType, 'scan', { namespace })).status?.conditions?.[0]
  expect(await validity()).toMatchObject({ type: 'IntegrationTestScenarioValid', status: 'True' })
  await world.client.create(
    integrationTestScenarioType,
    anIntegrationTestScenario({ metadata: { name: 'lost' }, spec: { application: undefined, componentGroup: 'gone' } }),
  )
  await world.simulator.idle()
  const lost = await world.client.get(integrationTestScenarioType, 'lost', { namespace })
  expect(lost.status?.conditions?.[0]).toMatchObject({ status: 'False', reason: 'Invalid' })
})
