import { configMapType, namespaceType } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { releasePlanType } from '@slipway/model/releases/release-plan'
import { releaseType } from '@slipway/model/releases/release'
import { snapshotType, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { anApplication, aComponent, aNamespace, aPipelineRun } from '@slipway/model/testing'
import { anIntegrationTestScenario, aReleasePlan } from '@slipway/model/testing/tests-and-releases'
import { testStatusesOf } from '@slipway/model/snapshots/snapshot-tests'
import { afterEach, expect, it } from 'vitest'
import { digestOf, finish, imageResults } from '../../test/finish'
import { startWorld, type World } from '../../test/world'
import { parseRepositoryUrl } from '../git-host/git-url'
import { closePullRequest, newRepository, openPullRequest } from '../git-host/repository'
import { gitHostNamespace, repositoryConfigMap } from '../git-host/store'
import { automaticReleases } from './automatic-releases'
import { buildSnapshots } from './build-snapshots'
import { groupSnapshots } from './group-snapshots'
import { snapshotTests } from './snapshot-tests'
import { testScenarios } from './test-scenarios'

const namespace = 'team-payments'
const branch = 'one-currency'
const controllers = [
  buildSnapshots,
  groupSnapshots,
  testScenarios('current'),
  snapshotTests('current'),
  automaticReleases,
]
const urlOf = (component: string) => `https://github.com/payments/${component}`
const component = (name: string, application = 'checkout', containerImage?: string) =>
  aComponent({
    metadata: { name },
    spec: { application, source: { git: { url: urlOf(name) } }, containerImage },
  })
const scenario = (name: string) => anIntegrationTestScenario({ metadata: { name }, spec: { contexts: [{ name }] } })

let world: World
afterEach(() => world.close())

async function start(...objects: [ResourceType, KubeObject][]) {
  world = await startWorld({
    controllers,
    objects: [
      [namespaceType, aNamespace()],
      [applicationType, anApplication()],
      [applicationType, anApplication({ metadata: { name: 'billing' } })],
      [componentType, component('checkout-api')],
      [componentType, component('checkout-web')],
      [componentType, component('checkout-worker', 'checkout', `registry.slipway.test/worker@${digestOf('d')}`)],
      [componentType, component('billing-api', 'billing')],
      ...objects,
    ],
  })
}

/** Starts a build of a pull request from this branch. */
async function startBuild(name: string, source = branch, { application = 'checkout', number = '7', end = 'a' } = {}) {
  const run = aPipelineRun({
    metadata: {
      name: `${name}-on-pull-request-${end}`,
      labels: {
        [labels.application]: application,
        [labels.component]: name,
        [labels.eventType]: 'pull_request',
        [labels.pullRequestNumber]: number,
      },
      annotations: {
        [annotations.pacSourceBranch]: source,
        [annotations.pacRepositoryUrl]: urlOf(name),
        [annotations.pacSourceRepositoryUrl]: urlOf(name),
      },
    },
  })
  const created = await world.client.create(pipelineRunType, run)
  await world.simulator.idle()
  return created
}

async function built(...given: Parameters<typeof startBuild>) {
  const end = given[2]?.end ?? 'a'
  const results = imageResults(`registry.slipway.test/payments/${given[0]}:${end}`, digestOf(end))
  await finish(world, await startBuild(...given), { results })
}

const snapshots = async () => (await world.client.list(snapshotType, { namespace })).items
const ofType = async (type: string) =>
  (await snapshots()).filter(({ metadata }) => metadata.labels?.[labels.snapshotType] === type)
const noteOf = async (name: string) =>
  (await ofType('component')).findLast(({ metadata }) => metadata.labels?.[labels.component] === name)?.metadata
    .annotations?.[annotations.createGroupSnapshotStatus]
const imagesOf = ({ spec }: Snapshot) => spec.components?.map((each) => `${each.name} ${each.containerImage.at(-1)}`)
const tooFew = /^The number 1 of component snapshots belonging to this pr group hash [0-9a-f]{62} is less than 2, skip/

it('combines the pull requests of one branch into a snapshot and tests it', async () => {
  await start(
    [integrationTestScenarioType, scenario('application')],
    [integrationTestScenarioType, scenario('component')],
    [integrationTestScenarioType, scenario('group')],
    [releasePlanType, aReleasePlan()],
  )
  await built('checkout-api')
  expect(await noteOf('checkout-api')).toMatch(tooFew)
  await built('checkout-web', branch, { number: '12', end: 'b' })
  const components = await ofType('component')
  expect(components.map(imagesOf)).toEqual([
    ['checkout-api a', 'checkout-worker d'],
    ['checkout-web b', 'checkout-worker d'],
  ])
  const [group, ...others] = await ofType('group')
  if (!group || others.length > 0) throw new Error('expected one group snapshot')
  expect(imagesOf(group)).toEqual(['checkout-api a', 'checkout-web b', 'checkout-worker d'])
  expect(group.metadata.ownerReferences).toMatchObject([{ kind: 'Application', name: 'checkout' }])
  const known = components[0]?.metadata.labels?.[labels.pullRequestGroupSha]
  expect(group.metadata.labels).toEqual({
    [labels.application]: 'checkout',
    [labels.pullRequestGroupSha]: known,
    [labels.snapshotType]: 'group',
    [copiedPacKey(labels.eventType)]: 'pull_request',
    [copiedPacKey(labels.pullRequestNumber)]: '12',
  })
  expect(group.metadata.annotations?.[annotations.pullRequestGroup]).toBe(branch)
  const member = (index: number, name: string, end: string, pullRequestNumber: string) => ({
    namespace,
    component: name,
    buildPipelineRun: `${name}-on-pull-request-${end}`,
    snapshot: components[index]?.metadata.name,
    repoUrl: urlOf(name),
    pullRequestNumber,
  })
  expect(JSON.parse(group.metadata.annotations?.[annotations.groupMembers] ?? '')).toEqual([
    member(0, 'checkout-api', 'a', '7'),
    member(1, 'checkout-web', 'b', '12'),
  ])
  const note = `Group snapshot ${namespace}/${group.metadata.name ?? ''} is created for pr group ${branch}`
  expect([await noteOf('checkout-api'), await noteOf('checkout-web')]).toEqual([note, note])

  const { items: runs } = await world.client.list(pipelineRunType, {
    namespace,
    labels: { matchLabels: { [labels.snapshot]: group.metadata.name ?? '' } },
  })
  expect(runs.map(({ metadata }) => metadata.labels?.[labels.scenario])).toEqual(['application', 'group'])
  for (const run of runs) {
    expect(run.metadata.labels).toMatchObject({ [labels.snapshotType]: 'group', [labels.pullRequestGroupSha]: known })
    expect(run.metadata.labels).not.toHaveProperty([labels.component])
    expect(run.metadata.annotations).not.toHaveProperty([annotations.createGroupSnapshotStatus])
    await finish(world, run)
  }
  const [tested] = await ofType('group')
  expect(tested && testStatusesOf(tested).map(({ status }) => status)).toEqual(['TestPassed', 'TestPassed'])
  expect((await world.client.list(releaseType, { namespace })).items).toEqual([])
})

it('does not group builds of other branches or other applications', async () => {
  await start()
  await built('checkout-api')
  await built('checkout-web', 'another-branch')
  await built('billing-api', branch, { application: 'billing' })
  expect(await ofType('group')).toEqual([])
  for (const name of ['checkout-api', 'checkout-web', 'billing-api']) expect(await noteOf(name)).toMatch(tooFew)
})

it('creates no group snapshot while a build of the group is running or after it failed', async () => {
  await start()
  const web = await startBuild('checkout-web')
  await built('checkout-api')
  const what = `The build pipelineRun ${namespace}/checkout-web-on-pull-request-a with pr group ${branch}`
  expect(await noteOf('checkout-api')).toBe(`${what} is still running, won't create group snapshot`)
  await finish(world, web, { succeeds: false })
  await built('checkout-worker')
  expect(await noteOf('checkout-worker')).toBe(`${what} failed, won't create group snapshot`)
  expect(await ofType('group')).toEqual([])
  await world.advance(1_000)
  await built('checkout-web', branch, { end: 'b' })
  expect((await ofType('group')).map(imagesOf)).toEqual([['checkout-api a', 'checkout-web b', 'checkout-worker a']])
})

it('combines each new build with the newest of the other components', async () => {
  await start()
  await built('checkout-api')
  await built('checkout-web', branch, { end: 'b' })
  await world.advance(60_000)
  await built('checkout-api', branch, { end: 'c' })
  expect((await ofType('group')).map(imagesOf)).toEqual([
    ['checkout-api a', 'checkout-web b', 'checkout-worker d'],
    ['checkout-api c', 'checkout-web b', 'checkout-worker d'],
  ])
})

it('excludes closed and merged pull requests', async () => {
  const location = parseRepositoryUrl(urlOf('checkout-api'))
  if (!location) throw new Error('expected a repository')
  const by = { author: 'ada', time: '2026-01-31T08:00:00Z' }
  const repository = newRepository(location, 'github', [{ title: 'Initial commit', ...by }])
  const proposed = { title: 'One currency', body: '', source: branch, target: 'main', ...by, commit: {} }
  closePullRequest(repository, openPullRequest(repository, proposed), by)
  await start(
    [namespaceType, { metadata: { name: gitHostNamespace } }],
    [configMapType, repositoryConfigMap(repository)],
  )
  await built('checkout-api', branch, { number: '1' })
  await built('checkout-web')
  expect(await ofType('group')).toEqual([])
  expect(await noteOf('checkout-web')).toMatch(tooFew)
})

it('reuses the snapshot of a group after an interruption', async () => {
  await start()
  await built('checkout-api')
  await built('checkout-web', branch, { end: 'b' })
  const [, web] = await ofType('component')
  const path = `/metadata/annotations/${annotations.createGroupSnapshotStatus.replaceAll('/', '~1')}`
  await world.client.patch(snapshotType, web?.metadata.name ?? '', [{ op: 'remove', path }], { namespace })
  await world.advance(5_000)
  await world.restart()
  const [group, ...others] = await ofType('group')
  expect(others).toEqual([])
  expect(await noteOf('checkout-web')).toContain(group?.metadata.name)
})
