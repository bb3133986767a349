import { roleType } from '@slipway/kube/core-types'
import { defineBuiltin } from './define-builtin'
import { roleCauses } from './rbac'

export const roles = defineBuiltin({ type: roleType, nameFormat: 'path', validate: roleCauses })
