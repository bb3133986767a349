import type { Secret } from '@slipway/kube/core-types'
import { describe, expect, it, test } from 'vitest'
import { normalizeRegistry, notJsonMessage, parseRegistryConfig, usernameError } from './registry-config'
import { contentExpiry, type SecretContent, type SecretDraft, textOf, toData, buildSecret } from './secret-content'

const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64')
const text = (content: string) => ({ encoding: 'text', content }) as const
const bytes = (content: Uint8Array) => ({ encoding: 'base64', content: base64(content) }) as const

const draft = (content: SecretContent, rest: Partial<SecretDraft> = {}): Secret =>
  buildSecret({ name: 'token', namespace: 'team-shop', content, ...rest })

const jwt = (payload: unknown) =>
  [{ alg: 'RS256' }, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') + '.c2ln'

test.each([
  ['quay.io', 'quay.io'],
  [' Quay.io/Team/ ', 'quay.io/Team'],
  ['https://quay.io/', 'quay.io'],
  ['http://registry.test:5000/v2/', 'registry.test:5000'],
  ['registry.test/v1', 'registry.test'],
  ['registry.test/v1/team', 'registry.test/v1/team'],
  ['https://docker.io/', 'https://index.docker.io/v1/'],
  ['docker.io', 'https://index.docker.io/v1/'],
  ['index.docker.io/v1/', 'https://index.docker.io/v1/'],
  ['https://registry-1.docker.io/v2/', 'https://index.docker.io/v1/'],
  ['docker.io/team', 'docker.io/team'],
  ['https://index.docker.io/team/', 'docker.io/team'],
  ['https://', ''],
])('the registry %o is looked up as %o', (typed, stored) => expect(normalizeRegistry(typed)).toBe(stored))

test('a username with a colon is not valid, since it would end there', () => {
  expect(usernameError('team+robot')).toBeUndefined()
  expect(usernameError('team:robot')).toBe('Must not contain a colon ( : ).')
})

const pem = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\nBBBB\n-----END OPENSSH PRIVATE KEY-----\n'

test.each([
  ['as it is', pem],
  ['without its last line break', pem.trimEnd()],
  ['with several', `${pem}\n\n`],
  ['with the line ends of Windows', pem.replaceAll('\n', '\r\n')],
  ['with those of old Macs', pem.replaceAll('\n', '\r')],
  ['with blanks around it', `\n  ${pem.trimEnd()}  `],
])('a private key that is pasted %s ends with one line break and has Unix line ends', (_, content) => {
  const data = { 'ssh-privatekey': base64(pem) }
  expect(draft({ kind: 'sshAuth', privateKey: text(content) }).data).toEqual(data)
  expect(draft({ kind: 'opaque', entries: [{ key: 'ssh-privatekey', value: text(content) }] }).data).toEqual(data)
})

test('a certificate chain is one PEM text, and a text that only contains a PEM block stays as it is', () => {
  const chain = `${pem}${pem}`
  expect(toData(text(chain.trimEnd()))).toBe(base64(chain))
  const yaml = `key: |\r\n  ${pem.trimEnd()}`
  expect(toData(text(yaml))).toBe(base64(yaml))
})

describe('the payload of a secret', () => {
  const quay = { registry: 'quay.io/team', username: 'jörg', password: 'pä:ss', email: 'j@example.com' }
  const ghcr = { registry: 'ghcr.io', username: 'bot', password: 'x', email: '' }
  const quayEntry = { username: 'jörg', password: 'pä:ss', email: 'j@example.com', auth: base64('jörg:pä:ss') }

  it('SEC-62, SEC-63 of keys and values has no other members', () => {
    expect(draft({ kind: 'opaque', entries: [{ key: 'snyk_token', value: text('Grüße\r\n') }] })).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'token', namespace: 'team-shop' },
      type: 'Opaque',
      data: { snyk_token: base64('Grüße\r\n') },
    })
  })

  it('SEC-60 of image credentials has an entry per registry', () => {
    const { type, data } = draft({ kind: 'registries', credentials: [quay, ghcr] })
    expect(type).toBe('kubernetes.io/dockerconfigjson')
    expect(Object.keys(data ?? {})).toEqual(['.dockerconfigjson'])
    expect(JSON.parse(Buffer.from(data?.['.dockerconfigjson'] ?? '', 'base64').toString())).toEqual({
      auths: {
        'quay.io/team': quayEntry,
        'ghcr.io': { username: 'bot', password: 'x', auth: base64('bot:x') },
      },
    })
  })

  it.each([
    [
      'SEC-60',
      'kubernetes.io/dockerconfigjson',
      '.dockerconfigjson',
      { auths: { 'quay.io': quayEntry }, HttpHeaders: {} },
    ],
    ['SEC-61', 'kubernetes.io/dockercfg', '.dockercfg', { 'quay.io': quayEntry }],
  ])('%s of an uploaded %s file is the file', (_, type, key, config) => {
    const file = `${JSON.stringify(config, null, '\t')}\r\n`
    const secret = draft({ kind: 'registryConfig', file: text(file) })
    expect([secret.type, secret.data]).toEqual([type, { [key]: base64(file) }])
  })

  it('SEC-58 of basic authentication has a username and a password', () => {
    expect(draft({ kind: 'basicAuth', username: 'jörg', password: 'pä\nss' })).toMatchObject({
      type: 'kubernetes.io/basic-auth',
      data: { username: base64('jörg'), password: base64('pä\nss') },
    })
  })

  it('SEC-59 of SSH has the private key as it was given', () => {
    const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----\n'
    expect(draft({ kind: 'sshAuth', privateKey: text(key) })).toMatchObject({
      type: 'kubernetes.io/ssh-auth',
      data: { 'ssh-privatekey': base64(key) },
    })
  })

  const mebibyte = Uint8Array.from({ length: 1_048_576 }, (_, index) => (index * 7) % 256)
  it.each([
    ['text', text('ß\n\tx'), base64('ß\n\tx')],
    ['base64 text, which is encoded again', text('aGk='), base64('aGk=')],
    ['zero bytes', bytes(Uint8Array.from([0, 255, 0])), 'AP8A'],
    ['a mebibyte', bytes(mebibyte), base64(mebibyte)],
  ])('SEC-29, SEC-62 keeps every byte of a value: %s', (_, value, expected) => {
    expect(draft({ kind: 'opaque', entries: [{ key: 'k', value }] }).data?.['k'] === expected).toBe(true)
  })
})

describe('the metadata of a secret', () => {
  const basic: SecretContent = { kind: 'basicAuth', username: 'u', password: 'p' }
  const source = { host: 'gitlab.example.com', repository: 'shop/cart' }

  it.each<[string, SecretContent]>([
    ['basic authentication', basic],
    ['SSH', { kind: 'sshAuth', privateKey: text('k') }],
  ])('SEC-64 says which host and repository %s is for', (_, content) => {
    expect(draft(content, { source }).metadata).toEqual({
      name: 'token',
      namespace: 'team-shop',
      labels: { 'appstudio.redhat.com/credentials': 'scm', 'appstudio.redhat.com/scm.host': 'gitlab.example.com' },
      annotations: { 'appstudio.redhat.com/scm.repository': 'shop/cart' },
    })
  })

  it('SEC-64 has neither if they are not given', () => {
    expect(draft(basic, { source: { host: '', repository: '' } }).metadata).toEqual({
      name: 'token',
      namespace: 'team-shop',
      labels: { 'appstudio.redhat.com/credentials': 'scm' },
    })
  })

  it('SEC-38, SEC-66 has the labels of the user, and the common label if it is linked to all', () => {
    const own = { team: 'shop', 'appstudio.redhat.com/credentials': 'other' }
    expect(draft(basic, { labels: own, isCommon: true }).metadata.labels).toEqual({
      team: 'shop',
      'appstudio.redhat.com/credentials': 'scm',
      'build.appstudio.openshift.io/common-secret': 'true',
    })
  })

  it('LINK-14 has no common label if its type cannot be linked', () => {
    expect(draft({ kind: 'opaque', entries: [] }, { isCommon: true }).metadata).not.toHaveProperty('labels')
  })

  it('SEC-25 says that it is for deployments', () => {
    expect(draft({ kind: 'opaque', entries: [] }, { isForDeployment: true }).metadata.labels).toEqual({
      'ui.appstudio.redhat.com/secret-for': 'Deployment',
    })
  })

  it('has the time at which the first of its tokens expires', () => {
    const credentials = [1_790_000_000, 1_780_000_000.9, undefined].map((exp, index) => ({
      registry: `r${index}`,
      username: 'u',
      password: exp ? jwt({ exp }) : 'plain',
      email: '',
    }))
    expect(draft({ kind: 'registries', credentials }).metadata.annotations).toEqual({
      'slipway.dev/credential-expires': '2026-05-28T20:26:40Z',
    })
  })
})

test.each<[string, SecretContent, string | undefined]>([
  [
    'a password that is a JWT',
    { kind: 'basicAuth', username: 'u', password: jwt({ exp: 1_780_000_000 }) },
    '2026-05-28',
  ],
  ['a JWT that does not expire', { kind: 'basicAuth', username: 'u', password: jwt({ sub: 'x' }) }, undefined],
  ['a JWT with nonsense', { kind: 'basicAuth', username: 'u', password: jwt({ exp: 1e300 }) }, undefined],
  ['three parts that are not a JWT', { kind: 'basicAuth', username: 'u', password: 'a.b.c' }, undefined],
  [
    'an identity token in a config file',
    {
      kind: 'registryConfig',
      file: text(JSON.stringify({ auths: { r: { identitytoken: jwt({ exp: 1_780_000_000 }) } } })),
    },
    '2026-05-28',
  ],
  ['a file that is not JSON', { kind: 'registryConfig', file: text('{') }, undefined],
  ['an SSH key', { kind: 'sshAuth', privateKey: text('k') }, undefined],
])('the expiry of %s', (_, content, expected) =>
  expect(contentExpiry(content)?.toISOString().slice(0, 10)).toBe(expected),
)

describe('an uploaded config file', () => {
  it.each([
    ['SEC-48 not JSON', '{"auths":', notJsonMessage],
    ['SEC-48 text', 'quay.io', 'Configuration file should be in JSON format.'],
    ['SEC-48 a list', '[]', notJsonMessage],
    ['SEC-49 empty', '{}', 'Configuration file should contain a registry with its credentials.'],
    ['SEC-49 without registries', '{"auths":{}}', 'Configuration file should contain a registry with its credentials.'],
    ['SEC-49 of another kind', '{"name":"x"}', 'Configuration file should contain a registry with its credentials.'],
    [
      'SEC-49 without credentials',
      '{"quay.io":{}}',
      'Configuration file should contain a registry with its credentials.',
    ],
    ['SEC-49 with a malformed entry', '{"quay.io":{"auth":"*"}}', /should contain a registry/],
    [
      'SEC-49 whose credentials are in a helper',
      '{"auths":{"quay.io":{}},"credsStore":"desktop"}',
      'Configuration file has no credentials for quay.io. If a credential helper stores them, sign in without it.',
    ],
  ])('%s is rejected', (_, file, message) => {
    expect(parseRegistryConfig(file)).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  })

  it('SEC-33 may be either format', () => {
    const entry = { auth: base64('u:p') }
    expect(parseRegistryConfig(JSON.stringify({ auths: { r: entry } }))).toMatchObject({ key: '.dockerconfigjson' })
    expect(parseRegistryConfig(JSON.stringify({ r: entry }))).toMatchObject({ key: '.dockercfg' })
  })
})

test('the text of a file', () => {
  expect(textOf(text('ä'))).toBe('ä')
  expect(textOf(bytes(new TextEncoder().encode('ä')))).toBe('ä')
  expect(textOf(bytes(Uint8Array.from([255])))).toBe('')
})
