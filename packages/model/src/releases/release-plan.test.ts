import { expect, test } from 'vitest'
import { aReleasePlan, aReleasePlanAdmission } from '../testing/tests-and-releases'
import {
  admittedApplications,
  attachedAdmission,
  flagText,
  type ReleasePlan,
  type ReleasePlanAdmission,
  releasePlanStatus,
} from './release-plan'

const withStatus = (status: unknown) => ({ ...aReleasePlan(), status }) as ReleasePlan

test.each<[string, unknown, string, ReturnType<typeof attachedAdmission>]>([
  ['no status', undefined, 'Not Matched', undefined],
  ['no admission', {}, 'Not Matched', undefined],
  ['an empty admission, as the API stores it', { releasePlanAdmission: {} }, 'Not Matched', undefined],
  ['an admission without a name', { releasePlanAdmission: { active: true } }, 'Not Matched', undefined],
  ['an empty name', { releasePlanAdmission: { name: ' ' } }, 'Not Matched', undefined],
  ['a name of another type', { releasePlanAdmission: { name: 5 } }, 'Not Matched', undefined],
  ['nonsense', { releasePlanAdmission: 'x' }, 'Not Matched', undefined],
  ['a condition alone', { conditions: [{ type: 'Matched', status: 'True' }] }, 'Not Matched', undefined],
  ['a name', { releasePlanAdmission: { name: 'm/p' } }, 'Matched', { name: 'm/p', isActive: true }],
  [
    'an admission that blocks',
    { releasePlanAdmission: { name: 'm/p', active: false } },
    'Matched',
    { name: 'm/p', isActive: false },
  ],
])('PLAN-12 a plan with %s is %s', (_, status, expected, admission) => {
  expect(releasePlanStatus(withStatus(status))).toBe(expected)
  expect(attachedAdmission(withStatus(status))).toEqual(admission)
})

test.each<[string, unknown, string[]]>([
  ['the current shape', { applications: ['a', 'b'] }, ['a', 'b']],
  ['the old shape', { application: 'a' }, ['a']],
  ['both', { applications: ['a'], application: 'b' }, ['a']],
  ['neither', { componentGroups: ['g'] }, []],
  ['no spec', undefined, []],
  ['nonsense', { applications: 'x' }, []],
  ['nonsense among them', { applications: [5, '', 'a'] }, ['a']],
])('RPA-08 the applications of an admission of %s are read', (_, spec, expected) => {
  expect(admittedApplications({ ...aReleasePlanAdmission(), spec } as ReleasePlanAdmission)).toEqual(expected)
})

test.each([
  ['true', 'True'],
  ['false', 'False'],
  ['yes', 'Yes'],
  ['', '-'],
  [undefined, '-'],
])('RPA-03, RPA-11 the label %s is shown as %s', (value, expected) => {
  const labels = value === undefined ? undefined : { 'example.com/flag': value }
  expect(flagText({ metadata: { labels } }, 'example.com/flag')).toBe(expected)
})
