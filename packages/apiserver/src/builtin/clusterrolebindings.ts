import { clusterRoleBindingType } from '@slipway/kube/core-types'
import { defineBuiltin } from './define-builtin'
import { bindingCauses, prepareBinding } from './rbac'

export const clusterRoleBindings = defineBuiltin({
  type: clusterRoleBindingType,
  nameFormat: 'path',
  prepare: prepareBinding,
  validate: bindingCauses,
})
