import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createApiServer } from '@slipway/apiserver/api-server'
import { selfSignedCertificate } from '@slipway/apiserver/certificate'
import { listen } from '@slipway/apiserver/node/listen'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import { configMapType } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'
import type { UserInfo } from '@slipway/kube/user'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { clusterSetting } from '../../../../scripts/lib/cluster-setting'
import { startProgram } from './program'

/** The controller of Tekton Pipelines, on an API server that listens on loopback. */
export interface RealTekton {
  /** Calls as the cluster administrator. */
  client: KubeClient
  /** Sends a request to the API server, without credentials. */
  fetch: typeof fetch
  /** Of the cluster administrator. */
  token: string
  nopImage: string
  /** Of the API server, with its authority as PEM. */
  url: string
  authority: string
  /** Of programs that call the API server as the cluster administrator. */
  environment: Record<string, string>
  /** Runs a program with a kubeconfig for the API server in its environment, and returns its output. */
  run(program: string, ...args: string[]): Promise<string>
  /** Rejects if one of Tekton's programs ends. */
  failed: Promise<never>
  close(): Promise<void>
}

const systemNamespace = 'tekton-pipelines'
const serviceType = defineResource<KubeObject & { spec: object }>({
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  namespaced: true,
})
/** The registry of Tekton's images, in the flags of the controller. */
export const controllerImages = 'registry.slipway.test/tekton'
const nopImage = `${controllerImages}/nop:1`

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
/** Those of the webhook, except for its service. */
const webhookManifests = ['500-webhooks.yaml', 'config-leader-election-webhook.yaml']

type Provided =
  | 'TEKTON_CONTROLLER'
  | 'TEKTON_WEBHOOK'
  | 'TEKTON_CONFIG'
  | 'TEKTON_IMAGES'
  | 'TKN'
  | 'KUBECTL'
  | 'RUNC'
  | 'BUSYBOX'
  | 'RESULTS_API'
  | 'RESULTS_WATCHER'
  | 'RESULTS_CONFIG'
  | 'POSTGRES'
  | 'IMAGE_ROOT'
  | 'IMAGE_CONFIG'

/** The path of a program, file or folder that `npm run test:platform` provides. */
export function provided(name: Provided): string {
  const path = process.env[name]
  if (!path) throw new Error(`${name} is not set. Use npm run test:platform.`)
  return path
}

interface Server {
  url: string
  /** The certificate to trust. */
  authority: string
  /** Of the cluster administrator. */
  token: string
  fetch: typeof fetch
  close(): Promise<void>
}

/**
 * Runs Tekton on an embedded API server of its own, without its webhook: that server calls none.
 * @param users besides the cluster administrator, by token
 */
export async function startRealTekton(users: Record<string, UserInfo> = {}): Promise<RealTekton> {
  return startTekton(await startEmbeddedServer(users), { hasWebhook: false })
}

/** Runs Tekton with its webhook, on the kube-apiserver that `npm run test:platform` provides. */
export function startRealTektonWithWebhook(): Promise<RealTekton> {
  const authority = readFileSync(clusterSetting('NODE_EXTRA_CA_CERTS'), 'utf8')
  const [url, token] = [clusterSetting('CONTROL_PLANE_URL'), clusterSetting('CONTROL_PLANE_TOKEN')]
  return startTekton({ url, authority, token, fetch, close: async () => {} }, { hasWebhook: true })
}

async function startEmbeddedServer(users: Record<string, UserInfo>): Promise<Server> {
  const token = 'admin-token'
  const certificate = selfSignedCertificate(['127.0.0.1'], new Date())
  const server = await createApiServer({
    storage: memoryStorage(),
    rootCertificate: certificate.cert,
    authenticate: (given) => (given === token ? { name: 'admin', groups: ['system:masters'] } : users[given]),
  })
  const listener = await listen(server, { host: '127.0.0.1', port: 0, certificate })
  return {
    url: listener.url,
    authority: certificate.cert,
    token,
    fetch: async (input, init) => server.fetch(new Request(input, init)),
    async close() {
      await listener.close()
      await server.close()
    },
  }
}

async function startTekton(server: Server, { hasWebhook }: { hasWebhook: boolean }): Promise<RealTekton> {
  const folder = mkdtempSync(join(tmpdir(), 'tekton-'))
  const { url, authority, token } = server
  const kubeconfig = join(folder, 'kubeconfig')
  writeKubeconfig(kubeconfig, server)
  const environment = { PATH: process.env['PATH'] ?? '', HOME: folder, KUBECONFIG: kubeconfig }
  const run = async (program: string, ...args: string[]) =>
    (await promisify(execFile)(program, args, { env: environment, maxBuffer: 64 * 1024 * 1024 })).stdout
  const client = createKubeClient({
    baseUrl: url,
    headers: { authorization: `Bearer ${token}` },
    timeoutMs: Infinity,
    fetch: server.fetch,
  })

  const files = [...manifests, ...(hasWebhook ? webhookManifests : [])].flatMap((name) => [
    '-f',
    join(provided('TEKTON_CONFIG'), name),
  ])
  await run(provided('KUBECTL'), 'apply', '--server-side', ...files)
  const configure = (name: string, data: Record<string, string>) =>
    client.patch(configMapType, name, { data }, { namespace: systemNamespace })
  await configure('feature-flags', { 'enable-cel-in-whenexpression': 'true' })
  await configure('config-observability', { 'metrics-protocol': 'none' })

  const shared = {
    ...environment,
    SYSTEM_NAMESPACE: systemNamespace,
    KUBERNETES_MIN_VERSION: 'v1.28.0',
    CONFIG_FEATURE_FLAGS_NAME: 'feature-flags',
    CONFIG_LOGGING_NAME: 'config-logging',
    CONFIG_OBSERVABILITY_NAME: 'config-observability',
    METRICS_DOMAIN: 'tekton.dev/pipeline',
  }
  const programs = [
    startProgram("Tekton's controller", [provided('TEKTON_CONTROLLER'), ...controllerFlags], {
      folder,
      env: {
        ...shared,
        CONFIG_DEFAULTS_NAME: 'config-defaults',
        CONFIG_LEADERELECTION_NAME: 'config-leader-election-controller',
        CONFIG_SPIRE: 'config-spire',
      },
    }),
  ]
  if (hasWebhook) {
    const env = { ...shared, ...webhookEnvironment }
    // Otherwise it waits for requests for 45 seconds.
    const options = { folder, env, signal: 'SIGKILL' } as const
    programs.push(startProgram("Tekton's webhook", [provided('TEKTON_WEBHOOK')], options))
  }
  const failed = Promise.race(programs.map((program) => program.failed))
  failed.catch(() => {})
  const close = async () => {
    await Promise.all(programs.map((program) => program.close()))
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  if (hasWebhook) await Promise.race([untilAdmitting(client), failed])
  return { client, fetch: server.fetch, token, nopImage, url, authority, environment, run, failed, close }
}

const controllerFlags = [
  ...['entrypoint', 'nop', 'sidecarlogresults', 'workingdirinit', 'shell'].flatMap((name) => [
    `-${name}-image`,
    `${controllerImages}/${name}:1`,
  ]),
  ...['-shell-image-win', `${controllerImages}/shell-win:1`],
  // The runs of a test start at the same time.
  ...['-kube-api-qps', '500', '-kube-api-burst', '500'],
]

/** As in `config/webhook.yaml` of Tekton, with ports that the controller does not use. */
const webhookEnvironment = {
  CONFIG_LEADERELECTION_NAME: 'config-leader-election-webhook',
  WEBHOOK_ADMISSION_CONTROLLER_NAME: 'webhook.pipeline.tekton.dev',
  WEBHOOK_SERVICE_NAME: 'tekton-pipelines-webhook',
  WEBHOOK_SECRET_NAME: 'webhook-certs',
  // That of its service, which leads to this machine.
  WEBHOOK_PORT: '443',
  PROBES_PORT: '8081',
  PROFILING_PORT: '8009',
}

/** Leads the API server to the webhook, and waits until it refuses a run that is not valid. */
async function untilAdmitting(client: KubeClient): Promise<void> {
  const metadata = { name: webhookEnvironment.WEBHOOK_SERVICE_NAME, namespace: systemNamespace }
  const service = { metadata, spec: { type: 'ExternalName', externalName: 'localhost' } }
  await client.create(serviceType, service)
  const invalid = { metadata: { name: 'invalid', namespace: systemNamespace }, spec: {} }
  for (;;) {
    const error = await client.create(pipelineRunType, invalid, { dryRun: true }).catch((error: Error) => error)
    if (error instanceof Error && error.message.includes('denied the request')) return
    await new Promise((resolve) => setTimeout(resolve, 200))
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
    clusters: [{ name: 'tested', cluster }],
    users: [{ name: 'user', user: { token } }],
    contexts: [{ name: 'default', context: { cluster: 'tested', user: 'user' } }],
    'current-context': 'default',
  }
  writeFileSync(path, JSON.stringify(kubeconfig), { mode: 0o600 })
}
