import { expect, it, test } from 'vitest'
import { truncateLine, lastState, plainText, styleAfter, styledText } from './log-escapes'
import { cpuMsOf } from '../../../../scripts/lib/cpu-time'

const e = '\u001b'

test.each<[string, string, string]>([
  ['plain text', 'no colours', 'no colours'],
  ['colours', `${e}[31mred${e}[0m`, 'red'],
  ['a reset without a number', `${e}[1mbold${e}[m`, 'bold'],
  ['erasing and moving', `${e}[2K${e}[1Gtext${e}[?25l`, 'text'],
  ['a title', `${e}]0;title\u0007text`, 'text'],
  ['a link', `${e}]8;;https://git.slipway.test${e}\\link${e}]8;;${e}\\`, 'link'],
  ['an unterminated title', `text${e}]0;title`, 'text'],
  ['another character set', `${e}(Btext`, 'text'],
  ['a truncated escape', `text${e}`, 'text'],
  ['control characters', 'a\u0000b\u0007c\td', 'abc\td'],
])('plainText removes %s', (_, line, text) => expect(plainText(line)).toBe(text))

test.each<[string, string, string]>([
  ['keeps colours', `${e}[31mred`, `${e}[31mred`],
  ['drops the rest', `${e}[2K${e}[32mgreen${e}[K`, `${e}[32mgreen`],
  ['makes the reset explicit', `a${e}[mb`, `a${e}[0mb`],
  ['drops codes before a reset', `${e}[1;31;0mplain`, `${e}[0mplain`],
  ['normalises colons and leading zeros', `${e}[38:2::1:2:3;01mx`, `${e}[38;2;1;2;3;1mx`],
  ['drops an incomplete colour', `${e}[1;38;2;1mx`, `${e}[1mx`],
  ['does not take an incomplete colour for a reset', `${e}[1ma${e}[38;2mb`, `${e}[1mab`],
  ['keeps an end that follows its beginning', `${e}[1;22mx`, `${e}[22mx`],
  ['keeps a beginning that follows its end', `${e}[22;1mx`, `${e}[22;1mx`],
  ['does not take the style of an underline for codes', `${e}[4:3;58:2::1:2:3mx`, `${e}[4;58;2;1;2;3mx`],
  ['does not take the colour of an underline for codes', `${e}[4;58;5;9mx`, `${e}[4;58;5;9mx`],
  ['knows an underline of style 0 as its end', `${e}[4:0mx`, `${e}[24mx`],
])('styledText %s', (_, line, styled) => expect(styledText(line)).toBe(styled))

test.each<[string, string, string]>([
  ['a progress bar', '10%\r50%\r100%', '100%'],
  ['a line with a Windows line ending', 'text\r', 'text'],
  ['a bar that is erased at the end', `50%\r${e}[2K`, '50%'],
  ['nothing but returns', '\r\r', ''],
  ['a bar whose colour began earlier', `${e}[31m10%\r50%\r100%`, `${e}[31m100%`],
  ['a bar whose colour ended earlier', `${e}[31m10%${e}[0m\r100%`, `${e}[0m100%`],
])('lastState of %s', (_, line, state) => expect(lastState(line)).toBe(state))

test.each<[string, string, string, string]>([
  ['nothing', 'text', '', ''],
  ['nothing new', 'text', `${e}[31m`, `${e}[31m`],
  ['a colour', `${e}[31mred`, '', `${e}[31m`],
  ['a colour that ends', `${e}[31mred${e}[0m`, `${e}[1m`, ''],
  ['the later of two', `${e}[31m${e}[32m${e}[1m`, '', `${e}[32;1m`],
  ['one more', `${e}[1mbold`, `${e}[38;5;9m`, `${e}[38;5;9;1m`],
  ['bold text that ends', `${e}[1mbold ${e}[22m`, '', ''],
  ['one of two that ends', `${e}[1;4mboth${e}[22m`, '', `${e}[4m`],
  ['what earlier lines began', `${e}[24m`, `${e}[1;4m`, `${e}[1m`],
  ['dim and bold text, which end together', `${e}[1;2;3mall${e}[22m`, '', `${e}[3m`],
  ['double lines, which end like single ones', `${e}[21mlines${e}[24m`, '', ''],
  ['a default colour', `${e}[31;41m${e}[39m`, '', `${e}[41m`],
  ['a default background', `${e}[31;48;5;3m${e}[49m`, '', `${e}[31m`],
])('styleAfter %s', (_, line, before, after) => expect(styleAfter(line, before)).toBe(after))

test.each([
  ['3', '23'],
  ['5', '25'],
  ['6', '25'],
  ['7', '27'],
  ['8', '28'],
  ['9', '29'],
  ['51', '54'],
  ['53', '55'],
  ['58;5;1', '59'],
  ['97', '39'],
  ['107', '49'],
])('the code %s is not carried to the next line after its end, %s', (begins, ends) =>
  expect(styleAfter(`${e}[${begins}mtext${e}[${ends}m`, '')).toBe(''),
)

it('handles a long line of escapes quickly', () => {
  const line = `${e}]`.repeat(200_000) + `${e}[`.repeat(200_000)
  expect(cpuMsOf(() => expect(plainText(line)).toBe(''))).toBeLessThan(2_000)
})

test.each<[string, string, number, string]>([
  ['text that is short enough', 'text', 4, 'text'],
  ['longer text', 'text', 3, 'tex'],
  ['text up to a colour', `ab${e}[31mred`, 4, 'ab'],
  ['text up to an incomplete colour', `ab${e}[31;1mred`, 7, 'ab'],
  ['text with a complete colour', `ab${e}[31mred`, 7, `ab${e}[31m`],
])('beginningOf returns %s', (_, line, longest, beginning) => expect(truncateLine(line, longest)).toBe(beginning))
