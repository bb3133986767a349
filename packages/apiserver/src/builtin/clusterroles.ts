import { clusterRoleType } from '@slipway/kube/core-types'
import { defineBuiltin } from './define-builtin'
import { roleCauses } from './rbac'

export const clusterRoles = defineBuiltin({ type: clusterRoleType, nameFormat: 'path', validate: roleCauses })
