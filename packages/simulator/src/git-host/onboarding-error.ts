import type { Secret } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import type { Component } from '@slipway/model/supply-chain/component'
import { annotations, labels } from '@slipway/model/labels'
import { parsePipelineChoice } from './build-run'
import { parseGitUrl, providerOf } from './git-url'

/** Numbers and words of the build service. Source: konflux-ci/build-service, pkg/boerrors. */
const errors = {
  'secret-not-found': { id: 50, message: 'Pipelines as Code secret does not exist' },
  'secret-invalid': { id: 51, message: 'Invalid Pipelines as Code secret' },
  'duplicate-repository': { id: 53, message: 'Git repository is already handled by Pipelines as Code' },
  'unknown-provider': { id: 60, message: 'unknown git provider of the source repository' },
  'http-used': { id: 61, message: 'http used for git repository, use secure connection' },
  'app-not-installed': { id: 70, message: 'GitHub Application is not installed in user repository' },
  'token-unauthorized': { id: 74, message: 'Access token is unrecognizable by GitHub' },
  'rate-limit': { id: 76, message: 'Reach GitHub REST API rate limit' },
  'app-suspended': { id: 78, message: 'GitHub Application is suspended for repository' },
  'gitlab-token-unauthorized': { id: 90, message: 'Access token is unrecognizable by remote GitLab service' },
  'gitlab-token-scope': { id: 91, message: 'GitLab access token does not have enough scope' },
  'secret-missing': { id: 201, message: 'Secret with git credential not found' },
  'private-repository': { id: 203, message: 'Git credentials for private Component git repository not given' },
  'pipeline-unreadable': { id: 204, message: 'Failed to parse build.appstudio.openshift.io/pipeline annotation value' },
} as const

export type OnboardingErrorName = keyof typeof errors
export interface OnboardingError {
  id: number
  /** With the number before it, as the status of a component has it. */
  message: string
}

export const onboardingErrorNamed = (name: OnboardingErrorName): OnboardingError => ({
  id: errors[name].id,
  message: `${errors[name].id}: ${errors[name].message}`,
})

/** On a Component: `error-{name}`, one of the names above, makes its onboarding fail in this way. */
export const onboardingAnnotation = 'simulator.slipway.dev/onboarding'

interface Surroundings {
  /** Of the namespace of the component. */
  secrets: Secret[]
  /** Is the repository looked after in another namespace? */
  isTakenElsewhere: boolean
}

/**
 * Why the build service cannot configure a component: because of what is wrong with it, because its annotation says
 * so, or because the name of its repository ends in `-error-{name}`.
 */
export function onboardingErrorOf(component: Component, around: Surroundings): OnboardingError | undefined {
  const { url = '' } = component.spec.source.git ?? {}
  const marks = component.metadata.annotations ?? {}
  const location = parseGitUrl(url)
  const names = Object.keys(errors) as OnboardingErrorName[]
  const wanted = names.find(
    (name) => marks[onboardingAnnotation] === `error-${name}` || location?.name.endsWith(`-error-${name}`),
  )
  if (wanted) return onboardingErrorNamed(wanted)
  const provider = location && providerOf(location.host, marks[annotations.gitProvider])
  if (!location || !provider) return onboardingErrorNamed('unknown-provider')
  // On this machine there is nobody to listen in, and no certificate either.
  if (/^http:\/\//.test(url) && new URL(url).hostname === location.host) return onboardingErrorNamed('http-used')
  if (!parsePipelineChoice(marks[annotations.buildPipeline])) return onboardingErrorNamed('pipeline-unreadable')
  const { secret } = component.spec
  if (secret && !around.secrets.some((each) => nameOf(each) === secret)) return onboardingErrorNamed('secret-missing')
  // GitHub has the application; the others are spoken to with a token that somebody must have left in a secret.
  if (provider !== 'github' && !secret && !sourceSecretFor(location.host, around.secrets)) {
    return onboardingErrorNamed('secret-not-found')
  }
  if (around.isTakenElsewhere) return onboardingErrorNamed('duplicate-repository')
  return undefined
}

/** The credentials for a host, among the secrets of a namespace. */
export const sourceSecretFor = (host: string, secrets: Secret[]): Secret | undefined =>
  secrets.find(
    ({ metadata }) => metadata.labels?.[labels.credentials] === 'scm' && metadata.labels[labels.scmHost] === host,
  )
