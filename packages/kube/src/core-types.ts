import type { Condition, KubeObject } from './object'
import { defineResource } from './resource-type'
import type { UserInfo } from './user'

/** Built-in Kubernetes kinds that several packages use. */

export interface Namespace extends KubeObject {
  status?: { phase?: 'Active' | 'Terminating' }
}
export const namespaceType = defineResource<Namespace>({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
})

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>
  binaryData?: Record<string, string>
  immutable?: boolean
}
export const configMapType = defineResource<ConfigMap>({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
})

export interface PolicyRule {
  verbs: string[]
  apiGroups?: string[]
  resources?: string[]
  resourceNames?: string[]
  nonResourceURLs?: string[]
}
export interface RoleRef {
  apiGroup: string
  kind: 'Role' | 'ClusterRole'
  name: string
}
export interface Subject {
  kind: 'User' | 'Group' | 'ServiceAccount'
  apiGroup?: string
  name: string
  namespace?: string
}
export interface Role extends KubeObject {
  /** `null` if there are none. */
  rules: PolicyRule[] | null
}
export interface ClusterRole extends Role {
  aggregationRule?: { clusterRoleSelectors?: { matchLabels?: Record<string, string> }[] }
}
export interface RoleBinding extends KubeObject {
  roleRef: RoleRef
  subjects?: Subject[]
}
const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' }
export const roleType = defineResource<Role>({ ...rbac, kind: 'Role', plural: 'roles', namespaced: true })
export const clusterRoleType = defineResource<ClusterRole>({
  ...rbac,
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
})
export const roleBindingType = defineResource<RoleBinding>({
  ...rbac,
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
})
export const clusterRoleBindingType = defineResource<RoleBinding>({
  ...rbac,
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
})

export interface ResourceAttributes {
  group?: string
  version?: string
  resource?: string
  subresource?: string
  namespace?: string
  name?: string
  verb?: string
}
export interface SelfSubjectAccessReview extends KubeObject {
  spec: { resourceAttributes?: ResourceAttributes; nonResourceAttributes?: { path: string; verb: string } }
  status?: { allowed: boolean; denied?: boolean; reason?: string; evaluationError?: string }
}
export const selfSubjectAccessReviewType = defineResource<SelfSubjectAccessReview>({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  namespaced: false,
})

/** What the caller may do in one namespace, as far as the server knows (see `incomplete`). */
export interface SelfSubjectRulesReview extends KubeObject {
  spec: { namespace: string }
  status?: { resourceRules: PolicyRule[]; nonResourceRules: PolicyRule[]; incomplete: boolean }
}
export const selfSubjectRulesReviewType = defineResource<SelfSubjectRulesReview>({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectRulesReview',
  plural: 'selfsubjectrulesreviews',
  namespaced: false,
})

/** An object that is posted to get its status, and not stored. */
export interface Review extends KubeObject {
  spec?: unknown
  status?: unknown
}

/** What another user may do. */
interface SubjectAccessReview extends KubeObject {
  spec: Omit<UserInfo, 'name'> & { user: string; resourceAttributes: ResourceAttributes }
  status?: SelfSubjectAccessReview['status']
}
export const subjectAccessReviewType = defineResource<SubjectAccessReview>({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
})

/** Whose token it is. */
interface TokenReview extends KubeObject {
  spec: { token: string }
  status?: { authenticated?: boolean; user?: { username?: string } & Partial<Omit<UserInfo, 'name'>> }
}
export const tokenReviewType = defineResource<TokenReview>({
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  namespaced: false,
})
/** Who the caller is. */
interface SelfSubjectReview extends KubeObject {
  spec?: undefined
  status?: { userInfo?: { username?: string; groups?: string[] } }
}
export const selfSubjectReviewType = defineResource<SelfSubjectReview>({
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  namespaced: false,
})

export const customResourceDefinitionType = defineResource<KubeObject>({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
})

export interface Secret extends KubeObject {
  type?: string
  /** Values are base64. */
  data?: Record<string, string>
  /** Write-only: the server moves it to `data`. */
  stringData?: Record<string, string>
  immutable?: boolean
}
export const secretType = defineResource<Secret>({
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
})

export interface ServiceAccount extends KubeObject {
  secrets?: { name: string }[]
  imagePullSecrets?: { name: string }[]
}
export const serviceAccountType = defineResource<ServiceAccount>({
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
})

/** Exactly one of the three is set. */
export interface ContainerState {
  waiting?: { reason?: string; message?: string }
  running?: { startedAt?: string }
  terminated?: {
    exitCode: number
    reason?: string
    message?: string
    signal?: number
    startedAt?: string
    finishedAt?: string
    containerID?: string
  }
}
export interface ContainerStatus {
  name: string
  image: string
  imageID: string
  containerID?: string
  ready: boolean
  started?: boolean
  restartCount: number
  state?: ContainerState
  lastState?: ContainerState
}
export interface Container {
  name: string
  image?: string
  command?: string[]
  args?: string[]
}
export interface Pod extends KubeObject {
  spec: {
    containers: Container[]
    initContainers?: Container[]
    restartPolicy?: 'Always' | 'OnFailure' | 'Never'
    serviceAccountName?: string
    schedulerName?: string
  }
  status?: {
    phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'
    conditions?: Condition[]
    reason?: string
    message?: string
    startTime?: string
    containerStatuses?: ContainerStatus[]
    initContainerStatuses?: ContainerStatus[]
  }
}
export const podType = defineResource<Pod>({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true })

export interface ObjectReference {
  apiVersion?: string
  kind?: string
  namespace?: string
  name?: string
  uid?: string
}
export interface Event extends KubeObject {
  involvedObject: ObjectReference
  type?: 'Normal' | 'Warning'
  reason?: string
  message?: string
  count?: number
  firstTimestamp?: string
  lastTimestamp?: string
  source?: { component?: string; host?: string }
  reportingComponent?: string
}
export const eventType = defineResource<Event>({
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
})
