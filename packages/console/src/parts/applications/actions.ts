import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { permission } from '../../api/access/permission'
import { paths } from '../../paths'
import type { DefinedAction } from '../../ui/actions/defined-action'

/** Specification 2, section 6: these permissions are enough to be offered a new application. */
export const createApplication: DefinedAction = {
  label: 'Create application',
  needs: permission(
    "You don't have access to create an application",
    ['create', applicationType],
    ['create', componentType],
  ),
  to: (_, at) => paths.createApplication(at),
}
