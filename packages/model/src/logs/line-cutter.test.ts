import { expect, test } from 'vitest'
import { lineCutter } from './line-cutter'

test.each<[string[], string]>([
  [['short\n'], 'short\n'],
  [['123456789\nab\n'], '12345\nab\n'],
  [['1234', '5678', '9\na', 'b'], '12345\nab'],
  [['\n', '\n123456', '\n'], '\n\n12345\n'],
  [['1234🚢\n123🚢4\n'], '1234\n123🚢\n'],
])('LOG-18 cuts the lines of %j', (pieces, text) => {
  const cut = lineCutter(5)
  expect(pieces.map(cut).join('')).toBe(text)
})
