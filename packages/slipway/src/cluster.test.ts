import { memoryStorage } from '@slipway/apiserver/storage/memory'
import type { KubeClient } from '@slipway/kube/client'
import { clusterRoleType, configMapType, namespaceType, type ConfigMap } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { releaseStatus, releaseType } from '@slipway/model/releases/release'
import { releasePlanType } from '@slipway/model/releases/release-plan'
import { anApplication } from '@slipway/model/testing'
import { createScenario } from '@slipway/simulator/create-scenario'
import { beforeAll, describe, expect, it } from 'vitest'
import { applyObjects } from './apply'
import { startCluster } from './cluster'
import { emails } from './users'

const now = new Date('2026-01-31T09:00:00Z')
const aCluster = async () => {
  const cluster = await startCluster({ storage: memoryStorage() })
  return { ...cluster, system: cluster.client('system') }
}
const forbidden = { code: 403 }

it('retains at most 16 MiB of changes in memory, and resumes a watch from older ones', async () => {
  let reads = 0
  const storage = memoryStorage()
  const since: typeof storage.since = (...range) => {
    reads++
    return storage.since(...range)
  }
  const { client } = await startCluster({ storage: { ...storage, since } })
  const system = client('system')
  const resourceVersion = (await system.list(configMapType, { namespace: 'default' })).metadata.resourceVersion
  const data = { text: 'x'.repeat(1_000_000) }
  const names = Array.from({ length: 20 }, (_, index) => `large-${index}`)
  for (const name of names) await system.create(configMapType, { metadata: { name, namespace: 'default' }, data })
  reads = 0
  const seen: string[] = []
  await new Promise<void>((resolve) => {
    const handlers = {
      onOpen: () => {},
      onMessage(text: string) {
        seen.push(nameOf((JSON.parse(text) as { object: ConfigMap }).object))
        if (seen.length < names.length) return
        watch.close()
        resolve()
      },
      onClose: () => {},
    }
    const watch = system.watch(configMapType, { namespace: 'default', resourceVersion }, handlers)
  })
  expect(seen).toEqual(names)
  expect(reads).toBeGreaterThan(0)
})

describe('platform', () => {
  const greeting = (text: string): ConfigMap => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'greeting', namespace: 'konflux-info' },
    data: { text },
  })

  it('is written once and keeps an administrator’s edits until our own text changes', async () => {
    const { system } = await aCluster()
    const get = () => system.get(configMapType, 'greeting', { namespace: 'konflux-info' })
    await applyObjects(system, [greeting('hello')])
    const first = await get()
    await applyObjects(system, [greeting('hello')])
    expect((await get()).metadata.resourceVersion).toBe(first.metadata.resourceVersion)

    await system.replace(configMapType, { ...first, data: { text: 'edited' } })
    await applyObjects(system, [greeting('hello')])
    expect((await get()).data).toEqual({ text: 'edited' })

    await applyObjects(system, [greeting('welcome')])
    expect(await get()).toMatchObject({ metadata: { uid: first.metadata.uid }, data: { text: 'welcome' } })
  })

  it('is created again after it was deleted', async () => {
    const { system } = await aCluster()
    await applyObjects(system, [greeting('hello')])
    await system.delete(configMapType, 'greeting', { namespace: 'konflux-info' })
    await applyObjects(system, [greeting('hello')])
    expect((await system.get(configMapType, 'greeting', { namespace: 'konflux-info' })).data).toEqual({ text: 'hello' })
  })

  it('has aggregated roles', async () => {
    const { system } = await aCluster()
    const role = await system.get(clusterRoleType, 'konflux-contributor-user-actions')
    expect(role.rules).toContainEqual({ apiGroups: [''], resources: ['namespaces'], verbs: ['get'] })
  })

  it('lets the gateway impersonate only the built-in users', async () => {
    const { server, credentials } = await aCluster()
    const as = (headers: Record<string, string>) =>
      server.fetch(
        new Request('http://cluster.test/api/v1/namespaces', {
          headers: { authorization: `Bearer ${credentials.tokens.gateway}`, ...headers },
        }),
      )
    expect((await as({})).status).toBe(200)
    const outsider = await as({
      'impersonate-user': 'outsider@slipway.test',
      'impersonate-group': 'system:authenticated',
    })
    expect(await outsider.text()).toContain('User \\"outsider@slipway.test\\" cannot list')
    const others: Record<string, string>[] = [
      { 'impersonate-user': 'outsider@slipway.test', 'impersonate-group': 'system:masters' },
      { 'impersonate-user': 'system:admin' },
      { 'impersonate-user': 'somebody@slipway.test' },
    ]
    for (const headers of others) {
      expect(await (await as(headers)).text()).toContain('cannot impersonate')
    }
  })
})

describe('the demo', () => {
  const create = (client: KubeClient) =>
    createScenario('demo', {
      client,
      users: emails,
      gitHostUrl: 'http://127.0.0.1:8083',
      consoleUrl: 'http://127.0.0.1:8080',
      now: () => now.getTime(),
    })
  let cluster: Awaited<ReturnType<typeof aCluster>>
  beforeAll(async () => {
    cluster = await aCluster()
    await create(cluster.system)
  })
  const aDemo = async () => cluster

  it('has applications, components and releases, and a namespace without any', async () => {
    const { client } = await aDemo()
    const admin = client('admin')
    const namespace = 'team-payments'
    const applications = await admin.list(applicationType, { namespace })
    expect(applications.items.map(nameOf)).toEqual(['checkout', 'fraud-scoring', 'ledger', 'refunds'])
    expect((await admin.list(componentType, { namespace })).items).toHaveLength(8)
    const releases = (await admin.list(releaseType, { namespace })).items
    expect(new Set(releases.map(releaseStatus))).toEqual(new Set(['Succeeded', 'Failed']))
    const deploys = releases.filter((release) => releaseStatus(release) === 'Succeeded')
    expect(
      deploys
        .map(({ status }) => status?.completionTime)
        .toSorted()
        .at(-1),
    ).toMatch(/^2026-01-31T07:/)
    expect((await admin.list(applicationType, { namespace: 'team-sandbox' })).items).toEqual([])
  })

  it('gives each user the role of the same name', async () => {
    const { client } = await aDemo()
    const namespace = 'team-payments'
    const dryRun = { dryRun: true, namespace }
    const application = anApplication({ metadata: { name: 'new', namespace } })
    await client('maintainer').create(applicationType, application, dryRun)
    await expect(client('maintainer').delete(applicationType, 'checkout', dryRun)).rejects.toMatchObject(forbidden)
    await client('admin').delete(applicationType, 'checkout', dryRun)
    await client('contributor').list(applicationType, { namespace })
    await expect(client('contributor').create(applicationType, application, dryRun)).rejects.toMatchObject(forbidden)
    await expect(client('outsider').list(applicationType, { namespace })).rejects.toMatchObject(forbidden)
    await expect(client('admin').list(namespaceType)).rejects.toMatchObject(forbidden)
  })

  it('is not created again after a user deleted it', async () => {
    const { system } = await aDemo()
    // One that no other test reads, since they share the cluster.
    const plan = ['checkout-to-staging', { namespace: 'team-payments' }] as const
    await system.delete(releasePlanType, ...plan)
    await create(system)
    await expect(system.get(releasePlanType, ...plan)).rejects.toMatchObject({ code: 404 })
  })
})
