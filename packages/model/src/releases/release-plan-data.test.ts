import { expect, test } from 'vitest'
import { parseReleaseData, releaseDataText } from './release-plan-data'

test.each<[string, string, unknown]>([
  ['YAML', 'releaseNotes:\n  references: [a]\n', { releaseNotes: { references: ['a'] } }],
  ['JSON', '{"a": {"b": 1}}', { a: { b: 1 } }],
  ['nothing', ' \n', undefined],
  ['a comment', '# later', undefined],
])('PLAN-28 data is read from %s', (_, text, data) => {
  expect(parseReleaseData(text)).toEqual({ data })
})

test.each([
  ['a text', 'hello', /^Must be YAML or JSON with keys and values/],
  ['a list', '- a', /^Must be YAML or JSON with keys and values/],
  ['broken YAML', 'a: [1', /^Not valid YAML or JSON in line 1: .+\.$/],
  ['two values for a key', 'a: 1\na: 2', /^Not valid YAML or JSON in line 2: Map keys must be unique\.$/],
  ['two documents', 'a: 1\n---\nb: 2', /^Not valid YAML or JSON/],
  ['aliases without end', bomb(), /^Not valid YAML or JSON/],
])('PLAN-28 data is rejected that is %s', (_, text, error) => {
  expect(parseReleaseData(text)).toEqual({ error: expect.stringMatching(error) as string })
})

test.each<[unknown, string]>([
  [undefined, ''],
  [null, ''],
  ['any text of an earlier console', 'any text of an earlier console'],
  [{ a: [1] }, 'a:\n  - 1\n'],
])('PLAN-55 the stored data %j is shown as text', (data, text) => {
  expect(releaseDataText(data)).toBe(text)
})

function bomb(): string {
  const levels = Array.from({ length: 9 }, (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level}, `.repeat(9)}]`)
  return ['l0: &l0 [x]', ...levels].join('\n')
}
