import { expect, it, test } from 'vitest'
import type { RuleResult } from '../snapshots/enterprise-contract'
import { withoutArchitectures } from './architectures'
import { type PolicyViolation, violationsIn } from './policy-violations'

const digest = (character: string) => `sha256:${character.repeat(64)}`
const aResult = (over: Partial<RuleResult> = {}): RuleResult => ({
  rule: 'signed',
  outcome: 'Failed',
  component: 'api',
  collections: [],
  ...over,
})
const ofImage = (character: string, architecture: string, over: Partial<RuleResult> = {}) =>
  aResult({
    component: `api-${digest(character)}-${architecture}`,
    image: `quay.io/payments/api@${digest(character)}`,
    ...over,
  })

test.each<[string, Partial<RuleResult>[], PolicyViolation[]]>([
  ['no results', [], []],
  ['warnings and successes', [{ outcome: 'Warning' }, { outcome: 'Success' }], []],
  [
    'a rule that two components violate',
    [{ solution: 'sign it', message: 'not signed' }, { component: 'web' }, { component: 'web' }],
    [
      {
        rule: 'signed',
        solution: 'sign it',
        findings: [{ component: 'api', message: 'not signed' }, { component: 'web' }],
      },
    ],
  ],
  [
    'a rule that a component violates twice',
    [{ message: 'task a' }, { message: 'task b' }],
    [
      {
        rule: 'signed',
        findings: [
          { component: 'api', message: 'task a' },
          { component: 'api', message: 'task b' },
        ],
      },
    ],
  ],
  [
    'two rules, of which two packages have one of the same title',
    [{}, { rule: 'pinned', code: 'task.pinned' }, { rule: 'pinned', code: 'step.pinned' }],
    [
      { rule: 'signed', findings: [{ component: 'api' }] },
      { rule: 'pinned', code: 'task.pinned', findings: [{ component: 'api' }] },
      { rule: 'pinned', code: 'step.pinned', findings: [{ component: 'api' }] },
    ],
  ],
])('the violated rules are known for %s', (_, results, expected) => {
  expect(violationsIn(results.map(aResult))).toEqual(expected)
})

test.each<[string, RuleResult[], [string, string[]][]]>([
  ['no architecture', [aResult()], [['api', []]]],
  ['an index and its images', [ofImage('a', 'arm64'), aResult(), ofImage('b', 'amd64')], [['api', ['amd64', 'arm64']]]],
  ['two images of one architecture', [ofImage('a', 'amd64'), ofImage('b', 'amd64')], [['api', ['amd64']]]],
  ['an image without an architecture', [ofImage('a', 'noarch-0')], [['api', ['noarch-0']]]],
  [
    'messages that name their image',
    [
      ofImage('a', 'amd64', { message: `no label in ${digest('a')}` }),
      ofImage('b', 'arm64', { message: `no label in ${digest('b')}` }),
    ],
    [['api', ['amd64', 'arm64']]],
  ],
  [
    'other messages',
    [ofImage('a', 'amd64', { message: 'x' }), ofImage('b', 'arm64', { message: 'y' })],
    [
      ['api', ['amd64']],
      ['api', ['arm64']],
    ],
  ],
  [
    'other outcomes',
    [ofImage('a', 'amd64'), ofImage('b', 'arm64', { outcome: 'Warning' })],
    [
      ['api', ['amd64']],
      ['api', ['arm64']],
    ],
  ],
  [
    'other terms',
    [ofImage('a', 'amd64', { terms: ['clone'] }), ofImage('b', 'arm64', { terms: ['build'] })],
    [
      ['api', ['amd64']],
      ['api', ['arm64']],
    ],
  ],
  ['a name that only looks like it', [aResult({ component: 'api-sha256:12-amd64' })], [['api-sha256:12-amd64', []]]],
])('results are collapsed by architecture: %s', (_, results, expected) => {
  expect(withoutArchitectures(results).map((each) => [each.component, each.architectures])).toEqual(expected)
})

it('the image of a collapsed result is the one that the snapshot names', () => {
  const index = aResult({ image: `quay.io/payments/api@${digest('c')}` })
  expect(withoutArchitectures([ofImage('a', 'amd64'), index, ofImage('b', 'arm64')])[0]?.image).toBe(index.image)
})

it('collapsing changes no result', () => {
  const results = [ofImage('a', 'amd64'), ofImage('b', 'arm64')]
  const before = structuredClone(results)
  withoutArchitectures(results)
  expect(results).toEqual(before)
})
