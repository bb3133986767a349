import { isObject } from '../schema/json'
import { coreType, defineBuiltin } from './define-builtin'

/** Claims are kept as they are written: nothing provides a volume. */
export const persistentVolumeClaims = defineBuiltin({
  type: coreType('PersistentVolumeClaim', 'persistentvolumeclaims'),
  shortNames: ['pvc'],
  hasStatus: true,
  statusTakesMetadata: true,
  answersDeleted: true,
  prepare: (claim, { old }) => {
    if (!old) claim['status'] ??= { phase: 'Pending' }
    if (isObject(claim['spec'])) claim['spec']['volumeMode'] ??= 'Filesystem'
  },
})
