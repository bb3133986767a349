import { expect, it } from 'vitest'
import { sanitizeLabelValue } from './author-label'

it.each([
  ['admin@slipway.test', 'admin.slipway.test'],
  ['Ann_Lee@Example.com', 'Ann_Lee.Example.com'],
  ['system:serviceaccount:team:builder', 'system_serviceaccount_team_builder'],
  ['a'.repeat(70), 'a'.repeat(63)],
])('turns the user name %s into the label value %s', (username, value) => {
  expect(sanitizeLabelValue(username)).toBe(value)
})
