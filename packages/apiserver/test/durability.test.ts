import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabaseFile } from '@slipway/sqlite/database-file'
import { createApiServer } from '../src/api-server'
import { sqliteStorage } from '../src/storage/sqlite'
import { schema } from '../src/storage/sqlite-schema'
import { StorageDamagedError, StorageFullError, type Storage } from '../src/storage/storage'
import { killRepeatedly, seeded } from './kills'

let folder = ''
let files = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'apiserver-durability-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
const newFile = () => join(folder, `${files++}-store.db`)

const put = (storage: Storage, key: string, value: string, expected?: number) =>
  storage.write({ collection: '/pods', key, expected, type: 'put', value })

// The nightly tests do this 300 times.
it('every acknowledged write survives when the process is killed', async () => {
  const { acknowledged, ...errors } = await killRepeatedly(newFile(), {
    kills: process.env.SOAK === 'full' ? 300 : 12,
    seed: 1,
  })
  expect(acknowledged).toBeGreaterThan(100)
  expect(errors).toEqual({ lost: [], openErrors: [] })
})

it('every commit is synced to disk', () => {
  const { database, close } = openDatabaseFile(newFile(), schema, { cacheKb: 1024 })
  // 2 is FULL: https://sqlite.org/pragma.html#pragma_synchronous
  expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 })
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  expect(database.prepare('PRAGMA locking_mode').get()).toEqual({ locking_mode: 'exclusive' })
  // On macOS, without it a sync does not reach the disk: https://sqlite.org/pragma.html#pragma_fullfsync
  expect(database.prepare('PRAGMA fullfsync').get()).toEqual({ fullfsync: 1 })
  close()
})

it.runIf(process.platform !== 'win32')(
  'files of an earlier process become private when the store is opened',
  async () => {
    const running = newFile()
    const storage = sqliteStorage(running)
    await put(storage, 'a', '1')
    // As after a kill: the log contains what is not in the file yet.
    const path = newFile()
    const suffixes = ['', '-wal', '-acknowledged']
    for (const suffix of suffixes) {
      copyFileSync(`${running}${suffix}`, `${path}${suffix}`)
      chmodSync(`${path}${suffix}`, 0o644)
    }
    writeFileSync(`${path}-shm`, '', { mode: 0o644 })
    const reopened = sqliteStorage(path)
    for (const suffix of [...suffixes, '-shm']) {
      if (existsSync(`${path}${suffix}`))
        expect([suffix, statSync(`${path}${suffix}`).mode & 0o777]).toEqual([suffix, 0o600])
    }
    expect(existsSync(`${path}-wal`)).toBe(true)
    reopened.close()
    storage.close()
  },
)

it('a transaction that throws is rolled back, and the next one is stored', () => {
  const { database, transaction, close } = openDatabaseFile(newFile(), schema, { cacheKb: 1024 })
  const insert = database.prepare('INSERT INTO objects VALUES (?, ?, ?)')
  const failing = () =>
    transaction(() => {
      insert.run('/pods', 'a', 1)
      throw new RangeError('no')
    })
  expect(failing).toThrow('no')
  transaction(() => insert.run('/pods', 'b', 1))
  expect(database.prepare('SELECT key FROM objects').all()).toEqual([{ key: 'b' }])
  close()
})

it('the space of discarded versions is reused', async () => {
  const path = newFile()
  const storage = sqliteStorage(path, { historyLength: 100 })
  const revisions = new Map<number, number>()
  const writeAll = async (rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      await Promise.all(
        Array.from({ length: 50 }, async (_, key) => {
          revisions.set(key, await put(storage, `a/${key}`, 'x'.repeat(5000), revisions.get(key)))
        }),
      )
    }
  }
  const bytes = () => statSync(path).size + statSync(`${path}-wal`).size
  await writeAll(40)
  const settled = bytes()
  await writeAll(160)
  expect(bytes()).toBeLessThan(settled * 1.2)
  expect(storage.since(storage.compacted()).changes.length).toBeLessThanOrEqual(150)
  storage.close()
})

describe('a damaged store', () => {
  const writes = 300
  const parts = ['', '-wal', '-acknowledged']

  /** The state after a kill: the file, its write-ahead log, and the record of acknowledged writes. */
  async function killedFile({ recordAfter = writes } = {}): Promise<string> {
    const [path, left] = [newFile(), newFile()]
    const storage = sqliteStorage(path)
    await storage.logs.append('a', { timeMs: 1, stream: 'Stdout', bytes: Buffer.from('a log') })
    for (let count = 1; count <= writes; count++) {
      await put(storage, `a/${count}`, JSON.stringify({ count, text: 'x'.repeat(5000) }))
      if (count === recordAfter) copyFileSync(`${path}-acknowledged`, `${left}-acknowledged`)
    }
    for (const part of ['', '-wal']) copyFileSync(path + part, left + part)
    storage.close()
    expect(statSync(left).size).toBeGreaterThan(1_000_000)
    expect(statSync(`${left}-wal`).size).toBeGreaterThan(100_000)
    return left
  }

  const change = (path: string, alter: (bytes: Buffer) => Buffer | void) => {
    const bytes = readFileSync(path)
    writeFileSync(path, alter(bytes) ?? bytes)
  }
  const flip = (bytes: Buffer, at: number) => void (bytes[at] = (bytes[at] ?? 0) ^ 0x01)
  const frameBytes = 24 + 4096
  /** The state of the record after a power cut while it is being written. */
  const tearRecord = (path: string) =>
    change(`${path}-acknowledged`, (record) => {
      record.write('9', record.indexOf('revision 300') + 'revision '.length)
    })
  const closeCleanly = (path: string) => sqliteStorage(path).close()
  const contents = (path: string) =>
    readdirSync(folder)
      .filter((name) => name.startsWith(basename(path)))
      .map((name) => [name, readFileSync(join(folder, name)).toString('base64')])

  it.each<[title: string, damage: (path: string) => void, problem: RegExp]>([
    [
      'whose log header is all zeros',
      (path) => change(`${path}-wal`, (log) => void log.fill(0, 0, 32)),
      /-wal: its header is damaged/,
    ],
    [
      'whose log header has a different salt',
      (path) => change(`${path}-wal`, (log) => flip(log, 16)),
      /-wal: its header is damaged/,
    ],
    [
      'with a log that starts with garbage',
      (path) => change(`${path}-wal`, (log) => void log.fill(0x5a, 0, 32)),
      /-wal: its header is damaged/,
    ],
    [
      'with a flipped bit in the first frame of the log',
      (path) => change(`${path}-wal`, (log) => flip(log, 32 + 24 + 100)),
      /frame 1 is damaged, but later commits follow it/,
    ],
    [
      'with a flipped bit in the middle of the log',
      (path) => change(`${path}-wal`, (log) => flip(log, Math.floor(lastFrame(log) / 2))),
      /frame \d+ is damaged, but later commits follow it/,
    ],
    [
      'with a flipped bit in the last frame of the log',
      (path) => change(`${path}-wal`, (log) => flip(log, lastFrame(log) + 24 + 7)),
      /revision 300 is missing \(1 acknowledged write\)/,
    ],
    [
      'with an empty log',
      (path) => truncateSync(`${path}-wal`, 0),
      /revisions \d+ to 300 are missing \(\d+ acknowledged writes\)/,
    ],
    [
      'with a log that was removed',
      (path) => rmSync(`${path}-wal`),
      /revisions \d+ to 300 are missing \(\d+ acknowledged writes\)/,
    ],
    [
      'with a log cut in half',
      (path) => change(`${path}-wal`, (log) => log.subarray(0, Math.floor(lastFrame(log) / 2))),
      /revisions \d+ to 300 are missing \(\d+ acknowledged writes\)/,
    ],
    [
      'whose file is empty but whose log exists',
      (path) => truncateSync(path, 0),
      /the file is empty; revisions 1 to 300 are missing \(300 acknowledged writes\)/,
    ],
    [
      'with an empty log and a torn acknowledgement record',
      (path) => (truncateSync(`${path}-wal`, 0), tearRecord(path)),
      /revisions \d+ to 299 are missing \(\d+ acknowledged writes\)/,
    ],
    [
      'whose file and acknowledgement record are missing but whose log exists',
      (path) => [path, `${path}-acknowledged`].forEach((part) => rmSync(part)),
      /the file is missing/,
    ],
    [
      'whose file is missing and whose acknowledgement record is unreadable',
      (path) => {
        for (const part of [path, `${path}-wal`]) rmSync(part)
        writeFileSync(`${path}-acknowledged`, 'x'.repeat(1024))
      },
      /-acknowledged is damaged; the file is missing/,
    ],
    [
      'whose file is missing but whose log exists',
      (path) => rmSync(path),
      /the file is missing; revisions 1 to 300 are missing/,
    ],
    [
      'of which only the acknowledgement record remains',
      (path) => [path, `${path}-wal`].forEach((part) => rmSync(part)),
      /the file is missing; revisions 1 to 300 are missing/,
    ],
    ['without its acknowledgement record', (path) => rmSync(`${path}-acknowledged`), /-acknowledged is missing/],
    [
      'with an unreadable acknowledgement record',
      (path) => writeFileSync(`${path}-acknowledged`, 'x'.repeat(1024)),
      /-acknowledged is damaged/,
    ],
    ['with a torn page', (path) => change(path, (file) => void file.fill(0xa5, 4096 * 4 + 512, 4096 * 5)), /./],
    ['cut short', (path) => truncateSync(path, 300_000), /./],
    ['whose last byte was cut off', (path) => (closeCleanly(path), change(path, (file) => file.subarray(0, -1))), /./],
    [
      'that starts with garbage',
      (path) => (closeCleanly(path), change(path, (file) => void file.fill(0x5a, 0, 100))),
      /file is not a database; the last acknowledged revision was 300/,
    ],
    ['that is text', (path) => writeFileSync(path, 'no database, '.repeat(1000)), /./],
    [
      'with a changed character in the text of an object',
      (path) => (closeCleanly(path), change(path, (file) => flip(file, file.indexOf('"count":77,') + 8))),
      /revision 77 \(\/pods a\/77\) is damaged/,
    ],
    [
      'with a changed key in an index',
      (path) => {
        closeCleanly(path)
        change(path, (file) => {
          for (let at = file.indexOf('/podsa/77'); at >= 0; at = file.indexOf('/podsa/77', at + 1)) {
            // The row itself still exists, with the object.
            if (file[at + 9] !== 0x7b) flip(file, at + 8)
          }
        })
      },
      /index/,
    ],
  ])('%s is reported at the start and left unchanged', async (_, damage, problem) => {
    const path = await killedFile()
    damage(path)
    const before = contents(path)
    const open = () => sqliteStorage(path)
    expect(open).toThrow(StorageDamagedError)
    expect(open).toThrow(problem)
    expect(open).toThrow(`The data in ${path} is damaged: `)
    expect(open).toThrow('Nothing has been changed: put back a copy of the whole folder, or move it away')
    expect(contents(path)).toEqual(before)
  })

  it.each(Array.from({ length: 40 }, (_, seed) => seed + 1))(
    'with 8 bytes flipped at random (seed %i) is rejected, or returns every object unchanged',
    async (seed) => {
      const path = await damageableFile()
      const random = seeded(seed)
      change(path, (file) => {
        for (let count = 0; count < 8; count++) flip(file, Math.floor(random() * file.length))
      })
      try {
        const storage = sqliteStorage(path)
        expect(storage.list('/pods').map(({ value }) => (JSON.parse(value) as { count: number }).count)).toHaveLength(
          writes,
        )
        expect(storage.since(0).changes).toHaveLength(writes)
        storage.close()
      } catch (error) {
        expect(error).toBeInstanceOf(StorageDamagedError)
        expect((error as Error).message).toContain(path)
      }
    },
  )

  let original: string | undefined
  /** A copy of a store that was closed cleanly. */
  async function damageableFile(): Promise<string> {
    if (!original) closeCleanly((original = await killedFile()))
    const path = newFile()
    for (const part of ['', '-acknowledged']) copyFileSync(original + part, path + part)
    return path
  }

  it('whose record lags behind a log torn by a power cut opens at the last complete commit', async () => {
    const path = await killedFile({ recordAfter: 100 })
    change(`${path}-wal`, (log) => log.subarray(0, Math.floor(lastFrame(log) / 2)))
    const storage = sqliteStorage(path)
    const revision = storage.revision()
    expect(revision).toBeGreaterThanOrEqual(100)
    expect(revision).toBeLessThan(writes)
    expect(storage.since(0).changes.map((each) => each.revision)).toEqual(
      Array.from({ length: revision }, (_, i) => i + 1),
    )
    expect(storage.count('/pods')).toBe(revision)
    storage.close()
  })

  it('without its last log chunks is reported at the start', async () => {
    const [path, left] = [newFile(), newFile()]
    closeCleanly(path)
    copyFileSync(path, left)
    const storage = sqliteStorage(path)
    const piece = { timeMs: 1, stream: 'Stdout', bytes: Buffer.from('a log') } as const
    for (let count = 0; count < 2; count++) await storage.logs.append('a', piece)
    copyFileSync(`${path}-acknowledged`, `${left}-acknowledged`)
    storage.close()
    expect(() => sqliteStorage(left)).toThrow('the last 2 acknowledged commits are missing')
  })

  it('whose last record was torn by a power cut opens with the previous record', async () => {
    const path = await killedFile()
    tearRecord(path)
    const storage = sqliteStorage(path)
    expect(storage.revision()).toBe(writes)
    storage.close()
  })

  it('whose last commit was torn by a power cut opens without it', async () => {
    const path = await killedFile({ recordAfter: writes - 1 })
    // Earlier frames of the commit may be torn too: nothing is synced before the commit is complete.
    change(`${path}-wal`, (log) => flip(log, lastFrame(log) - frameBytes + 24 + 9))
    const storage = sqliteStorage(path)
    expect(storage.revision()).toBe(writes - 1)
    storage.close()
  })

  /** Start of the last frame of this log: frames of an earlier log may follow it. */
  function lastFrame(log: Buffer): number {
    const salts = log.subarray(16, 24)
    let at = 32
    while (at + frameBytes < log.length && log.subarray(at + frameBytes + 8, at + frameBytes + 16).equals(salts))
      at += frameBytes
    return at
  }

  it.each([
    [
      'an object that does not point to its newest version',
      "UPDATE objects SET revision = 76 WHERE key = 'a/77'",
      'the newest version of /pods a/77 is not revision 76',
    ],
    ['a missing object', "DELETE FROM objects WHERE key = 'a/77'", '/pods a/77 is missing from the objects'],
    [
      'a missing change',
      "DELETE FROM objects WHERE key = 'a/77'; DELETE FROM versions WHERE revision = 77",
      'the history has 299 instead of 300 revisions',
    ],
    [
      'a change after the last one',
      "UPDATE meta SET value = 299 WHERE name = 'revision'",
      'the history continues to revision 300, but the last one is 299',
    ],
    ['changed bytes in a log', "UPDATE logs SET bytes = x'00'", 'chunk 1 of the log a is damaged'],
  ])('with %s is reported at the start', async (_, sql, problem) => {
    const path = await damageableFile()
    const database = new DatabaseSync(path)
    database.exec(sql)
    database.close()
    expect(() => sqliteStorage(path)).toThrow(problem)
  })

  it('with a number that was never written is reported at the start', async () => {
    const path = await damageableFile()
    const database = new DatabaseSync(path)
    database.exec('UPDATE versions SET deleted = 9007199254740993 WHERE revision = 5')
    database.close()
    expect(() => sqliteStorage(path)).toThrow('revision 5 (/pods a/5) is damaged')
  })

  it('of a newer version is reported and left unchanged, including the files next to it', async () => {
    const path = await killedFile()
    const database = new DatabaseSync(path)
    database.exec('PRAGMA user_version = 99')
    database.close()
    expect(parts.map((part) => existsSync(path + part))).toEqual([true, false, true])
    const before = contents(path)
    expect(() => sqliteStorage(path)).toThrow(
      `${path} was written by a newer version of this program (schema 99; this version supports 2). Update the program, or use another data folder.`,
    )
    expect(contents(path)).toEqual(before)
  })
})

describe('a row that is damaged while the store is open', () => {
  async function opened(): Promise<{ path: string; storage: Storage; damage: (text: string) => void }> {
    const path = newFile()
    const first = sqliteStorage(path)
    for (const name of ['b', 'a', 'c'])
      await put(first, `n/${name}`, JSON.stringify({ text: `${'x'.repeat(25_000)}<${name}>${'x'.repeat(25_000)}` }))
    await first.logs.append('n/a', { timeMs: 1, stream: 'Stdout', bytes: Buffer.from(`a log ${'y'.repeat(50_000)}`) })
    first.close()
    // Reopened, so that the pages with the rest of each row are not cached: to measure its history, it reads the first.
    const storage = sqliteStorage(path)
    const damage = (text: string) => {
      const at = readFileSync(path).indexOf(text)
      expect(at).toBeGreaterThan(0)
      const file = openSync(path, 'r+')
      writeSync(file, '#', at + 2)
      closeSync(file)
    }
    return { path, storage, damage }
  }

  it('fails a get, a list, a replay and an update of it, and nothing else', async () => {
    const { path, storage, damage } = await opened()
    damage('<a>')
    const message = `The data in ${path} is damaged: revision 2 (/pods n/a) is damaged.`
    expect(() => storage.get('/pods', 'n/a')).toThrow(message)
    expect(() => storage.list('/pods')).toThrow(message)
    expect(() => storage.list('/pods', { revision: 3 })).toThrow(message)
    expect(() => storage.since(0)).toThrow(message)
    const [ill, well] = await Promise.allSettled([put(storage, 'n/a', '{}', 2), put(storage, 'n/b', '{}', 1)])
    expect(ill).toMatchObject({ reason: { message } })
    expect(well).toEqual({ status: 'fulfilled', value: 4 })
    expect(storage.list('/pods', { after: 'n/a' })).toMatchObject([{ value: '{}' }, { revision: 3 }])
    storage.close()
    expect(() => sqliteStorage(path)).toThrow('revision 2 (/pods n/a) is damaged')
  })

  it('fails the reading of a log', async () => {
    const { path, storage, damage } = await opened()
    damage('a log yyy')
    const message = `The data in ${path} is damaged: chunk 1 of the log n/a is damaged.`
    expect(() => storage.logs.after('n/a', 0, 1)).toThrow(message)
    expect(() => storage.logs.before('n/a', undefined, 9)).toThrow(message)
    storage.close()
  })
})

describe('clients of an API server', () => {
  const admin = { name: 'admin', groups: ['system:masters'] }
  const path = '/api/v1/namespaces/default/configmaps'

  async function serverOn(storage: Storage) {
    const reported: unknown[] = []
    const server = await createApiServer({
      storage,
      authenticate: () => admin,
      report: (error) => reported.push(error),
    })
    const call = async (url: string, body?: unknown) => {
      const response = await server.fetch(
        new Request(`http://cluster.test${url}`, {
          method: body === undefined ? 'GET' : 'POST',
          headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      )
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    return { server, call, reported }
  }
  const aMap = (name: string) => ({ metadata: { name }, data: { text: `text of ${name} ${'x'.repeat(50_000)}` } })

  it('get 500 naming the damaged object for a list that contains it, and everything else', async () => {
    const file = newFile()
    const filled = sqliteStorage(file)
    const value = JSON.stringify({ metadata: { name: 'filler' }, text: 'x'.repeat(3_000) })
    const fillers = { collection: '/fillers', expected: undefined, type: 'put', value } as const
    await Promise.all(Array.from({ length: 7_000 }, (_, count) => filled.write({ ...fillers, key: `${count}` })))
    const first = await serverOn(filled)
    for (const name of ['ill', 'well']) expect((await first.call(path, aMap(name))).status).toBe(201)
    await first.server.close()
    const storage = sqliteStorage(file)
    const { server, call, reported } = await serverOn(storage)
    // More than fits in the cache, so that the object is read from disk again.
    storage.list(fillers.collection)
    const bytes = readFileSync(file)
    const descriptor = openSync(file, 'r+')
    writeSync(descriptor, '"', bytes.indexOf('text of ill') + 2)
    closeSync(descriptor)
    for (const url of [path, `${path}/ill`, '/api/v1/configmaps']) {
      const { status, body } = await call(url)
      expect([status, body]).toEqual([
        500,
        expect.objectContaining({
          kind: 'Status',
          code: 500,
          reason: 'InternalError',
          message: expect.stringMatching(/^Internal error occurred: The data in .* is damaged: revision \d+ \(.*ill\)/),
        }),
      ])
      expect(JSON.stringify(body)).not.toContain(file)
    }
    expect(reported).toEqual(Array.from({ length: 3 }, () => expect.any(StorageDamagedError)))
    expect((await call(`${path}/well`)).status).toBe(200)
    expect((await call('/api/v1/namespaces')).status).toBe(200)
    await server.close()
  })

  it('get 507 with the reason for a write to a full disk, and can still read', async () => {
    const file = newFile()
    const { server, call, reported } = await serverOn(sqliteStorage(file, { maxPages: 300 }))
    let written = 0
    let response = await call(path, aMap('map-0'))
    while (response.status === 201) response = await call(path, aMap(`map-${++written}`))
    expect(response).toEqual({
      status: 507,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        reason: 'InsufficientStorage',
        message: 'There is no space left on the disk of the server. Free some space and try again.',
        code: 507,
      },
    })
    // Only the terminal shows the path.
    expect(reported).toEqual([
      expect.objectContaining({
        message: `There is no space left on the disk to write ${file}. Free some space and try again.`,
      }),
    ])
    expect((await call(path)).body.items).toHaveLength(written)
    await server.close()
  })
})

describe('a full disk', () => {
  it('rejects the writes that do not fit, and keeps all others', async () => {
    const path = newFile()
    const storage = sqliteStorage(path, { maxPages: 60 })
    let written = 0
    const fill = async () => {
      for (;;) {
        await put(storage, `a/${written}`, 'x'.repeat(5000))
        written++
      }
    }
    await expect(fill()).rejects.toThrow(StorageFullError)
    await expect(put(storage, 'a/more', 'x'.repeat(5000))).rejects.toThrow(
      `There is no space left on the disk to write ${path}. Free some space and try again.`,
    )
    await expect(
      storage.logs.append('a', { timeMs: 1, stream: 'Stdout', bytes: Buffer.alloc(50_000) }),
    ).rejects.toThrow(StorageFullError)
    expect(written).toBeGreaterThan(10)
    storage.close()
    const reopened = sqliteStorage(path)
    expect(reopened.revision()).toBe(written)
    expect(reopened.count('/pods')).toBe(written)
    reopened.close()
  })

  // Writes to this device always fail with a full disk; other systems have no such device.
  it.runIf(process.platform === 'linux')('is reported when the store is created', () => {
    const path = newFile()
    symlinkSync('/dev/full', `${path}-acknowledged.new`)
    expect(() => sqliteStorage(path)).toThrow(`There is no space left on the disk to write ${path}.`)
  })
})

describe('a store of version 1', () => {
  /** The format of version 1: no checksums, no record of acknowledged writes, and a logs table created on demand. */
  function oldFile(values: string[]): string {
    const path = newFile()
    const database = new DatabaseSync(path)
    database.exec(`
      CREATE TABLE versions (revision INTEGER PRIMARY KEY, collection TEXT NOT NULL, key TEXT NOT NULL,
        deleted INTEGER NOT NULL, value TEXT NOT NULL);
      CREATE INDEX versions_by_key ON versions (collection, key, revision);
      CREATE TABLE objects (collection TEXT NOT NULL, key TEXT NOT NULL, revision INTEGER NOT NULL,
        PRIMARY KEY (collection, key));
      CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
      CREATE TABLE logs (log TEXT NOT NULL, sequence INTEGER NOT NULL, time INTEGER NOT NULL, stream TEXT NOT NULL,
        bytes BLOB NOT NULL, PRIMARY KEY (log, sequence));
      INSERT INTO meta VALUES ('revision', ${values.length}), ('compacted', 0);
      INSERT INTO logs VALUES ('n/a', 1, 7, 'Stdout', x'ff00');
      PRAGMA user_version = 1;
      BEGIN;
    `)
    const insertVersion = database.prepare('INSERT INTO versions VALUES (?, ?, ?, 0, ?)')
    const insertObject = database.prepare('INSERT INTO objects VALUES (?, ?, ?)')
    values.forEach((value, index) => {
      insertVersion.run(index + 1, '/pods', `n/${index}`, value)
      insertObject.run('/pods', `n/${index}`, index + 1)
    })
    database.exec('COMMIT')
    database.close()
    return path
  }

  it('opens with all its content, and is protected from then on', async () => {
    const path = oldFile(['{"a":"ä€😀"}', '{}'])
    const storage = sqliteStorage(path)
    expect(storage.list('/pods').map(({ value }) => value)).toEqual(['{"a":"ä€😀"}', '{}'])
    expect(storage.logs.after('n/a', 0, 9)).toMatchObject([{ timeMs: 7, bytes: Uint8Array.of(255, 0) }])
    expect(await put(storage, 'n/2', '{}')).toBe(3)
    storage.close()
    sqliteStorage(path).close()
    const bytes = readFileSync(path)
    bytes[bytes.indexOf('{"a":"')] = 0x5b
    writeFileSync(path, bytes)
    expect(() => sqliteStorage(path)).toThrow('revision 1 (/pods n/0) is damaged')
  })

  it('reports if there is no room for the new version, and is left unchanged', () => {
    const path = oldFile(Array.from({ length: 500 }, (_, count) => JSON.stringify({ count })))
    expect(() => sqliteStorage(path, { maxPages: 1 })).toThrow(
      `There is no space left on the disk to write ${path}. Free some space and try again.`,
    )
    const storage = sqliteStorage(path)
    expect(storage.list('/pods')).toHaveLength(500)
    storage.close()
  })

  it('is rejected if it contains an object that is not valid JSON', () => {
    const path = oldFile(['{}', '{"a":'])
    const before = readFileSync(path)
    expect(() => sqliteStorage(path)).toThrow('revision 2 (/pods n/1) is not valid JSON')
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(existsSync(`${path}-acknowledged`)).toBe(false)
  })
})
