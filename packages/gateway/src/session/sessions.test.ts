import { expect, it, test } from 'vitest'
import { manualClock } from '@slipway/kube/testing'
import { createSessions } from './sessions'

const keys = [1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array]
const identity = { user: 'ada@slipway.test', email: 'ada@slipway.test', preferredUsername: 'ada', groups: ['a'] }
const minuteMs = 60_000
const config = { keys: [keys[0]], idleMs: 60 * minuteMs, absoluteMs: 240 * minuteMs, cookieName: 's', isHttps: false }

const valueOf = (cookie: string) => cookie.slice('s='.length, cookie.indexOf(';'))
async function started(overrides: Partial<typeof config> = {}) {
  const clock = manualClock()
  const sessions = createSessions({ ...config, ...overrides }, clock)
  const cookie = await sessions.start(identity)
  return { clock, sessions, cookie, value: valueOf(cookie) }
}

it('seals who is signed in, so that nobody can read it', async () => {
  const { sessions, cookie, value } = await started()
  expect(cookie).toBe(`s=${value}; Max-Age=3600; Path=/; HttpOnly; SameSite=Lax`)
  expect(JSON.parse(Buffer.from(value.split('.')[0] ?? '', 'base64url').toString())).toEqual({
    alg: 'dir',
    enc: 'A256GCM',
  })
  expect(Buffer.from(value, 'base64url').toString()).not.toContain('ada')
  expect(await sessions.read(value)).toMatchObject({ identity })
})

it('is for https alone where browsers come by https', async () => {
  const { cookie } = await started({ isHttps: true })
  expect(cookie).toContain('; HttpOnly; Secure; SameSite=Lax')
})

it('has a new id at each sign-in', async () => {
  const { sessions, value } = await started()
  const again = valueOf(await sessions.start(identity))
  expect((await sessions.read(again))?.id).not.toBe((await sessions.read(value))?.id)
})

it('is nobody when any character was changed', async () => {
  const { sessions, value } = await started()
  for (let at = 0; at < value.length; at++) {
    // The last character of a base64url part may hold bits that mean nothing.
    if (value[at] === '.' || at === value.length - 1 || value[at + 1] === '.') continue
    const changed = `${value.slice(0, at)}${value[at] === 'A' ? 'B' : 'A'}${value.slice(at + 1)}`
    expect(await sessions.read(changed), `character ${at}`).toBeUndefined()
  }
})

test.each(['', 'x', 'a.b.c.d.e', '....', 'eyJhbGciOiJub25lIn0.eyJqdGkiOiJ4In0.'])('is nobody for %j', async (value) => {
  const { sessions } = await started()
  expect(await sessions.read(value)).toBeUndefined()
})

it('outlives a change of keys as long as its own is still known', async () => {
  const { clock, value } = await started()
  const rotated = createSessions({ ...config, keys: [keys[1], keys[0]] }, clock)
  expect(await rotated.read(value)).toMatchObject({ identity })
  const dropped = createSessions({ ...config, keys: [keys[1]] }, clock)
  expect(await dropped.read(value)).toBeUndefined()
  expect(await dropped.read(valueOf(await rotated.start(identity)))).toMatchObject({ identity })
})

it('ends when it is not used', async () => {
  const { clock, sessions, value } = await started()
  await clock.advance(60 * minuteMs - 1)
  expect(await sessions.read(value)).toBeDefined()
  await clock.advance(1)
  expect(await sessions.read(value)).toBeUndefined()
})

it('slides on while it is used, but not beyond its absolute end', async () => {
  const { clock, sessions, value } = await started()
  let current = value
  for (let minute = 0; minute < 230; minute += 10) {
    await clock.advance(10 * minuteMs)
    const session = await sessions.read(current)
    const renewal = session && (await sessions.renew(session))
    expect(renewal?.session.id).toBe(session?.id)
    current = valueOf(renewal?.cookie ?? '')
  }
  expect(await sessions.read(current)).toBeDefined()
  await clock.advance(10 * minuteMs)
  expect(await sessions.read(current)).toBeUndefined()
})

it('is not renewed at every call', async () => {
  const { clock, sessions, value } = await started()
  await clock.advance(5 * minuteMs)
  const session = await sessions.read(value)
  expect(session && (await sessions.renew(session))).toBeUndefined()
})

it('is over for every copy of its cookie once signed out, and for no other', async () => {
  const { clock, sessions, value } = await started()
  const other = valueOf(await sessions.start(identity))
  await clock.advance(10 * minuteMs)
  const session = await sessions.read(value)
  const renewed = valueOf((session && (await sessions.renew(session)))?.cookie ?? '')
  expect(sessions.end(session)).toBe('s=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax')
  expect(await sessions.read(value)).toBeUndefined()
  expect(await sessions.read(renewed)).toBeUndefined()
  expect(await sessions.read(other)).toBeDefined()
})

test.each(['', '  ', 'system:admin', 'system:serviceaccount:a:b', 'a\nb', 'a,b', ' system:admin'])(
  'is never begun for the user %j',
  async (user) => {
    const { sessions } = await started()
    await expect(sessions.start({ ...identity, user })).rejects.toThrow('Sign-in refused')
  },
)

it('says so when it does not fit into a cookie', async () => {
  const { sessions } = await started()
  const groups = Array.from({ length: 1_000 }, (_, index) => `group-${index}`)
  await expect(sessions.start({ ...identity, groups })).rejects.toThrow('too many groups')
})
