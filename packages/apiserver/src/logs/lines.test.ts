import { describe, expect, it, test } from 'vitest'
import { logChunkBytes, type LogStream } from '../storage/logs'
import { memoryLogs } from '../storage/memory-logs'
import { lineWriter, logStart, logTimestamp, tailStart } from './lines'

const bytesOf = (text: string) => new TextEncoder().encode(text)

async function logOf(...texts: string[]) {
  const logs = memoryLogs()
  for (const text of texts) await logs.append('l', { timeMs: 0, stream: 'Stdout', bytes: bytesOf(text) })
  return logs
}

describe('the last lines begin', () => {
  test.each<[string, string[], number, { sequence: number; offset: number }]>([
    ['nowhere in an empty log', [], 3, logStart],
    ['behind everything when none are wanted', ['a\n', 'b\n'], 0, { sequence: 2, offset: 2 }],
    ['at the start when there are not as many', ['a\nb\n'], 3, logStart],
    ['at the start when there are just as many', ['a\nb\n'], 2, logStart],
    ['behind a newline', ['a\nb\n'], 1, { sequence: 1, offset: 2 }],
    ['at one that is not ended', ['a\nb'], 1, { sequence: 1, offset: 2 }],
    ['where they begin in an earlier chunk', ['a\nb', 'b', 'b\n'], 1, { sequence: 1, offset: 2 }],
    ['behind a chunk that ends a line', ['a\n', 'b\n'], 1, { sequence: 1, offset: 2 }],
    ['at an empty line', ['a\n\n\n'], 2, { sequence: 1, offset: 2 }],
  ])('%s', async (_, texts, lines, expected) => {
    expect(tailStart(await logOf(...texts), 'l', lines)).toEqual(expected)
  })

  it('many chunks back', async () => {
    const logs = await logOf('first\n', 'second\n', 'x'.repeat(logChunkBytes * 100))
    expect(tailStart(logs, 'l', 2)).toEqual({ sequence: 1, offset: 6 })
  })
})

describe('of what is written is seen', () => {
  type Entry = [timeMs: number, stream: LogStream, text: string]
  const all = { timestamps: false, limitBytes: undefined, sinceMs: undefined, stream: 'All' } as const
  const [at1, at2] = [logTimestamp(1), logTimestamp(2)]
  test.each<[string, Partial<Parameters<typeof lineWriter>[0]>, Entry[], string]>([
    [
      'everything',
      {},
      [
        [1, 'Stdout', 'a\nb'],
        [2, 'Stderr', 'c'],
      ],
      'a\nbc',
    ],
    [
      'one stream',
      { stream: 'Stderr' },
      [
        [1, 'Stdout', 'a\n'],
        [2, 'Stderr', 'c\n'],
      ],
      'c\n',
    ],
    [
      'when a line began',
      { timestamps: true },
      [
        [1, 'Stdout', 'a'],
        [2, 'Stdout', 'b\nc\n'],
      ],
      `${at1} ab\n${at2} c\n`,
    ],
    [
      'when lines of both streams began that come in turns',
      { timestamps: true },
      [
        [1, 'Stdout', 'a'],
        [2, 'Stderr', 'x\n'],
        [3, 'Stdout', 'b\n'],
      ],
      `${at1} a${at2} x\nb\n`,
    ],
    [
      'what began at a time or later',
      { sinceMs: 2 },
      [
        [1, 'Stdout', 'a\nb'],
        [2, 'Stdout', 'b\nc\n'],
      ],
      'c\n',
    ],
    [
      'so many bytes',
      { limitBytes: 3 },
      [
        [1, 'Stdout', 'ab'],
        [2, 'Stdout', 'cd'],
      ],
      'abc',
    ],
    ['so many bytes, times among them', { limitBytes: 4, timestamps: true }, [[1, 'Stdout', 'ab']], '1970'],
  ])('%s', (_, options, entries, expected) => {
    const writer = lineWriter({ ...all, ...options })
    const parts = entries.flatMap(([timeMs, stream, text], index) =>
      writer.take({ sequence: index + 1, timeMs, stream, bytes: bytesOf(text) }, 0),
    )
    expect(Buffer.concat(parts).toString()).toBe(expected)
    expect(writer.isFull()).toBe(options.limitBytes !== undefined)
  })
})
