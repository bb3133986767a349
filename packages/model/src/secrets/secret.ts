import type { Secret } from '@slipway/kube/core-types'
import { annotations, labels } from '../labels'

/** The types of secrets that the platform uses; a cluster has others too. */
export const secretTypes = {
  opaque: 'Opaque',
  basicAuth: 'kubernetes.io/basic-auth',
  sshAuth: 'kubernetes.io/ssh-auth',
  dockerConfigJson: 'kubernetes.io/dockerconfigjson',
  dockerConfig: 'kubernetes.io/dockercfg',
} as const

/** Credentials of an image registry. */
export const isImagePull = ({ type }: Secret): boolean =>
  type === secretTypes.dockerConfigJson || type === secretTypes.dockerConfig

/** Whether it can be linked to the service accounts of components. */
export const isLinkable = (secret: Secret): boolean => isImagePull(secret) || secret.type === secretTypes.basicAuth

/** Linked to all present and future components. */
export const isCommon = ({ metadata }: Secret): boolean => metadata.labels?.[labels.commonSecret] === 'true'

/** The type of a secret as users know it: an unknown type as it is. */
export function secretTypeName(secret: Secret): string {
  const { type = secretTypes.opaque } = secret
  if (isImagePull(secret)) return 'Image pull'
  const isKeyValue = type === secretTypes.opaque || type === secretTypes.basicAuth || type === secretTypes.sshAuth
  return isKeyValue ? 'Key/value' : type
}

/** What the secrets list shows as its type: that of key/value pairs with their number. */
export function secretTypeText(secret: Secret): string {
  const name = secretTypeName(secret)
  return name === 'Key/value' ? `${name} (${Object.keys(secret.data ?? {}).length})` : name
}

export const linkStates = ['Pending', 'Running', 'Succeeded', 'Failed'] as const
export type LinkState = (typeof linkStates)[number]

/** State of the task that links a secret to service accounts, as recorded on the secret. */
export interface LinkTask {
  state: LinkState
  error: string | undefined
}

/** `undefined` for a secret that has never been linked by a task, and for an unknown state. */
export function linkTaskOf({ metadata }: Secret): LinkTask | undefined {
  const state = linkStates.find((known) => known === metadata.annotations?.[annotations.linkStatus])
  return state && { state, error: metadata.annotations?.[annotations.linkError] || undefined }
}

/** In place of the message of a failed link task that has none; the specification spells it so. */
export const unknownLinkError = 'Unkown Error'

const maxAnnotationLength = 2048

/** A text for an annotation of a secret: at most 2,048 characters, of which the last three tell that it is cut. */
export const asAnnotation = (text: string): string =>
  text.length > maxAnnotationLength ? `${text.slice(0, maxAnnotationLength - 3)}...` : text
