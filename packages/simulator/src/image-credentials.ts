import type { Secret } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { imageRepositoryType, type ImageRepository } from '@slipway/model/builds/image-repository'
import { ownerReference } from './controller'
import { hexDigits, type Random } from './keyed-random'

/**
 * Credentials that the image controller creates for the images of components. Source: image-controller,
 * internal/controller.
 */

/** Registry in the image references of simulated components. */
export const imageRegistry = 'registry.slipway.test'

/** Name of the secret with which a namespace can pull the images of all its components. */
export const namespacePullSecretName = 'components-namespace-pull'

export const imagePurposes = ['push', 'pull'] as const
export type ImagePurpose = (typeof imagePurposes)[number]

type RandomSource = (key: string) => Random

/** Longer names are truncated, so that the suffix fits into the 253 characters of a name. */
const maxPrefixLength = 220

export const imageSecretName = (repository: ImageRepository, purpose: ImagePurpose): string =>
  `${nameOf(repository).slice(0, maxPrefixLength)}-image-${purpose}`

const readable = (name: string) => name.replace(/[^a-z0-9]+/g, '_').slice(0, 40)

function robotOf(repository: ImageRepository, purpose: ImagePurpose, random: RandomSource): string {
  const key = `robot ${namespaceOf(repository)}/${nameOf(repository)} ${purpose}`
  const name = readable(repository.spec.image?.name ?? '')
  return `slipway+${name}_${hexDigits(random(key), 10)}${purpose === 'pull' ? '_pull' : ''}`
}

/** Names of secrets and robot accounts. The accounts stay the same when their tokens are regenerated. */
export function imageCredentials(
  repository: ImageRepository,
  generationTimestamp: string,
  random: RandomSource,
): NonNullable<NonNullable<ImageRepository['status']>['credentials']> {
  const known = repository.status?.credentials
  return {
    generationTimestamp,
    'push-secret': imageSecretName(repository, 'push'),
    'pull-secret': imageSecretName(repository, 'pull'),
    'push-robot-account': known?.['push-robot-account'] ?? robotOf(repository, 'push', random),
    'pull-robot-account': known?.['pull-robot-account'] ?? robotOf(repository, 'pull', random),
  }
}

const internalSecret = (name: string, namespace: string | undefined, dockerConfig: string): Secret => ({
  metadata: { name, namespace, labels: { [labels.internal]: 'true' } },
  type: 'kubernetes.io/dockerconfigjson',
  data: { '.dockerconfigjson': dockerConfig },
})

/** A Docker configuration in base64. */
const dockerConfig = (address: string, account: string, token: string): string =>
  btoa(JSON.stringify({ auths: { [address]: { auth: btoa(`${account}:${token}`) } } }))

/** The token depends on `generationTimestamp`, so regenerating it changes it. */
export function imageSecret(
  repository: ImageRepository,
  purpose: ImagePurpose,
  generationTimestamp: string,
  random: RandomSource,
): Secret {
  const account = imageCredentials(repository, generationTimestamp, random)[`${purpose}-robot-account`] ?? ''
  const token = hexDigits(random(`token ${account} ${generationTimestamp}`), 64).toUpperCase()
  const config = dockerConfig(`${imageRegistry}/${repository.spec.image?.name}`, account, token)
  const secret = internalSecret(imageSecretName(repository, purpose), namespaceOf(repository), config)
  const ownerReferences = [ownerReference(imageRepositoryType, repository)]
  return { ...secret, metadata: { ...secret.metadata, ownerReferences } }
}

export function namespacePullSecret(namespace: string, random: RandomSource): Secret {
  const account = `slipway+${readable(namespace)}_${hexDigits(random(`robot ${namespace}`), 10)}`
  const token = hexDigits(random(`token ${account}`), 64).toUpperCase()
  return internalSecret(
    namespacePullSecretName,
    namespace,
    dockerConfig(`${imageRegistry}/${namespace}`, account, token),
  )
}
