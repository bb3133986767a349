import { roleBindingType } from '@slipway/kube/core-types'
import { defineBuiltin } from './define-builtin'
import { bindingCauses, prepareBinding } from './rbac'

export const roleBindings = defineBuiltin({
  type: roleBindingType,
  nameFormat: 'path',
  prepare: prepareBinding,
  validate: bindingCauses,
})
