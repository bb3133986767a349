import { X509Certificate } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { selfSignedCertificate } from '@slipway/apiserver/certificate'
import { manualClock, type ManualClock } from '@slipway/kube/testing'
import { pino } from 'pino'
import { stringify } from 'yaml'
import { HttpError } from './http-error'
import { openCluster, type Cluster } from './cluster'
import type { AccessParts, KubernetesAccess } from './kubernetes-access'
import { startEchoUpstream, type EchoUpstream } from './testing'

const now = new Date()
const server = selfSignedCertificate(['127.0.0.1', 'cluster.test'], now)
const other = selfSignedCertificate(['127.0.0.1'], now)
const clients = [selfSignedCertificate(['a'], now), selfSignedCertificate(['b'], now)] as const
const fingerprint = (pem: string) => new X509Certificate(pem).fingerprint256
const base64 = (pem: string) => Buffer.from(pem).toString('base64')

let folder: string
let echo: EchoUpstream
let clock: ManualClock
let cluster: Cluster
let lines: Record<string, unknown>[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-access-'))
  echo = await startEchoUpstream({ ...server, requestCert: true })
  clock = manualClock(now.getTime())
  lines = []
})
afterEach(async () => {
  await cluster?.close() // Undefined in tests of rejected configurations.
  await echo.close()
  await rm(folder, { recursive: true })
})

const file = async (name: string, content: string): Promise<string> => {
  const path = join(folder, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, content)
  return path
}

const readLines = async (path: string) => (await readFile(path, 'utf8')).trim().split('\n')

const log = pino({ level: 'debug' }, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) })

async function start(access: KubernetesAccess, parts: Partial<AccessParts> = {}): Promise<void> {
  cluster = await openCluster({ access, isLocal: true, env: process.env, firstByteMs: 60_000, clock, log, ...parts })
}
/** What the cluster received in one call, and what the caller got. */
async function call() {
  const before = echo.seen.length
  const { code, body } = await respond()
  const seen = echo.seen[before]
  const token = seen?.headers.find(([name]) => name === 'authorization')?.[1]
  return { code, body, token, certificate: seen?.certificate }
}
async function respond(): Promise<{ code: number; body: string }> {
  try {
    const response = await cluster.fetch('/version')
    return { code: response.status, body: await response.text() }
  } catch (error) {
    if (error instanceof HttpError) return { code: error.code, body: JSON.stringify(error.status) }
    throw error
  }
}

describe('flags', () => {
  it('a token and authorities that a kubelet rotates in place are reloaded', async () => {
    // A kubelet points the symbolic link `..data` at a new folder.
    const rotate = async (version: string, token: string, ca: string) => {
      await file(`${version}/token`, `${token}\n`)
      await file(`${version}/ca.crt`, ca)
      await symlink(version, join(folder, '..new'))
      await rename(join(folder, '..new'), join(folder, '..data'))
    }
    await rotate('v1', 'one', server.cert)
    for (const name of ['token', 'ca.crt']) await symlink(join('..data', name), join(folder, name))
    await start({ url: echo.url, tokenFile: join(folder, 'token'), caFile: join(folder, 'ca.crt') })
    expect(await call()).toMatchObject({ code: 200, token: 'Bearer one' })

    await rotate('v2', 'two', server.cert)
    expect(await call()).toMatchObject({ token: 'Bearer one' })
    await clock.advance(2_000)
    expect(await call()).toMatchObject({ code: 200, token: 'Bearer two' })

    await rotate('v3', 'three', other.cert)
    await clock.advance(2_000)
    expect(await call()).toMatchObject({ code: 502, token: undefined })
    await rotate('v4', 'four', server.cert)
    await clock.advance(2_000)
    expect(await call()).toMatchObject({ code: 200, token: 'Bearer four' })
  })

  it('the last token stays in use while its file is missing or empty', async () => {
    const tokenFile = await file('token', 'one')
    await start({ url: echo.url, tokenFile, caFile: await file('ca.crt', server.cert) })
    expect(await call()).toMatchObject({ token: 'Bearer one' })
    await rm(tokenFile)
    await clock.advance(2_000)
    expect(await call()).toMatchObject({ code: 200, token: 'Bearer one' })
    await file('token', ' \n')
    await clock.advance(2_000)
    expect(await call()).toMatchObject({ code: 200, token: 'Bearer one' })
  })

  it('a stream continues with the certificates that it started with', async () => {
    const caFile = await file('ca.crt', server.cert)
    await start({ url: echo.url, token: 'one', caFile })
    let push = (_: string) => {}
    const begun = new Promise<void>((resolve) => {
      echo.respond = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
        push = (text) => response.end(text)
        resolve()
      }
    })
    const streaming = call()
    await begun
    await file('ca.crt', other.cert)
    await clock.advance(2_000)
    expect(await call()).toMatchObject({ code: 502 })
    push('{"whole":true}')
    expect(await streaming).toMatchObject({ code: 200, body: '{"whole":true}' })
  })

  it('a watch is streamed', async () => {
    await start({ url: echo.url, token: 'one', insecureSkipTlsVerify: true })
    let push = (_: string) => {}
    echo.respond = (_request, response) => {
      response.writeHead(200).flushHeaders()
      push = (text) => response.write(text)
    }
    const response = await cluster.fetch('/api/v1/configmaps?watch=true')
    const reader = response.body?.getReader()
    push('{"type":"ADDED"}\n')
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('{"type":"ADDED"}\n')
    await reader?.cancel()
  })

  it('an unknown certificate is not trusted', async () => {
    await start({ url: echo.url, token: 'one' })
    expect(await call()).toMatchObject({ code: 502, token: undefined })
  })

  it('any certificate is trusted on loopback if configured', async () => {
    await start({ url: echo.url, token: 'one', insecureSkipTlsVerify: true })
    expect(await call()).toMatchObject({ code: 200, token: 'Bearer one' })
  })
})

describe('in a cluster', () => {
  it('in a cluster, calls use the service account of the pod', async () => {
    await file('token', 'of-the-pod')
    await file('ca.crt', server.cert)
    const { hostname, port } = new URL(echo.url)
    const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port }
    await start({ inCluster: true }, { env, serviceAccountFolder: folder })
    expect(await call()).toMatchObject({ code: 200, token: 'Bearer of-the-pod' })
  })

  it('the in-cluster configuration is rejected outside a pod', async () => {
    const deps = { env: {}, serviceAccountFolder: folder }
    await expect(start({ inCluster: true }, deps)).rejects.toThrow(/only works in a pod/)
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1' }
    await expect(start({ inCluster: true }, { ...deps, env })).rejects.toThrow(/ca\.crt cannot be read \(ENOENT\)/)
  })
})

interface Kubeconfig {
  cluster?: object
  user?: object
  contexts?: object[]
  current?: string
}
const kubeconfig = ({ cluster, user = {}, contexts, current = 'main' }: Kubeconfig = {}) =>
  stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': current,
    clusters: [
      { name: 'c', cluster: { server: `${echo.url}/`, 'certificate-authority-data': base64(server.cert), ...cluster } },
    ],
    users: [
      { name: 'u', user },
      { name: 'second', user: { token: 'second' } },
    ],
    contexts: contexts ?? [
      { name: 'main', context: { cluster: 'c', user: 'u' } },
      { name: 'second', context: { cluster: 'c', user: 'second' } },
    ],
  })
const certificateOf = ({ cert, key }: { cert: string; key: string }) => ({
  'client-certificate-data': base64(cert),
  'client-key-data': base64(key),
})

describe('a kubeconfig', () => {
  const startWith = async (config: Kubeconfig, context?: string) =>
    start({ kubeconfig: await file('config', kubeconfig(config)), context })

  test.each<[string, string | undefined, string]>([
    ['the current context', undefined, 'Bearer mine'],
    ['a named context', 'second', 'Bearer second'],
  ])('a kubeconfig is used with %s', async (_, context, token) => {
    await startWith({ user: { token: 'mine' } }, context)
    expect(await call()).toMatchObject({ code: 200, token })
  })

  it('a kubeconfig may refer to files next to it, and a token file takes precedence over a token', async () => {
    await file('ca.crt', server.cert)
    const tokenFile = await file('secrets/token', 'from-file')
    const cluster = { 'certificate-authority-data': undefined, 'certificate-authority': 'ca.crt' }
    await startWith({ cluster, user: { token: 'inline', tokenFile: 'secrets/token' } })
    expect(await call()).toMatchObject({ token: 'Bearer from-file' })
    await writeFile(tokenFile, 'rotated')
    await clock.advance(2_000)
    expect(await call()).toMatchObject({ token: 'Bearer rotated' })
  })

  it('a kubeconfig may set the server name of the certificate', async () => {
    await startWith({ cluster: { 'tls-server-name': 'cluster.test' }, user: { token: 'mine' } })
    expect(await call()).toMatchObject({ code: 200 })
    await cluster.close()
    await startWith({ cluster: { 'tls-server-name': 'another.test' }, user: { token: 'mine' } })
    expect(await call()).toMatchObject({ code: 502, token: undefined })
  })

  it('a client certificate in a kubeconfig is reloaded when it changes', async () => {
    await startWith({ user: certificateOf(clients[0]) })
    expect(await call()).toMatchObject({ code: 200, token: undefined, certificate: fingerprint(clients[0].cert) })
    await file('config', kubeconfig({ user: certificateOf(clients[1]) }))
    await clock.advance(2_000)
    expect(await call()).toMatchObject({ code: 200, certificate: fingerprint(clients[1].cert) })
  })

  it('the old certificate stays in use while the halves of the new pair do not match', async () => {
    await startWith({ user: certificateOf(clients[0]) })
    await call()
    const halves = certificateOf({ cert: clients[1].cert, key: clients[0].key })
    await file('config', kubeconfig({ user: halves }))
    await clock.advance(2_000)
    expect(await call()).toMatchObject({ code: 200, certificate: fingerprint(clients[0].cert) })
  })

  test.each<[string, () => Kubeconfig | string]>([
    ['another server', () => ({ cluster: { server: 'https://evil.example' }, user: { token: 'new' } })],
    ['no such context', () => ({ contexts: [], user: { token: 'new' } })],
    ['invalid YAML', () => 'a: [b'],
  ])('a change of the kubeconfig to %s is ignored', async (_, changed) => {
    await startWith({ user: { token: 'mine' } })
    const next = changed()
    await file('config', typeof next === 'string' ? next : kubeconfig(next))
    await clock.advance(2_000)
    expect(await call()).toMatchObject({ code: 200, token: 'Bearer mine' })
  })

  it('a change of the current context is ignored, since it could be another cluster', async () => {
    await startWith({ user: { token: 'mine' } })
    await file('config', kubeconfig({ user: { token: 'new' }, current: 'second' }))
    await clock.advance(2_000)
    expect(await call()).toMatchObject({ token: 'Bearer new' })
  })

  test.each<[string, Kubeconfig, RegExp]>([
    ['a proxy', { cluster: { 'proxy-url': 'http://p:1' } }, /cannot be used: .*proxy-url/],
    ['an auth provider', { user: { 'auth-provider': { name: 'gcp' } } }, /auth-provider is no longer supported/],
    ['a password', { user: { username: 'a', password: 'b' } }, /no longer supports passwords/],
    ['impersonation', { user: { token: 'a', as: 'root' } }, /impersonation \(as\)/],
    ['no current context', { current: '' }, /no current context/],
    ['an unknown context', { current: 'x' }, /no context "x"/],
    ['an unknown user', { contexts: [{ name: 'main', context: { cluster: 'c', user: 'x' } }] }, /no user "x"/],
    ['an unknown cluster', { contexts: [{ name: 'main', context: { cluster: 'x', user: 'u' } }] }, /no cluster "x"/],
    ['an invalid server', { cluster: { server: 'ftp://a' }, user: { token: 'a' } }, /must be http or https/],
    ['an interactive exec plugin', { user: { exec: plugin({ interactiveMode: 'Always' }) } }, /is interactive/],
    ['an outdated exec plugin', { user: { exec: plugin({ apiVersion: 'x/v1alpha1' }) } }, /is not supported/],
  ])('a kubeconfig with %s is rejected', async (_, config, message) => {
    await expect(startWith(config)).rejects.toThrow(message)
  })

  it('a missing kubeconfig is rejected', async () => {
    await expect(start({ kubeconfig: join(folder, 'none') })).rejects.toThrow(/none cannot be read \(ENOENT\)/)
  })

  it('KUBECONFIG may list several files, and the first definition applies', async () => {
    const first = await file('one/config', stringify({ users: [{ name: 'u', user: { token: 'first' } }] }))
    const second = await file('two/config', kubeconfig({ user: { token: 'second' } }))
    await start({ kubeconfig: `${first}:${second}` })
    expect(await call()).toMatchObject({ token: 'Bearer first' })
  })
})

const apiVersion = 'client.authentication.k8s.io/v1'
const plugin = (overrides: object = {}) => ({
  apiVersion,
  command: './plugin.sh',
  interactiveMode: 'IfAvailable',
  ...overrides,
})

describe('a credential plugin', () => {
  /** Records its runs in a file and prints the file `status`, or fails with the content of the file `failure`. */
  const script = `#!/bin/sh
cd "$(dirname "$0")"
echo "$KUBERNETES_EXEC_INFO $GREETING $1" >> runs
if [ -f failure ]; then cat failure >&2; exit 3; fi
cat status
`
  const status = (value: object) =>
    file('status', JSON.stringify({ apiVersion, kind: 'ExecCredential', status: value }))
  const runs = async () => (await readLines(join(folder, 'runs'))).length
  const startWith = async (exec: object = {}) => {
    await chmod(await file('plugin.sh', script), 0o700)
    return start({ kubeconfig: await file('config', kubeconfig({ user: { exec: plugin(exec) } })) })
  }
  const inSeconds = (seconds: number) => new Date(clock.now() + seconds * 1_000).toISOString()

  it('a plugin runs once for concurrent calls with its configured input, and again shortly before its credentials expire', async () => {
    await status({ token: 'one', expirationTimestamp: inSeconds(600) })
    await startWith({ args: ['get'], env: [{ name: 'GREETING', value: 'hello' }], provideClusterInfo: true })
    expect(await Promise.all([call(), call(), call()])).toMatchObject(Array(3).fill({ code: 200 }))
    expect(echo.seen.every(({ headers }) => headers.some(([, value]) => value === 'Bearer one'))).toBe(true)
    const [line = ''] = await readLines(join(folder, 'runs'))
    expect(line).toMatch(/ hello get$/)
    expect(JSON.parse(line.replace(/ hello get$/, ''))).toMatchObject({
      apiVersion,
      kind: 'ExecCredential',
      spec: { interactive: false, cluster: { server: `${echo.url}/` } },
    })
    expect(await runs()).toBe(1)

    await status({ token: 'two', expirationTimestamp: inSeconds(1_200) })
    await clock.advance(541_000)
    // Renewed in the background of the call, which still uses the old token.
    expect(await call()).toMatchObject({ token: 'Bearer one' })
    await expect.poll(async () => (await call()).token).toBe('Bearer two')
    expect(await runs()).toBe(2)
  })

  it('calls wait for the plugin when its credentials have expired', async () => {
    await status({ token: 'one', expirationTimestamp: inSeconds(60) })
    await startWith()
    await status({ token: 'two' })
    await clock.advance(61_000)
    expect(await Promise.all([call(), call()])).toMatchObject([{ code: 200 }, { code: 200 }])
    expect(echo.seen.map(({ headers }) => headers.find(([name]) => name === 'authorization')?.[1])).toEqual([
      'Bearer two',
      'Bearer two',
    ])
    expect(await runs()).toBe(2)
  })

  it('a plugin may provide a client certificate', async () => {
    const { cert, key } = clients[0]
    await status({ clientCertificateData: cert, clientKeyData: key })
    await startWith()
    expect(await call()).toMatchObject({ code: 200, token: undefined, certificate: fingerprint(cert) })
  })

  it('a plugin runs again when the cluster rejects its credentials', async () => {
    await status({ token: 'revoked' })
    await startWith()
    await clock.advance(5_000)
    echo.respond = (request, response) => {
      response.writeHead(request.headers.authorization === 'Bearer fresh' ? 200 : 401).end('{}')
    }
    await status({ token: 'fresh' })
    expect(await call()).toMatchObject({ code: 502, token: 'Bearer revoked' })
    expect(await call()).toMatchObject({ code: 200, token: 'Bearer fresh' })
  })

  it("the first line of a failing plugin's error output is logged, and no secret ever is", async () => {
    await status({ token: 'sentinel-secret' })
    await file('failure', 'no ticket\nsentinel-secret\n')
    await startWith()
    await call()
    const told = { upstream: 'kubernetes', command: join(folder, 'plugin.sh'), cause: 'no ticket · exit code 3' }
    expect(lines).toContainEqual(expect.objectContaining(told))
    await rm(join(folder, 'failure'))
    await clock.advance(5_000)
    expect(await call()).toMatchObject({ code: 200, token: 'Bearer sentinel-secret' })
    echo.respond = (_request, response) => response.writeHead(401).end()
    await call()
    expect(JSON.stringify(lines)).not.toContain('sentinel-secret')
  })

  it('a failed plugin runs again after five seconds, even if the clock was set back meanwhile', async () => {
    await file('failure', 'no ticket')
    await startWith()
    expect(await call()).toMatchObject({ code: 502 })
    await rm(join(folder, 'failure'))
    await status({ token: 'one' })
    clock.jump(-3_600_000)
    expect(await call()).toMatchObject({ code: 502 })
    clock.jump(5_000)
    expect(await call()).toMatchObject({ code: 200 })
  })

  it('a plugin that takes longer than a minute is killed with its child processes', async () => {
    await status({ token: 'one', expirationTimestamp: inSeconds(5) })
    await startWith()
    await clock.advance(6_000)
    await chmod(await file('plugin.sh', `#!/bin/sh\necho ready > "$(dirname "$0")/ready"\nsleep 600\n`), 0o700)
    const response = call()
    await expect.poll(() => readFile(join(folder, 'ready'), 'utf8').catch(() => '')).toBe('ready\n')
    await clock.advance(60_000)
    expect(await response).toMatchObject({ code: 502 })
    expect(lines).toContainEqual(expect.objectContaining({ cause: 'it took longer than 60000ms' }))
  })

  test.each<[string, () => Promise<unknown>]>([
    ['fails', () => file('failure', 'no ticket\nfound in the cache\n')],
    ['does not print JSON', () => file('status', 'token')],
    ['prints another kind', () => file('status', '{"kind":"Status"}')],
    ['prints no credentials', () => status({})],
    ['prints an invalid expiry', () => status({ token: 'a', expirationTimestamp: 'soon' })],
    ['prints an invalid token', () => status({ token: 'a\nb' })],
  ])('a plugin that %s causes a 502 and is not run again for five seconds', async (_, spoil) => {
    await spoil()
    await startWith()
    const response = await call()
    expect(response).toMatchObject({ code: 502, token: undefined })
    expect(JSON.parse(response.body)).toMatchObject({
      kind: 'Status',
      message: 'The credential plugin of kubernetes failed. See the log for the reason.',
    })
    await call()
    expect(await runs()).toBe(1)
    await rm(join(folder, 'failure'), { force: true })
    await status({ token: 'one' })
    await clock.advance(5_000)
    expect(await call()).toMatchObject({ code: 200, token: 'Bearer one' })
  })
})
