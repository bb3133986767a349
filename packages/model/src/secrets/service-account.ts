import type { Secret, ServiceAccount } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { isImagePull } from './secret'

const prefix = 'build-pipeline-'

/** Name of the service account with which the builds of a component run. */
export const serviceAccountOf = (component: string): string => prefix + component

/** The component whose builds run with a service account; `undefined` for other service accounts. */
export const componentOf = (serviceAccount: ServiceAccount): string | undefined => {
  const name = nameOf(serviceAccount)
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined
}

/** The names of all secrets that a service account refers to, each once. */
export const linkedSecrets = ({ secrets, imagePullSecrets }: ServiceAccount): Set<string> =>
  new Set([...(secrets ?? []), ...(imagePullSecrets ?? [])].map(({ name }) => name))

type Links = Required<Pick<ServiceAccount, 'secrets' | 'imagePullSecrets'>>

/**
 * The lists of a service account with a secret: credentials of registries in both, since pods pull images with one and
 * tasks read the other. Entries that are present stay as they are.
 */
export function withSecret({ secrets, imagePullSecrets }: ServiceAccount, secret: Secret): Links {
  const name = nameOf(secret)
  const including = (links: { name: string }[] = []) =>
    links.some((link) => link.name === name) ? links : [...links, { name }]
  return {
    secrets: including(secrets),
    imagePullSecrets: isImagePull(secret) ? including(imagePullSecrets) : (imagePullSecrets ?? []),
  }
}

/** The lists of a service account without a secret, whatever its type. */
export function withoutSecret({ secrets, imagePullSecrets }: ServiceAccount, name: string): Links {
  const excluding = (links: { name: string }[] = []) => links.filter((link) => link.name !== name)
  return { secrets: excluding(secrets), imagePullSecrets: excluding(imagePullSecrets) }
}
