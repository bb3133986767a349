import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { manualClock } from '@slipway/kube/testing'
import { cookieOf } from '../../test/gateway-under-test'
import { createSessions } from './sessions'

const keys = [1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array]
const identity = { user: 'ada@slipway.test', email: 'ada@slipway.test', preferredUsername: 'ada', groups: ['a'] }
const minuteMs = 60_000
const settings = {
  keys: [keys[0]],
  idleMs: 60 * minuteMs,
  absoluteMs: 240 * minuteMs,
  recheckMs: 5 * minuteMs,
  unconfirmedMs: 240 * minuteMs,
  cookieName: 's',
  isHttps: false,
  signOuts: undefined,
  path: '',
  needsIdToken: false,
  allowedSystemNames: new Set<string>(),
}

async function started(overrides: Partial<typeof settings> = {}) {
  const clock = manualClock()
  const sessions = createSessions({ ...settings, ...overrides }, clock)
  const setCookies = await sessions.start(identity)
  return { clock, sessions, setCookies, cookie: cookieOf(setCookies) }
}
/** Incompressible group names. */
const groupsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `group-${index}-${randomBytes(12).toString('hex')}`)

it('the identity is encrypted in the cookie', async () => {
  const { sessions, setCookies, cookie } = await started()
  expect(setCookies).toEqual([`${cookie}; Max-Age=3600; Path=/; HttpOnly; SameSite=Lax`])
  const value = cookie.replace('s=1~', '')
  expect(JSON.parse(Buffer.from(value.split('.')[0] ?? '', 'base64url').toString())).toEqual({
    alg: 'dir',
    enc: 'A256GCM',
    typ: 'session',
  })
  expect(Buffer.from(value, 'base64url').toString()).not.toContain('ada')
  expect((await sessions.read(cookie))?.session).toMatchObject({ identity, via: 'cookie' })
})

it('the cookie is Secure on https', async () => {
  const { setCookies } = await started({ isHttps: true })
  expect(setCookies[0]).toContain('; HttpOnly; Secure; SameSite=Lax')
})

it('each sign-in starts a session with a new id', async () => {
  const { sessions, cookie } = await started()
  const again = cookieOf(await sessions.start(identity))
  expect((await sessions.read(again))?.session.id).not.toBe((await sessions.read(cookie))?.session.id)
})

it('a cookie with any changed character is invalid', async () => {
  const { sessions, cookie } = await started()
  for (let at = 's=1~'.length; at < cookie.length; at++) {
    // The last character of a base64url part may contain unused bits.
    if (cookie[at] === '.' || at === cookie.length - 1 || cookie[at + 1] === '.') continue
    const changed = `${cookie.slice(0, at)}${cookie[at] === 'A' ? 'B' : 'A'}${cookie.slice(at + 1)}`
    expect(await sessions.read(changed), `character ${at}`).toBeUndefined()
  }
})

test.each(['', 's=', 's=x', 's=1~', 's=1~a.b.c.d.e', 's=1~....', 's=0~x', 's=99~x', 's=1~eyJhbGciOiJub25lIn0.e30.'])(
  'the cookie header %j has no session',
  async (header) => {
    const { sessions } = await started()
    expect(await sessions.read(header)).toBeUndefined()
  },
)

it('an arbitrary cookie header has no session and causes no error', async () => {
  const { sessions } = await started()
  const piece = fc.constantFrom(
    's',
    's.1',
    's.2',
    '=',
    '; ',
    '"',
    '1~',
    '2~',
    '16~',
    '.',
    '%',
    '%zz',
    'eyJhbGciOiJkaXIifQ',
  )
  const header = fc.oneof(
    fc.string(),
    fc.array(fc.oneof(piece, fc.string({ maxLength: 5 }))).map((all) => all.join('')),
  )
  await fc.assert(
    fc.asyncProperty(header, async (text) => (await sessions.read(text)) === undefined),
    { numRuns: 2_000 },
  )
})

it('a session survives a key rotation as long as its key is still configured', async () => {
  const { clock, cookie } = await started()
  const rotated = createSessions({ ...settings, keys: [keys[1], keys[0]] }, clock)
  expect((await rotated.read(cookie))?.session).toMatchObject({ identity })
  const dropped = createSessions({ ...settings, keys: [keys[1]] }, clock)
  expect(await dropped.read(cookie)).toBeUndefined()
  expect(await dropped.read(cookieOf(await rotated.start(identity)))).toBeDefined()
})

it('an unused session ends after the idle time', async () => {
  const { clock, sessions, cookie } = await started()
  await clock.advance(60 * minuteMs - 1)
  expect(await sessions.read(cookie)).toBeDefined()
  await clock.advance(1)
  expect(await sessions.read(cookie)).toBeUndefined()
})

it('an active session is extended, but not beyond its absolute end', async () => {
  const { clock, sessions, cookie } = await started()
  let current = cookie
  for (let minute = 0; minute < 230; minute += 10) {
    await clock.advance(10 * minuteMs)
    const encrypted = await sessions.read(current)
    const renewal = encrypted && (await sessions.renew(encrypted))
    expect(renewal?.session.id).toBe(encrypted?.session.id)
    current = cookieOf(renewal?.cookies)
  }
  expect(await sessions.read(current)).toBeDefined()
  await clock.advance(10 * minuteMs)
  expect(await sessions.read(current)).toBeUndefined()
})

it('a session is due for renewal after a tenth of its idle time, not at every call', async () => {
  const { clock, sessions, cookie } = await started()
  const isDue = async () => sessions.isDueForRenewal((await sessions.read(cookie))!.session)
  await clock.advance(5 * minuteMs)
  expect(await isDue()).toBe(false)
  await clock.advance(minuteMs)
  expect(await isDue()).toBe(true)
})

it('signing out ends the session for every copy of its cookie, and no other session', async () => {
  const { clock, sessions, cookie } = await started()
  const other = cookieOf(await sessions.start(identity))
  await clock.advance(10 * minuteMs)
  const encrypted = (await sessions.read(cookie))!
  const renewed = cookieOf((await sessions.renew(encrypted)).cookies)
  await sessions.end(encrypted)
  expect(sessions.remove(cookie)).toEqual(['s=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'])
  expect(await sessions.read(cookie)).toBeUndefined()
  expect(await sessions.read(renewed)).toBeUndefined()
  expect(await sessions.read(other)).toBeDefined()
})

const invisible = [
  '\u200b',
  '\u200d',
  '\u2060',
  '\u202e',
  '\u2067',
  '\u00ad',
  '\u0085',
  '\u2028',
  '\u3164',
  '\u{e0041}',
]
test.each([
  ...['', '  ', 'system:admin', 'system:serviceaccount:a:b', 'a\nb', 'a,b', ' system:admin'],
  ...invisible.map((character) => `system${character}:admin`),
])('a session is never started for the user %j', async (user) => {
  const { sessions } = await started()
  await expect(sessions.start({ ...identity, user })).rejects.toThrow('Sign-in denied')
})

it('a session has no groups with invisible characters, and none that reorder text are shown', async () => {
  const { sessions } = await started()
  const groups = ['a', ...invisible.map((character) => `admins${character}`)]
  const shown = { preferredUsername: 'ad\u202ea \u{1f469}\u200d\u{1f680}', email: 'a\u2067@b.test', user: 'zoë' }
  const cookie = cookieOf(await sessions.start({ ...shown, groups }))
  expect((await sessions.read(cookie))?.session.identity).toEqual({
    preferredUsername: 'ada \u{1f469}\u200d\u{1f680}',
    email: 'a@b.test',
    user: 'zoë',
    groups: ['a'],
  })
})

it('a session is checked each time, although its cookie is only decrypted once', async () => {
  const { clock, sessions, cookie } = await started()
  const other = cookieOf(await sessions.start(identity))
  const read = await sessions.read(cookie)
  expect(read).toBeDefined()
  expect(await sessions.read(cookie)).toEqual(read)
  if (read) await sessions.end(read)
  expect(await sessions.read(cookie)).toBeUndefined()
  await clock.advance(60 * minuteMs - 1)
  expect(await sessions.read(other)).toBeDefined()
  await clock.advance(1)
  expect(await sessions.read(other)).toBeUndefined()
})

it('system names are rejected unless explicitly allowed', async () => {
  const { sessions } = await started({ allowedSystemNames: new Set(['system:admins', 'system:operator']) })
  const groups = ['system:admins', 'system:masters', 'a', 'a', 'b,c', 'd\ne']
  const cookie = cookieOf(await sessions.start({ ...identity, user: 'system:operator', groups }))
  expect((await sessions.read(cookie))?.session.identity).toMatchObject({
    user: 'system:operator',
    groups: ['system:admins', 'a'],
  })
})

describe('a session too large for one cookie', async () => {
  const { clock, sessions } = await started()
  const large = { ...identity, groups: groupsOf(200) }
  const setCookies = await sessions.start(large, { refreshToken: 'r', subject: 'x' })
  const header = cookieOf(setCookies)
  const parts = header.split('; ')

  it('a large session is split over several cookies, each small enough for a browser', async () => {
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.map((part) => part.split('=')[0])).toEqual(parts.map((_, index) => (index === 0 ? 's' : `s.${index}`)))
    for (const cookie of setCookies) expect(cookie.length).toBeLessThan(4_096)
    expect(header.length).toBeLessThan(12_000)
    const encrypted = await sessions.read([...parts].reverse().join('; '))
    expect(encrypted?.session.identity).toEqual(large)
    expect(encrypted).toMatchObject({ refreshToken: 'r', subject: 'x' })
  })

  it('a large session with a missing or foreign part is invalid', async () => {
    for (const left of parts)
      expect(await sessions.read(parts.filter((part) => part !== left).join('; '))).toBeUndefined()
    const other = cookieOf(await sessions.start(large)).split('; ')
    expect(await sessions.read([...parts.slice(0, -1), other.at(-1)].join('; '))).toBeUndefined()
  })

  it('a session that becomes smaller removes its obsolete parts and ignores leftovers', async () => {
    const small = await sessions.start(identity, {}, header)
    expect(small.slice(1)).toEqual(
      parts.slice(1).map((part) => `${part.split('=')[0]}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`),
    )
    expect(await sessions.read([small[0]?.split(';')[0], ...parts.slice(1)].join('; '))).toBeDefined()
    expect(sessions.remove(header)).toHaveLength(parts.length)
  })

  it('a session drops its ID token to fit, unless an upstream needs it', async () => {
    const idToken = randomBytes(5_000).toString('base64url')
    const lean = cookieOf(await sessions.start(large, { idToken }))
    expect((await sessions.read(lean))?.idToken).toBeUndefined()
    const needed = createSessions({ ...settings, needsIdToken: true }, clock)
    await expect(needed.start(large, { idToken })).rejects.toThrow('too many groups')
  })

  it('a session that does not fit into the headers is rejected', async () => {
    await expect(sessions.start({ ...identity, groups: groupsOf(1_000) })).rejects.toThrow('too many groups')
  })
})

it('a session exposes the ID token only if an upstream needs it, and never the refresh token', async () => {
  const { clock, sessions } = await started()
  const tokens = { idToken: 'the-id-token', refreshToken: 'the-refresh-token' }
  const cookie = cookieOf(await sessions.start(identity, tokens))
  expect((await sessions.read(cookie))?.session).not.toHaveProperty('idToken')
  const keeping = createSessions({ ...settings, needsIdToken: true }, clock)
  const session = (await keeping.read(cookie))?.session
  expect(session?.idToken).toBe('the-id-token')
  expect(JSON.stringify(session)).not.toContain('the-refresh-token')
})
