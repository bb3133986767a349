import {
  boolOrFalse,
  bytesMap,
  int,
  intOrZero,
  many,
  microTime,
  one,
  string,
  stringMap,
  stringOrEmpty,
  strings,
  time,
  type Message,
} from '../message'
import { objectMeta } from './meta'

// Field numbers and names: k8s.io/api, core/v1, events/v1 and coordination/v1 generated.proto and types.go.

export const localObjectReference: Message = { 1: ['name', string] }

const objectReference: Message = {
  1: ['kind', string],
  2: ['namespace', string],
  3: ['name', string],
  4: ['uid', string],
  5: ['apiVersion', string],
  6: ['resourceVersion', string],
  7: ['fieldPath', string],
}

const namespaceCondition: Message = {
  1: ['type', stringOrEmpty],
  2: ['status', stringOrEmpty],
  4: ['lastTransitionTime', time],
  5: ['reason', string],
  6: ['message', string],
}

export const namespace: Message = {
  1: ['metadata', one(objectMeta)],
  2: ['spec', one({ 1: ['finalizers', strings] })],
  3: ['status', one({ 1: ['phase', string], 2: ['conditions', many(namespaceCondition)] })],
}

export const secret: Message = {
  1: ['metadata', one(objectMeta)],
  2: ['data', bytesMap],
  3: ['type', string],
  4: ['stringData', stringMap],
  5: ['immutable', boolOrFalse],
}

export const configMap: Message = {
  1: ['metadata', one(objectMeta)],
  2: ['data', stringMap],
  3: ['binaryData', bytesMap],
  4: ['immutable', boolOrFalse],
}

export const serviceAccount: Message = {
  1: ['metadata', one(objectMeta)],
  2: ['secrets', many(objectReference)],
  3: ['imagePullSecrets', many(localObjectReference)],
  4: ['automountServiceAccountToken', boolOrFalse],
}

const eventSource: Message = { 1: ['component', string], 2: ['host', string] }

/** Event of the core group. */
export const coreEvent: Message = {
  1: ['metadata', one(objectMeta)],
  2: ['involvedObject', one(objectReference)],
  3: ['reason', string],
  4: ['message', string],
  5: ['source', one(eventSource)],
  6: ['firstTimestamp', time],
  7: ['lastTimestamp', time],
  8: ['count', int],
  9: ['type', string],
  10: ['eventTime', microTime],
  11: ['series', one({ 1: ['count', int], 2: ['lastObservedTime', microTime] })],
  12: ['action', string],
  13: ['related', one(objectReference)],
  14: ['reportingComponent', stringOrEmpty],
  15: ['reportingInstance', stringOrEmpty],
}

/** Event of events.k8s.io. */
export const event: Message = {
  1: ['metadata', one(objectMeta)],
  2: ['eventTime', microTime],
  3: ['series', one({ 1: ['count', intOrZero], 2: ['lastObservedTime', microTime] })],
  4: ['reportingController', string],
  5: ['reportingInstance', string],
  6: ['action', string],
  7: ['reason', string],
  8: ['regarding', one(objectReference)],
  9: ['related', one(objectReference)],
  10: ['note', string],
  11: ['type', string],
  12: ['deprecatedSource', one(eventSource)],
  13: ['deprecatedFirstTimestamp', time],
  14: ['deprecatedLastTimestamp', time],
  15: ['deprecatedCount', int],
}

export const lease: Message = {
  1: ['metadata', one(objectMeta)],
  2: [
    'spec',
    one({
      1: ['holderIdentity', stringOrEmpty],
      2: ['leaseDurationSeconds', intOrZero],
      3: ['acquireTime', microTime],
      4: ['renewTime', microTime],
      5: ['leaseTransitions', intOrZero],
      6: ['strategy', stringOrEmpty],
      7: ['preferredHolder', stringOrEmpty],
    }),
  ],
}
