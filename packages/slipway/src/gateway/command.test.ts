import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { parseFlags } from '../flags'
import { StartError } from '../start-error'
import { startSlipway, type RunningSlipway } from '../start'
import { gatewayCommand, type RunningGateway } from './command'

let folder = ''
let cluster: RunningSlipway
let kubeconfig = ''
let running: RunningGateway | undefined
const printed = { stdout: '', stderr: '' }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-gateway-'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Slipway</title>')
  await writeFile(join(folder, 'key'), Buffer.alloc(32, 7).toString('base64'))
  cluster = await startSlipway({
    port: 0,
    apiPort: 0,
    signInPort: 0,
    gitPort: 0,
    scenario: 'empty',
    simulator: false,
    archive: 'none',
    data: join(folder, 'data'),
  })
  kubeconfig = cluster.kubeconfigPath ?? ''
})
afterEach(async () => {
  await running?.close()
  running = undefined
  Object.assign(printed, { stdout: '', stderr: '' })
})
afterAll(async () => {
  await cluster.close()
  await rm(folder, { recursive: true })
})

const sink = (name: keyof typeof printed) =>
  new Writable({ write: (chunk, _encoding, done) => ((printed[name] += String(chunk)), done()) })

async function run(...args: string[]): Promise<RunningGateway> {
  const around = { env: {}, builtConsole: folder, stdout: sink('stdout'), stderr: sink('stderr') }
  running = await gatewayCommand(parseFlags('gateway', ['--port', '0', '--sign-in-port', '0', ...args], {}), around)
  return running
}

/** A minimal browser for sign-in: its cookies ignore ports, and it follows redirects. */
function openBrowser() {
  const cookies = new Map<string, string>()
  return async function go(url: string, form?: Record<string, string>): Promise<Response> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form && { 'sec-fetch-site': 'same-origin' }),
      },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value) cookies.set(name, value)
      else cookies.delete(name)
    }
    const location = response.headers.get('location')
    if (location === null) return response
    const next = new URL(location, url).href
    // Only the redirect matters here, not the page.
    return next.endsWith('/done') ? response : go(next)
  }
}

describe('with only a kubeconfig', () => {
  it.each([
    ['admin', 'admin@slipway.test', ['system:authenticated']],
    ['system', 'system:admin', ['system:masters', 'system:authenticated']],
  ])('serves its owner with all groups, who enters the passcode: %s', async (context, user, groups) => {
    const gateway = await run('--kubeconfig', kubeconfig, '--context', context)
    const { url, owner } = gateway
    expect(owner).toMatchObject({ user, context })
    expect(printed.stdout).toContain(url)
    expect(printed.stdout).toContain(owner?.passcode)
    expect((await fetch(`${url}/api/k8s/version`)).status).toBe(401)

    const browser = openBrowser()
    const page = await browser(`${url}/oauth2/start?rd=/done`)
    expect(page.status).toBe(200)
    expect((await browser(page.url, { user, passcode: 'aaaa-aaaa' })).status).toBe(403)
    expect((await browser(`${url}/api/k8s/version`)).status).toBe(401)
    expect((await browser(page.url, { user, passcode: owner?.passcode ?? '' })).headers.get('location')).toBe('/done')

    expect(await (await browser(`${url}/oauth2/userinfo`)).json()).toMatchObject({ user, groups })
    const applications = await browser(
      `${url}/api/k8s/apis/appstudio.redhat.com/v1alpha1/namespaces/team-sandbox/applications`,
    )
    expect(await applications.json()).toMatchObject({ kind: 'ApplicationList' })
    expect(printed.stderr).toBe('')
  })

  it('uses the kubeconfig’s user name if the cluster does not respond', async () => {
    const lost = join(folder, 'lost')
    await writeFile(
      lost,
      JSON.stringify({
        'current-context': 'there',
        clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:1' } }],
        users: [{ name: 'carol', user: { token: 'a-token' } }],
        contexts: [{ name: 'there', context: { cluster: 'c', user: 'carol' } }],
      }),
    )
    expect((await run('--kubeconfig', lost)).owner).toMatchObject({ user: 'carol', context: 'there' })
    expect(printed.stderr).toMatch(/does not report the user/)
    expect(printed.stderr).not.toContain('a-token')
  })
})

it('serves other users with an identity provider, and logs JSON', async () => {
  const oidc = ['--oidc-issuer', cluster.signInUrl, '--oidc-client-id', 'slipway']
  const gateway = await run(
    ...['--kubeconfig', kubeconfig, '--context', 'system', ...oidc, '--session-key-file', join(folder, 'key')],
    ...['--metrics-port', '0'],
  )
  const { url, metricsPort } = gateway
  expect(gateway.owner).toBeUndefined()
  expect((await fetch(`${url}/health`)).status).toBe(200)
  expect((await fetch(`${url}/api/k8s/api/v1/pods?watch=true&token=secret`)).status).toBe(401)
  expect(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()).toContain(
    'slipway_gateway_refused_total',
  )
  const lines = printed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 'info', msg: 'the gateway is ready', url, metricsPort }),
  )
  expect(lines.at(-1)).toMatchObject({ msg: 'request', verb: 'watch', resource: 'pods', status: 401, who: null })
  expect(printed.stdout).not.toContain('secret')
})

describe('errors of the gateway’s configuration name the flags', () => {
  test.each<[string, RegExp]>([
    ['--kubeconfig @none', /^@none cannot be read \(ENOENT\)\.$/],
    ['--kubeconfig @kubeArchive', /^@kubeArchive cannot be read \(ENOENT\)\.$/],
    [
      '--in-cluster --front-proxy-secret-file @key --as id-token --session-key-file @key',
      /^--as id-token needs --oidc-issuer: a front proxy/,
    ],
    ['--kubeconfig @data', /^@data is a folder, but must be a file\.$/],
    ['--kubeconfig @index.html', /kubeconfig/],
    ['--kubeconfig @data/kubeconfig --context none', /^The kubeconfig has no context "none"\.$/],
    [
      '--kubeconfig @data/kubeconfig --public-origin https://a.example',
      /^A kubeconfig alone .* only allowed on loopback/,
    ],
    [
      '--kubeconfig @data/kubeconfig --metrics-port 0 --metrics-host 0.0.0.0',
      /--metrics-host .* --metrics-open-to-network/,
    ],
    ['--kubeconfig @data/kubeconfig --tls-cert @index.html --tls-key @key', /--tls-cert and --tls-key/],
    ['--kubeconfig @data/kubeconfig --streams-per-user 0', /^--streams-per-user must be greater than zero\.$/],
    [
      '--in-cluster --oidc-issuer http://id.example --oidc-client-id a --session-key-file @key',
      /^--oidc-issuer must be an https URL, or http on loopback\.$/,
    ],
    [
      '--in-cluster --oidc-issuer https://id.example --oidc-client-id a --session-key-file @key --host 0.0.0.0',
      /^--public-origin must be given/,
    ],
    [
      '--in-cluster --oidc-issuer https://id.example --oidc-client-id a --session-key-file @key --host 0.0.0.0 --public-origin https://a.example',
      /^--tls-cert and --tls-key must be given, since 0\.0\.0\.0 is not a loopback address\. Set --plain-http instead/,
    ],
    [
      '--in-cluster --oidc-issuer https://id.example --oidc-client-id a --session-key-file @key --host 0.0.0.0 --public-origin https://a.example --plain-http',
      /^--in-cluster only works in a pod/,
    ],
    [
      '--in-cluster --oidc-issuer https://id.example --oidc-client-id a --session-key-file @key',
      /^--in-cluster only works in a pod/,
    ],
  ])('%s', async (line, message) => {
    const args = line.split(' ').map((each) => each.replaceAll('@', `${folder}/`))
    const failure = await run(...args).catch((error: Error) => error)
    expect(failure).toBeInstanceOf(StartError)
    expect((failure as Error).message.replaceAll(`${folder}/`, '@')).toMatch(message)
  })
})
