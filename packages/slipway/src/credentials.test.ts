import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { authenticator, completeCredentials, storedCredentials } from './credentials'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-'))
})
afterEach(() => rm(folder, { recursive: true }))

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

describe('stored credentials', () => {
  it('are the same after a restart and readable only by their owner', async () => {
    const path = join(folder, 'credentials.json')
    const first = await storedCredentials(path)
    expect(await modeOf(path)).toBe(0o600)
    expect(await storedCredentials(path)).toEqual(first)
    expect(Object.keys(first.tokens)).toEqual(['system', 'gateway', 'admin', 'maintainer', 'contributor', 'outsider'])
    expect(new Set(Object.values(first.tokens)).size).toBe(6)
  })

  it('remove the access of others to an existing file', async () => {
    const path = join(folder, 'credentials.json')
    await storedCredentials(path)
    await chmod(path, 0o644)
    await storedCredentials(path)
    expect(await modeOf(path)).toBe(0o600)
  })

  it('keep known values and add missing ones', async () => {
    const path = join(folder, 'credentials.json')
    const { tokens } = await storedCredentials(path)
    await writeFile(path, JSON.stringify({ tokens: { admin: tokens.admin, outsider: 'short', gone: tokens.system } }))
    const { tokens: next } = await storedCredentials(path)
    expect(next.admin).toBe(tokens.admin)
    expect(next.outsider).toMatch(/^[\w-]{43}$/)
    expect(next).not.toHaveProperty('gone')
  })

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"tokens":7,"sessionKey":{}}',
    '{"tokens":["a"]}',
    '{"certificate":{"key":"a","cert":"b"}}',
    '{"signIn":{"clientSecret":"a"}}',
    `{"signIn":{"clientSecret":"${'a'.repeat(43)}","cookieKey":"${'b'.repeat(43)}","signingKey":{"kty":"EC"}}}`,
  ])('replace the invalid content %j', async (text) => {
    const path = join(folder, 'credentials.json')
    await writeFile(path, text)
    const credentials = await storedCredentials(path)
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(credentials)
  })
})

describe('authenticator', () => {
  const credentials = completeCredentials({})
  const authenticate = authenticator(credentials)

  it('returns the identity of a token', () => {
    expect(authenticate(credentials.tokens.admin ?? '')).toEqual({ name: 'admin@slipway.test', groups: [] })
    expect(authenticate(credentials.tokens.system ?? '')).toEqual({ name: 'system:admin', groups: ['system:masters'] })
    expect(authenticate(credentials.tokens.gateway ?? '')).toEqual({ name: 'system:slipway:gateway', groups: [] })
  })

  it.each(['', 'admin', 'toString', credentials.sessionKey])('has no identity for %j', (token) =>
    expect(authenticate(token)).toBeUndefined(),
  )
})
