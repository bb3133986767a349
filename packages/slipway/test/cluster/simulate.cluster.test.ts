import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import {
  clusterRoleBindingType,
  clusterRoleType,
  configMapType,
  namespaceType,
  podType,
  serviceAccountType,
} from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { isNotFound } from '@slipway/kube/status'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { labels } from '@slipway/model/labels'
import { tenantLabels } from '@slipway/model/platform/namespace'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { releasePlanType } from '@slipway/model/releases/release-plan'
import { releaseStatus, releaseType } from '@slipway/model/releases/release'
import { isFinished, succeededCondition } from '@slipway/model/runs/tekton'
import { taskRunType } from '@slipway/model/runs/task-run'
import { aComponent, anApplication, aNamespace, aTaskRun } from '@slipway/model/testing'
import { anIntegrationTestScenario, aReleasePlan } from '@slipway/model/testing/tests-and-releases'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { clusterSetting } from '../../../../scripts/lib/cluster-setting'
import { parseFlags } from '../../src/flags'
import { serviceAccountToken } from '../../src/service-account'
import { simulateCommand, type RunningSimulation } from '../../src/simulate/command'
import { simulateRole } from '../../src/simulate/rights'
import { requestsOf, type AuditEvent } from './audit-log'

const id = randomUUID().slice(0, 8)
const account = { namespace: 'default', name: `simulate-${id}` }
const username = `system:serviceaccount:${account.namespace}:${account.name}`
const namespace = `chain-${id}`
/** Makes outcomes deterministic. */
const well = { 'simulator.slipway.dev/outcome': JSON.stringify({ '*': 'success' }) }

const sink = new Writable({ write: (_chunk, _encoding, done) => done() })

/** Rejections that are a normal part of how clients work. Any other rejection is a bug. */
const expected: { why: string; isIt(event: AuditEvent): boolean }[] = [
  {
    why: 'a read finds out what is there',
    isIt: ({ verb, responseStatus }) => verb === 'get' && codeIs(responseStatus, 404),
  },
  {
    why: 'a list finds out whether a new definition is served, which it is not at once',
    isIt: ({ verb, responseStatus }) => verb === 'list' && [404, 429].some((code) => codeIs(responseStatus, code)),
  },
  {
    why: 'an object with a derived name may already exist',
    isIt: ({ verb, responseStatus }) => verb === 'create' && responseStatus?.reason === 'AlreadyExists',
  },
  {
    why: 'the object has been deleted since it was read',
    isIt: ({ verb, responseStatus }) => ['update', 'patch', 'delete'].includes(verb) && codeIs(responseStatus, 404),
  },
  {
    why: 'a namespace started terminating while something was created in it',
    isIt: ({ verb, responseStatus }) =>
      verb === 'create' &&
      codeIs(responseStatus, 403) &&
      (responseStatus?.message?.endsWith('because it is being terminated') ?? false),
  },
  {
    why: 'another client has changed the object since it was read',
    isIt: ({ verb, responseStatus }) => verb === 'update' && responseStatus?.reason === 'Conflict',
  },
]
const codeIs = (status: AuditEvent['responseStatus'], code: number) => status?.code === code
const isRejected = ({ responseStatus }: AuditEvent) => (responseStatus?.code ?? 0) >= 400
const isLogWrite = ({ verb, objectRef }: AuditEvent) =>
  verb === 'create' && objectRef?.resource === 'pods' && objectRef.subresource === 'log'

// In this order: each test continues with the cluster as the one before left it.
describe('slipway simulate on a real API server', { shuffle: false }, () => {
  let folder: string
  let admin: KubeClient
  let kubeconfig: string
  let namespacesBefore: string[]
  const tenants = async () =>
    (await admin.list(namespaceType, { labels: { matchLabels: tenantLabels } })).items.map(nameOf)
  const running: RunningSimulation[] = []
  const requests = () => requestsOf(clusterSetting('CONTROL_PLANE_AUDIT_LOG'), username)
  /** Unexpected rejections after the given number of requests. */
  const refusedSince = async (count: number) =>
    (await requests()).slice(count).filter((event) => isRejected(event) && !expected.some(({ isIt }) => isIt(event)))

  beforeAll(async () => {
    const [url, caPath] = [clusterSetting('CONTROL_PLANE_URL'), clusterSetting('NODE_EXTRA_CA_CERTS')]
    const token = clusterSetting('CONTROL_PLANE_TOKEN')
    admin = createKubeClient({ baseUrl: url, headers: { authorization: `Bearer ${token}` }, fetch })
    namespacesBefore = await tenants()
    await admin.create(serviceAccountType, { metadata: account })
    const issued = await serviceAccountToken({ system: admin, ...account })
    issued.close()
    folder = await mkdtemp(join(tmpdir(), 'slipway-simulate-'))
    kubeconfig = join(folder, 'kubeconfig')
    await writeFile(
      kubeconfig,
      JSON.stringify({
        'current-context': 'real',
        clusters: [{ name: 'real', cluster: { server: url, 'certificate-authority': caPath } }],
        users: [{ name: 'simulator', user: { token: issued.current() } }],
        contexts: [{ name: 'real', context: { cluster: 'real', user: 'simulator' } }],
      }),
    )
  })
  afterAll(async () => {
    // Objects with finalizers are only deleted while the controllers run.
    const ours = (await tenants()).filter((name) => !namespacesBefore.includes(name))
    for (const name of ours) await admin.delete(namespaceType, name)
    await vi.waitFor(async () => expect((await tenants()).filter((name) => ours.includes(name))).toEqual([]))
    for (const each of running) await each.close()
    for (const name of ['simulator-git-host', 'build-service', 'konflux-info']) await admin.delete(namespaceType, name)
    await rm(folder, { recursive: true })
  })

  async function start(...args: string[]): Promise<RunningSimulation> {
    const all = ['--kubeconfig', kubeconfig, '--git-port', '0', '--speed', '50', ...args]
    const simulation = await simulateCommand(parseFlags('simulate', all, {}), { env: {}, stdout: sink, stderr: sink })
    if (!simulation) throw new Error('Nothing was started.')
    running.push(simulation)
    return simulation
  }

  it('reports missing permissions before it changes anything', async () => {
    await expect(start()).rejects.toThrow(
      `${username} lacks permissions that the simulator needs (get customresourcedefinitions.apiextensions.k8s.io, `,
    )
    const writes = (await requests()).filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))
    expect(new Set(writes.map(({ objectRef }) => objectRef?.resource))).toEqual(
      new Set(['selfsubjectreviews', 'selfsubjectaccessreviews']),
    )
  })

  it('takes a component to its release with the printed role, across a restart, without a rejected request', async () => {
    const warnings = vi.spyOn(console, 'warn')
    const granted = (await requests()).length
    const metadata = { name: account.name }
    await admin.create(clusterRoleType, { ...simulateRole, metadata })
    await admin.create(clusterRoleBindingType, {
      metadata,
      roleRef: { apiGroup: clusterRoleType.group, kind: 'ClusterRole', name: account.name },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    })
    const first = await start('--scenario', 'none')
    await createChain()
    await vi.waitFor(async () => {
      const { items } = await admin.list(pipelineRunType, { namespace })
      expect(items.map((run) => succeededCondition(run)?.reason)).toContain('Running')
    })
    await first.close()

    await start('--scenario', 'none')
    await vi.waitFor(async () => {
      const { items } = await admin.list(releaseType, { namespace })
      expect(items.map(releaseStatus)).toContain('Succeeded')
    })
    const { items: runs } = await admin.list(pipelineRunType, { namespace })
    const kinds = runs.filter(isFinished).map(({ metadata }) => metadata.labels?.[labels.pipelineType])
    expect(new Set(kinds)).toEqual(new Set(['build', 'test', 'tenant']))

    const refused = await refusedSince(granted)
    // Each of the two starts detects at most once that this cluster accepts no logs.
    const logWrites = refused.filter(isLogWrite)
    expect(new Set(logWrites.map(({ responseStatus }) => responseStatus?.code))).toEqual(new Set([405]))
    expect(logWrites.length).toBeLessThanOrEqual(2)
    expect(refused.filter((event) => !isLogWrite(event))).toEqual([])
    expect(warnings).not.toHaveBeenCalled()
  })

  it('fails a task whose service account does not exist, as Tekton does', async () => {
    const taskRun = aTaskRun({
      metadata: { name: 'without-account', namespace, annotations: well },
      spec: { serviceAccountName: 'nobody' },
      status: undefined,
    })
    await admin.create(taskRunType, taskRun)
    await vi.waitFor(async () => {
      const found = await admin.get(taskRunType, 'without-account', { namespace })
      expect(succeededCondition(found)).toMatchObject({ status: 'False', reason: 'PodCreationFailed' })
    })
  })

  it('does not block the deletion of a namespace and creates nothing in it meanwhile', async () => {
    const warnings = vi.spyOn(console, 'warn')
    const before = (await requests()).length
    await admin.delete(namespaceType, namespace)
    await vi.waitFor(async () => {
      await expect(admin.get(namespaceType, namespace)).rejects.toSatisfy(isNotFound)
    })
    expect(await refusedSince(before)).toEqual([])
    expect(warnings).not.toHaveBeenCalled()
    expect((await admin.list(podType, { namespace })).items).toEqual([])
  })

  it('creates a scenario with the accounts of its pods once, and continues it', async () => {
    await running.at(-1)?.close()
    const before = (await requests()).length
    const first = await start('--scenario', 'demo')
    await first.close()
    const { items: pods } = await admin.list(podType, { namespace: 'team-payments' })
    expect(pods.length).toBeGreaterThan(50)
    expect((await refusedSince(before)).map(({ objectRef }) => objectRef?.subresource)).toEqual(['log'])

    const again = (await requests()).length
    expect((await start()).scenario).toBe('demo')
    const created = (await requests())
      .slice(again)
      .filter(({ verb, objectRef }) => verb === 'create' && objectRef?.resource === 'applications')
    expect(created).toEqual([])
    await expect(start('--scenario', 'faults')).rejects.toThrow('The cluster already has the scenario demo.')
  })

  it('overwrites nothing that a user has changed', async () => {
    const location = { name: 'konflux-public-info', namespace: 'konflux-info' }
    const found = await admin.get(configMapType, location.name, location)
    await admin.replace(configMapType, { ...found, data: { 'info.json': '{}' } })
    await running.at(-1)?.close()
    await start()
    expect((await admin.get(configMapType, location.name, location)).data).toEqual({ 'info.json': '{}' })
  })

  async function createChain(): Promise<void> {
    await admin.create(namespaceType, aNamespace({ metadata: { name: namespace, labels: tenantLabels } }))
    await admin.create(applicationType, anApplication({ metadata: { namespace } }))
    await admin.create(
      integrationTestScenarioType,
      anIntegrationTestScenario({ metadata: { namespace, annotations: well } }),
    )
    const pipelineRef = { resolver: 'git', params: [{ name: 'pathInRepo', value: 'pipelines/tenant-release.yaml' }] }
    await admin.create(
      releasePlanType,
      aReleasePlan({
        metadata: { namespace, annotations: well },
        spec: { target: undefined, tenantPipeline: { pipelineRef } },
      }),
    )
    const component = aComponent({
      metadata: { namespace, annotations: well },
      spec: { source: { git: { url: `https://github.com/${id}/checkout-api` } }, containerImage: undefined },
    })
    await admin.create(componentType, component)
    expect(nameOf(component)).toBe('checkout-api')
  }
})
