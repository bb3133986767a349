import { isRecord } from '@slipway/kube/object'
import { logQuery } from './pod-log-options'
import { applyPodDefaults, qosClassOf } from './pod-defaults'
import { podCauses } from './pod-validation'
import { coreType, defineBuiltin } from './define-builtin'

const type = coreType('Pod', 'pods')

/** Pods are stored as written: nothing schedules or runs them. */
export const pods = defineBuiltin({
  type,
  shortNames: ['po'],
  categories: ['all'],
  hasStatus: true,
  statusTakesMetadata: true,
  returnsDeletedObject: true,
  isGraceful: true,
  // Writing a log is our own extension, which clients need not discover.
  subresources: [{ name: 'log', type, verbs: ['get'], servedBy: 'log', query: logQuery }],
  hasGeneration: true,
  fieldsOf({ spec, status }) {
    const text = (record: unknown, field: string) => (isRecord(record) ? String(record[field] ?? '') : '')
    return {
      'spec.nodeName': text(spec, 'nodeName'),
      'spec.hostNetwork': String(isRecord(spec) && spec['hostNetwork'] === true),
      'spec.restartPolicy': text(spec, 'restartPolicy'),
      'spec.schedulerName': text(spec, 'schedulerName'),
      'spec.serviceAccountName': text(spec, 'serviceAccountName'),
      'status.phase': text(status, 'phase'),
      'status.podIP': text(status, 'podIP'),
      'status.nominatedNodeName': text(status, 'nominatedNodeName'),
    }
  },
  prepare(pod, { old }) {
    applyPodDefaults(pod)
    // The status that a client sends on creation is ignored.
    if (!old) pod['status'] = { phase: 'Pending', qosClass: qosClassOf(pod) }
    // The QoS class never changes; kubelets may omit it.
    else if (isRecord(pod['status']) && isRecord(old['status']) && old['status']['qosClass'] !== undefined) {
      pod['status']['qosClass'] ??= old['status']['qosClass']
    }
  },
  validate: podCauses,
})
