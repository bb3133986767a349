import type { Secret, ServiceAccount } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'

/** On a service account: names of the secrets that were linked to it by a controller, in the order of names. */
export const linkedSecretsAnnotation = 'simulator.slipway.dev/linked-secrets'

export interface SecretLink {
  secret: Secret
  /** Also to pull the images of pods by, rather than for tasks alone. */
  forImages: boolean
}

const imagePullTypes = ['kubernetes.io/dockerconfigjson', 'kubernetes.io/dockercfg']

/** As the console links secrets: those of registries are for images, too. */
export const linkOf = (secret: Secret): SecretLink => ({
  secret,
  forImages: imagePullTypes.includes(secret.type ?? ''),
})

/** Links each secret once: who unlinks it wants it so. @returns the same object when nothing has to be linked */
export function withLinks(account: ServiceAccount, wanted: SecretLink[]): ServiceAccount {
  const marks = account.metadata.annotations ?? {}
  const done = marks[linkedSecretsAnnotation]?.split(',').filter(Boolean) ?? []
  const missing = wanted.filter(({ secret }) => !done.includes(nameOf(secret)))
  if (missing.length === 0) return account
  const add = (known: { name: string }[] = [], links: SecretLink[]) => [
    ...known,
    ...links
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
