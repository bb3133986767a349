import { styledText } from '@slipway/model/logs/log-escapes'
import { createLogLines } from '@slipway/model/logs/log-lines'
import { expect, it, test } from 'vitest'
import { ansiBlocks, ansiSpans, paper } from './ansi'
import { contrast, type Rgb } from './contrast'
import { cpuMsOf } from '../../../../../scripts/lib/cpu-time'

const e = '\u001b'
const rgbOf = (css: string): Rgb => {
  const [r = 0, g = 0, b = 0] = (css.match(/\d+/g) ?? []).map(Number)
  return [r, g, b]
}

it('splits a line where its style changes', () => {
  const spans = ansiSpans(styledText(`plain ${e}[1;31mred${e}[m and ${e}[4mlined${e}[0m`))
  expect(spans.map(({ text }) => text)).toEqual(['plain ', 'red', ' and ', 'lined'])
  expect(spans.map(({ style }) => style && [style.isBold, style.line])).toEqual([
    undefined,
    [true, undefined],
    undefined,
    [false, 'underline'],
  ])
})

it('shows lines after bold text that has ended as plain text', () => {
  const lines = createLogLines()
  lines.append([`${e}[1mbold ${e}[22m`, 'plain'])
  expect(ansiSpans(lines.styled(1))).toEqual([{ text: 'plain', style: undefined }])
})

it('shows lines after a progress bar that ended its colour on a line of its own as plain text', () => {
  const lines = createLogLines()
  lines.append([`${e}[32m100%\r${e}[0m`, 'plain'])
  expect(ansiSpans(lines.styled(0))).toMatchObject([{ text: '100%', style: { isBold: false } }])
  expect(ansiSpans(lines.styled(1))).toEqual([{ text: 'plain', style: undefined }])
})

it('underlines text with a double line, and does not take its code for the end of bold text', () => {
  const [, lined] = ansiSpans(styledText(`${e}[1mbold${e}[21mlined`))
  expect(lined?.style).toMatchObject({ isBold: true, line: 'underline' })
})

it('splits a line into blocks of equal length, regardless of its styles', () => {
  const blocks = ansiBlocks(`abcd${e}[31mefghijkl${e}[0mm`, 5)
  expect(blocks.map((block) => block.map(({ text, start, style }) => [text, start, style !== undefined]))).toEqual([
    [
      ['abcd', 0, false],
      ['e', 4, true],
    ],
    [['fghij', 5, true]],
    [
      ['kl', 10, true],
      ['m', 12, false],
    ],
  ])
  expect(ansiBlocks('', 5)).toEqual([])
})

it('parses the colours of a line of a megabyte once for all its blocks', () => {
  const line = `${e}[31mred${e}[0m and plain text `.repeat(30_000)
  ansiSpans(line)
  const onceMs = cpuMsOf(() => ansiSpans(line))
  expect(cpuMsOf(() => ansiBlocks(line, 4_000))).toBeLessThan(20 * onceMs)
})

const codes = [
  ...Array.from({ length: 8 }, (_, index) => [
    `${30 + index}`,
    `${90 + index}`,
    `${40 + index}`,
    `${100 + index}`,
  ]).flat(),
  ...Array.from({ length: 256 }, (_, index) => [`38;5;${index}`, `48;5;${index}`]).flat(),
  ...[
    '38;2;0;0;0',
    '38;2;255;255;255',
    '38;2;120;120;120',
    '38;2;1;2;200;48;2;0;0;180',
    '31;41',
    '7',
    '7;33',
    '2',
    '2;34',
  ],
]

it.each(['light', 'dark'] as const)('is legible in every colour on a %s page', (theme) => {
  const faint = codes.filter((code) => {
    const [{ style } = { style: undefined }] = ansiSpans(styledText(`${e}[${code}mtext`))
    if (!style) return false
    return contrast(rgbOf(style[theme]), style.background ? rgbOf(style.background) : paper[theme]) < 4.5
  })
  expect(faint).toEqual([])
})

test.each([
  ['a colour outside the colour table', '38;5;999'],
  ['hidden text', '8'],
])('shows %s as plain text', (_, code) => {
  expect(ansiSpans(styledText(`${e}[${code}mtext`))).toEqual([{ text: 'text', style: undefined }])
})
