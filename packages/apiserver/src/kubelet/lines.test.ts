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

describe('the last lines start', () => {
  test.each<[string, string[], number, { sequence: number; offset: number }]>([
    ['at the start of an empty log', [], 3, logStart],
    ['at the end if no lines are requested', ['a\n', 'b\n'], 0, { sequence: 2, offset: 2 }],
    ['at the start if there are fewer lines', ['a\nb\n'], 3, logStart],
    ['at the start if there are exactly as many lines', ['a\nb\n'], 2, logStart],
    ['after a newline', ['a\nb\n'], 1, { sequence: 1, offset: 2 }],
    ['at an unterminated line', ['a\nb'], 1, { sequence: 1, offset: 2 }],
    ['at the beginning of a line in an earlier chunk', ['a\nb', 'b', 'b\n'], 1, { sequence: 1, offset: 2 }],
    ['after a chunk that ends a line', ['a\n', 'b\n'], 1, { sequence: 1, offset: 2 }],
    ['at an empty line', ['a\n\n\n'], 2, { sequence: 1, offset: 2 }],
  ])('%s', async (_, texts, lines, expected) => {
    expect(tailStart(await logOf(...texts), 'l', lines)).toEqual(expected)
  })

  it('many chunks before the end', async () => {
    const logs = await logOf('first\n', 'second\n', 'x'.repeat(logChunkBytes * 100))
    expect(tailStart(logs, 'l', 2)).toEqual({ sequence: 1, offset: 6 })
  })
})

describe('a log shows', () => {
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
      'the time at which a line started',
      { timestamps: true },
      [
        [1, 'Stdout', 'a'],
        [2, 'Stdout', 'b\nc\n'],
      ],
      `${at1} ab\n${at2} c\n`,
    ],
    [
      'the start times of interleaved lines of both streams',
      { timestamps: true },
      [
        [1, 'Stdout', 'a'],
        [2, 'Stderr', 'x\n'],
        [3, 'Stdout', 'b\n'],
      ],
      `${at1} a${at2} x\nb\n`,
    ],
    [
      'the lines that started at or after a time',
      { sinceMs: 2 },
      [
        [1, 'Stdout', 'a\nb'],
        [2, 'Stdout', 'b\nc\n'],
      ],
      'c\n',
    ],
    [
      'a limited number of bytes',
      { limitBytes: 3 },
      [
        [1, 'Stdout', 'ab'],
        [2, 'Stdout', 'cd'],
      ],
      'abc',
    ],
    [
      'a limited number of bytes, including timestamps',
      { limitBytes: 4, timestamps: true },
      [[1, 'Stdout', 'ab']],
      '1970',
    ],
  ])('%s', (_, options, entries, expected) => {
    const writer = lineWriter({ ...all, ...options })
    const parts = entries.flatMap(([timeMs, stream, text], index) =>
      writer.take({ sequence: index + 1, timeMs, stream, bytes: bytesOf(text) }, 0),
    )
    expect(Buffer.concat(parts).toString()).toBe(expected)
    expect(writer.isFull()).toBe(options.limitBytes !== undefined)
  })
})
