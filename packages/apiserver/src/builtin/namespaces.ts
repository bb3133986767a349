import { namespaceType } from '@slipway/kube/core-types'
import { isRecord } from '@slipway/kube/object'
import { allVerbs } from '../registry/resource'
import { defineBuiltin } from './define-builtin'

export const namespaces = defineBuiltin({
  type: namespaceType,
  shortNames: ['ns'],
  verbs: allVerbs.filter((verb) => verb !== 'deletecollection'),
  hasStatus: true,
  statusTakesMetadata: true,
  nameFormat: 'label',
  isEmptiedFirst: true,
  fieldsOf: ({ status }) => ({ 'status.phase': isRecord(status) ? String(status['phase'] ?? '') : '' }),
  prepare(namespace, { old }) {
    const { metadata } = namespace
    // The finalizer is not for clients to set: it goes when the namespace is empty.
    namespace['spec'] = old?.['spec'] ?? { finalizers: ['kubernetes'] }
    if (!old) namespace['status'] = { phase: 'Active' }
    metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name ?? '' }
  },
})
