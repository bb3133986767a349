import { configMapType } from '@slipway/kube/core-types'
import { defineBuiltin } from './define-builtin'
import { dataCauses } from './immutable-data'

export const configMaps = defineBuiltin({
  type: configMapType,
  shortNames: ['cm'],
  bytes: ['binaryData'],
  validate: (object, old) => dataCauses(object, old, ['data', 'binaryData']),
})
