import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { clusterSetting } from '../../../../scripts/lib/cluster-setting'

/** The controller of Tekton Pipelines, on an API server that listens on loopback. */
export interface RealTekton {
  /** Calls as the cluster administrator. */
  client: KubeClient
  /** Sends a request to the API server, without credentials. */
  fetch: typeof fetch
  /** Of the cluster administrator. */
  token: string
  nopImage: string
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
/** Where the controller is told that Tekton's images are. */
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

/** The path of a program or folder that `npm run test:platform` provides. */
export function provided(
  name:
    'TEKTON_CONTROLLER' | 'TEKTON_WEBHOOK' | 'TEKTON_CONFIG' | 'TEKTON_IMAGES' | 'TKN' | 'KUBECTL' | 'RUNC' | 'BUSYBOX',
): string {
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

/** Runs Tekton on an embedded API server of its own, without its webhook: that server calls none. */
export async function startRealTekton(): Promise<RealTekton> {
  return startTekton(await startEmbeddedServer(), { hasWebhook: false })
}

/** Runs Tekton with its webhook, on the kube-apiserver that `npm run test:platform` provides. */
export function startRealTektonWithWebhook(): Promise<RealTekton> {
  const authority = readFileSync(clusterSetting('NODE_EXTRA_CA_CERTS'), 'utf8')
  const [url, token] = [clusterSetting('CONTROL_PLANE_URL'), clusterSetting('CONTROL_PLANE_TOKEN')]
  return startTekton({ url, authority, token, fetch, close: async () => {} }, { hasWebhook: true })
}

async function startEmbeddedServer(): Promise<Server> {
  const token = 'admin-token'
  const certificate = selfSignedCertificate(['127.0.0.1'], new Date())
  const server = await createApiServer({
    storage: memoryStorage(),
    rootCertificate: certificate.cert,
    authenticate: (given) => (given === token ? { name: 'admin', groups: ['system:masters'] } : undefined),
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
  const { url, token } = server
  const kubeconfig = join(folder, 'kubeconfig')
  const authority = Buffer.from(server.authority).toString('base64')
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'tested', cluster: { server: url, 'certificate-authority-data': authority } }],
      users: [{ name: 'admin', user: { token } }],
      contexts: [{ name: 'admin', context: { cluster: 'tested', user: 'admin' } }],
      'current-context': 'admin',
    }),
    { mode: 0o600 },
  )
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
    startProgram('TEKTON_CONTROLLER', controllerFlags, join(folder, 'controller.log'), {
      ...shared,
      CONFIG_DEFAULTS_NAME: 'config-defaults',
      CONFIG_LEADERELECTION_NAME: 'config-leader-election-controller',
      CONFIG_SPIRE: 'config-spire',
    }),
  ]
  if (hasWebhook) {
    programs.push(startProgram('TEKTON_WEBHOOK', [], join(folder, 'webhook.log'), { ...shared, ...webhookEnvironment }))
  }
  const failed = Promise.race(programs.map((program) => program.failed))
  failed.catch(() => {})
  const close = async () => {
    await Promise.all(programs.map((program) => program.stop()))
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  if (hasWebhook) await Promise.race([untilAdmitting(client), failed])
  return { client, fetch: server.fetch, token, nopImage, run, failed, close }
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

function startProgram(
  name: 'TEKTON_CONTROLLER' | 'TEKTON_WEBHOOK',
  args: string[],
  logPath: string,
  env: Record<string, string>,
) {
  const log = openSync(logPath, 'a')
  const child = spawn(provided(name), args, { env, stdio: ['ignore', log, log] })
  closeSync(log)
  const killWithUs = () => child.kill('SIGKILL')
  process.once('exit', killWithUs)
  const ended = Promise.race([once(child, 'exit'), once(child, 'error')])
  let isClosing = false
  const failed = ended.then(() => {
    if (isClosing) return new Promise<never>(() => {})
    throw new Error(`${name} ended:\n${readFileSync(logPath, 'utf8').slice(-4_000)}`)
  })
  failed.catch(() => {})
  return {
    failed,
    async stop() {
      isClosing = true
      process.off('exit', killWithUs)
      if (child.exitCode !== null || child.signalCode !== null) return
      // The webhook would wait for requests for 45 seconds.
      child.kill('SIGKILL')
      await ended
    },
  }
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
