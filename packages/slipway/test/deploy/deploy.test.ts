import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import { selfSignedCertificate } from '@slipway/apiserver/certificate'
import { listen, type Listener } from '@slipway/apiserver/node/listen'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { createKubeClient } from '@slipway/kube/client'
import { createMetrics } from '@slipway/gateway/operations/metrics'
import { formatMetrics } from '@slipway/views/host/metrics'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { findKubectl } from '../../../../scripts/lib/tools.mjs'
import { createCluster, type Cluster } from '../../src/cluster'
import { flagNames, parseFlags, variableOf } from '../../src/flags'
import { viewsCommand } from '../../src/views/command'
import { gatewaySuite } from './gateway-rights'
import {
  deployFolder,
  kubectlOf,
  otherDefinitions,
  overlays,
  podsOf,
  render,
  settingsOf,
  type Manifest,
  type Server,
} from './manifests'

const kubectl = findKubectl()
if (!kubectl) console.log('deploy.test.ts is skipped: there is no kubectl')

/** Kinds of Kubernetes that the embedded server does not serve: the real one checks them (deploy.cluster.test.ts). */
const notEmbedded = new Set(['Deployment', 'Service', 'PodDisruptionBudget', 'NetworkPolicy', 'Ingress'])

const named = (objects: readonly Manifest[], kind: string, name: string): Manifest =>
  objects.find((object) => object.kind === kind && object.metadata.name === name) ?? expect.fail(`no ${kind} ${name}`)

async function printedViewsRole(): Promise<Manifest> {
  let text = ''
  const stdout = new Writable({ write: (chunk, _encoding, done) => ((text += String(chunk)), done()) })
  await viewsCommand(parseFlags('views', ['--print-role'], {}), { env: {}, stdout })
  // The command prints a ClusterRole.
  return parse(text) as Manifest
}

function documentedGatewayRole(): Manifest {
  const text = readFileSync(join(deployFolder, '../docs/deploying.md'), 'utf8')
  const blocks = [...text.matchAll(/```yaml\n([^]*?)```/g)].map(([, block = '']) => block)
  // Other kinds are filtered out by their kind.
  const objects = blocks.flatMap((block) => parseAllDocuments(block).map((each) => each.toJS() as Manifest))
  return named(objects, 'ClusterRole', 'slipway-gateway')
}

describe.skipIf(!kubectl)('the manifests in deploy', () => {
  const rendered = new Map<string, Manifest[]>()
  const objectsOf = (overlay: string) => rendered.get(overlay) ?? expect.fail(`no overlay ${overlay}`)
  beforeAll(async () => {
    for (const overlay of overlays) rendered.set(overlay, await render(kubectl ?? '', overlay))
  })

  it('has an overlay for each way to run it, which the guide names', () => {
    expect(overlays).toEqual(['demo', 'gateway-api', 'gateway-only', 'ingress', 'konflux', 'openshift', 'replicated'])
    const guide = readFileSync(join(deployFolder, 'README.md'), 'utf8')
    for (const overlay of overlays) expect(guide).toContain(`overlays/${overlay}`)
  })

  it('grants the gateway exactly the documented rights', () => {
    for (const overlay of overlays.filter((each) => !['demo', 'konflux'].includes(each))) {
      const { rules } = named(objectsOf(overlay), 'ClusterRole', 'slipway-gateway')
      expect(rules, overlay).toEqual(documentedGatewayRole().rules)
    }
  })

  it('grants no gateway the right to impersonate groups that are not named', () => {
    const rules = overlays.flatMap((overlay) => objectsOf(overlay).flatMap((object) => object.rules ?? []))
    const groups = rules.filter(
      ({ verbs, resources }) => verbs.includes('impersonate') && resources?.includes('groups'),
    )
    expect(groups.length).toBe(overlays.length - 1)
    for (const { resourceNames = [] } of groups) {
      expect(resourceNames).toContain('system:authenticated')
      expect(resourceNames).not.toContain('system:masters')
    }
  })

  it('grants the service for list views exactly the rights that it prints', async () => {
    const printed = await printedViewsRole()
    for (const overlay of ['replicated', 'konflux']) {
      expect(named(objectsOf(overlay), 'ClusterRole', 'slipway-views').rules, overlay).toEqual(printed.rules)
    }
  })

  it('grants nothing to the demo, which has a cluster of its own', () => {
    expect(objectsOf('demo').map(({ kind }) => kind)).toEqual([
      'Namespace',
      'ServiceAccount',
      'Deployment',
      'NetworkPolicy',
    ])
    const pods = podsOf(objectsOf('demo'), 'demo')
    expect(pods.map(({ spec }) => spec)).toEqual([expect.objectContaining({ automountServiceAccountToken: false })])
  })

  it.each(overlays)('keeps each pod of %s restricted, limited, probed and apart', (overlay) => {
    const objects = objectsOf(overlay)
    const namespace = objects.find(({ kind }) => kind === 'Namespace')
    expect(namespace?.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' })
    const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec?.podSelector)
    expect(policies).toContainEqual({})
    for (const { metadata, spec } of objects.filter(({ kind }) => kind === 'Deployment')) {
      const { template, selector } = spec ?? {}
      expect(template?.spec, metadata.name).toMatchObject({
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      })
      for (const container of template?.spec.containers ?? []) {
        expect(container, metadata.name).toMatchObject({
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          livenessProbe: expect.anything(),
          resources: { requests: { cpu: expect.anything(), memory: expect.anything() }, limits: expect.anything() },
        })
      }
      if (overlay === 'demo') continue
      expect(policies, metadata.name).toContainEqual(selector)
      const budgets = objects.filter(({ kind }) => kind === 'PodDisruptionBudget')
      expect(budgets.map((each) => each.spec?.selector)).toContainEqual(selector)
    }
  })

  it.each(overlays)(
    'contains no secret in %s: pods refer to Secrets, which the cluster or an operator writes',
    (overlay) => {
      const secrets = objectsOf(overlay).filter(({ kind }) => kind === 'Secret')
      expect(
        secrets.flatMap(({ data, stringData }) => [...Object.keys(data ?? {}), ...Object.keys(stringData ?? {})]),
      ).toEqual([])
      expect(Object.values(settingsOf(objectsOf(overlay)) ?? {}).join('\n')).not.toMatch(/secret=|password|BEGIN/i)
    },
  )

  it.each(overlays.filter((overlay) => overlay !== 'demo'))(
    'sets options in %s that exist, with files that are mounted',
    (overlay) => {
      const objects = objectsOf(overlay)
      const settings = settingsOf(objects) ?? expect.fail('no settings')
      const variables = flagNames('gateway').map(variableOf)
      expect(Object.keys(settings).filter((name) => !variables.includes(name))).toEqual([])
      const { containers = [], volumes = [] } =
        named(objects, 'Deployment', 'slipway-gateway').spec?.template?.spec ?? {}
      const [container] = containers
      expect(objects.some(({ metadata }) => metadata.name === container?.envFrom?.[0]?.configMapRef.name)).toBe(true)
      const mounts = container?.volumeMounts ?? []
      expect(mounts.map(({ name }) => name).toSorted()).toEqual(volumes.map(({ name }) => name).toSorted())
      const files = Object.values(settings).filter((value) => value.startsWith('/'))
      expect([...new Set(files.map(dirname))].toSorted()).toEqual(mounts.map(({ mountPath }) => mountPath).toSorted())
    },
  )

  it('watches only metrics that are exported', async () => {
    const gateway = await createMetrics(() => ({ calls: 0, streams: 0, sockets: 0 }), { withProcess: true }).text()
    const views = formatMetrics({
      bytes: 0,
      shelves: 0,
      sessions: 0,
      reviews: { allowed: 0, denied: 0, failed: 0, running: 0, waiting: 0 },
    })
    const exported = new Set([
      ...[...`${gateway}\n${views}`.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name),
      // Only on Linux.
      'process_open_fds',
      'process_max_fds',
    ])
    const expressions = ['alerts.yaml', 'dashboard.json'].map((name) =>
      readFileSync(join(deployFolder, 'components/monitoring', name), 'utf8'),
    )
    const watched = expressions.flatMap((text) => text.match(/\b(?:slipway|process|nodejs)_\w+/g) ?? [])
    expect(watched.length).toBeGreaterThan(30)
    const names = watched.map((name) => (exported.has(name) ? name : name.replace(/_(?:bucket|count|sum)$/, '')))
    expect(names.filter((name) => !exported.has(name))).toEqual([])
  })

  it('takes the address of the console from one place', async () => {
    const copy = mkdtempSync(join(tmpdir(), 'slipway-deploy-'))
    try {
      cpSync(deployFolder, copy, { recursive: true })
      for (const overlay of ['ingress', 'gateway-api', 'openshift']) {
        const path = join(copy, 'overlays', overlay, 'kustomization.yaml')
        writeFileSync(path, readFileSync(path, 'utf8').replace('https://console.example.com', 'https://slipway.test'))
        const text = JSON.stringify(await render(kubectl ?? '', overlay, copy))
        expect(text, overlay).not.toContain('console.example.com')
        const hosts = text.split('"slipway.test"').length - 1
        expect(hosts, overlay).toBe(overlay === 'ingress' ? 2 : 1)
      }
    } finally {
      rmSync(copy, { recursive: true })
    }
  })

  describe('on the embedded API server', () => {
    let cluster: Cluster
    let api: Listener
    let server: Server
    let kubectlAs: ReturnType<typeof kubectlOf>
    beforeAll(async () => {
      cluster = await createCluster({ storage: memoryStorage() })
      const certificate = selfSignedCertificate(['127.0.0.1'], new Date())
      api = await listen(cluster.server, { host: '127.0.0.1', port: 0, certificate })
      const token = cluster.credentials.tokens['system'] ?? expect.fail('the administrator has no token')
      server = { url: api.url, ca: certificate.cert, token }
      kubectlAs = kubectlOf(kubectl ?? '', server)
      await kubectlAs.apply(otherDefinitions)
      await kubectlAs.run('wait', '--for=condition=Established', 'customresourcedefinitions', '--all')
    })
    afterAll(async () => {
      kubectlAs.close()
      await api.close()
      await cluster.close()
    })

    it.each(overlays)('%s is applied without an error, and its pods are valid', async (overlay) => {
      const objects = objectsOf(overlay)
      const served = objects.filter(({ kind }) => !notEmbedded.has(kind))
      const { lines, warnings } = await kubectlAs.apply(served)
      expect(warnings).toBe('')
      expect(lines).toHaveLength(served.length)
      const pods = podsOf(objects, overlay)
      expect((await kubectlAs.apply(pods)).lines).toHaveLength(pods.length)
    })

    describe('a gateway with the account and the options of the manifests', () => {
      gatewaySuite(async () => {
        const objects = objectsOf('replicated')
        await kubectlAs.apply(objects.filter(({ kind }) => !notEmbedded.has(kind)))
        return {
          server,
          clientWith: (token = server.token, headers = {}) =>
            createKubeClient({
              baseUrl: 'http://cluster.test',
              headers: { authorization: `Bearer ${token}`, ...headers },
              fetch: (input, init) => cluster.server.fetch(new Request(input, init)),
            }),
          settings: settingsOf(objects) ?? expect.fail('no settings'),
        }
      })
    })
  })
})
