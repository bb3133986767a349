import { isRecord } from '@slipway/kube/object'
import { logQuery } from '../logs/log-options'
import { applyPodDefaults, qosClassOf } from './pod-defaults'
import { podCauses } from './pod-validation'
import { coreType, defineBuiltin } from './define-builtin'

const type = coreType('Pod', 'pods')

/** Pods are kept as they are written: nothing schedules or runs them. */
export const pods = defineBuiltin({
  type,
  shortNames: ['po'],
  categories: ['all'],
  hasStatus: true,
  statusTakesMetadata: true,
  answersDeleted: true,
  isGraceful: true,
  // Writing one is our own extra, which no client looks for.
  subresources: [{ name: 'log', type, verbs: ['get'], query: logQuery }],
  hasGeneration: true,
  fieldsOf({ spec, status }) {
    const of = (record: unknown, field: string) => (isRecord(record) ? String(record[field] ?? '') : '')
    return {
      'spec.nodeName': of(spec, 'nodeName'),
      'spec.hostNetwork': String(isRecord(spec) && spec['hostNetwork'] === true),
      'spec.restartPolicy': of(spec, 'restartPolicy'),
      'spec.schedulerName': of(spec, 'schedulerName'),
      'spec.serviceAccountName': of(spec, 'serviceAccountName'),
      'status.phase': of(status, 'phase'),
      'status.podIP': of(status, 'podIP'),
      'status.nominatedNodeName': of(status, 'nominatedNodeName'),
    }
  },
  prepare(pod, { old }) {
    applyPodDefaults(pod)
    // Whoever creates a pod does not know yet how it will do.
    if (!old) pod['status'] = { phase: 'Pending', qosClass: qosClassOf(pod) }
    // It never changes; kubelets may leave it out.
    else if (isRecord(pod['status']) && isRecord(old['status']) && old['status']['qosClass'] !== undefined) {
      pod['status']['qosClass'] ??= old['status']['qosClass']
    }
  },
  validate: podCauses,
})
