import { apiVersionOf, type ResourceType } from '@slipway/kube/resource-type'
import type { JsonSchema } from '../schema/json-schema'
import { podSchema, volumeClaimSchema } from './pod-schemas'
import {
  anyObject,
  bytes,
  described,
  flag,
  int32,
  int64,
  listMap,
  listOf,
  mapOf,
  objectOf,
  openObjectOf,
  text,
  texts,
  time,
  atomic,
} from './schema-parts'

/** Schemas of built-in kinds, with the fields that matter here. Source: Kubernetes API reference, v1. */

const objectReference = atomic(
  objectOf({
    apiVersion: text,
    kind: text,
    name: text,
    namespace: text,
    uid: text,
    resourceVersion: text,
    fieldPath: text,
  }),
)
const localReference = atomic(objectOf({ name: text }))

export const conditions: JsonSchema = listMap(
  'type',
  openObjectOf({ type: text, status: text, reason: text, message: text, lastTransitionTime: time }, 'type', 'status'),
)

const policyRule = objectOf(
  {
    verbs: described('Verbs that apply to the resources; * means all.', texts),
    apiGroups: described('Groups of the resources; "" is the core group, * means all.', texts),
    resources: described('Plural names, such as pods or pods/log; * means all.', texts),
    resourceNames: described('Names that the rule is limited to; empty means all names.', texts),
    nonResourceURLs: described('Paths; a final * covers everything below.', texts),
  },
  'verbs',
)
const rules: JsonSchema = { ...listOf(policyRule), nullable: true }
const labelSelector = atomic(
  objectOf({
    matchLabels: mapOf(text),
    matchExpressions: listOf(objectOf({ key: text, operator: text, values: texts }, 'key', 'operator')),
  }),
)
const subject = objectOf({ kind: text, apiGroup: text, name: text, namespace: text }, 'kind', 'name')
const roleRef = atomic(objectOf({ apiGroup: text, kind: text, name: text }, 'apiGroup', 'kind', 'name'))
const binding = objectOf({ subjects: listOf(subject), roleRef }, 'roleRef')

const resourceAttributes = openObjectOf({
  namespace: text,
  verb: text,
  group: text,
  version: text,
  resource: text,
  subresource: text,
  name: text,
})
const nonResourceAttributes = objectOf({ path: text, verb: text })
const accessStatus = objectOf({ allowed: flag, denied: flag, reason: text, evaluationError: text }, 'allowed')
const accessReview = (subjectFields: Record<string, JsonSchema>): JsonSchema =>
  objectOf(
    { spec: objectOf({ resourceAttributes, nonResourceAttributes, ...subjectFields }), status: accessStatus },
    'spec',
  )
const userInfo = objectOf({ username: text, uid: text, groups: texts, extra: mapOf(texts) })
const reviewedUser = { user: text, groups: texts, uid: text, extra: mapOf(texts) }

const crdNames = objectOf(
  { plural: text, singular: text, kind: text, listKind: text, shortNames: texts, categories: texts },
  'plural',
  'kind',
)
const printerColumn = objectOf(
  { name: text, type: text, jsonPath: text, format: text, description: text, priority: int32 },
  'name',
  'type',
  'jsonPath',
)
const crdVersion = objectOf(
  {
    name: text,
    served: described('Whether this version is served.', flag),
    storage: described('Whether objects are stored in this version; true for exactly one.', flag),
    deprecated: flag,
    deprecationWarning: text,
    schema: objectOf({ openAPIV3Schema: anyObject }),
    subresources: objectOf({ status: anyObject, scale: anyObject }),
    additionalPrinterColumns: listOf(printerColumn),
    selectableFields: listOf(objectOf({ jsonPath: text }, 'jsonPath')),
  },
  'name',
  'served',
  'storage',
)
const customResourceDefinition = objectOf(
  {
    spec: objectOf(
      {
        group: text,
        names: crdNames,
        scope: text,
        versions: listOf(crdVersion),
        conversion: objectOf({ strategy: text, webhook: anyObject }, 'strategy'),
        preserveUnknownFields: flag,
      },
      'group',
      'names',
      'scope',
      'versions',
    ),
    status: objectOf({ conditions: { ...conditions, nullable: true }, acceptedNames: crdNames, storedVersions: texts }),
  },
  'spec',
)

const event = objectOf(
  {
    involvedObject: objectReference,
    reason: text,
    message: text,
    type: text,
    source: objectOf({ component: text, host: text }),
    firstTimestamp: { ...time, nullable: true },
    lastTimestamp: { ...time, nullable: true },
    eventTime: { ...time, nullable: true },
    count: int32,
    series: objectOf({ count: int32, lastObservedTime: time }),
    action: text,
    related: objectReference,
    reportingComponent: text,
    reportingInstance: text,
  },
  'involvedObject',
)

const eventV1 = objectOf({
  regarding: objectReference,
  reason: text,
  note: text,
  type: text,
  eventTime: { ...time, nullable: true },
  series: objectOf({ count: int32, lastObservedTime: time }),
  action: text,
  related: objectReference,
  reportingController: text,
  reportingInstance: text,
  deprecatedSource: objectOf({ component: text, host: text }),
  deprecatedFirstTimestamp: { ...time, nullable: true },
  deprecatedLastTimestamp: { ...time, nullable: true },
  deprecatedCount: int32,
})

const lease = objectOf({
  spec: objectOf({
    holderIdentity: described('The current holder; empty if there is none.', text),
    leaseDurationSeconds: int32,
    acquireTime: time,
    renewTime: time,
    leaseTransitions: int32,
    strategy: text,
    preferredHolder: text,
  }),
})

const schemas: Readonly<Record<string, JsonSchema>> = {
  'v1 Namespace': objectOf({
    spec: objectOf({ finalizers: texts }),
    status: objectOf({ phase: text, conditions }),
  }),
  'v1 ConfigMap': objectOf({
    data: described('Strings by key. Keys consist of letters, digits, -, _ and dots.', mapOf(text)),
    binaryData: described('Bytes by key, in base64.', mapOf(bytes)),
    immutable: flag,
  }),
  'v1 Secret': objectOf({
    type: described('The purpose of the data, such as Opaque or kubernetes.io/dockerconfigjson.', text),
    data: described('Bytes by key, in base64.', mapOf(bytes)),
    stringData: described('Strings by key; write-only, stored in data.', mapOf(text)),
    immutable: flag,
  }),
  'v1 ServiceAccount': objectOf({
    secrets: listMap('name', objectReference),
    imagePullSecrets: listOf(localReference),
    automountServiceAccountToken: flag,
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
      spec: objectOf({ namespace: text }),
      status: objectOf({
        resourceRules: listOf(policyRule),
        nonResourceRules: listOf(policyRule),
        incomplete: flag,
        evaluationError: text,
      }),
    },
    'spec',
  ),
  'authentication.k8s.io/v1 SelfSubjectReview': objectOf({
    status: objectOf({ userInfo }),
  }),
  'authentication.k8s.io/v1 TokenReview': objectOf(
    {
      spec: objectOf({ token: text, audiences: texts }),
      status: objectOf({ authenticated: flag, user: userInfo, audiences: texts, error: text }),
    },
    'spec',
  ),
  'authentication.k8s.io/v1 TokenRequest': objectOf(
    {
      spec: objectOf(
        {
          audiences: described('The intended recipients of the token.', texts),
          expirationSeconds: described('The lifetime of the token; one hour by default.', int64),
          boundObjectRef: objectOf({ apiVersion: text, kind: text, name: text, uid: text }),
        },
        'audiences',
      ),
      status: objectOf({ token: text, expirationTimestamp: time }, 'token', 'expirationTimestamp'),
    },
    'spec',
  ),
}

export const metadataSchema: JsonSchema = objectOf({
  name: described('Unique among the objects of a kind in a namespace; cannot be changed.', text),
  generateName: described('Prefix of a generated name, to which five random characters are added.', text),
  namespace: text,
  labels: described('Short strings by which selectors find objects.', mapOf(text)),
  annotations: described('Arbitrary strings that clients store with the object.', mapOf(text)),
  finalizers: { ...texts, 'x-kubernetes-patch-strategy': 'merge' },
  ownerReferences: listMap(
    'uid',
    objectOf(
      { apiVersion: text, kind: text, name: text, uid: text, controller: flag, blockOwnerDeletion: flag },
      'apiVersion',
      'kind',
      'name',
      'uid',
    ),
  ),
  uid: text,
  resourceVersion: described('Changes with every write; opaque to clients.', text),
  generation: int64,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: int64,
  selfLink: text,
  managedFields: listOf(
    objectOf({
      manager: text,
      operation: text,
      apiVersion: text,
      time,
      fieldsType: text,
      fieldsV1: anyObject,
      subresource: text,
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
      properties: { apiVersion: text, kind: text, metadata: { type: 'object' }, ...schema.properties },
    }
  )
}
