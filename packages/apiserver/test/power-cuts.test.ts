import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDisk, type Operation } from './disk-model'
import { cutPower, recordWriter } from './power-cuts'
import { canRecord, parseTrace } from './recorded-operations'

describe.runIf(canRecord())('when power fails', () => {
  const isFull = process.env.SOAK === 'full'
  const cuts = isFull ? 1_000 : 60
  let folder = ''
  let recorded: Awaited<ReturnType<typeof recordWriter>>
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'power-cuts-'))
    recorded = await recordWriter(folder, isFull ? 1_500 : 300)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  // The nightly tests do this 1,000 times.
  it('every acknowledged write survives, and the store opens within two seconds', () => {
    const { acknowledged, slowestStartMs, ...result } = cutPower(recorded, { cuts, seed: 1 })
    console.log(`${result.cuts} cuts, ${acknowledged} writes; the slowest start took ${slowestStartMs} ms of CPU`)
    expect(acknowledged).toBeGreaterThan(isFull ? 4_000 : 800)
    expect(result).toEqual({ cuts: expect.closeTo(cuts, -1), lost: [], openErrors: [] })
    expect(slowestStartMs).toBeLessThan(2_000)
  })

  it('writes that are not synced are lost, which the same check finds', () => {
    const operations = recorded.operations.filter((each) => each.type !== 'sync' || !each.path.endsWith('-wal'))
    const { lost, openErrors } = cutPower({ ...recorded, operations }, { cuts: 20, seed: 1 })
    expect(lost.length + openErrors.length).toBeGreaterThan(0)
  })
})

describe('the model of a disk', () => {
  const write = (path: string, position: number, text: string): Operation => ({
    type: 'write',
    path,
    position,
    bytes: Buffer.from(text),
  })
  const contents = (operations: readonly Operation[], random: () => number) => {
    const disk = createDisk()
    for (const operation of operations) disk.apply(operation)
    return Object.fromEntries([...disk.afterPowerFailure(random)].map(([path, bytes]) => [path, bytes.toString()]))
  }
  const nothingMore = () => 0
  const everything = () => 0.3
  const created: Operation[] = [
    { type: 'create', path: '/d/a' },
    write('/d/a', 0, 'one'),
    { type: 'sync', path: '/d/a' },
  ]

  it('loses a file whose folder was not synced, and what was written after the last sync', () => {
    expect(contents(created, nothingMore)).toEqual({})
    expect(contents(created, everything)).toEqual({ '/d/a': 'one' })
    const known: Operation[] = [...created, { type: 'sync', path: '/d' }, write('/d/a', 3, 'two')]
    expect(contents(known, nothingMore)).toEqual({ '/d/a': 'one' })
    expect(contents(known, everything)).toEqual({ '/d/a': 'onetwo' })
    expect(contents([...known, { type: 'sync', path: '/d/a' }], nothingMore)).toEqual({ '/d/a': 'onetwo' })
  })

  it('retains any sectors of a write, and zeros in place of others', () => {
    const long = 'a'.repeat(512) + 'b'.repeat(512)
    const operations: Operation[] = [...created, { type: 'sync', path: '/d' }, write('/d/a', 0, long)]
    // A share of a half, then one number for each sector.
    const numbers = [0.9, 0.5, 0.9, 0.1]
    const { '/d/a': text } = contents(operations, () => numbers.shift() ?? 0)
    expect(text).toBe(`one${'\0'.repeat(509)}${'b'.repeat(512)}`)
  })

  it('forgets the old end of a file that was truncated and grew again', () => {
    const operations: Operation[] = [
      ...created,
      { type: 'truncate', path: '/d/a', length: 1 },
      write('/d/a', 3, 'x'),
      { type: 'sync', path: '/d/a' },
      { type: 'rename', from: '/d/a', to: '/d/b' },
      { type: 'sync', path: '/d' },
      { type: 'remove', path: '/d/b' },
    ]
    expect(contents(operations, nothingMore)).toEqual({ '/d/b': 'o\0\0x' })
    expect(contents(operations, everything)).toEqual({})
  })

  it('is fed with the calls for the folder of the store, and rejects calls that it does not know', () => {
    const hex = (text: string) =>
      [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
    const at = `7<${hex('/d/a')}>`
    const trace = [
      `openat(AT_FDCWD<${hex('/')}>, "${hex('/d/a')}", O_RDWR|O_CREAT, 0600) = ${at}`,
      `openat(AT_FDCWD<${hex('/')}>, "${hex('/other')}", O_RDWR|O_CREAT, 0600) = 8<${hex('/other')}>`,
      `pwrite64(${at}, "${hex('one')}", 3, 4096) = 3`,
      `write(8<${hex('/other')}>, "${hex('x')}", 1) = 1`,
      `fdatasync(${at}) = 0`,
      `write(1<${hex('pipe:[1]')}>, "${hex('1 2 3\n')}", 6) = 6`,
      `fsync(9<${hex('/d')}>)           = 0`,
    ].join('\n')
    expect(parseTrace(trace, '/d/a')).toEqual([
      { type: 'create', path: '/d/a' },
      write('/d/a', 4096, 'one'),
      { type: 'sync', path: '/d/a' },
      { type: 'output', text: '1 2 3\n' },
      { type: 'sync', path: '/d' },
    ])
    expect(() => parseTrace(`fallocate(${at}, 0, 0, 4096) = 0`, '/d/a')).toThrow('does not know fallocate')
  })
})
