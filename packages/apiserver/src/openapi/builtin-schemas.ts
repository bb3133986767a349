import { apiVersionOf, type ResourceType } from '@slipway/kube/resource-type'
import type { JsonSchema } from '../apiextensions/json-schema'
import { podSchema, volumeClaimSchema } from './pod-schemas'
import {
  anyObject,
  bytes,
  described,
  boolean,
  int32,
  int64,
  listMap,
  listOf,
  mapOf,
  objectOf,
  openObjectOf,
  string,
  strings,
  time,
  atomic,
} from './schema-parts'

/** Schemas of built-in kinds, with the fields that matter here. Source: Kubernetes API reference, v1. */

const objectReference = atomic(
  objectOf({
    apiVersion: string,
    kind: string,
    name: string,
    namespace: string,
    uid: string,
    resourceVersion: string,
    fieldPath: string,
  }),
)
const localReference = atomic(objectOf({ name: string }))

export const conditions: JsonSchema = listMap(
  'type',
  openObjectOf(
    { type: string, status: string, reason: string, message: string, lastTransitionTime: time },
    'type',
    'status',
  ),
)

const policyRule = objectOf(
  {
    verbs: described('Verbs that apply to the resources; * means all.', strings),
    apiGroups: described('Groups of the resources; "" is the core group, * means all.', strings),
    resources: described('Plural names, such as pods or pods/log; * means all.', strings),
    resourceNames: described('Names that the rule is limited to; empty means all names.', strings),
    nonResourceURLs: described('Paths; a final * covers everything below.', strings),
  },
  'verbs',
)
const rules: JsonSchema = { ...listOf(policyRule), nullable: true }
const labelSelector = atomic(
  objectOf({
    matchLabels: mapOf(string),
    matchExpressions: listOf(objectOf({ key: string, operator: string, values: strings }, 'key', 'operator')),
  }),
)
const subject = objectOf({ kind: string, apiGroup: string, name: string, namespace: string }, 'kind', 'name')
const roleRef = atomic(objectOf({ apiGroup: string, kind: string, name: string }, 'apiGroup', 'kind', 'name'))
const binding = objectOf({ subjects: listOf(subject), roleRef }, 'roleRef')

const resourceAttributes = openObjectOf({
  namespace: string,
  verb: string,
  group: string,
  version: string,
  resource: string,
  subresource: string,
  name: string,
})
const nonResourceAttributes = objectOf({ path: string, verb: string })
const accessStatus = objectOf({ allowed: boolean, denied: boolean, reason: string, evaluationError: string }, 'allowed')
const accessReview = (subjectFields: Record<string, JsonSchema>): JsonSchema =>
  objectOf(
    { spec: objectOf({ resourceAttributes, nonResourceAttributes, ...subjectFields }), status: accessStatus },
    'spec',
  )
const userInfo = objectOf({ username: string, uid: string, groups: strings, extra: mapOf(strings) })
const reviewedUser = { user: string, groups: strings, uid: string, extra: mapOf(strings) }

const crdNames = objectOf(
  { plural: string, singular: string, kind: string, listKind: string, shortNames: strings, categories: strings },
  'plural',
  'kind',
)
const printerColumn = objectOf(
  { name: string, type: string, jsonPath: string, format: string, description: string, priority: int32 },
  'name',
  'type',
  'jsonPath',
)
const crdVersion = objectOf(
  {
    name: string,
    served: described('Whether this version is served.', boolean),
    storage: described('Whether objects are stored in this version; true for exactly one.', boolean),
    deprecated: boolean,
    deprecationWarning: string,
    schema: objectOf({ openAPIV3Schema: anyObject }),
    subresources: objectOf({ status: anyObject, scale: anyObject }),
    additionalPrinterColumns: listOf(printerColumn),
    selectableFields: listOf(objectOf({ jsonPath: string }, 'jsonPath')),
  },
  'name',
  'served',
  'storage',
)
const customResourceDefinition = objectOf(
  {
    spec: objectOf(
      {
        group: string,
        names: crdNames,
        scope: string,
        versions: listOf(crdVersion),
        conversion: objectOf({ strategy: string, webhook: anyObject }, 'strategy'),
        preserveUnknownFields: boolean,
      },
      'group',
      'names',
      'scope',
      'versions',
    ),
    status: objectOf({
      conditions: { ...conditions, nullable: true },
      acceptedNames: crdNames,
      storedVersions: strings,
    }),
  },
  'spec',
)

const event = objectOf(
  {
    involvedObject: objectReference,
    reason: string,
    message: string,
    type: string,
    source: objectOf({ component: string, host: string }),
    firstTimestamp: { ...time, nullable: true },
    lastTimestamp: { ...time, nullable: true },
    eventTime: { ...time, nullable: true },
    count: int32,
    series: objectOf({ count: int32, lastObservedTime: time }),
    action: string,
    related: objectReference,
    reportingComponent: string,
    reportingInstance: string,
  },
  'involvedObject',
)

const eventV1 = objectOf({
  regarding: objectReference,
  reason: string,
  note: string,
  type: string,
  eventTime: { ...time, nullable: true },
  series: objectOf({ count: int32, lastObservedTime: time }),
  action: string,
  related: objectReference,
  reportingController: string,
  reportingInstance: string,
  deprecatedSource: objectOf({ component: string, host: string }),
  deprecatedFirstTimestamp: { ...time, nullable: true },
  deprecatedLastTimestamp: { ...time, nullable: true },
  deprecatedCount: int32,
})

const lease = objectOf({
  spec: objectOf({
    holderIdentity: described('The current holder; empty if there is none.', string),
    leaseDurationSeconds: int32,
    acquireTime: time,
    renewTime: time,
    leaseTransitions: int32,
    strategy: string,
    preferredHolder: string,
  }),
})

const schemas: Readonly<Record<string, JsonSchema>> = {
  'v1 Namespace': objectOf({
    spec: objectOf({ finalizers: strings }),
    status: objectOf({ phase: string, conditions }),
  }),
  'v1 ConfigMap': objectOf({
    data: described('Strings by key. Keys consist of letters, digits, -, _ and dots.', mapOf(string)),
    binaryData: described('Bytes by key, in base64.', mapOf(bytes)),
    immutable: boolean,
  }),
  'v1 Secret': objectOf({
    type: described('The purpose of the data, such as Opaque or kubernetes.io/dockerconfigjson.', string),
    data: described('Bytes by key, in base64.', mapOf(bytes)),
    stringData: described('Strings by key; write-only, stored in data.', mapOf(string)),
    immutable: boolean,
  }),
  'v1 ServiceAccount': objectOf({
    secrets: listMap('name', objectReference),
    imagePullSecrets: listOf(localReference),
    automountServiceAccountToken: boolean,
  }),
  'v1 Pod': podSchema,
  'v1 PersistentVolumeClaim': volumeClaimSchema,
  'v1 Event': event,
  'events.k8s.io/v1 Event': eventV1,
  'coordination.k8s.io/v1 Lease': lease,
  'rbac.authorization.k8s.io/v1 Role': objectOf({ rules }),
  'rbac.authorization.k8s.io/v1 ClusterRole': objectOf({
    rules,
    aggregationRule: objectOf({ clusterRoleSelectors: listOf(labelSelector) }),
  }),
  'rbac.authorization.k8s.io/v1 RoleBinding': binding,
  'rbac.authorization.k8s.io/v1 ClusterRoleBinding': binding,
  'apiextensions.k8s.io/v1 CustomResourceDefinition': customResourceDefinition,
  'authorization.k8s.io/v1 SelfSubjectAccessReview': accessReview({}),
  'authorization.k8s.io/v1 SubjectAccessReview': accessReview(reviewedUser),
  'authorization.k8s.io/v1 LocalSubjectAccessReview': accessReview(reviewedUser),
  'authorization.k8s.io/v1 SelfSubjectRulesReview': objectOf(
    {
      spec: objectOf({ namespace: string }),
      status: objectOf({
        resourceRules: listOf(policyRule),
        nonResourceRules: listOf(policyRule),
        incomplete: boolean,
        evaluationError: string,
      }),
    },
    'spec',
  ),
  'authentication.k8s.io/v1 SelfSubjectReview': objectOf({
    status: objectOf({ userInfo }),
  }),
  'authentication.k8s.io/v1 TokenReview': objectOf(
    {
      spec: objectOf({ token: string, audiences: strings }),
      status: objectOf({ authenticated: boolean, user: userInfo, audiences: strings, error: string }),
    },
    'spec',
  ),
  'authentication.k8s.io/v1 TokenRequest': objectOf(
    {
      spec: objectOf(
        {
          audiences: described('The intended recipients of the token.', strings),
          expirationSeconds: described('The lifetime of the token; one hour by default.', int64),
          boundObjectRef: objectOf({ apiVersion: string, kind: string, name: string, uid: string }),
        },
        'audiences',
      ),
      status: objectOf({ token: string, expirationTimestamp: time }, 'token', 'expirationTimestamp'),
    },
    'spec',
  ),
}

export const metadataSchema: JsonSchema = objectOf({
  name: described('Unique among the objects of a kind in a namespace; cannot be changed.', string),
  generateName: described('Prefix of a generated name, to which five random characters are added.', string),
  namespace: string,
  labels: described('Short strings by which selectors find objects.', mapOf(string)),
  annotations: described('Arbitrary strings that clients store with the object.', mapOf(string)),
  finalizers: { ...strings, 'x-kubernetes-patch-strategy': 'merge' },
  ownerReferences: listMap(
    'uid',
    objectOf(
      { apiVersion: string, kind: string, name: string, uid: string, controller: boolean, blockOwnerDeletion: boolean },
      'apiVersion',
      'kind',
      'name',
      'uid',
    ),
  ),
  uid: string,
  resourceVersion: described('Changes with every write; opaque to clients.', string),
  generation: int64,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: int64,
  selfLink: string,
  managedFields: listOf(
    objectOf({
      manager: string,
      operation: string,
      apiVersion: string,
      time,
      fieldsType: string,
      fieldsV1: anyObject,
      subresource: string,
    }),
  ),
})

/** Schema of a built-in kind; `undefined` for any other kind. */
export function builtinSchema(type: Pick<ResourceType, 'group' | 'version' | 'kind'>): JsonSchema | undefined {
  const key = `${apiVersionOf(type)} ${type.kind}`
  const schema = Object.hasOwn(schemas, key) ? schemas[key] : undefined
  return (
    schema && {
      ...schema,
      properties: { apiVersion: string, kind: string, metadata: { type: 'object' }, ...schema.properties },
    }
  )
}
