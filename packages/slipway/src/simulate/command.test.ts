import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { listen, type Listener } from '@slipway/apiserver/node/listen'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import {
  clusterRoleBindingType,
  clusterRoleType,
  configMapType,
  customResourceDefinitionType,
  namespaceType,
  serviceAccountType,
  type ClusterRole,
} from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { applicationType } from '@slipway/model/builds/application'
import { customResourceDefinitions } from '@slipway/model/platform-objects'
import { aNamespace } from '@slipway/model/testing'
import { scenarioNames } from '@slipway/simulator/scenario-names'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { startCluster, type Cluster } from '../cluster'
import { parseFlags } from '../flags'
import { serviceAccountToken } from '../service-account'
import { simulateCommand, type RunningSimulation } from './command'

let printed = ''
const sink = () => new Writable({ write: (chunk, _encoding, done) => ((printed += String(chunk)), done()) })
const command = (...args: string[]) =>
  simulateCommand(parseFlags('simulate', args, {}), { env: {}, stdout: sink(), stderr: sink() })
beforeEach(() => void (printed = ''))

it('reports an unusable kubeconfig or cluster in one sentence', async () => {
  await expect(command('--kubeconfig', '/not/there')).rejects.toThrow(/^\/not\/there cannot be read \(ENOENT\)\.$/)
})

describe('on a cluster', () => {
  let folder: string
  let kubeconfig: string
  let cluster: Cluster
  let api: Listener
  let running: RunningSimulation[] = []
  const system = () => cluster.client('system')
  const warn = vi.spyOn(console, 'warn')

  beforeEach(async () => {
    warn.mockClear()
    folder = await mkdtemp(join(tmpdir(), 'slipway-simulate-'))
    kubeconfig = join(folder, 'kubeconfig')
    cluster = await startCluster({ storage: memoryStorage() })
    api = await listen(cluster.server, { host: '127.0.0.1', port: 0 })
    await writeKubeconfig(cluster.credentials.tokens['system'] ?? '')
  })
  afterEach(async () => {
    for (const each of running) await each.close()
    running = []
    await api.close()
    await cluster.close()
    await rm(folder, { recursive: true })
  })

  const writeKubeconfig = (token: string) =>
    writeFile(
      kubeconfig,
      JSON.stringify({
        'current-context': 'there',
        clusters: [{ name: 'c', cluster: { server: api.url } }],
        users: [{ name: 'somebody', user: { token } }],
        contexts: [{ name: 'there', context: { cluster: 'c', user: 'somebody' } }],
      }),
    )

  async function start(...args: string[]) {
    const simulation = await command('--kubeconfig', kubeconfig, '--git-port', '0', ...args)
    if (simulation) running.push(simulation)
    return simulation
  }

  /** An account with the printed role, or fewer permissions. */
  async function becomeAccount(role?: ClusterRole): Promise<void> {
    const account = { namespace: 'default', name: 'somebody' }
    await system().create(serviceAccountType, { metadata: account })
    if (role) {
      await system().create(clusterRoleType, role)
      await system().create(clusterRoleBindingType, {
        metadata: { name: nameOf(role) },
        roleRef: { apiGroup: clusterRoleType.group, kind: 'ClusterRole', name: nameOf(role) },
        subjects: [{ kind: 'ServiceAccount', ...account }],
      })
    }
    const token = await serviceAccountToken({ system: system(), ...account })
    token.close()
    await writeKubeconfig(token.current())
  }

  async function printedRole(): Promise<ClusterRole> {
    await command('--print-role')
    const role = parse(printed) as ClusterRole
    printed = ''
    return role
  }

  it.each(scenarioNames.filter((name) => name !== 'large'))('needs only the printed role for %s', async (name) => {
    await becomeAccount(await printedRole())
    expect(await start('--scenario', name)).toMatchObject({ scenario: name })
    expect(printed).toContain(`Scenario    ${name}`)
    expect(warn.mock.calls.flat().filter((text) => /forbidden/.test(String(text)))).toEqual([])
  })

  it.each<[string, (role: ClusterRole) => ClusterRole | undefined, string]>([
    [
      'no permissions',
      () => undefined,
      'system:serviceaccount:default:somebody lacks permissions that the simulator needs ' +
        '(get customresourcedefinitions.apiextensions.k8s.io, create customresourcedefinitions.apiextensions.k8s.io, ' +
        'update customresourcedefinitions.apiextensions.k8s.io and ',
    ],
    [
      'one missing permission',
      (role) => ({ ...role, rules: (role.rules ?? []).filter(({ resources }) => !resources?.includes('events')) }),
      '(create events). Bind the ClusterRole that slipway simulate --print-role prints, or cluster-admin.',
    ],
  ])('is rejected with %s', async (_, roleOf, message) => {
    await becomeAccount(roleOf(await printedRole()))
    await expect(start()).rejects.toThrow(message)
    const { items } = await system().list(namespaceType, { fields: { 'metadata.name': 'simulator-git-host' } })
    expect(items).toEqual([])
  })

  it('continues an existing scenario and does not touch objects that others created or changed', async () => {
    const [definition] = customResourceDefinitions
    const name = nameOf(definition ?? { metadata: {} })
    const own = await system().get(customResourceDefinitionType, name)
    const foreign = { ...own, metadata: { ...own.metadata, annotations: { mine: 'true' } } }
    await system().replace(customResourceDefinitionType, foreign)
    expect(await start()).toMatchObject({ scenario: 'demo' })
    await running[0]?.close()
    await system().delete(applicationType, 'checkout', { namespace: 'team-payments' })
    const info = await system().get(configMapType, 'konflux-public-info', { namespace: 'konflux-info' })
    await system().replace(configMapType, { ...info, data: { 'info.json': '{}' } })

    expect(await start()).toMatchObject({ scenario: 'demo' })
    const { items } = await system().list(applicationType, { namespace: 'team-payments' })
    expect(items.map(nameOf)).not.toContain('checkout')
    const kept = await system().get(configMapType, 'konflux-public-info', { namespace: 'konflux-info' })
    expect(kept.data).toEqual({ 'info.json': '{}' })
    const { metadata } = await system().get(customResourceDefinitionType, name)
    expect(metadata.annotations).toEqual({ mine: 'true' })
    await expect(start('--scenario', 'faults')).rejects.toThrow(
      'The cluster already has the scenario demo. Omit --scenario to continue it, or use another cluster.',
    )
  })

  it('creates no scenario in a cluster with its own teams unless one is requested', async () => {
    await system().create(namespaceType, aNamespace({ metadata: { name: 'team-of-ours' } }))
    expect(await start()).toMatchObject({ scenario: undefined })
    expect(printed).toContain('Scenario    none: existing objects only')
    await running[0]?.close()
    expect(await start('--scenario', 'empty')).toMatchObject({ scenario: 'empty' })
  })
})
