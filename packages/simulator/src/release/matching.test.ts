import type { ReleasePlan, ReleasePlanAdmission } from '@slipway/model/releases/release-plan'
import { aReleasePlan, aReleasePlanAdmission } from '@slipway/model/testing/tests-and-releases'
import { expect, it } from 'vitest'
import { admissionFor } from './matching'

// The API accepts both without a spec.
const withoutSpec = <T extends ReleasePlan | ReleasePlanAdmission>({ metadata }: T) => ({ metadata }) as T

it('a plan without a spec has no admission', () => {
  expect(admissionFor(withoutSpec(aReleasePlan()), [aReleasePlanAdmission()])).toEqual({
    reason: 'releasePlan has no target, so no ReleasePlanAdmissions can be found',
  })
})

it('an admission without a spec matches no plan', () => {
  const admission = aReleasePlanAdmission()
  expect(admissionFor(aReleasePlan(), [withoutSpec(admission), admission])).toEqual({ admission })
})
