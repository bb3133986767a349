import { expect, test } from 'vitest'
import { aReleasePlan, aSnapshot } from '../testing/tests-and-releases'
import { releasePlanStatus } from './release-plan'
import { needsAdmission, releasePlanVerdict, unmatchedReason } from './release-plan-verdict'
import { releaseProspects } from './release-prospects'
import { planConcern } from './triggered-release'

type Overrides = Parameters<typeof aReleasePlan>[0]
const tenantPipeline = {
  pipelineRef: { resolver: 'git', params: [{ name: 'url', value: 'https://git.slipway.test/pipelines' }] },
}
const elsewhere = { target: 'release-managed' }
const own = 'team-payments'

test.each<[string, Overrides, boolean, RegExp]>([
  ['without a target', { spec: { target: undefined, tenantPipeline } }, false, /^Its releases run in this namespace/],
  ['for its own namespace', { spec: { target: own, tenantPipeline } }, false, /^Its releases run in this namespace/],
  [
    'with a pipeline in the shape of the old schema',
    { spec: { target: undefined, pipelineRef: tenantPipeline.pipelineRef } },
    false,
    /^Its releases run in this namespace/,
  ],
  [
    'with a pipeline, for another namespace',
    { spec: { ...elsewhere, tenantPipeline } },
    true,
    /^In release-managed, no/,
  ],
  ['for another namespace', { spec: elsewhere }, true, /^In release-managed, no admission or more than one/],
  ['for its own namespace, without a pipeline', { spec: { target: own } }, true, /^In team-payments, no admission/],
  ['with neither a pipeline nor a target', { spec: { target: undefined } }, true, /^It has neither a pipeline nor/],
  [
    'that names an admission',
    { metadata: { labels: { 'release.appstudio.openshift.io/releasePlanAdmission': 'prod' } } },
    true,
    /^There is no admission prod for this namespace in release-managed\.$/,
  ],
])('PLAN-12 every page agrees whether a plan %s needs an admission', (_, overrides, isNeeded, reason) => {
  const plan = aReleasePlan({ ...overrides, status: { releasePlanAdmission: {} } })
  expect(needsAdmission(plan)).toBe(isNeeded)
  expect(unmatchedReason(plan)).toMatch(reason)
  expect(releasePlanStatus(plan)).toBe('Not Matched')
  expect(releasePlanVerdict(plan)).toBe(isNeeded ? 'Not Matched' : 'Not needed')
  // The form that triggers a release, and the page of a snapshot.
  expect(planConcern(plan) !== undefined).toBe(isNeeded)
  const [prospect] = releaseProspects(aSnapshot(), [plan], [])
  expect(prospect?.admission).toBe(isNeeded ? 'Not Matched' : undefined)
  expect(prospect?.outlook === 'Blocked').toBe(isNeeded)
})

test('PLAN-12 a plan with an admission is matched, whether or not it needs one', () => {
  const status = { releasePlanAdmission: { name: 'release-managed/prod' } }
  for (const spec of [elsewhere, { target: undefined, tenantPipeline }])
    expect(releasePlanVerdict(aReleasePlan({ spec, status }))).toBe('Matched')
})
