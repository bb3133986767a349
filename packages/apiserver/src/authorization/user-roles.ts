import type { PolicyRule } from '@slipway/kube/core-types'

/**
 * Rules of the view, edit and admin roles. They include kinds that are not served here, since users may grant to others
 * the permissions that they hold. Source: plugin/pkg/auth/authorizer/rbac/bootstrappolicy of Kubernetes.
 */

const read = ['get', 'list', 'watch']
const write = ['create', 'delete', 'deletecollection', 'patch', 'update']
const readAndWrite = [...read, ...write].sort()

/** @param resources plural names, separated by spaces */
const rule = (verbs: readonly string[], apiGroups: readonly string[], ...resources: string[]): PolicyRule => ({
  verbs: [...verbs],
  apiGroups: [...apiGroups],
  resources: resources.join(' ').split(' '),
})

export const viewRules: readonly PolicyRule[] = [
  rule(
    read,
    [''],
    'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers',
    'replicationcontrollers/scale serviceaccounts services services/status',
  ),
  rule(
    read,
    [''],
    'bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas',
    'resourcequotas/status',
  ),
  rule(read, [''], 'namespaces'),
  rule(read, ['', 'events.k8s.io'], 'events'),
  rule(read, ['discovery.k8s.io'], 'endpointslices'),
  rule(
    read,
    ['apps'],
    'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status',
    'replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
  ),
  rule(read, ['autoscaling'], 'horizontalpodautoscalers horizontalpodautoscalers/status'),
  rule(read, ['batch'], 'cronjobs cronjobs/status jobs jobs/status'),
  rule(
    read,
    ['extensions'],
    'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status',
    'networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale',
  ),
  rule(read, ['policy'], 'poddisruptionbudgets poddisruptionbudgets/status'),
  rule(read, ['networking.k8s.io'], 'ingresses ingresses/status networkpolicies'),
  rule(read, ['resource.k8s.io'], 'resourceclaims resourceclaims/status resourceclaimtemplates'),
]

export const editRules: readonly PolicyRule[] = [
  rule(read, [''], 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy'),
  rule(['impersonate'], [''], 'serviceaccounts'),
  rule(write, [''], 'pods pods/attach pods/exec pods/portforward pods/proxy'),
  rule(['create'], [''], 'pods/eviction'),
  rule(
    write,
    [''],
    'configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets',
    'serviceaccounts services services/proxy',
  ),
  rule(['create'], [''], 'serviceaccounts/token'),
  rule(write, ['', 'events.k8s.io'], 'events'),
  rule(
    write,
    ['apps'],
    'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets',
    'statefulsets/scale',
  ),
  rule(write, ['autoscaling'], 'horizontalpodautoscalers'),
  rule(write, ['batch'], 'cronjobs jobs'),
  rule(
    write,
    ['extensions'],
    'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets',
    'replicasets/scale replicationcontrollers/scale',
  ),
  rule(write, ['policy'], 'poddisruptionbudgets'),
  rule(write, ['networking.k8s.io'], 'ingresses networkpolicies'),
  rule(readAndWrite, ['coordination.k8s.io'], 'leases'),
  rule(write, ['resource.k8s.io'], 'resourceclaims resourceclaimtemplates'),
]

export const adminRules: readonly PolicyRule[] = [
  rule(['create'], ['authorization.k8s.io'], 'localsubjectaccessreviews'),
  rule(readAndWrite, ['rbac.authorization.k8s.io'], 'rolebindings roles'),
]
