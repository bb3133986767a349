import { expect, it } from 'vitest'
import { combinationsOf } from './matrix'

type Matrix = Parameters<typeof combinationsOf>[0]
const param = (name: string, value: string) => ({ name, value })
const shown = (matrix: Matrix) => combinationsOf(matrix).map((each) => each.map(({ value }) => value).join(' '))

it.each<[string, Matrix, string[]]>([
  ['one param', { params: [{ name: 'os', value: ['linux', 'mac'] }] }, ['linux', 'mac']],
  [
    'every combination of two, the first changing fastest, each sorted by name',
    {
      params: [
        { name: 'os', value: ['linux', 'mac'] },
        { name: 'browser', value: ['chrome', 'safari'] },
      ],
    },
    ['chrome linux', 'chrome mac', 'safari linux', 'safari mac'],
  ],
  [
    'an include added to the combination that it matches',
    {
      params: [{ name: 'os', value: ['linux', 'mac'] }],
      include: [{ name: 'm', params: [param('os', 'mac'), param('arch', 'arm64')] }],
    },
    ['linux', 'arm64 mac'],
  ],
  [
    'an include as a separate combination',
    { params: [{ name: 'os', value: ['linux'] }], include: [{ params: [param('os', 'windows')] }] },
    ['linux', 'windows'],
  ],
  [
    'no include of which only a part matches',
    {
      params: [
        { name: 'os', value: ['linux'] },
        { name: 'py', value: ['3.11'] },
      ],
      include: [{ params: [param('os', 'linux'), param('py', '3.9')] }],
    },
    ['linux 3.11'],
  ],
  [
    'includes without params',
    { include: [{ params: [param('DOCKERFILE', 'a')] }, { params: [param('DOCKERFILE', 'b')] }] },
    ['a', 'b'],
  ],
  ['nothing for an empty array', { params: [{ name: 'os', value: [] }] }, []],
])('combinationsOf returns %s', (_, matrix, expected) => expect(shown(matrix)).toEqual(expected))
