import type { Secret, ServiceAccount } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { isImagePull } from '@slipway/model/secrets/secret'

/** Annotation on a service account: the sorted names of the secrets that a controller has linked to it. */
export const linkedSecretsAnnotation = 'simulator.slipway.dev/linked-secrets'

export interface SecretLink {
  secret: Secret
  /** Also used to pull images of pods, not only by tasks. */
  forImages: boolean
}

/** Links a secret as the console does: registry secrets are also used to pull images. */
export const linkOf = (secret: Secret): SecretLink => ({
  secret,
  forImages: isImagePull(secret),
})

/** Links each secret once, so that a user can unlink it. @returns the same object if there is nothing to link */
export function withLinks(account: ServiceAccount, links: SecretLink[]): ServiceAccount {
  const marks = account.metadata.annotations ?? {}
  const done = marks[linkedSecretsAnnotation]?.split(',').filter(Boolean) ?? []
  const missing = links.filter(({ secret }) => !done.includes(nameOf(secret)))
  if (missing.length === 0) return account
  const add = (known: { name: string }[] = [], added: SecretLink[]) => [
    ...known,
    ...added
      .map(({ secret }) => nameOf(secret))
      .filter((name) => !known.some((each) => each.name === name))
      .map((name) => ({ name })),
  ]
  const names = missing.map(({ secret }) => nameOf(secret))
  return {
    ...account,
    metadata: {
      ...account.metadata,
      annotations: { ...marks, [linkedSecretsAnnotation]: [...done, ...names].sort().join(',') },
    },
    secrets: add(account.secrets, missing),
    imagePullSecrets: add(
      account.imagePullSecrets,
      missing.filter(({ forImages }) => forImages),
    ),
  }
}
