import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { PolicyRule } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { customResourceDefinitionType } from '@slipway/kube/core-types'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { parseAllDocuments } from 'yaml'

export const deployFolder = fileURLToPath(new URL('../../../../deploy/', import.meta.url))

export const overlays = readdirSync(join(deployFolder, 'overlays')).sort()

/** The fields of containers that the tests read. */
interface Container {
  name: string
  image: string
  args?: string[]
  ports?: { name: string; containerPort: number }[]
  livenessProbe?: object
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> }
  securityContext?: object
  volumeMounts?: { name: string; mountPath: string }[]
  envFrom?: { configMapRef: { name: string } }[]
}

interface PodSpec {
  serviceAccountName?: string
  containers: Container[]
  volumes?: { name: string }[]
}

/** An object of a manifest, with the fields that the tests read. */
export interface Manifest extends KubeObject {
  apiVersion: string
  kind: string
  data?: Record<string, string>
  stringData?: Record<string, string>
  rules?: PolicyRule[]
  spec?: {
    template?: { metadata: KubeObject['metadata']; spec: PodSpec }
    selector?: { matchLabels?: Record<string, string> }
    podSelector?: { matchLabels?: Record<string, string> }
  }
}

const run = promisify(execFile)

/** The objects of an overlay, as `kubectl kustomize` prints them. */
export async function render(kubectl: string, overlay: string, folder = deployFolder): Promise<Manifest[]> {
  const { stdout } = await run(kubectl, ['kustomize', join(folder, 'overlays', overlay)])
  // They are Kubernetes objects, of which the server checks the rest.
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest)
}

/** Pods as the Deployments of an overlay create them: admission to a namespace checks pods only. */
export const podsOf = (objects: readonly Manifest[], overlay: string): (KubeObject & { spec: PodSpec })[] =>
  objects.flatMap(({ kind, metadata, spec }) =>
    kind === 'Deployment' && spec?.template
      ? {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { ...spec.template.metadata, name: `${metadata.name}-${overlay}`, namespace: metadata.namespace },
          spec: spec.template.spec,
        }
      : [],
  )

/** The options of the gateway: the data of the generated config map, whose name ends with a hash. */
export const settingsOf = (objects: readonly Manifest[]): Record<string, string> | undefined =>
  objects.find(({ kind, metadata: { name = '' } }) => kind === 'ConfigMap' && /^slipway-gateway-\w+$/.test(name))?.data

/** Definitions of the kinds that a cluster has of other projects, without their schemas. */
export const otherDefinitions: KubeObject[] = [
  ['monitoring.coreos.com', 'v1', 'ServiceMonitor', 'servicemonitors'],
  ['monitoring.coreos.com', 'v1', 'PrometheusRule', 'prometheusrules'],
  ['gateway.networking.k8s.io', 'v1', 'HTTPRoute', 'httproutes'],
  ['gateway.networking.k8s.io', 'v1', 'BackendTLSPolicy', 'backendtlspolicies'],
  ['route.openshift.io', 'v1', 'Route', 'routes'],
].map(([group = '', version, kind = '', plural]) => ({
  apiVersion: apiVersionOf(customResourceDefinitionType),
  kind: customResourceDefinitionType.kind,
  metadata: {
    name: `${plural}.${group}`,
    // Kubernetes asks for it of definitions in groups of its own.
    ...(group.endsWith('.k8s.io') && { annotations: { 'api-approved.kubernetes.io': 'unapproved, of a test' } }),
  },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}))

export interface Server {
  url: string
  /** The certificate to trust, in PEM. */
  ca: string
  /** Token of an administrator. */
  token: string
}

/** kubectl as an administrator of a server. */
export function kubectlOf(kubectl: string, { url, ca, token }: Server) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-deploy-'))
  const config = join(folder, 'config')
  writeFileSync(
    config,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        { name: 'c', cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') } },
      ],
      users: [{ name: 'u', user: { token } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    }),
    { mode: 0o600 },
  )
  const call = (args: string[], input: string) => {
    const child = run(kubectl, [`--kubeconfig=${config}`, `--cache-dir=${folder}`, ...args])
    child.child.stdin?.end(input)
    return child
  }
  return {
    /**
     * Applies objects on the server, which rejects unknown fields. Other suites own roles of the same names.
     * @returns a line for each, and the server's warnings
     */
    async apply(objects: readonly KubeObject[], ...flags: string[]): Promise<{ lines: string[]; warnings: string }> {
      const args = ['apply', '--server-side', '--force-conflicts', '--validate=strict', ...flags, '-f', '-']
      const { stdout, stderr } = await call(args, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
      return { lines: stdout.trim().split('\n'), warnings: stderr }
    },
    run: (...args: string[]) => call(args, ''),
    close: () => rmSync(folder, { recursive: true }),
  }
}
