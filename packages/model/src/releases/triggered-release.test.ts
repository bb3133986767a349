import { describe, expect, it } from 'vitest'
import { copiedPacKey, labels } from '../labels'
import { condition, type Overrides } from '../testing'
import { aReleasePlan, aSnapshot } from '../testing/tests-and-releases'
import type { ReleasePlan } from './release-plan'
import {
  applicationOfPlan,
  buildRelease,
  isUploadDate,
  planConcern,
  snapshotConcern,
  toUploadDate,
  type TriggeredRelease,
} from './triggered-release'

const empty: TriggeredRelease = {
  namespace: 'team',
  releasePlan: 'to-production',
  snapshot: 'shop-1',
  synopsis: '',
  topic: '',
  description: '',
  solution: '',
  references: [],
  bugs: [],
  cves: [],
  labels: {},
}
const bug = { id: '12', source: 'https://github.com/shop/web/issues/12' }

describe('the release that is written', () => {
  it.each<Record<string, string>>([{ team: 'shop' }, { [labels.application]: 'other' }])(
    'REL-43, TRIG-34 is among those of its application at once, with %j entered',
    (entered) => {
      const { metadata } = buildRelease({ ...empty, application: 'shop', labels: entered })
      expect(metadata.labels).toEqual({ ...entered, [labels.application]: 'shop' })
    },
  )

  it('TRIG-21, TRIG-30, TRIG-31 names the plan and the snapshot, and nothing that was not entered', () => {
    expect(buildRelease({ ...empty, synopsis: ' ', topic: '\n', description: '\t', references: [' '] })).toEqual({
      metadata: { namespace: 'team', generateName: 'to-production' },
      spec: { releasePlan: 'to-production', snapshot: 'shop-1' },
    })
  })

  it('TRIG-21, TRIG-32, TRIG-33, TRIG-36 has all release notes in the shape of the platform', () => {
    const release = buildRelease({
      ...empty,
      synopsis: ' Faster ',
      topic: 'A topic',
      description: 'First\n\nSecond',
      solution: 'Update',
      references: ['https://example.com/a', '', 'https://example.com/b'],
      bugs: [{ ...bug, uploadDate: '01-31-2026', status: 'Resolved', summary: 'A bug' }],
      cves: [
        { key: 'CVE-2026-1', component: 'My Web.App', packages: ['openssl', ' ', 'zlib'] },
        { key: 'CVE-2026-2', component: '', packages: [] },
      ],
      labels: { team: 'shop' },
    })
    expect(release.metadata.labels).toEqual({ team: 'shop' })
    expect(release.spec.data).toEqual({
      releaseNotes: {
        synopsis: 'Faster',
        topic: 'A topic',
        description: 'First\n\nSecond',
        solution: 'Update',
        references: ['https://example.com/a', 'https://example.com/b'],
        issues: { fixed: [bug] },
        cves: [{ key: 'CVE-2026-1', component: 'my-web-app', packages: ['openssl', 'zlib'] }, { key: 'CVE-2026-2' }],
      },
    })
  })
})

it.each([
  ['01-31-2026', true],
  ['02-29-2024', true],
  ['02-29-2026', false],
  ['13-01-2026', false],
  ['00-01-2026', false],
  ['2026-01-31', false],
  ['1-31-2026', false],
  ['', false],
])('TRIG-24 the date of a bug is a day as MM-DD-YYYY: %s is %s', (text, expected) => {
  expect(isUploadDate(text)).toBe(expected)
})

it('TRIG-24 a day is written as MM-DD-YYYY', () => {
  expect(toUploadDate(new Date(2026, 2, 5))).toBe('03-05-2026')
})

it('a plan without a spec, or of a component group, has no application', () => {
  expect(applicationOfPlan(aReleasePlan())).toBe('checkout')
  expect(applicationOfPlan({ metadata: {} } as ReleasePlan)).toBeUndefined()
  expect(applicationOfPlan({ metadata: {}, spec: { application: 7 } } as unknown as ReleasePlan)).toBeUndefined()
})

const pipelineRef = { resolver: 'git', params: [{ name: 'url', value: 'https://git.slipway.test/pipelines' }] }
const admission = 'release-managed/checkout-to-production'
const matched = { releasePlanAdmission: { name: admission, active: true } }
it.each<[string, Overrides<ReleasePlan>, RegExp | undefined]>([
  ['is matched', { status: matched }, undefined],
  ['is matched by an admission of unknown state', { status: { releasePlanAdmission: { name: admission } } }, undefined],
  [
    'is blocked',
    { status: { releasePlanAdmission: { name: admission, active: false } } },
    /^The admission release-managed\/checkout-to-production blocks releases\.$/,
  ],
  ['has an empty match', { status: { releasePlanAdmission: {} } }, /^No release plan admission in release-managed/],
  ['has no status', {}, /^No release plan admission in release-managed matches checkout-to-production/],
  ['runs in its own namespace', { spec: { target: undefined, tenantPipeline: { pipelineRef } } }, undefined],
  ['targets its own namespace', { spec: { target: 'team-payments', tenantPipeline: { pipelineRef } } }, undefined],
  ['has the pipeline of the old schema', { spec: { target: undefined, pipelineRef } }, undefined],
  [
    'has a pipeline, and an admission is needed all the same',
    { spec: { tenantPipeline: { pipelineRef } } },
    /^No release plan admission/,
  ],
  [
    'has nothing to run',
    { spec: { target: undefined } },
    /has neither a pipeline nor a target, so its releases fail\.$/,
  ],
])('the concern about a plan that %s', (_, overrides, expected) => {
  const concern = planConcern(aReleasePlan(overrides))
  if (expected) expect(concern).toMatch(expected)
  else expect(concern).toBeUndefined()
})

const finished = condition('AppStudioIntegrationStatus', 'True', 'Finished')
const tests = (status: 'True' | 'False') => [finished, condition('AppStudioTestSucceeded', status)]
it.each([
  ['passed its tests', { status: { conditions: tests('True') } }, undefined],
  ['failed its tests', { status: { conditions: tests('False') } }, /^Required integration tests .* failed\.$/],
  [
    'is invalid',
    { status: { conditions: [condition('AppStudioIntegrationStatus', 'False', 'Invalid')] } },
    /^This snapshot is invalid\.$/,
  ],
  [
    'is being tested',
    { status: { conditions: [condition('AppStudioIntegrationStatus', 'Unknown', 'InProgress')] } },
    /have not finished\.$/,
  ],
  ['says nothing', {}, undefined],
  [
    'is of a pull request',
    { metadata: { labels: { [copiedPacKey(labels.eventType)]: 'pull_request' } } },
    /^Its changes have not been merged\.$/,
  ],
])('the concern about a snapshot that %s', (_, overrides, expected) => {
  const concern = snapshotConcern(aSnapshot(overrides))
  if (expected) expect(concern).toMatch(expected)
  else expect(concern).toBeUndefined()
})
