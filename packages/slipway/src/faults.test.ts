import { configMapType, podType, roleBindingType, type ConfigMap } from '@slipway/kube/core-types'
import { nameOf, uidOf, type KubeList, type KubeObject } from '@slipway/kube/object'
import { resourcePath } from '@slipway/kube/path'
import type { ResourceType } from '@slipway/kube/resource-type'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { annotations } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { releaseType } from '@slipway/model/releases/release'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { taskRunType } from '@slipway/model/runs/task-run'
import { succeededCondition } from '@slipway/model/runs/tekton'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { signedIn, type Browser } from './sign-in/testing'
import { startSlipway, type RunningSlipway } from './start'
import { emailOf, users, type UserName } from './users'

/** Each failure of the scenario as users see it: through the gateway, signed in. */
let slipway: RunningSlipway
const browsers = new Map<UserName, Browser>()

beforeAll(async () => {
  const ports = { port: 0, apiPort: 0, signInPort: 0, gitPort: 0 }
  slipway = await startSlipway({ ...ports, scenario: 'faults', simulator: false, archive: 'both' })
  for (const { name } of users) browsers.set(name, await signedIn(slipway.url, emailOf(name)))
})
afterAll(() => slipway.close())

async function ask(user: UserName, path: string) {
  const answer = await browsers.get(user)?.(`${slipway.url}/api/k8s${path}`, undefined, { accept: '*/*' })
  return { status: answer?.status, text: answer?.text ?? '' }
}
const list = async <T extends KubeObject>(type: ResourceType<T>, namespace: string): Promise<T[]> =>
  (await slipway.system.list(type, { namespace })).items
const named = <T extends KubeObject>(objects: T[], name: string): T => {
  const found = objects.find((each) => nameOf(each) === name)
  if (!found) throw new Error(`There is no ${name} among ${objects.map(nameOf).join(', ')}.`)
  return found
}

it('has a run for each possible outcome', async () => {
  const runs = await list(pipelineRunType, 'faults-runs')
  const reasons = Object.fromEntries(runs.map((run) => [nameOf(run), succeededCondition(run)?.reason]))
  expect(reasons).toMatchObject({
    'ends-success': 'Completed',
    'ends-fail': 'Failed',
    'ends-oom': 'Failed',
    'ends-timeout': 'PipelineRunTimeout',
    'ends-image-pull': 'Failed',
    'ends-config-error': 'Failed',
    'was-cancelled': 'Cancelled',
    'was-cancelled-finally': 'Cancelled',
    'was-stopped-finally': 'Cancelled',
    'finds-no-pipeline': 'CouldntGetPipeline',
  })
  expect(Object.keys(reasons)).toContain('waits')
})

describe('missing permissions', () => {
  const denied = '/namespaces/faults-denied'
  const appstudio = `/apis/appstudio.redhat.com/v1alpha1${denied}`
  const tekton = `/apis/tekton.dev/v1${denied}`

  it.each<[UserName, Record<string, number>]>([
    ['admin', { applications: 200, components: 200, releases: 200, pipelineruns: 403 }],
    ['maintainer', { applications: 200, components: 403, releases: 403, pipelineruns: 200 }],
    ['contributor', { applications: 403, components: 403, releases: 403, pipelineruns: 403 }],
    ['outsider', { applications: 403, components: 403, releases: 403, pipelineruns: 403 }],
  ])('%s', async (user, expected) => {
    const answers = Object.keys(expected).map(async (plural) => {
      const { status } = await ask(user, `${plural === 'pipelineruns' ? tekton : appstudio}/${plural}`)
      return [plural, status] as const
    })
    expect(Object.fromEntries(await Promise.all(answers))).toEqual(expected)
    const mayGet = user !== 'outsider'
    expect((await ask(user, `${appstudio}/applications/checkout`)).status).toBe(mayGet ? 200 : 403)
    const { text } = await ask(user, '/api/v1/namespaces')
    expect((JSON.parse(text) as KubeList).items.map(nameOf).includes('faults-denied')).toBe(mayGet)
    const notifications = `/api/v1/namespaces/konflux-info/configmaps?labelSelector=${encodeURIComponent('appstudio.openshift.io/system-notification=true')}`
    expect((await ask(user, notifications)).status).toBe(user === 'admin' ? 200 : 403)
  })
})

describe('platform configuration', () => {
  it('is missing or invalid', async () => {
    const at = { namespace: 'konflux-info' }
    const missing = slipway.system.get(configMapType, 'build-pipeline-config', { namespace: 'build-service' })
    await expect(missing).rejects.toMatchObject({ code: 404 })
    const banner: ConfigMap = await slipway.system.get(configMapType, 'konflux-banner-configmap', at)
    expect(banner.data?.['banner-content.yaml']).toBe('- summary: [unclosed')
    const notification = await slipway.system.get(configMapType, 'notification-nonsense', at)
    expect(() => JSON.parse(notification.data?.['notification-content.json'] ?? '')).toThrow(SyntaxError)
  })
})

it('has invalid annotations and references to missing objects', async () => {
  const namespace = 'faults-nonsense'
  const components = await list(componentType, namespace)
  const statusOf = (name: string) => named(components, name).metadata.annotations?.[annotations.buildStatus] ?? ''
  expect(() => JSON.parse(statusOf('status-is-no-json'))).toThrow(SyntaxError)
  expect(statusOf('status-has-other-types')).toContain('"state":7')
  expect(statusOf('merge-url-is-a-script')).toContain('javascript:')
  expect(JSON.stringify(named(components, 'annotation-of-200-kb')).length).toBeGreaterThan(200_000)
  const applications = (await list(applicationType, namespace)).map(nameOf)
  expect(applications).not.toContain(named(components, 'of-a-deleted-application').spec.application)

  const runs = await list(pipelineRunType, namespace)
  expect(named(runs, 'without-labels').metadata.labels ?? {}).toEqual({})
  expect(named(runs, 'without-conditions').status?.conditions).toBeUndefined()
  const snapshots = await list(snapshotType, namespace)
  const tests = named(snapshots, 'test-status-is-no-json').metadata.annotations?.[annotations.testStatus]
  expect(() => JSON.parse(tests ?? '')).toThrow(SyntaxError)
  const releases = await list(releaseType, namespace)
  expect(snapshots.map(nameOf)).not.toContain(named(releases, 'of-a-missing-snapshot').spec.snapshot)
  expect(named(releases, 'released-without-an-end').status?.completionTime).toBeUndefined()

  const bindings = await list(roleBindingType, namespace)
  expect(named(bindings, 'of-nobody').subjects ?? []).toEqual([])
  expect(named(bindings, 'of-a-group-and-an-account').subjects?.map(({ kind }) => kind)).toEqual([
    'Group',
    'ServiceAccount',
  ])
  expect(named(bindings, 'of-a-person-with-a-name').subjects?.[0]?.name).toContain('<b>')
})

it.each<[ResourceType, string]>([
  [applicationType, 'leaves'],
  [componentType, 'leaves-too'],
  [pipelineRunType, 'run-leaves'],
  [snapshotType, 'snapshot-leaves'],
  [releaseType, 'release-leaves'],
  [roleBindingType, 'access-leaves'],
] as [ResourceType, string][])('has one of each kind in deletion: %#', async (type, name) => {
  const { metadata } = await slipway.system.get(type, name, { namespace: 'faults-leaving' })
  expect([metadata.deletionTimestamp !== undefined, metadata.finalizers]).toEqual([true, ['faults.slipway.dev/held']])
})

describe('the archive', () => {
  const kubeArchive = '/plugins/kubearchive'
  const tektonResults = '/plugins/tekton-results/apis/results.tekton.dev/v1alpha2/parents'
  const namespace = 'faults-lost'

  it.each(['ghost-that-runs', 'ghost-that-waits'])('has a ghost, %s', async (name) => {
    await expect(slipway.system.get(pipelineRunType, name, { namespace })).rejects.toMatchObject({ code: 404 })
    const { text } = await ask('contributor', `${kubeArchive}${resourcePath(pipelineRunType, { namespace, name })}`)
    const run = JSON.parse(text) as PipelineRun
    expect([succeededCondition(run)?.status, run.metadata.deletionTimestamp]).toEqual(['Unknown', expect.any(String)])
    const filter = encodeURIComponent(`data.metadata.name == "${name}"`)
    const found = await ask('contributor', `${tektonResults}/${namespace}/results/-/records?filter=${filter}`)
    expect((JSON.parse(found.text) as { records: object[] }).records).toHaveLength(1)
  })

  it('has lost logs of both existing and deleted objects', async () => {
    const there = (await list(taskRunType, namespace)).filter(({ status }) => status?.podName)
    expect(there.length).toBeGreaterThan(3)
    const path = resourcePath(taskRunType, { namespace })
    await vi.waitFor(async () => {
      const { text } = await ask('admin', `${kubeArchive}${path}?limit=500`)
      expect((JSON.parse(text) as KubeList).items.map(uidOf)).toEqual(expect.arrayContaining(there.map(uidOf)))
    })
    const { text } = await ask('admin', `${kubeArchive}${path}?limit=500`)
    const taskRuns = (JSON.parse(text) as KubeList<(typeof there)[number]>).items
    const [gone] = taskRuns.filter(({ metadata, status }) => metadata.deletionTimestamp && status?.podName)
    for (const taskRun of [there[0], gone]) {
      if (!taskRun) throw new Error('There is no such task run.')
      const pod = resourcePath(podType, { namespace, name: taskRun.status?.podName, subresource: 'log' })
      const result = taskRun.metadata.ownerReferences?.[0]?.uid ?? ''
      const answers = [
        await ask('admin', pod),
        await ask('admin', `${kubeArchive}${pod}`),
        await ask('admin', `${tektonResults}/${namespace}/results/${result}/logs/${uidOf(taskRun)}`),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    }
  })
})
