import { isLabelValue } from '@slipway/kube/label-syntax'
import { expect, it } from 'vitest'
import { authorLabel } from './release-author'

it.each([
  ['admin@slipway.test', 'admin.slipway.test'],
  ['Ann_Lee@Example.com', 'Ann_Lee.Example.com'],
  ['system:serviceaccount:team:builder', 'system_serviceaccount_team_builder'],
  ['a'.repeat(70), 'a'.repeat(63)],
  ['ann+test@example.com', 'ann_test.example.com'],
  ['jörg@example.com', 'j_rg.example.com'],
  ['-ann@example.com-', 'ann.example.com'],
  [`${'a'.repeat(62)}@example.com`, 'a'.repeat(62)],
  ['@', undefined],
  ['', undefined],
])('REL-15 turns the user name %s into the label value %s', (username, value) => {
  expect(authorLabel(username)).toBe(value)
  expect(isLabelValue(value ?? '')).toBe(true)
})
