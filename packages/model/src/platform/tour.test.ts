import { expect, test } from 'vitest'
import { parseTour } from './tour'

const step = { title: 'A build that failed', text: 'Open it.', path: '/ns/team/runs?status=Failed' }

test.each<[string, unknown, unknown]>([
  ['none', undefined, []],
  ['another type', 'a tour', []],
  ['a step', [step], [step]],
  ['no step without a title', [{ ...step, title: '' }, step], [step]],
  ['no step without a text', [{ ...step, text: 7 }], []],
  ['no step without a path', [{ ...step, path: undefined }], []],
  ['no address of another host', [{ ...step, path: '//evil.example' }], []],
  ['no address of another host behind a backslash', [{ ...step, path: '/\\evil.example' }], []],
  ['no URL', [{ ...step, path: 'https://evil.example' }], []],
  ['only the fields of a step', [{ ...step, more: 1 }], [step]],
])('a tour is parsed: %s', (_, value, expected) => expect(parseTour(value)).toEqual(expected))
