// Starts a separate control plane on loopback: etcd, kube-apiserver and the controllers that tests rely on. There is no
// kubelet and no scheduler: pods do not change unless the test simulates their kubelet.
import { spawn } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExitError } from '../lib/exit-error.mjs'

/**
 * @typedef {object} ControlPlane
 * @property {string} url of the API, over TLS
 * @property {string} caPath certificate to trust
 * @property {Record<string, string>} tokens token of each user
 * @property {string} auditLogPath one JSON event a line: who did what as whom
 * @property {string} folder holds the logs of the programs
 * @property {number[]} serverPids etcd and kube-apiserver
 * @property {() => Promise<void>} close ends the programs and removes what they wrote
 *
 * @typedef {object} User
 * @property {string} name
 * @property {string[]} [groups]
 */

/** Controllers that tests rely on: they delete namespaces and claims, collect dependents, and create accounts and roles. */
const controllers = [
  'namespace-controller',
  'garbage-collector-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'clusterrole-aggregation-controller',
  'root-ca-certificate-publisher-controller',
  'persistentvolumeclaim-protection-controller',
]

const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata' }],
}

/**
 * @param {Record<'etcd' | 'kube-apiserver' | 'kube-controller-manager', string>} programs their paths
 * @param {{ users?: User[], isDurable?: boolean, isAudited?: boolean }} [options] users besides `admin`, who is in
 *   `system:masters`; without `isDurable` etcd does not wait for the disk
 * @returns {Promise<ControlPlane>}
 */
export async function startControlPlane(programs, { users = [], isDurable = false, isAudited = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'control-plane-'))
  /** @type {ReturnType<typeof start>[]} */
  const running = []
  const inFolder = (/** @type {string} */ name) => join(folder, name)
  const close = async () => {
    for (const program of running.reverse()) await program.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const [clientPort, peerPort, apiPort] = await freePorts(3)
    const etcdUrl = `http://127.0.0.1:${clientPort}`
    const peerUrl = `http://127.0.0.1:${peerPort}`
    const etcd = start(programs.etcd, inFolder('etcd.log'), [
      ...['--data-dir', inFolder('etcd')],
      ...['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
      ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
      ...['--initial-cluster', `default=${peerUrl}`],
      ...['--quota-backend-bytes', '4294967296'],
      ...(isDurable ? [] : ['--unsafe-no-fsync']),
    ])
    running.push(etcd)
    await etcd.until(async () => (await fetch(`${etcdUrl}/health`)).ok)

    const all = [{ name: 'admin', groups: ['system:masters'] }, ...users]
    const tokens = Object.fromEntries(all.map(({ name }) => [name, randomBytes(24).toString('base64url')]))
    const lines = all.map(({ name, groups = [] }) => `${tokens[name]},${name},${name},"${groups.join(',')}"`)
    writeFileSync(inFolder('tokens.csv'), `${lines.join('\n')}\n`, { mode: 0o600 })
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    writeFileSync(inFolder('accounts.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 })
    writeFileSync(inFolder('accounts.pub'), publicKey.export({ type: 'spki', format: 'pem' }))
    writeFileSync(inFolder('audit-policy.json'), JSON.stringify(auditPolicy))
    mkdirSync(inFolder('certificates'))

    const url = `https://127.0.0.1:${apiPort}`
    // The server creates a self-signed certificate here.
    const caPath = inFolder('certificates/apiserver.crt')
    const server = start(programs['kube-apiserver'], inFolder('kube-apiserver.log'), [
      ...['--etcd-servers', etcdUrl, '--etcd-compaction-interval', '30s'],
      ...['--bind-address', '127.0.0.1', '--advertise-address', '127.0.0.1', '--secure-port', String(apiPort)],
      ...['--cert-dir', inFolder('certificates'), '--endpoint-reconciler-type', 'none'],
      ...['--service-cluster-ip-range', '10.0.0.0/24', '--allow-privileged'],
      ...['--authorization-mode', 'RBAC', '--token-auth-file', inFolder('tokens.csv')],
      ...['--service-account-issuer', 'https://kubernetes.default.svc'],
      ...['--service-account-key-file', inFolder('accounts.pub')],
      ...['--service-account-signing-key-file', inFolder('accounts.key')],
      ...(isAudited
        ? ['--audit-policy-file', inFolder('audit-policy.json'), '--audit-log-path', inFolder('audit.log')]
        : []),
      ...['--min-request-timeout', '300'],
    ])
    running.push(server)
    const isReady = async (/** @type {string} */ path) =>
      existsSync(caPath) && (await get(`${url}${path}`, tokens.admin, readFileSync(caPath, 'utf8'))).statusCode === 200
    await server.until(() => isReady('/readyz'))

    const kubeconfig = inFolder('controller-manager.kubeconfig')
    writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf(url, caPath, tokens.admin)), { mode: 0o600 })
    const manager = start(programs['kube-controller-manager'], inFolder('kube-controller-manager.log'), [
      ...['--kubeconfig', kubeconfig],
      ...['--authentication-kubeconfig', kubeconfig, '--authorization-kubeconfig', kubeconfig],
      ...['--bind-address', '127.0.0.1', '--secure-port', '0'],
      ...['--leader-elect=false', '--use-service-account-credentials=false'],
      ...['--service-account-private-key-file', inFolder('accounts.key'), '--root-ca-file', caPath],
      ...['--controllers', controllers.join(',')],
    ])
    running.push(manager)
    // Written by a controller: what it makes of a namespace is there from now on.
    await manager.until(() => isReady('/api/v1/namespaces/default/serviceaccounts/default'))
    const serverPids = [etcd.pid, server.pid]
    return { url, caPath, tokens, auditLogPath: inFolder('audit.log'), folder, serverPids, close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * @param {string} program
 * @param {string} logPath
 * @param {string[]} flags
 */
function start(program, logPath, flags) {
  const log = openSync(logPath, 'a')
  const child = spawn(program, flags, { stdio: ['ignore', log, log] })
  closeSync(log)
  const exited = new Promise((resolve) => {
    child.once('exit', resolve)
    child.once('error', resolve)
  })
  const killWithUs = () => child.kill('SIGKILL')
  process.once('exit', killWithUs)
  const hasExited = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined
  return {
    pid: child.pid ?? 0,
    /** Waits for a condition that may fail while the program starts. @param {() => Promise<boolean>} condition */
    async until(condition) {
      while (!(await condition().catch(() => false))) {
        if (hasExited())
          throw new ExitError(`${program} exited during startup.`, readFileSync(logPath, 'utf8').slice(-4_000))
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },
    async stop() {
      process.off('exit', killWithUs)
      if (hasExited()) return
      child.kill('SIGTERM')
      // kube-apiserver waits for its watches to end, which is unnecessary here.
      const timer = setTimeout(() => child.kill('SIGKILL'), 3_000)
      await exited
      clearTimeout(timer)
    },
  }
}

/** @param {number} count */
async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once('listening', resolve))))
  const ports = servers.map((server) => /** @type {import('node:net').AddressInfo} */ (server.address()).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/**
 * @param {string} url
 * @param {string | undefined} token
 * @param {string} ca
 * @returns {Promise<import('node:http').IncomingMessage>}
 */
function get(url, token, ca) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ca, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume()
      resolve(response)
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/** @param {string} url @param {string} caPath @param {string | undefined} token */
const kubeconfigOf = (url, caPath, token) => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'control-plane', cluster: { server: url, 'certificate-authority': caPath } }],
  users: [{ name: 'admin', user: { token } }],
  contexts: [{ name: 'admin', context: { cluster: 'control-plane', user: 'admin' } }],
  'current-context': 'admin',
})
