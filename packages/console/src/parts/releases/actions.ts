import { paths } from '../../paths'
import { createReleasePlanPermission } from '../../resources/release-plans'
import type { DefinedAction } from '../../ui/actions/defined-action'

export const createReleasePlan: DefinedAction = {
  label: 'Create release plan',
  needs: createReleasePlanPermission,
  to: (_, at) => paths.createReleasePlan(at),
}
