import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { selfSignedCertificate } from '@slipway/apiserver/certificate'
import { configMapType } from '@slipway/kube/core-types'
import { serviceAccountGroups, serviceAccountUser, type UserInfo } from '@slipway/kube/user'
import { expect, vi } from 'vitest'
import { freePort, startProgram } from './program'
import { provided, writeKubeconfig, type RealTekton } from './real-tekton'

/** Tekton Results, its API and its watcher, on a database of its own, for a Tekton on our API server. */
export interface RealResults {
  url: string
  /** PEM file with the certificate of the API. */
  caFile: string
  /** Ends the database, which the API reads from then on in vain. */
  endDatabase(): Promise<void>
  /** Requests a path of the API directly. */
  request(path: string, headers?: Record<string, string>): Promise<Response>
  /** Rejects if the database, the API or the watcher ends. */
  failed: Promise<never>
  close(): Promise<void>
}

const systemNamespace = 'tekton-pipelines'
const accountOf = (name: string): UserInfo => ({
  name: serviceAccountUser(systemNamespace, name),
  groups: [...serviceAccountGroups(systemNamespace), 'system:authenticated'],
})

const tokens = { api: 'results-api-token', watcher: 'results-watcher-token' }

/** The service accounts by token, which the API server has to know. */
export const resultsAccounts: Record<string, UserInfo> = {
  [tokens.api]: accountOf('tekton-results-api'),
  [tokens.watcher]: accountOf('tekton-results-watcher'),
}

/** What the API and the watcher need in the cluster. The rest of their manifests is of containers. */
const usedKinds = /^kind: (ConfigMap|ServiceAccount|(Cluster)?Role(Binding)?)$/m

/** Each process sees only files of its own where a pod has those of its service account. */
const asPod = `mount -t tmpfs tmpfs /var/run &&
  mkdir -p /var/run/secrets/kubernetes.io/serviceaccount &&
  cp "$1"/token "$1"/ca.crt /var/run/secrets/kubernetes.io/serviceaccount && shift && exec "$@"`

/** PostgreSQL refuses to run as root. */
const notAsRoot = ['unshare', '--user', '--map-user=1000', '--map-group=1000']

export async function startRealResults(tekton: RealTekton): Promise<RealResults> {
  const folder = mkdtempSync(join(tmpdir(), 'tekton-results-'))
  const config = provided('RESULTS_CONFIG')
  const manifests = await tekton.run(provided('KUBECTL'), 'kustomize', join(config, 'overlays/base-only'))
  const used = manifests.split(/^---$/m).filter((text) => usedKinds.test(text))
  writeFileSync(join(folder, 'manifests.yaml'), used.join('---\n'))
  await tekton.run(provided('KUBECTL'), 'apply', '--server-side', '--filename', join(folder, 'manifests.yaml'))
  const observability = { data: { 'metrics-protocol': 'none' } }
  const ofSystem = { namespace: systemNamespace }
  await tekton.client.patch(configMapType, 'tekton-results-config-observability', observability, ofSystem)

  const { PATH = '' } = tekton.environment
  const database = await startDatabase(folder, { PATH })
  const account = join(folder, 'account')
  mkdirSync(account)
  writeFileSync(join(account, 'token'), tokens.api)
  writeFileSync(join(account, 'ca.crt'), tekton.authority)
  const certificate = selfSignedCertificate(['127.0.0.1'], new Date())
  writeFileSync(join(folder, 'tls.crt'), certificate.cert)
  writeFileSync(join(folder, 'tls.key'), certificate.key)
  const cluster = new URL(tekton.url)
  const port = await freePort()
  const api = startProgram(
    'The API of Tekton Results',
    ['unshare', '--mount', 'sh', '-c', asPod, 'sh', account, provided('RESULTS_API')],
    {
      folder,
      // Its defaults.
      cwd: join(config, 'base/env'),
      env: {
        PATH,
        KUBERNETES_SERVICE_HOST: cluster.hostname,
        KUBERNETES_SERVICE_PORT: cluster.port,
        DB_HOST: '127.0.0.1',
        DB_PORT: String(database.port),
        DB_NAME: 'postgres',
        DB_USER: 'postgres',
        DB_PASSWORD: 'any',
        SERVER_PORT: String(port),
        PROMETHEUS_PORT: String(await freePort()),
        TLS_PATH: folder,
        LOGS_API: 'true',
        LOGS_TYPE: 'File',
        LOGS_PATH: join(folder, 'logs'),
        K8S_QPS: '500',
        K8S_BURST: '500',
      },
    },
  )
  const kubeconfig = join(folder, 'kubeconfig')
  writeKubeconfig(kubeconfig, { url: tekton.url, authority: tekton.authority, token: tokens.watcher })
  const watcher = startProgram(
    'The watcher of Tekton Results',
    [
      ...[provided('RESULTS_WATCHER'), '-api_addr', `127.0.0.1:${port}`, '-auth_mode', 'token'],
      ...['-token', tokens.watcher, '-logs_api=true', '-disable-ha', '-qps', '500', '-burst', '500'],
    ],
    {
      folder,
      env: {
        PATH,
        HOME: folder,
        KUBECONFIG: kubeconfig,
        SSL_CERT_FILE: join(folder, 'tls.crt'),
        SYSTEM_NAMESPACE: systemNamespace,
        KUBERNETES_MIN_VERSION: 'v1.28.0',
        CONFIG_LEADERELECTION_NAME: 'tekton-results-config-leader-election',
        CONFIG_LOGGING_NAME: 'tekton-results-config-logging',
        CONFIG_OBSERVABILITY_NAME: 'tekton-results-config-observability',
        METRICS_DOMAIN: 'tekton.dev/results',
      },
    },
  )
  const failed = Promise.race([database.failed, api.failed, watcher.failed])
  failed.catch(() => {})
  const url = `https://127.0.0.1:${port}`
  const request: RealResults['request'] = (path, headers = {}) =>
    fetchTrusting(certificate.cert, `${url}${path}`, headers)
  await Promise.race([vi.waitFor(() => request('/healthz'), { interval: 500 }), failed])
  return {
    url,
    caFile: join(folder, 'tls.crt'),
    request,
    failed,
    endDatabase: () => database.close(),
    async close() {
      for (const program of [watcher, api, database]) await program.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const fetchTrusting = (ca: string, url: string, headers: Record<string, string>) =>
  new Promise<Response>((resolve, reject) => {
    const request = get(url, { ca, headers }, (message) => {
      const chunks: Buffer[] = []
      message.on('data', (chunk: Buffer) => chunks.push(chunk))
      message.on('error', reject)
      message.on('end', () => {
        const { statusCode: status, headers } = message
        const { 'content-type': type = '' } = headers
        resolve(new Response(Buffer.concat(chunks), { status, headers: { 'content-type': type } }))
      })
    })
    request.on('error', reject)
  })

/** PostgreSQL, which loses everything in a power cut. */
async function startDatabase(folder: string, env: Record<string, string>) {
  const data = join(folder, 'database')
  const inFolder = (name: string) => join(dirname(provided('POSTGRES')), name)
  const initialize = [inFolder('initdb'), '--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--no-sync']
  const [file = '', ...args] = [...notAsRoot, ...initialize, '--encoding', 'UTF8', '--locale', 'C']
  await promisify(execFile)(file, args, { env })
  const port = await freePort()
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', port }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const program = startProgram('PostgreSQL', [...notAsRoot, inFolder('postgres'), '-D', data, ...options], {
    folder,
    env,
    // It ends at once. Otherwise it waits for its clients.
    signal: 'SIGQUIT',
  })
  const isReady = () => expect(readFileSync(join(data, 'postmaster.pid'), 'utf8')).toMatch(/^ready *$/m)
  await Promise.race([vi.waitFor(isReady), program.failed])
  return { ...program, port }
}
