import { beforeEach, expect, it, test } from 'vitest'
import { lastUsedNamespace } from './last-used-namespace'

beforeEach(() => localStorage.clear())

it('PREF-09 is stored as plain text, as other consoles of this kind read it', () => {
  lastUsedNamespace.set('team-a')
  expect(localStorage.getItem('lastUsedNamespace')).toBe('team-a')
})

test.each(['team-a', 'a', '007', '42', 'true', 'null', '1e5', 'x'.repeat(63)])(
  'is stored and read back: %s',
  (name) => {
    lastUsedNamespace.set(name)
    expect(lastUsedNamespace.get()).toBe(name)
  },
)

test.each([
  '',
  '..',
  '.',
  '../../x',
  '"a/b"',
  'Team',
  '-a',
  'a-',
  '{',
  '{}',
  '[]',
  'null',
  '1e999',
  'x'.repeat(100_000),
])('what can be no namespace counts as none: %.20s', (text) => {
  localStorage.setItem('lastUsedNamespace', text)
  expect(lastUsedNamespace.get()).toBeUndefined()
})
