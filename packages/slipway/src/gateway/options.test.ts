import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { flagNames, flagsOf, gatewayHelp, variableOf } from './flags'
import { gatewayOptions } from './options'

const key = new Uint8Array(32).fill(7)
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-options-'))
  await writeFile(join(folder, 'index.html'), '')
  await writeFile(join(folder, 'key'), `${Buffer.from(key).toString('base64')}\n`)
  await writeFile(join(folder, 'hex'), Buffer.from(key).toString('hex'))
  await writeFile(join(folder, 'raw'), key)
  await writeFile(join(folder, 'secret'), 'client-secret-of-some-length\n')
  await writeFile(join(folder, 'empty'), '\n')
})
afterAll(() => rm(folder, { recursive: true }))

/** `@name` stands for a file in the folder. */
const optionsOf = (line: string, env: Record<string, string> = {}) => {
  const args = line.split(' ').map((each) => each.replaceAll('@', `${folder}/`))
  return gatewayOptions(flagsOf(args.filter(Boolean), env), folder)
}
const refusal = (line: string, env?: Record<string, string>) => {
  try {
    return optionsOf(line, env)
  } catch (error) {
    return (error as Error).message.replaceAll(`${folder}/`, '@')
  }
}

const oidc = '--oidc-issuer https://id.example --oidc-client-id slipway --session-key-file @key'

it('is for the owner of a kubeconfig when nothing says how people sign in', () => {
  const { config, signIn, signInPort, logLevel } = optionsOf('--kubeconfig a --context b')
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    kubernetes: { access: { kubeconfig: 'a', context: 'b' }, as: 'own' },
    assets: folder,
  })
  expect({ signIn, signInPort, logLevel }).toEqual({ signIn: undefined, signInPort: 8082, logLevel: 'warn' })
})

it('takes everything that a deployment needs', () => {
  const { config, signIn, drainMs, logLevel } = optionsOf(
    `--in-cluster --host 0.0.0.0 --public-origin https://a.example --tls-cert c --tls-key k --tls-client-ca ca ${oidc} ` +
      '--session-key-file @hex --session-key-file @raw --oidc-client-secret-file @secret --oidc-prompt none ' +
      '--oidc-scope openid --oidc-scope email --namespace-lister https://lister --namespace-lister-ca-file lca ' +
      '--tekton-results https://results --tekton-results-token-file t --kubearchive https://archive ' +
      '--plugins-get-gateway-token --sign-outs slipway/sign-outs --session-idle-minutes 30 --metrics-port 9090 ' +
      '--calls-per-second 20 --sign-ins-per-minute 30 --forwarded-hops 2 --drain-seconds 15',
  )
  expect(config).toMatchObject({
    tls: { certFile: 'c', keyFile: 'k', clientCaFile: 'ca' },
    publicOrigins: ['https://a.example'],
    kubernetes: { access: { inCluster: true }, as: 'impersonate' },
    namespaceLister: { url: 'https://lister', caFile: 'lca' },
    tektonResults: { url: 'https://results', token: { file: 't' } },
    kubeArchive: { url: 'https://archive', token: 'gateway' },
    metrics: { port: 9090, isOpenToNetwork: false },
    forwardedHops: 2,
    limits: { callsPerSecond: 20, callBurst: 200, signInsPerMinute: 30 },
  })
  const { session } = signIn ?? {}
  expect(session?.keys.map((each) => Buffer.from(each))).toEqual(Array.from({ length: 3 }, () => Buffer.from(key)))
  expect(session).toMatchObject({ idleMs: 1_800_000, signOuts: { namespace: 'slipway', configMap: 'sign-outs' } })
  const client = signIn && 'oidc' in signIn.signIn ? signIn.signIn.oidc : undefined
  expect(client).toMatchObject({ prompt: '', scopes: ['openid', 'email'] })
  expect(typeof client?.clientSecret === 'function' && client.clientSecret()).toBe('client-secret-of-some-length')
  expect([drainMs, logLevel]).toEqual([15_000, 'info'])
})

it('takes the environment where a flag is missing', () => {
  const env = {
    SLIPWAY_KUBECONFIG: 'a',
    SLIPWAY_PORT: '9000',
    SLIPWAY_OIDC_ISSUER: 'https://id.example',
    SLIPWAY_OIDC_CLIENT_ID: 'slipway',
    SLIPWAY_SESSION_KEY_FILE: `${folder}/key, ${folder}/raw`,
    SLIPWAY_OIDC_ALLOW_UNVERIFIED_EMAIL: 'true',
    SLIPWAY_CONTEXT: '',
  }
  const { config, signIn } = optionsOf('--port 9001', env)
  expect(config).toMatchObject({ port: 9001, kubernetes: { access: { kubeconfig: 'a' }, as: 'impersonate' } })
  expect(signIn).toMatchObject({ signIn: { oidc: { allowUnverifiedEmail: true } } })
  expect(signIn?.session.keys).toHaveLength(2)
})

describe('what it does not understand, in one sentence', () => {
  test.each<[string, string]>([
    ['', 'Say which cluster: --kubeconfig, --in-cluster or --kubernetes-url.'],
    [
      '--in-cluster --kubeconfig a',
      'Say which cluster: --kubeconfig, --in-cluster or --kubernetes-url, and only one of them.',
    ],
    ['--in-cluster --context a', '--context goes with --kubeconfig.'],
    ['--in-cluster', 'Say how people sign in: by --oidc-issuer, or by a proxy in front and its proof.'],
    [
      '--kubeconfig a --host 0.0.0.0',
      'With a kubeconfig alone the gateway lends your own rights, so --host must be loopback; others need --oidc-issuer.',
    ],
    [
      '--kubeconfig a --as impersonate',
      'With a kubeconfig alone the gateway lends your own rights: --as needs --oidc-issuer.',
    ],
    ['--in-cluster --oidc-issuer https://a', '--oidc-issuer needs --oidc-client-id.'],
    [
      '--in-cluster --oidc-issuer https://a --oidc-client-id a',
      'Sessions need --session-key-file: 32 random bytes, the same ones for every replica.',
    ],
    [
      `--in-cluster ${oidc} --front-proxy-secret-file @secret`,
      'People sign in by --oidc-issuer or by a proxy in front, not by both.',
    ],
    [
      `--in-cluster ${oidc} --session-key-file @secret`,
      '@secret holds no session key: make one with openssl rand -base64 32.',
    ],
    [
      `--in-cluster ${oidc} --oidc-client-secret-file @none`,
      'The file of --oidc-client-secret-file cannot be read: @none (ENOENT).',
    ],
    [
      `--in-cluster ${oidc} --oidc-client-secret-file @empty`,
      'The file of --oidc-client-secret-file, @empty, is empty.',
    ],
    [`--in-cluster ${oidc} --as own`, '--as (SLIPWAY_AS) must be impersonate or id-token, not "own".'],
    [`--in-cluster ${oidc} --tls-cert a`, 'TLS needs both --tls-cert and --tls-key.'],
    [
      `--in-cluster ${oidc} --kubearchive https://a`,
      '--kubearchive needs --kubearchive-token-file, or --plugins-get-gateway-token on purpose.',
    ],
    [
      `--in-cluster ${oidc} --sign-outs a`,
      '--sign-outs must be a namespace and the name of a ConfigMap, such as slipway/sign-outs.',
    ],
    ['--kubeconfig a --port x', '--port must be a whole number, not "x".'],
    ['--kubeconfig a --port 70000', '--port must be a port number from 0 to 65535, not "70000".'],
    ['--kubeconfig a --prot 1', "Unknown option '--prot'; see slipway gateway --help for the options there are."],
    [
      '--kubeconfig a --assets @none',
      'There is no index.html in @none: build the console, or name its folder with --assets.',
    ],
  ])('%s', (line, message) => expect(refusal(line)).toBe(message))

  it('tells a wrong variable by its name', () => {
    expect(refusal('--kubeconfig a', { SLIPWAY_PORT: 'x' })).toBe('SLIPWAY_PORT must be a whole number, not "x".')
    expect(refusal('', { SLIPWAY_IN_CLUSTER: 'yes' })).toBe('SLIPWAY_IN_CLUSTER must be true or false, not "yes".')
  })
})

describe('the help', () => {
  it('names every flag on a line of its own, within the width of a terminal', () => {
    for (const name of flagNames) expect(gatewayHelp).toMatch(new RegExp(`^  --${name}( |$)`, 'm'))
    const tooLong = gatewayHelp.split('\n').filter((line) => line.length > 130)
    expect(tooLong).toEqual([])
    expect(new Set(flagNames.map(variableOf)).size).toBe(flagNames.length)
  })
})
