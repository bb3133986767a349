import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createApiServer } from '@slipway/apiserver/api-server'
import { selfSignedCertificate } from '@slipway/apiserver/certificate'
import { listen } from '@slipway/apiserver/node/listen'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import { configMapType } from '@slipway/kube/core-types'
import type { UserInfo } from '@slipway/kube/user'
import { startProgram } from './program'

/** The controller of Tekton Pipelines on an API server of ours, which listens on loopback. */
export interface RealTekton {
  /** Calls as the cluster administrator. */
  client: KubeClient
  nopImage: string
  /** Of the API server, with its authority as PEM. */
  url: string
  authority: string
  /** Of programs that call the API server as the cluster administrator. */
  environment: Record<string, string>
  /** Runs a program with a kubeconfig for the API server in its environment, and returns its output. */
  run(program: string, ...args: string[]): Promise<string>
  /** Rejects if the controller ends. */
  failed: Promise<never>
  close(): Promise<void>
}

const systemNamespace = 'tekton-pipelines'
const nopImage = 'registry.slipway.test/tekton/nop:1'
const token = 'admin-token'

/** As in `config/` of Tekton, without its webhook. `docs/simulating.md` tells users to do the same. */
const manifests = [
  '100-namespace',
  '200-clusterrole.yaml',
  '200-role.yaml',
  '200-serviceaccount.yaml',
  '201-clusterrolebinding.yaml',
  '201-rolebinding.yaml',
  '300-crds',
  'config-defaults.yaml',
  'config-events.yaml',
  'config-feature-flags.yaml',
  'config-leader-election-controller.yaml',
  'config-logging.yaml',
  'config-observability.yaml',
  'config-spire.yaml',
  'config-tracing.yaml',
  'config-wait-exponential-backoff.yaml',
]

type Provided =
  | 'TEKTON_CONTROLLER'
  | 'TEKTON_CONFIG'
  | 'TKN'
  | 'KUBECTL'
  | 'RESULTS_API'
  | 'RESULTS_WATCHER'
  | 'RESULTS_CONFIG'
  | 'POSTGRES'

/** The path of a program or folder that `npm run test:platform` provides. */
export function provided(name: Provided): string {
  const path = process.env[name]
  if (!path) throw new Error(`${name} is not set. Use npm run test:platform.`)
  return path
}

/** @param users besides the cluster administrator, by token */
export async function startRealTekton(users: Record<string, UserInfo> = {}): Promise<RealTekton> {
  const folder = mkdtempSync(join(tmpdir(), 'tekton-'))
  const certificate = selfSignedCertificate(['127.0.0.1'], new Date())
  const server = await createApiServer({
    storage: memoryStorage(),
    authenticate: (given) => (given === token ? { name: 'admin', groups: ['system:masters'] } : users[given]),
  })
  const listener = await listen(server, { host: '127.0.0.1', port: 0, certificate })
  const kubeconfig = join(folder, 'kubeconfig')
  writeKubeconfig(kubeconfig, { url: listener.url, authority: certificate.cert, token })
  const environment = { PATH: process.env['PATH'] ?? '', HOME: folder, KUBECONFIG: kubeconfig }
  const run = async (program: string, ...args: string[]) =>
    (await promisify(execFile)(program, args, { env: environment, maxBuffer: 64 * 1024 * 1024 })).stdout
  const client = createKubeClient({
    baseUrl: 'http://cluster.test',
    headers: { authorization: `Bearer ${token}` },
    timeoutMs: Infinity,
    fetch: async (input, init) => server.fetch(new Request(input, init)),
  })

  const files = manifests.flatMap((name) => ['-f', join(provided('TEKTON_CONFIG'), name)])
  await run(provided('KUBECTL'), 'apply', '--server-side', ...files)
  const configure = (name: string, data: Record<string, string>) =>
    client.patch(configMapType, name, { data }, { namespace: systemNamespace })
  await configure('feature-flags', { 'enable-cel-in-whenexpression': 'true' })
  await configure('config-observability', { 'metrics-protocol': 'none' })

  const controller = startProgram(
    "Tekton's controller",
    [
      provided('TEKTON_CONTROLLER'),
      ...['-entrypoint-image', 'registry.slipway.test/tekton/entrypoint:1', '-nop-image', nopImage],
      ...['-sidecarlogresults-image', 'registry.slipway.test/tekton/sidecarlogresults:1'],
      ...['-workingdirinit-image', 'registry.slipway.test/tekton/workingdirinit:1'],
      ...['-shell-image', 'registry.slipway.test/tekton/shell:1'],
      ...['-shell-image-win', 'registry.slipway.test/tekton/shell-win:1'],
      // The runs of a test start at the same time.
      ...['-kube-api-qps', '500', '-kube-api-burst', '500'],
    ],
    {
      folder,
      env: {
        ...environment,
        SYSTEM_NAMESPACE: systemNamespace,
        KUBERNETES_MIN_VERSION: 'v1.28.0',
        CONFIG_DEFAULTS_NAME: 'config-defaults',
        CONFIG_FEATURE_FLAGS_NAME: 'feature-flags',
        CONFIG_LEADERELECTION_NAME: 'config-leader-election-controller',
        CONFIG_LOGGING_NAME: 'config-logging',
        CONFIG_OBSERVABILITY_NAME: 'config-observability',
        CONFIG_SPIRE: 'config-spire',
        METRICS_DOMAIN: 'tekton.dev/pipeline',
      },
    },
  )
  return {
    client,
    nopImage,
    url: listener.url,
    authority: certificate.cert,
    environment,
    run,
    failed: controller.failed,
    async close() {
      await controller.close()
      await listener.close()
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** @param connection to an API server, with its authority as PEM */
export function writeKubeconfig(
  path: string,
  { url, authority, token }: { url: string; authority: string; token: string },
): void {
  const cluster = { server: url, 'certificate-authority-data': Buffer.from(authority).toString('base64') }
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'embedded', cluster }],
    users: [{ name: 'user', user: { token } }],
    contexts: [{ name: 'default', context: { cluster: 'embedded', user: 'user' } }],
    'current-context': 'default',
  }
  writeFileSync(path, JSON.stringify(kubeconfig), { mode: 0o600 })
}
