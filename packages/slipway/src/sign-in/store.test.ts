import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { manualClock } from '@slipway/kube/testing'
import { printableError, StorageFullError } from '@slipway/sqlite/errors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failureOf } from './pages'
import { openSignInStore } from './store'

let folder = ''
let path = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-'))
  path = join(folder, 'sign-in.json')
})
afterEach(() => rm(folder, { recursive: true }))

const hour = 3_600

// Writes to this device fail as on a full disk; other systems have no such device.
it.runIf(process.platform === 'linux')(
  'a full disk is reported, and a later write stores the missing records',
  async () => {
    const store = await openSignInStore({ path })
    await symlink('/dev/full', `${path}.new`)
    const error: unknown = await store
      .records('Session')
      .upsert('a', { uid: 'u' }, hour)
      .then(
        () => undefined,
        (reason: unknown) => reason,
      )
    expect(error).toBeInstanceOf(StorageFullError)
    expect(failureOf(error)).toEqual({
      title: 'The disk is full',
      text: 'There is no space left on the disk of the server. Free some space and try again.',
    })
    expect(printableError(error)).toBe(
      `There is no space left on the disk to write ${path}. Free some space and try again.`,
    )
    await store.records('Session').upsert('b', { uid: 'v' }, hour)
    expect(Object.keys(JSON.parse(await readFile(path, 'utf8')).Session)).toEqual(['a', 'b'])
  },
)

describe('records', () => {
  it('are found until they expire, are destroyed or their grant is revoked', async () => {
    const clock = manualClock()
    const tokens = (await openSignInStore({ clock })).records('RefreshToken')
    await tokens.upsert('a', { grantId: 'g' }, hour)
    await tokens.upsert('b', { grantId: 'g' }, hour)
    await tokens.upsert('c', { grantId: 'h' }, 2 * hour)
    expect(await tokens.find('a')).toEqual({ grantId: 'g' })
    await tokens.destroy('a')
    expect(await tokens.find('a')).toBeUndefined()
    await tokens.revokeByGrantId('g')
    expect(await tokens.find('b')).toBeUndefined()
    expect(await tokens.find('c')).toEqual({ grantId: 'h' })
    clock.jump(2 * hour * 1000)
    expect(await tokens.find('c')).toBeUndefined()
  })

  it('are separate for each kind and found by their uid', async () => {
    const store = await openSignInStore()
    await store.records('Session').upsert('a', { uid: 'u' }, hour)
    expect(await store.records('Session').findByUid('u')).toEqual({ uid: 'u' })
    expect(await store.records('Session').findByUid('v')).toBeUndefined()
    expect(await store.records('Grant').find('a')).toBeUndefined()
  })

  it('record that they were consumed', async () => {
    const clock = manualClock()
    const tokens = (await openSignInStore({ clock })).records('RefreshToken')
    await tokens.upsert('a', {}, hour)
    await tokens.consume('a')
    expect(await tokens.find('a')).toEqual({ consumed: clock.now() / 1000 })
  })

  it('never exceed the limit: consumed ones are removed first, then the oldest', async () => {
    const tokens = (await openSignInStore({ limit: 3 })).records('RefreshToken')
    for (const id of ['oldest', 'used', 'young']) await tokens.upsert(id, {}, hour)
    await tokens.consume('used')
    const left = async () => {
      const ids = ['oldest', 'used', 'young', 'fourth', 'fifth']
      const found = await Promise.all(ids.map((id) => tokens.find(id)))
      return ids.filter((_, index) => found[index])
    }
    await tokens.upsert('fourth', {}, hour)
    expect(await left()).toEqual(['oldest', 'young', 'fourth'])
    await tokens.upsert('fifth', {}, hour)
    expect(await left()).toEqual(['young', 'fourth', 'fifth'])
  })
})

describe('the file', () => {
  it('contains only unexpired records of persistent kinds and is readable only by its owner', async () => {
    const clock = manualClock()
    const first = await openSignInStore({ path, clock })
    await first.records('Grant').upsert('g', { accountId: 'ada' }, 2 * hour)
    await first.records('RefreshToken').upsert('brief', { grantId: 'g' }, hour)
    await first.records('Interaction').upsert('i', {}, hour)
    await first.close()
    expect((await stat(path)).mode & 0o777).toBe(0o600)

    const second = await openSignInStore({ path, clock })
    expect(await second.records('Grant').find('g')).toEqual({ accountId: 'ada' })
    expect(await second.records('RefreshToken').find('brief')).toEqual({ grantId: 'g' })
    expect(await second.records('Interaction').find('i')).toBeUndefined()
    clock.jump(hour * 1000)
    await second.close()
    expect(await readFile(path, 'utf8')).not.toContain('brief')
  })

  it('contains every acknowledged change, however many are concurrent', async () => {
    const store = await openSignInStore({ path })
    const tokens = store.records('RefreshToken')
    const ids = Array.from({ length: 50 }, (_, index) => `token-${index}`)
    await Promise.all(ids.map((id) => tokens.upsert(id, {}, hour)))
    const kept = JSON.parse(await readFile(path, 'utf8'))
    expect(Object.keys(kept.RefreshToken)).toEqual(ids)
  })

  it('reports failed writes to their callers, and tries again at the next change', async () => {
    const missing = join(folder, 'missing')
    const store = await openSignInStore({ path: join(missing, 'sign-in.json') })
    const grants = store.records('Grant')
    await expect(grants.upsert('a', {}, hour)).rejects.toThrow('ENOENT')
    await mkdir(missing)
    await grants.upsert('b', {}, hour)
    expect(await readFile(join(missing, 'sign-in.json'), 'utf8')).toContain('"a"')
  })

  it.each(['', '{', 'null', '[]', '{"Grant":[]}', '{"Grant":{"a":1,"b":{"payload":2,"expiresAt":3}}}'])(
    'replaces the invalid content %j',
    async (text) => {
      await writeFile(path, text)
      const store = await openSignInStore({ path })
      expect(await store.records('Grant').find('a')).toBeUndefined()
      expect(await store.records('Grant').find('b')).toBeUndefined()
      await store.close()
      expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ Grant: {}, RefreshToken: {}, Session: {} })
    },
  )
})
