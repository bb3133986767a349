import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLogCursor } from './log-cursor'

/** What a server with these lines answers to what a cursor asks for. */
const answer = (log: readonly string[], sinceTime: string | undefined) =>
  log.filter((line) => !sinceTime || Date.parse(line.slice(0, 30)) >= Date.parse(sinceTime))

const line = (ms: number, text: string) =>
  `${new Date(Date.UTC(2026, 0, 31, 9) + ms).toISOString().replace('Z', '000000Z')} ${text}`

it('asks for everything first, and then for what came since a little before the last line', () => {
  const cursor = createLogCursor()
  expect(cursor.sinceTime).toBeUndefined()
  cursor.begin()
  expect(cursor.take([line(1_500, 'a'), line(62_250, 'b')])).toHaveLength(2)
  expect(cursor.sinceTime).toBe('2026-01-31T09:01:01Z')
})

it('leaves out what it has, and keeps what is the same twice', () => {
  const cursor = createLogCursor()
  const log = [line(900, 'a'), line(900, 'a'), line(1_000, 'b')]
  cursor.begin()
  cursor.take(log.slice(0, 2))
  cursor.begin()
  expect(cursor.isRepeating).toBe(true)
  expect(cursor.take(log)).toEqual([line(1_000, 'b')])
  expect(cursor.isRepeating).toBe(false)
  cursor.begin()
  expect(cursor.take([...log, line(1_000, 'b')])).toEqual([line(1_000, 'b')])
})

it('loses and repeats nothing, wherever the connections break', () => {
  const steps = fc.array(fc.record({ waitMs: fc.integer({ min: 0, max: 1_500 }), text: fc.constantFrom('a', 'b', '') }))
  fc.assert(
    fc.property(steps, fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 8 }), (written, breaks) => {
      let ms = 0
      const log = written.map(({ waitMs, text }) => line((ms += waitMs), text))
      const cursor = createLogCursor()
      const seen: string[] = []
      for (const length of [...breaks, Infinity]) {
        const { sinceTime } = cursor
        cursor.begin()
        seen.push(...cursor.take(answer(log, sinceTime).slice(0, length)))
      }
      expect(seen).toEqual(log)
    }),
  )
})
