import {
  bool,
  boolOrFalse,
  intOrZero,
  many,
  one,
  string,
  stringOrEmpty,
  strings,
  stringsMap,
  time,
  type Message,
} from '../message'
import { objectMeta, selectorRequirement } from './meta'

// Field numbers and names: k8s.io/api, authorization/v1 and authentication/v1 generated.proto and types.go.

const review = (spec: Message, status: Message): Message => ({
  1: ['metadata', one(objectMeta)],
  2: ['spec', one(spec)],
  3: ['status', one(status)],
})

const selectorAttributes: Message = {
  1: ['rawSelector', string],
  2: ['requirements', many(selectorRequirement)],
}

const resourceAttributes: Message = {
  1: ['namespace', string],
  2: ['verb', string],
  3: ['group', string],
  4: ['version', string],
  5: ['resource', string],
  6: ['subresource', string],
  7: ['name', string],
  8: ['fieldSelector', one(selectorAttributes)],
  9: ['labelSelector', one(selectorAttributes)],
}

const accessSpec: Message = {
  1: ['resourceAttributes', one(resourceAttributes)],
  2: ['nonResourceAttributes', one({ 1: ['path', string], 2: ['verb', string] })],
}

const accessStatus: Message = {
  1: ['allowed', boolOrFalse],
  2: ['reason', string],
  3: ['evaluationError', string],
  4: ['denied', bool],
}

export const selfSubjectAccessReview = review(accessSpec, accessStatus)

/** LocalSubjectAccessReview has the same shape. */
export const subjectAccessReview = review(
  {
    ...accessSpec,
    3: ['user', string],
    4: ['groups', strings],
    5: ['extra', stringsMap],
    6: ['uid', string],
  },
  accessStatus,
)

const resourceRule: Message = {
  1: ['verbs', strings],
  2: ['apiGroups', strings],
  3: ['resources', strings],
  4: ['resourceNames', strings],
}

export const selfSubjectRulesReview = review(
  { 1: ['namespace', string] },
  {
    1: ['resourceRules', many(resourceRule)],
    2: ['nonResourceRules', many({ 1: ['verbs', strings], 2: ['nonResourceURLs', strings] })],
    3: ['incomplete', boolOrFalse],
    4: ['evaluationError', string],
  },
)

const userInfo: Message = {
  1: ['username', string],
  2: ['uid', string],
  3: ['groups', strings],
  4: ['extra', stringsMap],
}

export const selfSubjectReview: Message = {
  1: ['metadata', one(objectMeta)],
  2: ['status', one({ 1: ['userInfo', one(userInfo)] })],
}

export const tokenReview = review(
  { 1: ['token', string], 2: ['audiences', strings] },
  { 1: ['authenticated', bool], 2: ['user', one(userInfo)], 3: ['error', string], 4: ['audiences', strings] },
)

const boundObjectReference: Message = {
  1: ['kind', string],
  2: ['apiVersion', string],
  3: ['name', string],
  4: ['uid', string],
}

export const tokenRequest = review(
  { 1: ['audiences', strings], 3: ['boundObjectRef', one(boundObjectReference)], 4: ['expirationSeconds', intOrZero] },
  { 1: ['token', stringOrEmpty], 2: ['expirationTimestamp', time] },
)
