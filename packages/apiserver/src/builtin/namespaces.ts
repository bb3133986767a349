import { namespaceType } from '@slipway/kube/core-types'
import { isRecord } from '@slipway/kube/object'
import { allVerbs } from '../resource'
import { defineBuiltin } from './define-builtin'

export const namespaces = defineBuiltin({
  type: namespaceType,
  shortNames: ['ns'],
  verbs: allVerbs.filter((verb) => verb !== 'deletecollection'),
  hasStatus: true,
  statusTakesMetadata: true,
  nameFormat: 'label',
  fieldsOf: ({ status }) => ({ 'status.phase': isRecord(status) ? String(status['phase'] ?? '') : '' }),
  prepare(namespace, { old }) {
    const { metadata } = namespace
    if (old) namespace['spec'] = old['spec']
    else delete namespace['spec']
    if (!old) namespace['status'] = { phase: 'Active' }
    metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name ?? '' }
  },
  fill(namespace) {
    // Clients cannot set it; it is removed when the namespace is empty.
    namespace['spec'] ??= { finalizers: ['kubernetes'] }
  },
  // Its spec has finalizers until it is empty.
  isInUse: ({ spec }) => isRecord(spec) && Array.isArray(spec['finalizers']) && spec['finalizers'].length > 0,
  terminate(namespace) {
    namespace['status'] = { ...(isRecord(namespace['status']) && namespace['status']), phase: 'Terminating' }
  },
})
