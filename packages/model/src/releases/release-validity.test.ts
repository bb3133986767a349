import { expect, test } from 'vitest'
import { explainInvalidRelease } from './release-validity'

test.each<[string | undefined, string, RegExp]>([
  ['releaseplans.appstudio.redhat.com "to-prod" not found', 'its release plan to-prod does not exist', /Create/],
  ['snapshots.appstudio.redhat.com "shop-1" not found', 'its snapshot shop-1 does not exist', /another snapshot/],
  [
    "found ReleasePlanAdmission 'prod' with block-releases label set to true",
    'the admission prod blocks all releases by its label block-releases',
    /set the label to false/,
  ],
  [
    "no ReleasePlanAdmission found in namespace (managed) with the origin (team) for application 'checkout'",
    'no admission in managed accepts the application checkout of team',
    /to create one/,
  ],
  [
    'no ReleasePlanAdmission found in namespace (managed) with the origin (team)',
    'no admission in managed accepts this application of team',
    /to create one/,
  ],
  [
    "multiple ReleasePlanAdmissions found in namespace (managed) with the origin (team) for application 'checkout'",
    'more than one admission in managed accepts this application',
    /releasePlanAdmission/,
  ],
  [
    'releaseplanadmissions.appstudio.redhat.com "prod" not found',
    'the admission prod, which its plan names, does not exist',
    /another one/,
  ],
  [
    'releasePlan (p) targets releasePlanAdmission (prod) by label, but the Origin of the releasePlanAdmission (team-b) does not match the namespace of the releasePlan (team-a)',
    'the admission prod accepts releases of team-b only',
    /origin/,
  ],
  [
    'no author in the ReleasePlan found for automated release',
    'its plan has no standing attribution, which an automatic release needs',
    /standing attribution/,
  ],
  ['no author found for manual release', 'it has no author', /Trigger it again/],
  [
    'releasePlan has no target, so no ReleasePlanAdmissions can be found',
    'its plan has neither a pipeline nor a target',
    /Add one/,
  ],
  [
    'releasePlan has no pipeline or target. Each Release should define a tenant pipeline, managed pipeline, or both',
    'its plan has neither a pipeline nor a target',
    /Add one/,
  ],
  ['The webhook says no.', 'The webhook says no', /Correct what it names/],
  ['', 'the release service gives no reason', /re-run/],
  [undefined, 'the release service gives no reason', /re-run/],
])('the validation message %j is explained', (message, text, action) => {
  const explained = explainInvalidRelease(message)
  expect(explained.text).toBe(text)
  expect(explained.action).toMatch(action)
  expect(explained.action).toMatch(/\.$/)
})
