import { closeSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { DatabaseSync } from '@photostructure/sqlite'
import type { KubeObject } from '@slipway/kube/object'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import { StorageDamagedError, StorageFullError } from '@slipway/sqlite/errors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  openArchiveStore,
  type ArchiveStore,
  type ArchiveRecord,
  type Selection,
  type TypeName,
} from '../src/store/store'

const startMs = Date.UTC(2026, 0, 31, 9)
let store: ArchiveStore
beforeEach(() => void (store = openArchiveStore(':memory:', () => startMs)))
afterEach(() => store.close())

const aRecord = (metadata: KubeObject['metadata'], more: Partial<ArchiveRecord> = {}): ArchiveRecord => ({
  type: pipelineRunType,
  object: {
    apiVersion: 'tekton.dev/v1',
    kind: 'PipelineRun',
    metadata: { uid: 'one', name: 'run', namespace: 'a', creationTimestamp: '2026-01-31T09:00:00Z', ...metadata },
  },
  isDeleted: false,
  isSettled: false,
  ownerUid: '',
  resultUid: metadata.uid ?? 'one',
  ...more,
})
const labelled = async (value: string) =>
  (await store.page({ types: [pipelineRunType], labels: [{ key: 'l', values: [value] }], limit: 10 })).items.length

describe('an object', () => {
  it('is stored in its newest state, whatever the order of arrival', async () => {
    store.save([aRecord({ resourceVersion: '9', labels: { l: 'new' } })])
    store.save([aRecord({ resourceVersion: '8', labels: { l: 'old' } })])
    expect([await labelled('new'), await labelled('old')]).toEqual([1, 0])
    store.save([aRecord({ resourceVersion: '10', labels: { l: 'newer' } })])
    expect([await labelled('new'), await labelled('newer')]).toEqual([0, 1])
  })

  it('keeps unchanged labels and loses removed ones', async () => {
    store.save([aRecord({ resourceVersion: '1', labels: { l: 'same', gone: 'x' } })])
    store.save([aRecord({ resourceVersion: '2', labels: { l: 'same', 'new.test/it"s': 'y' } })])
    const found = async (key: string, value: string) =>
      (await store.page({ types: [pipelineRunType], labels: [{ key, values: [value] }], limit: 10 })).items.length
    expect([await found('l', 'same'), await found('gone', 'x'), await found('new.test/it"s', 'y')]).toEqual([1, 0, 1])
    store.save([aRecord({ resourceVersion: '3' })])
    expect(await found('l', 'same')).toBe(0)
    expect(store.named('one')).not.toHaveProperty('json')
  })

  it('stays deleted', () => {
    store.save([aRecord({ resourceVersion: '9' }, { isDeleted: true })])
    store.save([aRecord({ resourceVersion: '10' })])
    expect(store.get('one')).toMatchObject({ isDeleted: true })
  })

  it('is saved together with the rest of its batch or not at all', () => {
    const broken = aRecord({ uid: 'two', labels: { a: 'b' } })
    const circular: Record<string, unknown> = { ...broken.object }
    circular['self'] = circular
    expect(() => store.save([aRecord({}), { ...broken, object: circular as unknown as KubeObject }])).toThrow()
    expect(store.get('one')).toBeUndefined()
    store.save([aRecord({}), broken])
    expect([store.get('one')?.name, store.get('two')?.name]).toEqual(['run', 'run'])
  })
})

it('pages equal the result of a full scan', async () => {
  const object = fc.record({
    type: fc.constantFrom(pipelineRunType, taskRunType),
    namespace: fc.constantFrom('a', 'b', 'c'),
    second: fc.integer({ min: 0, max: 9 }),
    team: fc.constantFrom('x', 'y', undefined),
    size: fc.constantFrom('1', '2', '3'),
    name: fc.constantFrom('one', 'two'),
  })
  const query = fc.record({
    types: fc.constantFrom<TypeName[]>([pipelineRunType], [pipelineRunType, taskRunType]),
    namespace: fc.constantFrom('a', 'b', 'none', undefined),
    team: fc.constantFrom<string[] | undefined>(['x'], ['x', 'y'], ['z'], undefined),
    size: fc.constantFrom<string[] | undefined>(['1'], ['1', '3'], undefined),
    name: fc.constantFrom('one', undefined),
    after: fc.constantFrom(3, undefined),
    like: fc.constantFrom('t%', undefined),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
    limit: fc.integer({ min: 1, max: 7 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(object, { maxLength: 40 }), query, async (objects, wanted) => {
      const fresh = openArchiveStore(':memory:')
      const secondOf = (second: number) => new Date(startMs + second * 1000).toISOString().replace('.000Z', 'Z')
      fresh.save(
        objects.map(({ type, namespace, second, team, size, name }, index) =>
          aRecord(
            {
              uid: String(index),
              name,
              namespace,
              creationTimestamp: secondOf(second),
              labels: { size, ...(team && { team }) },
            },
            { type },
          ),
        ),
      )
      const expected = objects
        .map((each, index) => ({ ...each, index }))
        .filter(
          ({ type, namespace, second, team, size, name }) =>
            wanted.types.some((each) => each.plural === type.plural) &&
            (wanted.namespace === undefined || namespace === wanted.namespace) &&
            (!wanted.team || wanted.team.some((each) => each === team)) &&
            (!wanted.size || wanted.size.includes(size)) &&
            (!wanted.name || name === wanted.name) &&
            (!wanted.like || name.startsWith('t')) &&
            (wanted.after === undefined || second > wanted.after),
        )
        .sort((a, b) => (a.second - b.second || a.index - b.index) * (wanted.direction === 'asc' ? 1 : -1))
        .map(({ index }) => String(index))
      const labels = (['team', 'size'] as const).flatMap((key) => {
        const values = wanted[key]
        return values ? [{ key, values }] : []
      })
      const selection: Selection = {
        types: wanted.types,
        namespace: wanted.namespace,
        labels,
        limit: wanted.limit,
        order: { by: 'created', direction: wanted.direction },
        ...(wanted.name && { name: wanted.name }),
        ...(wanted.after !== undefined && { createdAfterMs: startMs + wanted.after * 1000 }),
        ...(wanted.like && { where: { sql: 'o.name LIKE ?', params: [wanted.like] } }),
      }
      const found: string[] = []
      for (let after: Selection['after']; ;) {
        const { items, next } = await fresh.page({ ...selection, ...(after && { after }) })
        found.push(...items.map(({ uid }) => uid))
        if (!next) break
        expect(items).toHaveLength(wanted.limit)
        after = next
      }
      fresh.close()
      expect(found).toEqual(expected)
    }),
    { numRuns: 60, seed: 5 },
  )
})

it('is not opened if a newer version of the program wrote it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-archive-'))
  const path = join(folder, 'archive.db')
  const database = new DatabaseSync(path)
  database.exec('PRAGMA user_version = 99')
  database.close()
  expect(() => openArchiveStore(path)).toThrow(/newer version of this program \(schema 99; this version supports 2\)/)
  expect(() => openArchiveStore(join(folder, 'none', 'archive.db'))).toThrow(/Check that its folder exists/)
  rmSync(folder, { recursive: true })
})

it('shrinks to a size by removing the objects that were deleted first, but none that are in the cluster', () => {
  const sizeMb = 4
  const spec = { text: 'x'.repeat(20_000) }
  for (let i = 0; i < 600; i++) {
    const record = aRecord({ uid: `u${i}`, name: `run-${i}` })
    const object = { ...record.object, spec }
    store.save([{ ...record, object, updatedMs: startMs + i, isDeleted: i >= 50 }])
  }
  store.shrink(sizeMb * 1024 * 1024)
  const has = (i: number) => store.named(`u${i}`) !== undefined
  expect([0, 49].map(has)).toEqual([true, true])
  expect([50, 400].map(has)).toEqual([false, false])
  expect([590, 599].map(has)).toEqual([true, true])
  store.shrink(0)
  expect([49, 599].map(has)).toEqual([true, false])
})

describe('a store in a file', () => {
  let folder = ''
  let path = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-archive-'))
    path = join(folder, 'archive.db')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const log = (podUid: string) => ({
    podUid,
    position: 0,
    container: 'step',
    text: `log of ${podUid} ${'x'.repeat(50_000)}`,
  })
  function fill(uids: string[]) {
    const filled = openArchiveStore(path)
    filled.save(uids.map((uid) => aRecord({ uid, name: `run-${uid}`, annotations: { text: 'x'.repeat(50_000) } })))
    filled.logs.save(uids.map(log))
    return filled
  }
  function overwrite(text: string) {
    const bytes = readFileSync(path)
    const at = bytes.indexOf(text)
    expect(at).toBeGreaterThan(0)
    const file = openSync(path, 'r+')
    writeSync(file, '#', at + text.length - 1)
    closeSync(file)
  }

  it.each([
    ['object', '"name":"run-two"', 'the object run-two (two) is damaged'],
    ['log', 'log of two', 'chunk 0 of the log of step in pod two is damaged'],
  ])('with a damaged %s reports it at the start and is not changed', (_, text, problem) => {
    fill(['one', 'two']).close()
    overwrite(text)
    const before = readFileSync(path)
    expect(() => openArchiveStore(path)).toThrow(StorageDamagedError)
    expect(() => openArchiveStore(path)).toThrow(problem)
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('fails only the reads of damaged rows while it is open', async () => {
    fill(['one', 'two']).close()
    const open = openArchiveStore(path)
    overwrite('"name":"run-two"')
    overwrite('log of two')
    expect(open.get('one')?.name).toBe('run-one')
    expect(() => open.get('two')).toThrow('the object run-two (two) is damaged')
    await expect(open.page({ types: [pipelineRunType], limit: 10 })).rejects.toThrow(StorageDamagedError)
    expect(() => [...(open.logs.read('two', 'step') ?? [])]).toThrow('chunk 0 of the log of step in pod two is damaged')
    // No operation makes it look intact.
    open.markDeleted(['one', 'two'], startMs)
    expect(JSON.parse(open.get('one')?.json ?? '')).toMatchObject({
      metadata: { deletionTimestamp: '2026-01-31T09:00:00Z' },
    })
    expect(() => open.get('two')).toThrow(StorageDamagedError)
    open.close()
  })

  it('reports which commits are missing after its write-ahead log was lost', () => {
    const lost = fill(['one', 'two'])
    const left = join(folder, 'left.db')
    for (const part of ['', '-acknowledged']) copyFileSync(path + part, left + part)
    lost.close()
    expect(() => openArchiveStore(left)).toThrow(/the last \d acknowledged commits are missing/)
  })

  it('rejects writes on a full disk and keeps existing data', () => {
    const full = openArchiveStore(path, undefined, { maxPages: 60 })
    let stored = 0
    const keepOn = () => {
      for (;;) {
        full.save([aRecord({ uid: `${stored}`, annotations: { text: 'x'.repeat(9_000) } })])
        stored++
      }
    }
    expect(keepOn).toThrow(StorageFullError)
    expect(() => full.logs.save([log('0')])).toThrow(`There is no space left on the disk to write ${path}.`)
    const writer = full.logs.writer({ podUid: '0', position: 0, container: 'step' })
    expect(() => writer.add(new Uint8Array(100_000))).toThrow(StorageFullError)
    expect(full.present(pipelineRunType)).toHaveLength(stored)
    full.close()
    const reopened = openArchiveStore(path)
    expect(reopened.present(pipelineRunType)).toHaveLength(stored)
    reopened.close()
  })

  it('of version 1 opens with all its content', async () => {
    fill(['one']).close()
    const database = new DatabaseSync(path)
    database.exec(`ALTER TABLE objects DROP COLUMN checksum; ALTER TABLE logs DROP COLUMN checksum; DROP TABLE meta;
      PRAGMA user_version = 1`)
    database.close()
    rmSync(`${path}-acknowledged`)
    const migrated = openArchiveStore(path)
    expect((await migrated.page({ types: [pipelineRunType], limit: 10 })).items).toHaveLength(1)
    expect(Buffer.concat([...(migrated.logs.read('one', 'step') ?? [])]).toString()).toBe(log('one').text)
    migrated.close()
    openArchiveStore(path).close()
  })
})
