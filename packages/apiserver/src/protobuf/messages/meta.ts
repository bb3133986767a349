import {
  boolOrFalse,
  int,
  intOrZero,
  json,
  many,
  one,
  string,
  stringMap,
  stringOrEmpty,
  strings,
  time,
  type Message,
} from '../message'

// Field numbers and names: k8s.io/apimachinery, meta/v1 generated.proto and types.go.

const ownerReference: Message = {
  1: ['kind', stringOrEmpty],
  3: ['name', stringOrEmpty],
  4: ['uid', stringOrEmpty],
  5: ['apiVersion', stringOrEmpty],
  6: ['controller', boolOrFalse],
  7: ['blockOwnerDeletion', boolOrFalse],
}

const managedFieldsEntry: Message = {
  1: ['manager', string],
  2: ['operation', string],
  3: ['apiVersion', string],
  4: ['time', time],
  6: ['fieldsType', string],
  7: ['fieldsV1', json],
  8: ['subresource', string],
}

export const objectMeta: Message = {
  1: ['name', string],
  2: ['generateName', string],
  3: ['namespace', string],
  4: ['selfLink', string],
  5: ['uid', string],
  6: ['resourceVersion', string],
  7: ['generation', int],
  8: ['creationTimestamp', time],
  9: ['deletionTimestamp', time],
  10: ['deletionGracePeriodSeconds', intOrZero],
  11: ['labels', stringMap],
  12: ['annotations', stringMap],
  13: ['ownerReferences', many(ownerReference)],
  14: ['finalizers', strings],
  17: ['managedFields', many(managedFieldsEntry)],
}

/** Field selector requirements have the same shape. */
export const selectorRequirement: Message = {
  1: ['key', stringOrEmpty],
  2: ['operator', stringOrEmpty],
  3: ['values', strings],
}

export const labelSelector: Message = {
  1: ['matchLabels', stringMap],
  2: ['matchExpressions', many(selectorRequirement)],
}

export const deleteOptions: Message = {
  1: ['gracePeriodSeconds', intOrZero],
  2: ['preconditions', one({ 1: ['uid', stringOrEmpty], 2: ['resourceVersion', stringOrEmpty] })],
  3: ['orphanDependents', boolOrFalse],
  4: ['propagationPolicy', stringOrEmpty],
  5: ['dryRun', strings],
}
