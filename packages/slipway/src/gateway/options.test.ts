import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { parseFlags } from '../flags'
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

/** `@name` is a file in the folder. */
const optionsOf = (line: string, env: Record<string, string> = {}) => {
  const args = line.split(' ').map((each) => each.replaceAll('@', `${folder}/`))
  return gatewayOptions(parseFlags('gateway', args.filter(Boolean), env), folder)
}
const messageOf = (line: string, env?: Record<string, string>) => {
  try {
    return optionsOf(line, env)
  } catch (error) {
    return (error as Error).message.replaceAll(`${folder}/`, '@')
  }
}

const oidc = '--oidc-issuer https://id.example --oidc-client-id slipway --session-key-file @key'

it('serves only the owner of a kubeconfig if no sign-in is configured', () => {
  const { config, signIn, signInPort, logLevel } = optionsOf('--kubeconfig a --context b')
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    kubernetes: { access: { kubeconfig: 'a', context: 'b' }, as: 'own' },
    assets: folder,
  })
  expect({ signIn, signInPort, logLevel }).toEqual({ signIn: undefined, signInPort: 8082, logLevel: 'warn' })
})

it('accepts all options of a deployment', () => {
  const { config, signIn, drainMs, logLevel } = optionsOf(
    `--in-cluster --host 0.0.0.0 --public-origin https://a.example --tls-cert c --tls-key k --tls-client-ca ca ${oidc} ` +
      '--session-key-file @hex --session-key-file @raw --oidc-client-secret-file @secret --oidc-prompt none ' +
      '--oidc-scope openid --oidc-scope email --oidc-keep-group team-* --oidc-keep-group ops --namespace-lister https://lister --namespace-lister-ca-file lca ' +
      '--tekton-results https://results --tekton-results-token-file t --kubearchive https://archive ' +
      '--views https://views --views-ca-file vca --views-token-file v ' +
      '--plugins-get-gateway-token --sign-outs slipway/sign-outs --session-idle-minutes 30 --metrics-port 9090 ' +
      '--calls-per-second 20 --sign-ins-per-minute 30 --render-milliseconds 0 --forwarded-hops 2 --drain-seconds 15',
  )
  expect(config).toMatchObject({
    tls: { certFile: 'c', keyFile: 'k', clientCaFile: 'ca' },
    publicOrigins: ['https://a.example'],
    kubernetes: { access: { inCluster: true }, as: 'impersonate' },
    namespaceLister: { url: 'https://lister', caFile: 'lca' },
    tektonResults: { url: 'https://results', token: { file: 't' } },
    kubeArchive: { url: 'https://archive', token: 'gateway' },
    views: { url: 'https://views', caFile: 'vca', token: { file: 'v' } },
    metrics: { port: 9090, isOpenToNetwork: false },
    forwardedHops: 2,
    renderMs: 0,
    limits: { callsPerSecond: 20, callBurst: 200, signInsPerMinute: 30 },
  })
  const { session } = signIn ?? {}
  expect(session?.keys.map((each) => Buffer.from(each))).toEqual(Array.from({ length: 3 }, () => Buffer.from(key)))
  expect(session).toMatchObject({ idleMs: 1_800_000, signOuts: { namespace: 'slipway', configMap: 'sign-outs' } })
  const client = signIn && 'oidc' in signIn.signIn ? signIn.signIn.oidc : undefined
  expect(client).toMatchObject({ prompt: '', scopes: ['openid', 'email'], keptGroups: ['team-*', 'ops'] })
  expect(typeof client?.clientSecret === 'function' && client.clientSecret()).toBe('client-secret-of-some-length')
  expect([drainMs, logLevel]).toEqual([15_000, 'info'])
})

it('uses environment variables for missing flags', () => {
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

describe('rejects invalid options with a message', () => {
  test.each<[string, string]>([
    ['', 'Choose a cluster with --kubeconfig, --in-cluster or --kubernetes-url.'],
    [
      '--in-cluster --kubeconfig a',
      'Choose a cluster with --kubeconfig, --in-cluster or --kubernetes-url, only one of them.',
    ],
    ['--in-cluster --context a', '--context requires --kubeconfig.'],
    [
      '--in-cluster',
      'Choose how users sign in: with --oidc-issuer, or through a proxy with --front-proxy-secret-file or --front-proxy-certificate-name.',
    ],
    [
      '--kubeconfig a --host 0.0.0.0',
      'With only a kubeconfig the gateway uses your own permissions, so --host must be a loopback address. To serve other users, use --oidc-issuer.',
    ],
    [
      '--kubeconfig a --as impersonate',
      'With only a kubeconfig the gateway uses your own permissions, so --as requires --oidc-issuer.',
    ],
    ['--in-cluster --oidc-issuer https://a', '--oidc-issuer requires --oidc-client-id.'],
    [
      '--in-cluster --oidc-issuer https://a --oidc-client-id a',
      'Sessions require --session-key-file: 32 random bytes, the same for every replica.',
    ],
    [
      `--in-cluster ${oidc} --front-proxy-secret-file @secret`,
      'Users can sign in with --oidc-issuer or through a proxy, but not both.',
    ],
    [
      `--in-cluster ${oidc} --session-key-file @secret`,
      '@secret does not contain a session key. Create one with openssl rand -base64 32.',
    ],
    [
      `--in-cluster ${oidc} --oidc-client-secret-file @none`,
      'The file of --oidc-client-secret-file cannot be read: @none (ENOENT).',
    ],
    [
      `--in-cluster ${oidc} --oidc-client-secret-file @empty`,
      'The file of --oidc-client-secret-file is empty: @empty.',
    ],
    [`--in-cluster ${oidc} --as own`, '--as must be one of impersonate, id-token, not "own".'],
    [`--in-cluster ${oidc} --tls-cert a`, 'TLS requires both --tls-cert and --tls-key.'],
    [
      `--in-cluster ${oidc} --kubearchive https://a`,
      "--kubearchive requires --kubearchive-token-file, or --plugins-get-gateway-token to send it the gateway's token.",
    ],
    [
      `--in-cluster ${oidc} --sign-outs a`,
      '--sign-outs must be the namespace and name of a ConfigMap, such as slipway/sign-outs.',
    ],
    ['--kubeconfig a --port x', '--port must be a port number from 0 to 65535, not "x".'],
    ['--kubeconfig a --port 70000', '--port must be a port number from 0 to 65535, not "70000".'],
    ['--kubeconfig a --prot 1', "Unknown option '--prot'. See slipway gateway --help for all options."],
    [
      '--kubeconfig a --assets @none',
      'There is no index.html in @none. Build the console, or set its folder with --assets.',
    ],
  ])('%s', (line, message) => expect(messageOf(line)).toBe(message))

  it('names an invalid environment variable', () => {
    expect(messageOf('--kubeconfig a', { SLIPWAY_PORT: 'x' })).toBe(
      'SLIPWAY_PORT must be a port number from 0 to 65535, not "x".',
    )
    expect(messageOf('', { SLIPWAY_IN_CLUSTER: 'yes' })).toBe('SLIPWAY_IN_CLUSTER must be true or false, not "yes".')
  })
})
