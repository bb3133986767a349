import type { Secret } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import type { Component } from '@slipway/model/builds/component'
import { annotations, labels } from '@slipway/model/labels'
import { parsePipelineChoice } from './build-run'
import { parseRepositoryUrl, providerOf } from './git-url'

/** Ids and messages of the build service. Source: konflux-ci/build-service, pkg/boerrors. */
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
  /** Prefixed with the id, as in the status of a component. */
  message: string
  /** Whether it would disappear with a secret. */
  lacksSecret?: boolean
}

export const onboardingErrorNamed = (name: OnboardingErrorName): OnboardingError => ({
  id: errors[name].id,
  message: `${errors[name].id}: ${errors[name].message}`,
})

/** On a Component: `error-{name}`, with one of the names above, makes its onboarding fail with this error. */
export const onboardingAnnotation = 'simulator.slipway.dev/onboarding'

interface OnboardingEnvironment {
  /** All secrets in the component's namespace. */
  secrets: Secret[]
  /** Whether another namespace already uses the repository. */
  isUsedElsewhere: boolean
}

/**
 * Why the build service cannot configure a component: it is invalid, its annotation requests an error, or the name of
 * its repository ends in `-error-{name}`.
 */
export function onboardingErrorOf(
  component: Component,
  environment: OnboardingEnvironment,
): OnboardingError | undefined {
  const { url = '' } = component.spec.source.git ?? {}
  const marks = component.metadata.annotations ?? {}
  const location = parseRepositoryUrl(url)
  const names = Object.keys(errors) as OnboardingErrorName[]
  const requested = names.find(
    (name) => marks[onboardingAnnotation] === `error-${name}` || location?.name.endsWith(`-error-${name}`),
  )
  if (requested) return onboardingErrorNamed(requested)
  const provider = location && providerOf(location.host, marks[annotations.gitProvider])
  if (!location || !provider) return onboardingErrorNamed('unknown-provider')
  // Repositories on a loopback address need no TLS.
  if (/^http:\/\//.test(url) && new URL(url).hostname === location.host) return onboardingErrorNamed('http-used')
  if (!parsePipelineChoice(marks[annotations.buildPipeline])) return onboardingErrorNamed('pipeline-unreadable')
  const { secret } = component.spec
  if (secret && !environment.secrets.some((each) => nameOf(each) === secret))
    return { ...onboardingErrorNamed('secret-missing'), lacksSecret: true }
  // The application is installed on GitHub; other providers require a token in a secret.
  if (provider !== 'github' && !secret && !sourceSecretFor(location.host, environment.secrets)) {
    return { ...onboardingErrorNamed('secret-not-found'), lacksSecret: true }
  }
  if (environment.isUsedElsewhere) return onboardingErrorNamed('duplicate-repository')
  return undefined
}

/** The credentials for a host, among the secrets of a namespace. */
export const sourceSecretFor = (host: string, secrets: Secret[]): Secret | undefined =>
  secrets.find(
    ({ metadata }) => metadata.labels?.[labels.credentials] === 'scm' && metadata.labels[labels.scmHost] === host,
  )
