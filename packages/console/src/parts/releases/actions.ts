import { paths } from '../../paths'
import { createReleasePlanPermission, triggerReleasePermission } from '../../resources/release-plans'
import type { DefinedAction } from '../../ui/actions/defined-action'

export const createReleasePlan: DefinedAction = {
  label: 'Create release plan',
  needs: createReleasePlanPermission,
  to: (_, at) => paths.createReleasePlan(at),
}

export const triggerRelease: DefinedAction = {
  label: 'Trigger release',
  needs: triggerReleasePermission,
  to: (_, at) => paths.triggerRelease(at),
}
