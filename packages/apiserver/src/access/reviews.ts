import type { KubeObject } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import type { Authorizer } from './authorizer'
import type { UserInfo } from './user'

export type ReviewKind =
  | 'SelfSubjectAccessReview'
  | 'SubjectAccessReview'
  | 'LocalSubjectAccessReview'
  | 'SelfSubjectRulesReview'
  | 'SelfSubjectReview'

export interface ReviewContext {
  authorizer: Authorizer
  user: UserInfo
  /** Namespace in the path, for LocalSubjectAccessReview. */
  namespace?: string
}

/** The review with its status (a 201, also when access is denied), or what is wrong with it (a 422). */
export type ReviewAnswer = { review: KubeObject } | { causes: StatusCause[] }

export declare function answerReview(kind: ReviewKind, body: KubeObject, context: ReviewContext): ReviewAnswer
