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

/** The controller of Tekton Pipelines on an API server of ours, which listens on loopback. */
export interface RealTekton {
  /** Calls as the cluster administrator. */
  client: KubeClient
  nopImage: string
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

/** The path of a program or folder that `npm run test:platform` provides. */
export function provided(name: 'TEKTON_CONTROLLER' | 'TEKTON_CONFIG' | 'TKN' | 'KUBECTL'): string {
  const path = process.env[name]
  if (!path) throw new Error(`${name} is not set. Use npm run test:platform.`)
  return path
}

export async function startRealTekton(): Promise<RealTekton> {
  const folder = mkdtempSync(join(tmpdir(), 'tekton-'))
  const certificate = selfSignedCertificate(['127.0.0.1'], new Date())
  const server = await createApiServer({
    storage: memoryStorage(),
    authenticate: (given) => (given === token ? { name: 'admin', groups: ['system:masters'] } : undefined),
  })
  const listener = await listen(server, { host: '127.0.0.1', port: 0, certificate })
  const kubeconfig = join(folder, 'kubeconfig')
  const authority = Buffer.from(certificate.cert).toString('base64')
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'embedded', cluster: { server: listener.url, 'certificate-authority-data': authority } }],
      users: [{ name: 'admin', user: { token } }],
      contexts: [{ name: 'admin', context: { cluster: 'embedded', user: 'admin' } }],
      'current-context': 'admin',
    }),
    { mode: 0o600 },
  )
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

  const logPath = join(folder, 'controller.log')
  const log = openSync(logPath, 'a')
  const child = spawn(
    provided('TEKTON_CONTROLLER'),
    [
      ...['-entrypoint-image', 'registry.slipway.test/tekton/entrypoint:1', '-nop-image', nopImage],
      ...['-sidecarlogresults-image', 'registry.slipway.test/tekton/sidecarlogresults:1'],
      ...['-workingdirinit-image', 'registry.slipway.test/tekton/workingdirinit:1'],
      ...['-shell-image', 'registry.slipway.test/tekton/shell:1'],
      ...['-shell-image-win', 'registry.slipway.test/tekton/shell-win:1'],
      // The runs of a test start at the same time.
      ...['-kube-api-qps', '500', '-kube-api-burst', '500'],
    ],
    {
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
      stdio: ['ignore', log, log],
    },
  )
  closeSync(log)
  const killWithUs = () => child.kill('SIGKILL')
  process.once('exit', killWithUs)
  const ended = Promise.race([once(child, 'exit'), once(child, 'error')])
  let isClosing = false
  const failed = ended.then(() => {
    if (isClosing) return new Promise<never>(() => {})
    throw new Error(`Tekton's controller ended:\n${readFileSync(logPath, 'utf8').slice(-4_000)}`)
  })
  failed.catch(() => {})
  return {
    client,
    nopImage,
    run,
    failed,
    async close() {
      isClosing = true
      process.off('exit', killWithUs)
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await ended
      }
      await listener.close()
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
