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
import type { RunResult } from '@slipway/model/runs/tekton'
import { anApplication, aComponent, aConfigMap, aNamespace, aPipelineRun } from '@slipway/model/testing'
import { anIntegrationTestScenario, aReleasePlan, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { testStatusesOf } from '@slipway/model/snapshots/snapshot-tests'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { digestOf, finish, imageResults } from '../../test/finish'
import { startWorld, type World } from '../../test/world'
import { automaticReleases } from './automatic-releases'
import { buildSnapshots } from './build-snapshots'
import { componentDeletions } from './component-deletions'
import { componentOwners } from './component-owners'
import { overrideSnapshots } from './override-snapshots'
import { snapshotTests } from './snapshot-tests'
import { testScenarios } from './test-scenarios'

const namespace = 'team-payments'
const controllers = [
  buildSnapshots,
  componentDeletions,
  componentOwners,
  testScenarios('current'),
  snapshotTests('current'),
  overrideSnapshots,
  automaticReleases,
]
const image = 'registry.slipway.test/payments/checkout-api'

let world: World
/** Responses with which the cluster currently rejects requests. */
let rejection: (request: Request) => Response | undefined
beforeEach(() => void (rejection = () => undefined))
afterEach(() => world.close())

async function start(...objects: [ResourceType, KubeObject][]) {
  world = await startWorld({
    controllers,
    respond: (request) => rejection(request),
    objects: [
      [namespaceType, aNamespace()],
      [applicationType, anApplication()],
      [componentType, aComponent()],
      ...objects,
    ],
  })
}

const build = (name = 'checkout-api-on-push-x4k2p', event = 'push') =>
  aPipelineRun({
    metadata: {
      name,
      labels: {
        [labels.eventType]: event,
        [labels.commitSha]: 'c0ffee0000',
        ...(event === 'push' ? {} : { [labels.pullRequestNumber]: '7' }),
      },
      annotations: {
        [annotations.repository]: 'https://git.slipway.test/payments/checkout-api?rev=c0ffee0000',
        [annotations.buildCommitSha]: 'c0ffee0000',
        [annotations.branch]: 'main',
        [annotations.pacSender]: 'ada',
        [annotations.pacLogUrl]: `https://console.slipway.test/ns/${namespace}/pipelinerun/${name}`,
        [annotations.pacSourceRepositoryUrl]: 'https://git.slipway.test/payments/checkout-api',
      },
    },
  })

/** Creates a build and finishes it successfully. */
async function built(run = build(), results = imageResults(`${image}:c0ffee`)) {
  const created = await world.client.create(pipelineRunType, run)
  await world.simulator.idle()
  await finish(world, created, { results })
  return world.client.get(pipelineRunType, run.metadata.name ?? '', { namespace })
}

const snapshots = async () => (await world.client.list(snapshotType, { namespace })).items
const releases = async () => (await world.client.list(releaseType, { namespace })).items
async function onlySnapshot(): Promise<Snapshot> {
  const [snapshot, ...others] = await snapshots()
  if (!snapshot || others.length > 0) throw new Error(`${others.length + 1} snapshots`)
  return snapshot
}
async function testRuns() {
  const { items } = await world.client.list(pipelineRunType, {
    namespace,
    labels: { matchLabels: { [labels.pipelineType]: 'test' } },
  })
  return items
}
const finishTests = async (ending: Parameters<typeof finish>[2] = {}) => {
  for (const run of await testRuns()) if (!run.status?.completionTime) await finish(world, run, ending)
}
const output = (result: string): RunResult[] => [{ name: 'TEST_OUTPUT', value: JSON.stringify({ result }) }]
const summary = (snapshot: Snapshot) =>
  testStatusesOf(snapshot).map(({ scenario, status, details }) => `${scenario}: ${status}, ${details}`)
const conditions = ({ status }: Snapshot) =>
  (status?.conditions ?? []).map(({ type, status: value, reason }) => `${type} ${value} ${reason}`)
const scenario = (name: string, contexts: string[] = [], marks: Record<string, string> = {}) =>
  anIntegrationTestScenario({
    metadata: { name, labels: marks },
    spec: { contexts: contexts.map((context) => ({ name: context })) },
  })

describe('a build that succeeds', () => {
  it('results in a snapshot of all components, with the labels and annotations of its event', async () => {
    const worker = aComponent({ metadata: { name: 'checkout-worker' }, spec: { containerImage: undefined } })
    await start(
      [componentType, worker],
      [componentType, aComponent({ metadata: { name: 'checkout-new' } })],
      [componentType, aComponent({ metadata: { name: 'billing' }, spec: { application: 'billing' } })],
    )
    const status = { lastPromotedImage: `registry.slipway.test/worker@${digestOf('b')}` }
    await world.client.replaceStatus(componentType, {
      ...(await world.client.get(componentType, 'checkout-worker', { namespace })),
      status,
    })
    const run = await built()
    const snapshot = await onlySnapshot()
    expect(snapshot.metadata.name).toBe('checkout-20260131-090000-000')
    expect(snapshot.metadata.ownerReferences).toMatchObject([{ kind: 'Application', name: 'checkout' }])
    expect(snapshot.metadata.labels).toEqual({
      [labels.application]: 'checkout',
      [labels.component]: 'checkout-api',
      [labels.buildPipelineRun]: 'checkout-api-on-push-x4k2p',
      [copiedPacKey(labels.eventType)]: 'push',
      [copiedPacKey(labels.commitSha)]: 'c0ffee0000',
      [labels.buildFinishTime]: '1769850000',
      [labels.snapshotType]: 'component',
    })
    expect(snapshot.metadata.annotations).toMatchObject({
      [annotations.buildCommitSha]: 'c0ffee0000',
      [annotations.branch]: 'main',
      [copiedPacKey(annotations.pacSender)]: 'ada',
      [annotations.integrationWorkflow]: 'push',
      [annotations.buildStartTime]: '1769850000000',
    })
    expect(snapshot.spec.components).toEqual([
      {
        name: 'checkout-api',
        containerImage: `${image}@${digestOf('a')}`,
        source: { git: { url: 'https://git.slipway.test/payments/checkout-api', revision: 'c0ffee0000' } },
      },
      {
        name: 'checkout-worker',
        containerImage: `registry.slipway.test/worker@${digestOf('b')}`,
        source: { git: { url: 'https://git.slipway.test/payments/checkout-worker' } },
      },
    ])
    expect(run.metadata.annotations?.[labels.snapshot]).toBe('checkout-20260131-090000-000')
    expect(JSON.parse(run.metadata.annotations?.[annotations.createSnapshotStatus] ?? '')).toMatchObject({
      status: 'success',
    })
  })

  it('gets its own snapshot when another build started in the same second', async () => {
    await start()
    await built(build('checkout-api-on-push-aaaaa'))
    await built(build('checkout-api-on-push-bbbbb'))
    expect((await snapshots()).map(({ metadata }) => metadata.name)).toEqual([
      'checkout-20260131-090000-000',
      'checkout-20260131-090000-001',
    ])
  })

  it.each([
    ['without a digest', [{ name: 'IMAGE_URL', value: image }], 'Missing info IMAGE_DIGEST from pipelinerun'],
    ['with an invalid digest', imageResults(image, 'sha256:no'), 'is invalid container image digest from component'],
  ])('reports why there is no snapshot: %s', async (_, results, message) => {
    await start()
    const run = await built(build(), results)
    const status: unknown = JSON.parse(run.metadata.annotations?.[annotations.createSnapshotStatus] ?? '')
    expect(status).toEqual({
      status: 'failed',
      message: expect.stringMatching(`^Failed to create snapshot. Error: .*${message}`) as string,
    })
    expect(await snapshots()).toEqual([])
  })

  it('gets no snapshot until its report is complete', async () => {
    await start()
    await built(
      aPipelineRun({
        ...build(),
        metadata: { ...build().metadata, labels: { ...build().metadata.labels, [labels.repository]: 'r' } },
      }),
    )
    expect(await snapshots()).toEqual([])
  })
})

describe('the tests of a snapshot', () => {
  it('run once for each applicable scenario, and determine whether it is released', async () => {
    await start(
      [integrationTestScenarioType, scenario('always')],
      [integrationTestScenarioType, scenario('by-push', ['push'])],
      [integrationTestScenarioType, scenario('of-api', ['component_checkout-api'])],
      [integrationTestScenarioType, scenario('of-worker', ['component_checkout-worker'])],
      [integrationTestScenarioType, scenario('of-pull-requests', ['pull_request'])],
      [integrationTestScenarioType, scenario('of-groups', ['group'])],
      [releasePlanType, aReleasePlan()],
      [releasePlanType, aReleasePlan({ metadata: { name: 'by-hand', labels: { [labels.autoRelease]: 'false' } } })],
    )
    await built()
    const runs = await testRuns()
    expect(runs.map(({ metadata }) => metadata.labels?.[labels.scenario])).toEqual(['always', 'by-push', 'of-api'])
    expect(conditions(await onlySnapshot())).toEqual(['AppStudioIntegrationStatus Unknown InProgress'])
    expect(summary(await onlySnapshot())).toContain(
      `always: InProgress, IntegrationTestScenario pipeline '${runs[0]?.metadata.name}' has been created`,
    )
    await finishTests({ results: output('SUCCESS') })
    const snapshot = await onlySnapshot()
    expect(summary(snapshot)).toEqual([
      'always: TestPassed, Integration test passed',
      'by-push: TestPassed, Integration test passed',
      'of-api: TestPassed, Integration test passed',
    ])
    expect(conditions(snapshot)).toEqual([
      'AppStudioIntegrationStatus True Finished',
      'AppStudioTestSucceeded True Passed',
      'AutoReleased True AutoReleased',
    ])
    const [release, ...others] = await releases()
    expect(others).toEqual([])
    expect(release?.metadata.name).toMatch(/^checkout-20260131-090000-000-c0ffee0-[a-z0-9]{5}$/)
    expect(release?.spec).toEqual({ releasePlan: 'checkout-to-production', snapshot: snapshot.metadata.name })
    expect(release?.metadata.labels).toMatchObject({
      [labels.application]: 'checkout',
      [labels.component]: 'checkout-api',
      [labels.automated]: 'true',
    })
  })

  it('can be PipelineRuns from a repository, with their own names, labels and params', async () => {
    const inFile = (name: string, file: string) =>
      anIntegrationTestScenario({
        metadata: { name },
        spec: {
          resolverRef: { resourceKind: 'pipelinerun', params: [{ name: 'pathInRepo', value: `.tekton/${file}.yaml` }] },
          params: [{ name: 'browser', value: 'firefox' }],
        },
      })
    await start(
      [integrationTestScenarioType, inFile('smoke', 'smoke-run')],
      [integrationTestScenarioType, inFile('lost', 'missing-run')],
    )
    await built()
    const [run, ...others] = await testRuns()
    expect(others).toEqual([])
    expect(run?.metadata.name).toMatch(/^smoke-run-[a-z0-9]{5}$/)
    expect(run?.metadata.labels).toMatchObject({ 'app.kubernetes.io/name': 'smoke-run', [labels.scenario]: 'smoke' })
    expect(
      run?.spec.params?.map(({ name, value }) => (name === 'SNAPSHOT' ? name : `${name}=${String(value)}`)),
    ).toEqual(['SNAPSHOT', 'suite=smoke-run', 'browser=firefox'])
    expect(run?.spec.pipelineSpec?.tasks?.map(({ name }) => name)).toEqual(['run-tests'])
    await finishTests({ results: output('SUCCESS') })
    expect(summary(await onlySnapshot())).toEqual([
      'lost: TestInvalid, Creation of pipelineRun failed during creation due to: the PipelineRun missing-run was not found by the resolver git.',
      'smoke: TestPassed, Integration test passed',
    ])
    expect(conditions(await onlySnapshot())).toContain('AppStudioTestSucceeded False Failed')
  })

  it('have runs with the labels, annotations and params of their snapshot and scenario', async () => {
    const policy = anIntegrationTestScenario({
      metadata: { name: 'policy', annotations: { [annotations.testKind]: 'enterprise-contract' } },
      spec: {
        params: [
          { name: 'PUBLIC_KEY', value: 'k8s://tekton-pipelines/public-key' },
          { name: 'browsers', values: ['a', 'b'] },
        ],
      },
    })
    await start([integrationTestScenarioType, policy])
    await built()
    const [run] = await testRuns()
    const snapshot = await onlySnapshot()
    expect(run?.metadata.name).toMatch(/^policy-[a-z0-9]{5}$/)
    expect(run?.metadata.ownerReferences).toMatchObject([{ kind: 'Snapshot', name: snapshot.metadata.name }])
    expect(run?.metadata.labels).toMatchObject({
      [labels.application]: 'checkout',
      [labels.component]: 'checkout-api',
      [labels.snapshot]: snapshot.metadata.name,
      [labels.scenario]: 'policy',
      [labels.pipelineType]: 'test',
      [labels.buildPipeline]: 'enterprise-contract',
      [labels.snapshotType]: 'component',
      [copiedPacKey(labels.eventType)]: 'push',
    })
    expect(run?.metadata.annotations).toMatchObject({
      [annotations.testKind]: 'enterprise-contract',
      [copiedPacKey(annotations.pacLogUrl)]:
        `https://console.slipway.test/ns/${namespace}/pipelinerun/${run?.metadata.name}`,
    })
    expect(run?.spec).toEqual({
      params: [
        { name: 'SNAPSHOT', value: JSON.stringify({ ...snapshot.spec, application: 'checkout' }) },
        { name: 'PUBLIC_KEY', value: 'k8s://tekton-pipelines/public-key' },
        { name: 'browsers', value: ['a', 'b'] },
      ],
      pipelineRef: { resolver: 'git', params: policy.spec.resolverRef.params },
      taskRunTemplate: { serviceAccountName: 'konflux-integration-runner' },
      timeouts: { pipeline: '1h0m0s' },
    })
  })

  it.each<[string, Parameters<typeof finish>[2], string]>([
    ['a failed run', { succeeds: false }, 'TestFail'],
    ['the output FAILURE', { results: output('FAILURE') }, 'TestFail'],
    ['the output ERROR', { results: output('ERROR') }, 'TestFail'],
    ['the output WARNING', { results: output('WARNING') }, 'TestPassed'],
    ['the output SKIPPED', { results: output('SKIPPED') }, 'TestPassed'],
    ['invalid output', { results: [{ name: 'TEST_OUTPUT', value: '{' }] }, 'TestFail'],
    ['an unknown result', { results: output('PASSED') }, 'TestFail'],
    ['no output', {}, 'TestPassed'],
  ])('have the result of their runs: %s', async (_, ending, expected) => {
    await start([integrationTestScenarioType, scenario('unit')], [releasePlanType, aReleasePlan()])
    await built()
    await finishTests(ending)
    expect(testStatusesOf(await onlySnapshot())).toMatchObject([{ scenario: 'unit', status: expected }])
    const passes = expected === 'TestPassed'
    expect(conditions(await onlySnapshot())).toContain(
      passes ? 'AppStudioTestSucceeded True Passed' : 'AppStudioTestSucceeded False Failed',
    )
    expect(await releases()).toHaveLength(passes ? 1 : 0)
  })

  it('do not delay a release if they are optional', async () => {
    await start(
      [integrationTestScenarioType, scenario('required')],
      [integrationTestScenarioType, scenario('optional', [], { [labels.optional]: 'true' })],
      [releasePlanType, aReleasePlan()],
    )
    await built()
    const [optional, required] = await testRuns()
    if (!optional || !required) throw new Error('expected two tests')
    expect(optional.metadata.labels?.[labels.optional]).toBe('true')
    await finish(world, required)
    expect(await releases()).toHaveLength(1)
    await finish(world, optional, { succeeds: false })
    expect(testStatusesOf(await onlySnapshot())).toMatchObject([
      { scenario: 'optional', status: 'TestFail', isOptionalScenario: true },
      { scenario: 'required', status: 'TestPassed' },
    ])
  })

  it('are not needed for a release if none is required', async () => {
    await start([releasePlanType, aReleasePlan()])
    await built()
    const { status } = await onlySnapshot()
    expect(status?.conditions).toMatchObject([
      { type: 'AppStudioIntegrationStatus', reason: 'Finished' },
      { message: 'No required IntegrationTestScenarios found, skipped testing', reason: 'Passed' },
      { message: 'The Snapshot was auto-released' },
    ])
  })

  it('do not release the snapshot of a pull request', async () => {
    await start([integrationTestScenarioType, scenario('pr', ['pull_request'])], [releasePlanType, aReleasePlan()])
    await built(build('checkout-api-on-pull-request-x4k2p', 'pull_request'))
    await finishTests()
    expect(conditions(await onlySnapshot())).toContain('AppStudioTestSucceeded True Passed')
    expect(await releases()).toEqual([])
  })

  it('do not release a snapshot that a newer build has superseded', async () => {
    await start([integrationTestScenarioType, scenario('unit')], [releasePlanType, aReleasePlan()])
    await built()
    const component = await world.client.get(componentType, 'checkout-api', { namespace })
    const marks = { [annotations.lastBuiltTime]: '1769850060' }
    await world.client.replace(componentType, { ...component, metadata: { ...component.metadata, annotations: marks } })
    await finishTests()
    expect((await onlySnapshot()).status?.conditions?.at(-1)?.message).toBe('Released in newer Snapshot')
    expect(await releases()).toEqual([])
  })

  it('are removed with their scenario', async () => {
    await start([integrationTestScenarioType, scenario('unit')], [integrationTestScenarioType, scenario('stuck')])
    await built()
    const [stuck, unit] = await testRuns()
    if (!stuck || !unit) throw new Error('expected two tests')
    await finish(world, unit)
    await world.client.delete(integrationTestScenarioType, 'stuck', { namespace })
    await world.simulator.idle()
    expect(testStatusesOf(await onlySnapshot())).toMatchObject([{ scenario: 'unit', status: 'TestPassed' }])
    expect(conditions(await onlySnapshot())).toContain('AppStudioTestSucceeded True Passed')
  })

  it('are invalid if their run is rejected', async () => {
    const long = scenario('a'.repeat(64))
    await start([integrationTestScenarioType, long])
    await built()
    expect(testStatusesOf(await onlySnapshot())).toMatchObject([
      {
        status: 'TestInvalid',
        details: expect.stringMatching(/^Creation of pipelineRun failed during creation/) as string,
      },
    ])
    expect(conditions(await onlySnapshot())).toContain('AppStudioTestSucceeded False Failed')
  })

  it('are repeated when a label is added, which is then removed', async () => {
    await start([integrationTestScenarioType, scenario('unit')], [integrationTestScenarioType, scenario('smoke')])
    await built()
    await finishTests({ succeeds: false })
    const before = await onlySnapshot()
    const path = `/metadata/labels/${labels.rerun.replaceAll('/', '~1')}`
    const label = async (value: string) => {
      await world.client.patch(snapshotType, before.metadata.name ?? '', [{ op: 'add', path, value }], { namespace })
      await world.simulator.idle()
    }
    await label('unit')
    const during = await onlySnapshot()
    expect(during.metadata.labels).not.toHaveProperty(labels.rerun)
    expect(testStatusesOf(during)).toMatchObject([
      { scenario: 'smoke', status: 'TestFail' },
      { scenario: 'unit', status: 'InProgress' },
    ])
    expect(conditions(during)).toContain('AppStudioTestSucceeded Unknown InProgress')
    await finishTests()
    expect(conditions(await onlySnapshot())).toContain('AppStudioTestSucceeded False Failed')
    await label('all')
    expect(await testRuns()).toHaveLength(5)
    await finishTests()
    expect(conditions(await onlySnapshot())).toContain('AppStudioTestSucceeded True Passed')
    await label('unknown')
    expect((await onlySnapshot()).metadata.labels).not.toHaveProperty(labels.rerun)
    expect(await testRuns()).toHaveLength(5)
  })

  it('fail when their run is deleted', async () => {
    await start([integrationTestScenarioType, scenario('unit')])
    await built()
    const [run] = await testRuns()
    await world.client.delete(pipelineRunType, run?.metadata.name ?? '', { namespace })
    await world.simulator.idle()
    expect(testStatusesOf(await onlySnapshot())).toMatchObject([{ status: 'Deleted' }])
    expect(conditions(await onlySnapshot())).toContain('AppStudioTestSucceeded False Failed')
  })

  it('continue after a restart', async () => {
    await start([integrationTestScenarioType, scenario('unit')], [releasePlanType, aReleasePlan()])
    await built()
    await world.restart()
    await finishTests()
    await world.restart()
    expect(await testRuns()).toHaveLength(1)
    expect(await releases()).toHaveLength(1)
  })
})

describe('a snapshot that a user created', () => {
  const override = (containerImage: string) =>
    aSnapshot({
      metadata: { name: 'by-hand', labels: { [labels.snapshotType]: 'override', [labels.application]: 'checkout' } },
      spec: { components: [{ name: 'checkout-api', containerImage }] },
    })

  it('is tested, and sets the images of its components', async () => {
    await start([integrationTestScenarioType, scenario('unit')])
    await world.client.create(snapshotType, override(`${image}@${digestOf('f')}`))
    await world.simulator.idle()
    await finishTests()
    const snapshot = await onlySnapshot()
    expect(snapshot.metadata.ownerReferences).toMatchObject([{ kind: 'Application', controller: true }])
    expect(conditions(snapshot)).toContain('AppStudioTestSucceeded True Passed')
    expect(JSON.parse(snapshot.metadata.annotations?.[annotations.addedToGlobalCandidateList] ?? '')).toMatchObject({
      result: true,
    })
    const component = await world.client.get(componentType, 'checkout-api', { namespace })
    expect(component.status?.lastPromotedImage).toBe(`${image}@${digestOf('f')}`)
  })

  it('is not tested if an image has no digest', async () => {
    await start([integrationTestScenarioType, scenario('unit')])
    await world.client.create(snapshotType, override(`${image}:latest`))
    await world.simulator.idle()
    expect(conditions(await onlySnapshot())).toEqual(['AppStudioIntegrationStatus False Invalid'])
    expect(await testRuns()).toEqual([])
  })
})

describe('a component that is deleted', () => {
  const promoted = async (name: string) => {
    const component = await world.client.get(componentType, name, { namespace })
    const status = { lastPromotedImage: `registry.slipway.test/${name}@${digestOf('b')}` }
    await world.client.replaceStatus(componentType, { ...component, status })
  }
  const remove = async (name: string) => {
    await world.client.delete(componentType, name, { namespace })
    await world.simulator.idle()
  }
  const components = async () => (await world.client.list(componentType, { namespace })).items

  it('is deleted without a snapshot if its namespace is being deleted', async () => {
    const causes = [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }]
    const terminating = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 403, details: { causes } }
    await start([componentType, aComponent({ metadata: { name: 'checkout-web' } })])
    for (const name of ['checkout-api', 'checkout-web']) await promoted(name)
    rejection = ({ method, url }) =>
      method === 'POST' && url.includes('/snapshots') ? Response.json(terminating, { status: 403 }) : undefined
    await remove('checkout-web')
    expect((await components()).map(({ metadata }) => metadata.name)).toEqual(['checkout-api'])
  })

  it('results in a snapshot of the others, which is tested but not released', async () => {
    await start(
      [componentType, aComponent({ metadata: { name: 'checkout-web' } })],
      [componentType, aComponent({ metadata: { name: 'checkout-new' } })],
      [integrationTestScenarioType, scenario('always')],
      [releasePlanType, aReleasePlan()],
    )
    for (const name of ['checkout-api', 'checkout-web']) await promoted(name)
    expect((await components())[0]?.metadata.finalizers).toEqual(['test.appstudio.openshift.io/component'])
    await remove('checkout-web')
    expect((await components()).map(({ metadata }) => metadata.name)).toEqual(['checkout-api', 'checkout-new'])
    expect((await onlySnapshot()).spec).toMatchObject({
      application: 'checkout',
      components: [{ name: 'checkout-api', containerImage: `registry.slipway.test/checkout-api@${digestOf('b')}` }],
    })
    await finishTests({ results: output('SUCCESS') })
    const { metadata } = await onlySnapshot()
    expect(metadata.labels).toMatchObject({ [labels.application]: 'checkout', [labels.autoRelease]: 'false' })
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'Application', name: 'checkout', controller: true }])
    expect(summary(await onlySnapshot())).toEqual(['always: TestPassed, Integration test passed'])
    expect(await releases()).toEqual([])
  })

  it('results in no snapshot if no other component was built', async () => {
    await start([componentType, aComponent({ metadata: { name: 'checkout-new' } })])
    await promoted('checkout-api')
    await remove('checkout-api')
    expect(await snapshots()).toEqual([])
    expect((await components()).map(({ metadata }) => metadata.name)).toEqual(['checkout-new'])
  })

  it('is deleted with its application, without a snapshot', async () => {
    await start([componentType, aComponent({ metadata: { name: 'checkout-web' } })])
    const settings = await world.client.create(configMapType, aConfigMap())
    const elsewhere = { apiVersion: 'v1', kind: 'ConfigMap', name: 'settings', uid: settings.metadata.uid ?? '' }
    await world.client.create(
      componentType,
      aComponent({ metadata: { name: 'checkout-owned', ownerReferences: [elsewhere] } }),
    )
    await world.simulator.idle()
    for (const name of ['checkout-api', 'checkout-web']) await promoted(name)
    const { metadata: application } = await world.client.get(applicationType, 'checkout', { namespace })
    const owner = {
      apiVersion: 'appstudio.redhat.com/v1alpha1',
      kind: 'Application',
      name: 'checkout',
      uid: application.uid,
    }
    expect((await components()).map(({ metadata }) => metadata.ownerReferences)).toEqual([
      [owner],
      [elsewhere],
      [owner],
    ])
    await world.client.delete(applicationType, 'checkout', { namespace })
    await world.simulator.idle()
    expect((await components()).map(({ metadata }) => metadata.name)).toEqual(['checkout-owned'])
    expect(await snapshots()).toEqual([])
  })
})

it('a scenario is valid while its application exists', async () => {
  await start(
    [integrationTestScenarioType, scenario('unit')],
    [
      integrationTestScenarioType,
      anIntegrationTestScenario({ metadata: { name: 'lost' }, spec: { application: 'gone' } }),
    ],
  )
  const { items } = await world.client.list(integrationTestScenarioType, { namespace })
  expect(
    items.map(({ metadata, status }) => [
      metadata.name,
      status?.conditions?.[0]?.status,
      status?.conditions?.[0]?.message,
    ]),
  ).toEqual([
    ['lost', 'False', 'Failed to get application for scenario.'],
    ['unit', 'True', 'Integration test scenario is Valid.'],
  ])
  await world.client.create(applicationType, anApplication({ metadata: { name: 'gone' } }))
  await world.simulator.idle()
  const lost = await world.client.get(integrationTestScenarioType, 'lost', { namespace })
  expect(lost.status?.conditions?.[0]).toMatchObject({
    type: 'IntegrationTestScenarioValid',
    status: 'True',
    reason: 'Valid',
  })
})
