import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLogCursor } from './log-cursor'

/** The lines that a server with this log returns. */
const linesSince = (log: readonly string[], sinceTime: string | undefined) =>
  log.filter((line) => !sinceTime || Date.parse(line.slice(0, 30)) >= Date.parse(sinceTime))

const line = (ms: number, text: string) =>
  `${new Date(Date.UTC(2026, 0, 31, 9) + ms).toISOString().replace('Z', '000000Z')} ${text}`

it('requests everything first, and then everything since shortly before the last line', () => {
  const cursor = createLogCursor()
  expect(cursor.sinceTime).toBeUndefined()
  cursor.start()
  expect(cursor.accept([line(1_500, 'a'), line(62_250, 'b')])).toHaveLength(2)
  expect(cursor.sinceTime).toBe('2026-01-31T09:01:01Z')
})

it('drops lines that it already has, but keeps equal lines of the log', () => {
  const cursor = createLogCursor()
  const log = [line(900, 'a'), line(900, 'a'), line(1_000, 'b')]
  cursor.start()
  cursor.accept(log.slice(0, 2))
  cursor.start()
  expect(cursor.isRepeating).toBe(true)
  expect(cursor.accept(log)).toEqual([line(1_000, 'b')])
  expect(cursor.isRepeating).toBe(false)
  cursor.start()
  expect(cursor.accept([...log, line(1_000, 'b')])).toEqual([line(1_000, 'b')])
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
        cursor.start()
        seen.push(...cursor.accept(linesSince(log, sinceTime).slice(0, length)))
      }
      expect(seen).toEqual(log)
    }),
  )
})
