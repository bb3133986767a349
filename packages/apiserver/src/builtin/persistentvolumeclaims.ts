import { isRecord } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import type { AnyObject } from '../resource'
import { forbidden, invalid, notSupported, required } from '../field-error'
import { coreType, defineBuiltin } from './define-builtin'
import { parseQuantity } from './quantity'

/** Removed once no pod uses the claim. */
export const claimFinalizer = 'kubernetes.io/pvc-protection'

/** Claims are stored as written: nothing provisions volumes. */
export const persistentVolumeClaims = defineBuiltin({
  type: coreType('PersistentVolumeClaim', 'persistentvolumeclaims'),
  shortNames: ['pvc'],
  hasStatus: true,
  statusTakesMetadata: true,
  returnsDeletedObject: true,
  prepare: (claim, { old }) => {
    if (!old) claim['status'] = { phase: 'Pending' }
    if (isRecord(claim['spec'])) claim['spec']['volumeMode'] ??= 'Filesystem'
  },
  fill(claim) {
    const { metadata } = claim
    claim['spec'] ??= {}
    if (metadata.deletionTimestamp || metadata.finalizers?.includes(claimFinalizer)) return
    metadata.finalizers = [...(metadata.finalizers ?? []), claimFinalizer]
  },
  validate: claimCauses,
})

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
const single = 'ReadWriteOncePod'
const volumeModes = ['Block', 'Filesystem']

/** Source: pkg/apis/core/validation of Kubernetes, ValidatePersistentVolumeClaimSpec. */
function claimCauses({ spec }: AnyObject): StatusCause[] {
  if (!isRecord(spec)) return []
  const { volumeMode, resources } = spec
  const modes: unknown[] = Array.isArray(spec['accessModes']) ? spec['accessModes'] : []
  const causes: StatusCause[] = []
  if (modes.length === 0) causes.push(required('spec.accessModes', 'at least 1 access mode is required'))
  const isKnown = (mode: unknown) => accessModes.includes(String(mode))
  for (const mode of modes) if (!isKnown(mode)) causes.push(notSupported('spec.accessModes', mode, accessModes))
  if (modes.includes(single) && modes.some((mode) => mode !== single && isKnown(mode))) {
    causes.push(forbidden('spec.accessModes', `may not use ${single} with other access modes`))
  }
  const requests = isRecord(resources) && isRecord(resources['requests']) ? resources['requests'] : {}
  const { storage } = requests
  const field = 'spec.resources[storage]'
  if (storage === undefined) causes.push(required(field))
  else if ((parseQuantity(storage) ?? 0) <= 0) causes.push(invalid(field, storage, 'must be greater than zero'))
  if (volumeMode !== undefined && !volumeModes.includes(String(volumeMode))) {
    causes.push(notSupported('spec.volumeMode', volumeMode, volumeModes))
  }
  return causes
}
