import { isLabelValue } from '@slipway/kube/label-syntax'
import { expect, it, test } from 'vitest'
import { labels } from '../labels'
import { aRelease } from '../testing'
import { authorLabel, requesterOf } from './release-author'

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

const attributed = { attribution: { author: 'ann.example.com' } }
test.each<[string, Parameters<typeof aRelease>[0], string | undefined, string | undefined]>([
  [
    'its annotation',
    { metadata: { annotations: { [labels.author]: 'bob@example.com' } }, status: attributed },
    undefined,
    'bob@example.com',
  ],
  ['the user whose label it has', { status: attributed }, 'ann@example.com', 'ann@example.com'],
  ['the label of another user', { status: attributed }, 'bob@example.com', 'ann.example.com'],
  ['its label', { metadata: { labels: { [labels.author]: 'ann.example.com' } } }, undefined, 'ann.example.com'],
  ['unknown without any', {}, 'ann@example.com', undefined],
])('the user who requested a release is %s', (_, overrides, email, requester) => {
  expect(requesterOf(aRelease(overrides), email)).toBe(requester)
})
