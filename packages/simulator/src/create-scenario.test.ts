import { configMapType, namespaceType, podType, secretType, serviceAccountType } from '@slipway/kube/core-types'
import { nameOf, type KubeObject } from '@slipway/kube/object'
import { resourcePath } from '@slipway/kube/path'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { KubeClient } from '@slipway/kube/client'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { releaseType } from '@slipway/model/releases/release'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { taskRunType } from '@slipway/model/runs/task-run'
import { afterEach, expect, it } from 'vitest'
import { startWorld, type World } from '../test/world'
import { createScenario, scenarioOf, type CreateScenarioOptions } from './create-scenario'
import type { ArchivedSeeds } from './scenarios/scenario'

const worlds: World[] = []
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close()
})

async function aWorld(): Promise<World> {
  const world = await startWorld({ controllers: [] })
  worlds.push(world)
  return world
}

const optionsFor = ({ client, clock }: World): CreateScenarioOptions => ({
  client,
  now: clock.now,
  users: {
    admin: 'admin@slipway.test',
    maintainer: 'maintainer@slipway.test',
    contributor: 'contributor@slipway.test',
    outsider: 'outsider@slipway.test',
  },
  gitHostUrl: 'http://127.0.0.1:8083',
  consoleUrl: 'http://127.0.0.1:8080',
})

const types: ResourceType[] = [
  namespaceType,
  configMapType,
  secretType,
  applicationType,
  componentType,
  pipelineRunType,
  taskRunType,
  podType,
  snapshotType,
  releaseType,
] as ResourceType[] // Their object types differ.

const dump = async ({ client }: World): Promise<KubeObject[]> =>
  (await Promise.all(types.map((type) => client.list(type)))).flatMap(({ items }) => items)

/** Replaces everything that depends on the order of writes. */
const withoutWriteOrder = (objects: KubeObject[]): string =>
  JSON.stringify(objects)
    .replace(/[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}/g, 'uid')
    .replace(/"resourceVersion":"\d+"/g, '')
    .replace(/kube-api-access-\w{5}/g, 'kube-api-access')

const keyOf = ({ metadata }: KubeObject, name: string) => `${metadata.namespace ?? ''}/${name}`

it('creates the same world from the same seed and clock, byte for byte', async () => {
  const [one, other] = [await aWorld(), await aWorld()]
  for (const world of [one, other]) await createScenario('demo', { ...optionsFor(world), writers: 1 })
  expect(JSON.stringify(await dump(one))).toBe(JSON.stringify(await dump(other)))
})

it('completes an interrupted creation, but recreates nothing deleted later', async () => {
  const [complete, interrupted] = [await aWorld(), await aWorld()]
  await createScenario('faults', optionsFor(complete))
  let writesLeft = 60
  const failing: KubeClient = {
    ...interrupted.client,
    create: (type, object, options) =>
      writesLeft-- > 0
        ? interrupted.client.create(type, object, options)
        : Promise.reject(new Error('the power went out')),
  }
  const options = optionsFor(interrupted)
  await expect(createScenario('faults', { ...options, client: failing })).rejects.toThrow('the power went out')
  expect(await scenarioOf(interrupted.client)).toBe('faults')
  // The second attempt is later, but its history starts from the time of the first.
  const later = () => interrupted.clock.now() + 3_600_000
  await createScenario('faults', { ...options, now: later })
  expect(withoutWriteOrder(await dump(interrupted))).toBe(withoutWriteOrder(await dump(complete)))

  await interrupted.client.delete(applicationType, 'words', { namespace: 'faults-nonsense' })
  await createScenario('faults', options)
  await expect(
    interrupted.client.get(applicationType, 'words', { namespace: 'faults-nonsense' }),
  ).rejects.toMatchObject({
    code: 404,
  })
})

it('replaces the planned uids in references with those that the cluster assigned', async () => {
  const world = await aWorld()
  await createScenario('demo', optionsFor(world))
  await world.server.settled()
  const objects = await dump(world)
  const uids = new Set(objects.map(({ metadata }) => metadata.uid))
  const taskRuns = objects.filter(({ kind }) => kind === taskRunType.kind)
  expect(taskRuns.length).toBeGreaterThan(100)
  for (const { metadata } of taskRuns) {
    expect(metadata.ownerReferences?.map(({ uid }) => uids.has(uid))).toEqual([true])
    expect(uids.has(metadata.labels?.['tekton.dev/pipelineRunUID'])).toBe(true)
  }
})

it('creates the service account of every pod', async () => {
  const world = await aWorld()
  await createScenario('demo', optionsFor(world))
  const accounts = (await world.client.list(serviceAccountType)).items.map((account) => keyOf(account, nameOf(account)))
  const pods = (await world.client.list(podType)).items
  expect(pods.length).toBeGreaterThan(100)
  expect(new Set(accounts)).toEqual(
    new Set([...accounts, ...pods.map((pod) => keyOf(pod, pod.spec.serviceAccountName ?? 'default'))]),
  )
})

it('writes the logs of pods, and archives objects missing from the cluster', async () => {
  const world = await aWorld()
  const archived: ArchivedSeeds[] = []
  const archive = { store: async (portion: ArchivedSeeds) => void archived.push(portion) }
  await createScenario('demo', { ...optionsFor(world), archive })
  const pods = (await world.client.list(podType, { namespace: 'team-platform' })).items
  const pod = pods.find(
    ({ metadata }) => metadata.name?.includes('base-node') && metadata.name.includes('build-container'),
  )
  const path = resourcePath(podType, {
    namespace: 'team-platform',
    name: nameOf(pod ?? { metadata: {} }),
    subresource: 'log',
  })
  expect((await world.client.text(`${path}?container=step-build`)).split('\n').length).toBeGreaterThan(50_000)
  const archivedObjects = archived.flatMap(({ objects }) => objects)
  expect(new Set(archivedObjects.map(({ kind }) => kind))).toEqual(new Set(['PipelineRun', 'TaskRun', 'Pod']))
  // Every owner is in the archive as well, or still in the cluster.
  const known = new Set([...archivedObjects, ...(await dump(world))].map(({ metadata }) => metadata.uid))
  const owners = archivedObjects.flatMap(({ metadata: { ownerReferences = [] } }) =>
    ownerReferences.map(({ uid }) => uid),
  )
  expect(owners.filter((uid) => !known.has(uid))).toEqual([])
})
