import { namespaceType, roleBindingType, serviceAccountType } from '@slipway/kube/core-types'
import { nameOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { applicationType } from '@slipway/model/builds/application'
import { copiedPacKey, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import {
  releasePlanAdmissionType,
  releasePlanType,
  type ReleasePlan,
  type ReleasePlanAdmission,
} from '@slipway/model/releases/release-plan'
import { releaseType, type Release } from '@slipway/model/releases/release'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { anApplication, aNamespace, aRelease, aRoleBinding, type Overrides } from '@slipway/model/testing'
import { aReleasePlan, aReleasePlanAdmission, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { afterEach, describe, expect, it } from 'vitest'
import { digestOf, finish } from '../../test/finish'
import { startWorld, type World } from '../../test/world'
import { ownerReference } from '../controller'
import { releaseCatalogRef } from '../tekton/catalog/pipeline-parts'
import { outcomeAnnotation } from '../tekton/outcome'
import { pipelineRuns } from './pipeline-runs'
import { releasePlanAdmissions, releasePlans } from './release-plans'
import { releases } from './releases'
import { taskRuns } from './task-runs'

const namespace = 'team-payments'
const target = 'release-managed'
const controllers = [releasePlans, releasePlanAdmissions('current'), releases('current')]

let world: World
afterEach(() => world.close())

async function start(...objects: [ResourceType, KubeObject][]) {
  world = await startWorld({
    controllers,
    objects: [
      [namespaceType, aNamespace()],
      [namespaceType, aNamespace({ metadata: { name: target } })],
      [snapshotType, aSnapshot()],
      ...objects,
    ],
  })
}

const ref = (file: string) => ({
  resolver: 'git',
  params: [
    { name: 'url', value: 'https://git.slipway.test/catalog' },
    { name: 'revision', value: 'main' },
    { name: 'pathInRepo', value: `pipelines/${file}.yaml` },
  ],
})
const collectors = { items: [{ name: 'jira', type: 'jira', params: [] }], serviceAccountName: 'collector' }

const manual = (overrides: Overrides<Release> = {}) =>
  aRelease({
    metadata: { labels: { [labels.author]: 'ada.slipway.test', [labels.automated]: 'false' }, ...overrides.metadata },
    spec: { snapshot: 'checkout-20260131-090000-000', ...overrides.spec },
  })

async function release(object: Release = manual()) {
  await world.client.create(releaseType, object)
  await world.simulator.idle()
}
const current = () => world.client.get(releaseType, 'checkout-x4k2p', { namespace })
const runs = async () => (await world.client.list(pipelineRunType)).items
async function finishNext(ending: Parameters<typeof finish>[2] = {}) {
  const run = (await runs()).find(({ status }) => !status?.completionTime)
  if (!run) throw new Error('no run is unfinished')
  await finish(world, run, ending)
  return run
}
const conditionsOf = ({ status }: Release) =>
  (status?.conditions ?? []).map(({ type, status: value, reason }) => `${type} ${value} ${reason}`)
const messageOf = ({ status }: Release, type: string) => status?.conditions?.find((each) => each.type === type)?.message

describe('a plan and an admission', () => {
  const plan = () => world.client.get(releasePlanType, 'checkout-to-production', { namespace })
  const admission = () => world.client.get(releasePlanAdmissionType, 'checkout-to-production', { namespace: target })

  it('refer to each other in their status if they match', async () => {
    await start([releasePlanType, aReleasePlan()], [releasePlanAdmissionType, aReleasePlanAdmission()])
    expect((await plan()).status).toMatchObject({
      conditions: [{ type: 'Matched', status: 'True', reason: 'Matched', message: '' }],
      releasePlanAdmission: { active: true, name: 'release-managed/checkout-to-production' },
    })
    expect((await admission()).status).toMatchObject({
      conditions: [{ type: 'Matched', status: 'True', reason: 'Matched' }],
      releasePlans: [{ active: true, name: 'team-payments/checkout-to-production' }],
    })
    await world.client.delete(releasePlanAdmissionType, 'checkout-to-production', { namespace: target })
    await world.simulator.idle()
    expect((await plan()).status).toMatchObject({ conditions: [{ status: 'False' }], releasePlanAdmission: {} })
  })

  it.each<[string, Overrides<ReleasePlan>, [ResourceType, KubeObject][]]>([
    ['without an admission', {}, []],
    ['without a target', { spec: { target: undefined } }, [[releasePlanAdmissionType, aReleasePlanAdmission()]]],
    [
      'that targets its own namespace, as the console writes it for a tenant pipeline',
      { spec: { target: namespace } },
      [[releasePlanAdmissionType, aReleasePlanAdmission()]],
    ],
    [
      'of another application',
      { spec: { application: 'other' } },
      [[releasePlanAdmissionType, aReleasePlanAdmission()]],
    ],
    [
      'that names another admission',
      { metadata: { labels: { [labels.releasePlanAdmission]: 'other' } } },
      [[releasePlanAdmissionType, aReleasePlanAdmission()]],
    ],
    [
      'that two admissions match',
      {},
      [
        [releasePlanAdmissionType, aReleasePlanAdmission()],
        [releasePlanAdmissionType, aReleasePlanAdmission({ metadata: { name: 'second' } })],
      ],
    ],
  ])('do not match: a plan %s', async (_, overrides, objects) => {
    await start([releasePlanType, aReleasePlan(overrides)], ...objects)
    expect((await plan()).status).toMatchObject({ conditions: [{ type: 'Matched', status: 'False' }] })
    expect((await plan()).status?.releasePlanAdmission).toEqual({})
  })

  it('match within one namespace', async () => {
    await start(
      [releasePlanType, aReleasePlan({ spec: { target: namespace } })],
      [releasePlanAdmissionType, aReleasePlanAdmission({ metadata: { namespace } })],
    )
    expect((await plan()).status).toMatchObject({
      conditions: [{ type: 'Matched', status: 'True' }],
      releasePlanAdmission: { active: true, name: 'team-payments/checkout-to-production' },
    })
  })

  it('match by the label of the plan if there are several admissions', async () => {
    await start(
      [releasePlanType, aReleasePlan({ metadata: { labels: { [labels.releasePlanAdmission]: 'second' } } })],
      [releasePlanAdmissionType, aReleasePlanAdmission()],
      [
        releasePlanAdmissionType,
        aReleasePlanAdmission({ metadata: { name: 'second', labels: { [labels.blockReleases]: 'true' } } }),
      ],
    )
    expect((await plan()).status?.releasePlanAdmission).toEqual({ active: false, name: 'release-managed/second' })
    expect((await admission()).status).toMatchObject({ conditions: [{ status: 'False' }], releasePlans: [] })
  })

  it('are attributed to an admin of the namespace if the plan names no author', async () => {
    await start(
      [roleBindingType, aRoleBinding({ metadata: { name: 'admin' }, roleRef: { name: 'konflux-admin-user-actions' } })],
      [releasePlanType, aReleasePlan({ metadata: { labels: { [labels.author]: undefined } } })],
    )
    expect((await plan()).metadata.labels?.[labels.author]).toBe('user.slipway.test')
  })
})

describe('a release', () => {
  it('runs all of its pipelines in order, each in its namespace', async () => {
    await start(
      [
        releasePlanType,
        aReleasePlan({
          spec: {
            collectors,
            tenantPipeline: { pipelineRef: ref('tenant-release'), serviceAccountName: 'tenant-account' },
            finalPipeline: { pipelineRef: ref('final-release') },
          },
        }),
      ],
      [releasePlanAdmissionType, aReleasePlanAdmission({ spec: { collectors } })],
    )
    await release()
    expect((await current()).status).toMatchObject({
      startTime: '2026-01-31T09:00:00Z',
      expirationTime: '2026-02-07T09:00:00Z',
      automated: false,
      attribution: { author: 'ada.slipway.test' },
      target,
      validation: { time: '2026-01-31T09:00:00Z' },
    })
    const order: string[] = []
    for (const seconds of [10, 20, 30, 40, 50]) {
      await world.advance(seconds * 1_000)
      const run = await finishNext()
      order.push(`${run.metadata.namespace} ${run.metadata.name?.replace(/-[a-z0-9]{5}$/, '')}`)
    }
    expect(order).toEqual([
      'team-payments tenant-collectors',
      'release-managed managed-collectors',
      'team-payments tenant',
      'release-managed managed',
      'team-payments final',
    ])
    const done = await current()
    expect(conditionsOf(done)).toEqual([
      'Released True Succeeded',
      'Validated True Succeeded',
      'TenantCollectorsPipelineProcessed True Succeeded',
      'ManagedCollectorsPipelineProcessed True Succeeded',
      'TenantPipelineProcessed True Succeeded',
      'ManagedPipelineProcessed True Succeeded',
      'FinalPipelineProcessed True Succeeded',
    ])
    expect(done.status).toMatchObject({
      completionTime: '2026-01-31T09:02:30Z',
      collectorsProcessing: {
        tenantCollectorsProcessing: { startTime: '2026-01-31T09:00:00Z', completionTime: '2026-01-31T09:00:10Z' },
        managedCollectorsProcessing: { startTime: '2026-01-31T09:00:10Z', completionTime: '2026-01-31T09:00:30Z' },
      },
      tenantProcessing: { pipelineRun: expect.stringMatching(/^team-payments\/tenant-[a-z0-9]{5}$/) as string },
      managedProcessing: {
        pipelineRun: expect.stringMatching(/^release-managed\/managed-[a-z0-9]{5}$/) as string,
        startTime: '2026-01-31T09:01:00Z',
        completionTime: '2026-01-31T09:01:40Z',
        roleBindings: {
          tenantRoleBinding: expect.stringMatching(/^team-payments\/checkout-x4k2p-rolebinding-/) as string,
          managedRoleBinding: expect.stringMatching(/^release-managed\/checkout-x4k2p-rolebinding-/) as string,
        },
      },
      finalProcessing: { pipelineRun: expect.stringMatching(/^team-payments\/final-[a-z0-9]{5}$/) as string },
      artifacts: {
        images: [
          {
            name: 'checkout-api',
            oses: ['linux'],
            shasum: `sha256:${'0123456789abcdef'.repeat(4)}`,
            urls: ['registry.slipway.test/released/checkout-api:latest'],
          },
        ],
      },
    })
    const remaining = (await world.client.list(roleBindingType)).items.map(({ metadata }) => metadata.name ?? '')
    expect(remaining.filter((name) => name.includes('rolebinding'))).toEqual([])
  })

  it('creates its managed run with labels, params and role bindings', async () => {
    const outcome = JSON.stringify({ 'push-snapshot': 'fail' })
    await start(
      [releasePlanType, aReleasePlan()],
      [
        releasePlanAdmissionType,
        aReleasePlanAdmission({ metadata: { annotations: { [outcomeAnnotation]: outcome } } }),
      ],
    )
    await release()
    const [run, ...others] = await runs()
    expect(others).toEqual([])
    expect(run?.metadata.labels).toEqual({
      [labels.application]: 'checkout',
      [labels.pipelineType]: 'managed',
      [labels.releaseAttempt]: '1',
      [labels.releaseName]: 'checkout-x4k2p',
      [labels.releaseNamespace]: namespace,
      [labels.releaseSnapshot]: 'checkout-20260131-090000-000',
    })
    expect(run?.metadata.annotations?.[outcomeAnnotation]).toBe(outcome)
    expect(run?.spec.taskRunTemplate).toEqual({ serviceAccountName: 'release-pipeline' })
    expect(run?.spec.params?.slice(0, 5)).toEqual([
      { name: 'release', value: 'team-payments/checkout-x4k2p' },
      { name: 'releasePlan', value: 'team-payments/checkout-to-production' },
      { name: 'releasePlanAdmission', value: 'release-managed/checkout-to-production' },
      { name: 'releaseServiceConfig', value: 'release-service/release-service-config' },
      { name: 'snapshot', value: 'team-payments/checkout-20260131-090000-000' },
    ])
    const bindings = (await world.client.list(roleBindingType, { namespace })).items
    expect(bindings).toMatchObject([
      {
        roleRef: { name: 'release-pipeline-resource-role' },
        subjects: [{ kind: 'ServiceAccount', name: 'release-pipeline', namespace: target }],
      },
    ])
  })

  it('fails with its managed pipeline and skips the following ones', async () => {
    await start(
      [releasePlanType, aReleasePlan({ spec: { finalPipeline: { pipelineRef: ref('final-release') } } })],
      [releasePlanAdmissionType, aReleasePlanAdmission()],
    )
    await release()
    await finishNext({ succeeds: false, message: 'Tasks Completed: 3 (Failed: 1, Cancelled 0), Skipped: 4' })
    const failed = await current()
    expect(conditionsOf(failed)).toEqual([
      'Released False Failed',
      'Validated True Succeeded',
      'TenantCollectorsPipelineProcessed True Skipped',
      'ManagedCollectorsPipelineProcessed True Skipped',
      'TenantPipelineProcessed True Skipped',
      'ManagedPipelineProcessed False Failed',
      'FinalPipelineProcessed True Skipped',
    ])
    expect(messageOf(failed, 'Released')).toBe('Release processing failed on managed pipelineRun')
    expect(messageOf(failed, 'ManagedPipelineProcessed')).toMatch(/Failed: 1/)
    expect(failed.status?.artifacts).toBeUndefined()
    expect(await runs()).toHaveLength(1)
  })

  it('of a plan with the deprecated pipeline fields needs no admission in its own namespace', async () => {
    await start([
      releasePlanType,
      aReleasePlan({ spec: { target: namespace, pipelineRef: ref('tenant-release'), serviceAccount: 'old-account' } }),
    ])
    await release()
    const run = await finishNext()
    expect(run.spec.taskRunTemplate).toEqual({ serviceAccountName: 'old-account' })
    expect(conditionsOf(await current())).toContain('Released True Succeeded')
    expect((await current()).status?.target).toBe(namespace)
  })

  const blocked = aReleasePlanAdmission({ metadata: { labels: { [labels.blockReleases]: 'true' } } })
  const admission: [ResourceType, KubeObject] = [releasePlanAdmissionType, aReleasePlanAdmission()]
  const plan: [ResourceType, KubeObject] = [releasePlanType, aReleasePlan()]
  const authorless = aReleasePlan({ metadata: { labels: { [labels.author]: undefined } } })
  it.each<[string, [ResourceType, KubeObject][], Release, RegExp]>([
    ['its plan', [admission], manual(), /^releaseplans.appstudio.redhat.com "checkout-to-production" not found$/],
    ['its snapshot', [plan, admission], manual({ spec: { snapshot: 'gone' } }), /^snapshots.*"gone" not found$/],
    ['an admission', [plan], manual(), /^no ReleasePlanAdmission found in namespace \(release-managed\)/],
    [
      'an unblocked admission',
      [plan, [releasePlanAdmissionType, blocked]],
      manual(),
      /with block-releases label set to true$/,
    ],
    [
      'an author',
      [plan, admission],
      manual({ metadata: { labels: { [labels.author]: undefined } } }),
      /^no author found/,
    ],
    [
      'an author of its plan, if it is automated',
      [[releasePlanType, authorless], admission],
      manual({ metadata: { labels: { [labels.automated]: 'true' } } }),
      /^no author in the ReleasePlan found/,
    ],
    [
      'a pipeline',
      [[releasePlanType, aReleasePlan({ spec: { target: undefined } })]],
      manual(),
      /no pipeline or target/,
    ],
  ])('is invalid without %s', async (_, objects, object, message) => {
    await start(...objects)
    await release(object)
    const failed = await current()
    expect(conditionsOf(failed)).toEqual(['Released False Failed', 'Validated False Failed'])
    expect(messageOf(failed, 'Released')).toBe('Release validation failed')
    expect(messageOf(failed, 'Validated')).toMatch(message)
    expect(failed.status?.completionTime).toBe('2026-01-31T09:00:00Z')
    expect(await runs()).toEqual([])
  })

  it('keeps its notes, and is attributed to an admin of the namespace', async () => {
    const notes = { releaseNotes: { synopsis: 'Faster', references: ['https://issues.slipway.test/1'] } }
    await start(
      [roleBindingType, aRoleBinding({ metadata: { name: 'admin' }, roleRef: { name: 'konflux-admin-user-actions' } })],
      plan,
      admission,
    )
    await release(aRelease({ spec: { snapshot: 'checkout-20260131-090000-000', data: notes } }))
    await finishNext()
    const done = await current()
    expect(done.spec.data).toEqual(notes)
    expect(done.metadata.labels).toMatchObject({ [labels.author]: 'user.slipway.test', [labels.automated]: 'false' })
    expect(done.status?.attribution).toEqual({ author: 'user.slipway.test' })
  })

  it('has the labels, annotations and application of its snapshot', async () => {
    const marks = { 'pac.test.appstudio.openshift.io/sender': 'ada', 'build.appstudio.redhat.com/commit_sha': 'c0ffee' }
    await start(plan, admission, [applicationType, anApplication()])
    const { metadata: application } = await world.client.get(applicationType, 'checkout', { namespace })
    const owner = ownerReference(applicationType, { metadata: application })
    const snapshot = aSnapshot({ metadata: { name: 'built', annotations: marks, ownerReferences: [owner] } })
    await world.client.create(snapshotType, snapshot)
    const bare = aRelease({
      metadata: { labels: { [labels.application]: undefined, [labels.author]: 'ada.slipway.test' } },
      spec: { snapshot: 'built' },
    })
    await release(bare)
    const { metadata } = await current()
    expect(metadata.labels).toEqual({
      [labels.author]: 'ada.slipway.test',
      [labels.application]: 'checkout',
      [labels.component]: 'checkout-api',
      [labels.buildPipelineRun]: 'checkout-api-on-push-x4k2p',
      [copiedPacKey(labels.eventType)]: 'push',
    })
    expect(metadata.annotations).toEqual({ 'pac.test.appstudio.openshift.io/sender': 'ada' })
    expect(metadata.ownerReferences).toEqual([owner])
    const [run] = await runs()
    expect(run?.metadata.annotations).toMatchObject({ 'pac.test.appstudio.openshift.io/sender': 'ada' })
  })

  it('is deleted with its runs and their role bindings', async () => {
    await start(plan, admission)
    await release()
    expect((await current()).metadata.finalizers).toEqual(['appstudio.redhat.com/release-finalizer'])
    expect(await runs()).toHaveLength(1)
    const bindings = async () => (await world.client.list(roleBindingType)).items.map(({ metadata }) => metadata.name)
    expect(await bindings()).toContainEqual(expect.stringMatching(/^checkout-x4k2p-rolebinding-/))
    await world.client.delete(releaseType, 'checkout-x4k2p', { namespace })
    await world.simulator.idle()
    await expect(current()).rejects.toMatchObject({ reason: 'NotFound' })
    expect(await runs()).toEqual([])
    expect(await bindings()).not.toContainEqual(expect.stringMatching(/^checkout-x4k2p-rolebinding-/))
  })

  it('fails when its run is deleted', async () => {
    await start(plan, admission)
    await release()
    const [run] = await runs()
    await world.client.delete(pipelineRunType, run?.metadata.name ?? '', { namespace: target })
    await world.simulator.idle()
    expect(conditionsOf(await current())).toContain('Released False Failed')
  })

  it('continues after a restart', async () => {
    await start(plan, admission)
    await release()
    await world.restart()
    await finishNext()
    await world.restart()
    expect(await runs()).toHaveLength(1)
    expect(conditionsOf(await current())).toContain('Released True Succeeded')
  })

  it.each<[string, { name: string; value: string }[], object]>([
    [
      'rh-advisories',
      [{ name: 'ADVISORY_URL', value: 'https://advisories.slipway.test/2026/1' }],
      {
        advisory: {
          url: 'https://advisories.slipway.test/2026/1',
          internal_url: 'https://internal.advisories.slipway.test/2026/1',
        },
      },
    ],
    [
      'fbc-release',
      [{ name: 'INDEX_IMAGE', value: `registry.slipway.test/index@${digestOf('1')}` }],
      {
        index_image: {
          index_image: 'registry.slipway.test/index:v4',
          index_image_resolved: `registry.slipway.test/index@${digestOf('1')}`,
          target_index: 'registry.slipway.test/index:v4',
        },
      },
    ],
    [
      'release-to-github',
      [{ name: 'RELEASE_URL', value: 'https://git.slipway.test/releases/v1' }],
      { 'github-release': { url: 'https://git.slipway.test/releases/v1' } },
    ],
  ])('has the artifacts of its pipeline: %s', async (pipeline, results, expected) => {
    const data = { mapping: undefined, fbc: { targetIndex: 'registry.slipway.test/index:v4' } }
    const spec = { pipeline: { pipelineRef: ref(pipeline) }, data }
    await start(plan, [releasePlanAdmissionType, aReleasePlanAdmission({ spec })])
    await release()
    await finishNext({ results })
    expect((await current()).status?.artifacts).toEqual(expected)
  })
})

describe('a managed pipeline', () => {
  const retried = (outcomes: Record<string, string>, maxRetries?: number) =>
    aReleasePlanAdmission({
      metadata: { annotations: { [outcomeAnnotation]: JSON.stringify({ '*': 'success', ...outcomes }) } },
      spec: {
        pipeline: {
          pipelineRef: releaseCatalogRef('pipelines/managed/push-to-external-registry/push-to-external-registry.yaml'),
          maxRetries,
        },
      },
    })

  async function ended(admission: ReleasePlanAdmission): Promise<Release> {
    world = await startWorld({
      controllers: [...controllers, pipelineRuns, taskRuns],
      objects: [
        [namespaceType, aNamespace()],
        [namespaceType, aNamespace({ metadata: { name: target } })],
        [serviceAccountType, { metadata: { name: 'release-pipeline', namespace: target } }],
        [snapshotType, aSnapshot()],
        [releasePlanType, aReleasePlan()],
        [releasePlanAdmissionType, admission],
      ],
    })
    await release()
    for (let minutes = 0; !(await current()).status?.completionTime && minutes < 240; minutes++) {
      await world.advance(60_000)
    }
    return current()
  }

  it('that ran out of memory is run again with more of it', async () => {
    const { status } = await ended(retried({ 'push-snapshot': 'oom' }))
    expect(status?.managedPipelineAttempts).toMatchObject([
      {
        status: 'Failed',
        failureReason: 'OOMKill',
        lastTask: 'push-snapshot',
        mitigation: { memoryLimit: '4Gi', memoryRequest: '4Gi' },
      },
      { status: 'Succeeded', pipelineRun: status?.managedProcessing?.pipelineRun },
    ])
    const [first, second] = (await runs()).sort(
      (a, b) => Number(a.metadata.labels?.[labels.releaseAttempt]) - Number(b.metadata.labels?.[labels.releaseAttempt]),
    )
    expect([first, second].map((run) => run?.metadata.labels?.[labels.releaseAttempt])).toEqual(['1', '2'])
    const { items } = await world.client.list(taskRunType, {
      namespace: target,
      labels: { matchLabels: { [labels.pipelineTask]: 'push-snapshot' } },
    })
    expect(items.flatMap(({ spec }) => spec.stepSpecs ?? [])).toMatchObject([
      { computeResources: { limits: { memory: '4Gi' } } },
    ])
    const admission = await world.client.get(releasePlanAdmissionType, nameOf(retried({})), { namespace: target })
    expect(admission.status?.retryInfo).toMatchObject({ enabled: true, maxRetries: 2 })
  })

  it.each<[string, ReleasePlanAdmission, string]>([
    ['that failed with an error', retried({ 'push-snapshot': 'fail' }), 'Error'],
    ['whose admission forbids it', retried({ 'push-snapshot': 'oom' }, 0), 'OOMKill'],
  ])('%s is not run again', async (_, admission, failureReason) => {
    const { status } = await ended(admission)
    expect(status?.managedPipelineAttempts).toMatchObject([{ status: 'Failed', failureReason }])
    expect(status?.managedPipelineAttempts?.[0]).not.toHaveProperty('mitigation')
    expect(status?.conditions?.find(({ type }) => type === 'Released')).toMatchObject({ reason: 'Failed' })
  })
})
