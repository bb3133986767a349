import type { ReviewKind, TokenReviewKind } from '../resource'
import { defineBuiltin } from './define-builtin'

const review = (group: string, kind: ReviewKind | TokenReviewKind, plural: string, namespaced = false) =>
  defineBuiltin({ type: { group, version: 'v1', kind, plural, namespaced }, verbs: ['create'], review: kind })

const authorization = 'authorization.k8s.io'
const authentication = 'authentication.k8s.io'

/** Kinds that are posted and evaluated but never stored. */
export const reviews = [
  review(authorization, 'SelfSubjectAccessReview', 'selfsubjectaccessreviews'),
  review(authorization, 'SubjectAccessReview', 'subjectaccessreviews'),
  review(authorization, 'LocalSubjectAccessReview', 'localsubjectaccessreviews', true),
  review(authorization, 'SelfSubjectRulesReview', 'selfsubjectrulesreviews'),
  review(authentication, 'SelfSubjectReview', 'selfsubjectreviews'),
  review(authentication, 'TokenReview', 'tokenreviews'),
]

/** Served only as a subresource of service accounts. */
export const tokenRequests = review(authentication, 'TokenRequest', 'serviceaccounts/token', true)
