import { roleType } from '@slipway/kube/core-types'
import { defineBuiltin } from './define-builtin'
import { fillRole, prepareRole, roleCauses } from './rbac'

export const roles = defineBuiltin({
  type: roleType,
  nameFormat: 'path',
  prepare: prepareRole,
  fill: fillRole,
  validate: roleCauses,
})
