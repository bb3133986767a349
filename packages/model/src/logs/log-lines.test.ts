import { expect, it, test } from 'vitest'
import { createLogLines } from './log-lines'
import { isErrorLine } from './log-commands'
import { snippetOf } from './log-snippet'
import { cpuMsOf } from '../../../../scripts/lib/cpu-time'

const e = '\u001b'
const at = (second: number, text: string) => `2026-01-31T09:00:0${second}.500000000Z ${text}`

function linesOf(...texts: string[]) {
  const lines = createLogLines()
  lines.reset(false)
  lines.append(texts)
  return lines
}

it('separates the text and time of each line', () => {
  const lines = createLogLines()
  lines.append([at(1, 'first'), at(2, ''), 'without a time'])
  expect([0, 1, 2].map((line) => lines.text(line))).toEqual(['first', '', 'without a time'])
  expect(lines.timeMs(0)).toBe(Date.parse('2026-01-31T09:00:01.500Z'))
  expect(lines.timeMs(2)).toBeUndefined()
  expect(lines.hasTimes).toBe(true)
})

it('parses times in other time zones', () => {
  const lines = createLogLines()
  lines.append(['2026-01-31T10:00:01.25+01:00 text'])
  expect(lines.timeMs(0)).toBe(Date.parse('2026-01-31T09:00:01.250Z'))
})

it('treats times as text if the source has no timestamps', () => {
  const lines = linesOf('2026-01-31T09:00:00Z told by the program')
  expect(lines.text(0)).toBe('2026-01-31T09:00:00Z told by the program')
  expect(lines.hasTimes).toBe(false)
})

it('LOG-15 shows an incomplete line and replaces it', () => {
  const lines = createLogLines()
  lines.append([at(1, 'whole')])
  lines.open(at(2, 'hal'))
  expect([lines.count, lines.settled, lines.text(1)]).toEqual([2, 1, 'hal'])
  lines.open('')
  expect(lines.count).toBe(1)
  lines.open(at(2, 'hal'))
  lines.append([at(2, 'half and half')])
  expect([lines.count, lines.text(1)]).toEqual([2, 'half and half'])
})

it('continues colours on the next lines until they end', () => {
  const lines = linesOf(`${e}[31mred`, 'still red', `end${e}[0m`, 'plain')
  expect(lines.styled(1)).toBe(`${e}[31mstill red`)
  expect(lines.styled(2)).toBe(`${e}[31mend${e}[0m`)
  expect(lines.styled(3)).toBe('plain')
  expect(lines.text(0)).toBe('red')
})

it('finds nested groups', () => {
  const lines = linesOf(
    '::group::Outer',
    'a',
    '::group::Inner',
    'b',
    '::endgroup::',
    '::endgroup::',
    '##[group]Open',
    'c',
  )
  expect(lines.groups).toEqual([
    { first: 0, last: 5, title: 'Outer', depth: 0 },
    { first: 2, last: 4, title: 'Inner', depth: 1 },
    { first: 6, last: Infinity, title: 'Open', depth: 0 },
  ])
})

it('begin discards all lines', () => {
  const lines = createLogLines()
  lines.append([at(1, 'error: one')])
  lines.reset(false)
  expect([lines.count, lines.errors.length, lines.generation]).toEqual([0, 0, 1])
  lines.append([at(1, 'text')])
  expect(lines.text(0)).toBe(at(1, 'text'))
})

test.each([
  'error: no such file',
  'npm ERR! code ELIFECYCLE',
  'fatal: not a git repository',
  'panic: runtime error: index out of range',
  'error[E0308]: mismatched types',
  'Traceback (most recent call last):',
  'TypeError: x is not a function',
  'java.lang.IllegalStateException: no',
  '09:00:00 ERROR payments failed',
  'FAILED test_checkout.py::test_total',
  '--- FAIL: TestTotal (0.00s)',
  'Error: exit status 2',
  'make: *** [all] Error: exit code 1',
  '::error file=a.go,line=3::undefined: x',
  '##[error]Bash exited with code 1',
  'E0131 09:00:00.000000       1 main.go:12] no',
  'time="x" level=error msg="no"',
  '{"level":"error","msg":"no"}',
  'sh: buildah: command not found',
])('%s is a likely error', (text) => expect(isErrorLine(text)).toBe(true))

test.each([
  'all is well',
  '0 errors, 0 warnings',
  'ERROR: 0',
  'passed 12, 0 FAILED',
  'no ERROR was found',
  'compiling error_test.go',
  '::warning::deprecated',
  'terror: a film',
  'exit code 0',
  'error-prone 2.3 downloaded',
])('%s is not a likely error', (text) => expect(isErrorLine(text)).toBe(false))

it('a snippet has the lines around the first error with their numbers', () => {
  const many = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`)
  many[19] = 'error: this one'
  many[25] = 'error: and then this'
  const snippet = snippetOf(linesOf(...many))
  expect(snippet?.errorLine).toBe(20)
  expect(snippet?.lines.map(({ number }) => number)).toEqual(Array.from({ length: 19 }, (_, index) => index + 12))
  expect(snippet?.lines[8]).toEqual({ number: 20, text: 'error: this one' })
})

it('a snippet marks the exception of a traceback and has the last lines of the log after a gap', () => {
  const snippet = snippetOf(
    linesOf(
      ...Array.from({ length: 10 }, (_, index) => `line ${index + 1}`),
      '::group::Run the program',
      'Traceback (most recent call last):',
      '  File "/src/main.py", line 12, in <module>',
      '    main()',
      'shop.errors.InvalidEntry: 2 invalid fields',
      'amount',
      '::endgroup::',
      ...Array.from({ length: 30 }, (_, index) => `cleaned up ${index + 1}`),
      '::error file=main.py,line=12::the program failed',
      'exit status 1',
      '',
    ),
  )
  const shown = snippet?.lines.map(({ number, text, omittedBefore }) => [number, text, omittedBefore])
  expect(snippet?.errorLine).toBe(15)
  expect(shown?.slice(4, 12)).toEqual([
    [11, 'Run the program', undefined],
    [12, 'Traceback (most recent call last):', undefined],
    [13, '  File "/src/main.py", line 12, in <module>', undefined],
    [14, '    main()', undefined],
    [15, 'shop.errors.InvalidEntry: 2 invalid fields', undefined],
    [16, 'amount', undefined],
    [18, 'cleaned up 1', undefined],
    [19, 'cleaned up 2', undefined],
  ])
  expect(shown?.slice(-6)).toEqual([
    [44, 'cleaned up 27', 20],
    [45, 'cleaned up 28', undefined],
    [46, 'cleaned up 29', undefined],
    [47, 'cleaned up 30', undefined],
    [48, 'Error: the program failed', undefined],
    [49, 'exit status 1', undefined],
  ])
})

test.each<[string, number, string[]]>([
  [
    'the last of two chained exceptions',
    8,
    [
      'Traceback (most recent call last):',
      '  f()',
      'KeyError: 1',
      '',
      'During handling of the above exception, another exception occurred:',
      'Traceback (most recent call last):',
      '  g()',
      'ValueError: 2',
    ],
  ],
  [
    'the first of two separate exceptions',
    3,
    [
      'Traceback (most recent call last):',
      '  f()',
      'KeyError: 1',
      'again',
      'Traceback (most recent call last):',
      '  g()',
      'ValueError: 2',
    ],
  ],
  ['the traceback if the log ends within it', 1, ['Traceback (most recent call last):', '  f()']],
])('a snippet marks %s', (_, errorLine, texts) => expect(snippetOf(linesOf(...texts))?.errorLine).toBe(errorLine))

it('a snippet has the last lines if none is a likely error', () => {
  const snippet = snippetOf(linesOf('one', 'two', '', ''))
  expect(snippet).toEqual({
    errorLine: undefined,
    lines: [
      { number: 1, text: 'one' },
      { number: 2, text: 'two' },
    ],
  })
  expect(snippetOf(linesOf('', ' '))).toBeUndefined()
})

it('handles half a million lines, and one of a megabyte, quickly', () => {
  const lines = createLogLines()
  const batch = Array.from({ length: 5_000 }, (_, index) => at(index % 10, `worker-${index} processed record ${index}`))
  const tookMs = cpuMsOf(() => {
    for (let count = 0; count < 100; count++) lines.append(batch)
    lines.append([at(1, 'x'.repeat(1_000_000))])
  })
  expect(lines.count).toBe(500_001)
  expect(lines.text(500_000)).toHaveLength(1_000_000)
  expect(tookMs).toBeLessThan(10_000)
})
