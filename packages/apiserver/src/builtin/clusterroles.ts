import { clusterRoleType } from '@slipway/kube/core-types'
import { defineBuiltin } from './define-builtin'
import { fillRole, prepareRole, roleCauses } from './rbac'

export const clusterRoles = defineBuiltin({
  type: clusterRoleType,
  nameFormat: 'path',
  prepare: prepareRole,
  fill: fillRole,
  validate: roleCauses,
})
