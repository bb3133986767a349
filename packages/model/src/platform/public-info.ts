import { roleBindingType, type ConfigMap, type RoleRef } from '@slipway/kube/core-types'
import { isRecord } from '@slipway/kube/object'
import { asArray, asRecord, asText } from '@slipway/kube/parse'
import { webAddress } from '../web-address'
import { type ImageNotification, parseImageNotification } from './image-notification'
import { parseTour, type TourStep } from './tour'

/** Location of the platform's public information. */
export const publicInfoLocation = { namespace: 'konflux-info', name: 'konflux-public-info' } as const
const entry = 'info.json'

/** Location of the operators' banners for the top of every page: a YAML list. */
export const bannerLocation = { namespace: publicInfoLocation.namespace, name: 'konflux-banner-configmap' } as const
export const bannerEntry = 'banner-content.yaml'

/** A role that users can be granted in a namespace. */
export interface GrantableRole {
  /** Starts with a capital letter, whatever the configuration contains. */
  displayName: string
  description: string
  roleRef: RoleRef
}

export interface PublicInfo {
  /** Unknown values count as `production`. */
  environment: 'production' | 'staging'
  visibility: 'public' | 'private'
  /** An http or https URL. */
  statusPageUrl?: string
  githubAppUrl?: string
  /** URL templates of bills of materials, with a placeholder for the digest of the image or of the document. */
  sbomServer: { url?: string; sbomSha?: string }
  /** What a new image repository should report, and where. */
  imageNotifications: ImageNotification[]
  /** The most privileged first. */
  roles: GrantableRole[]
  /** Steps of a tour through the console; empty where none is offered. */
  tour: TourStep[]
}

/** The public info is invalid; the message is human-readable. */
export class PublicInfoError extends Error {}

/**
 * Parses the public info from its config map. Invalid fields count as absent.
 * @throws PublicInfoError if `info.json` is missing or is not a JSON object
 */
export function parsePublicInfo(configMap: ConfigMap): PublicInfo {
  const info = parseInfo(configMap)
  const integrations = asRecord(info.integrations)
  const sbomServer = asRecord(integrations.sbom_server)
  return {
    environment: oneOf(info.environment, ['production', 'staging']),
    visibility: oneOf(info.visibility, ['public', 'private']),
    statusPageUrl: webAddress(info.statusPageUrl),
    githubAppUrl: webAddress(asRecord(integrations.github).application_url),
    sbomServer: { url: asText(sbomServer.url), sbomSha: asText(sbomServer.sbom_sha) },
    imageNotifications: asArray(asRecord(integrations.image_controller).notifications).flatMap(
      (value) => parseImageNotification(value) ?? [],
    ),
    roles: asArray(info.rbac).flatMap(grantableRole),
    tour: parseTour(info.tour),
  }
}

/** The JSON object of the public info. @throws PublicInfoError if it is missing or is not a JSON object */
export function parseInfo({ data, metadata }: ConfigMap): Record<string, unknown> {
  const text = data?.[entry]
  if (!text) throw new PublicInfoError(`${entry} not found in ${metadata.name ?? ''} ConfigMap`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new PublicInfoError(`Failed to parse ${entry}: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (!isRecord(value)) throw new PublicInfoError(`Failed to parse ${entry}: not a JSON object`)
  return value
}

function grantableRole(value: unknown): GrantableRole[] {
  const { displayName, description, roleRef } = asRecord(value)
  const { kind, name, apiGroup } = asRecord(roleRef)
  const refersTo = asText(name)
  if (!refersTo || (kind !== 'ClusterRole' && kind !== 'Role')) return []
  const label = asText(displayName) ?? refersTo
  return [
    {
      displayName: label.charAt(0).toUpperCase() + label.slice(1),
      description: asText(description) ?? '',
      roleRef: { apiGroup: asText(apiGroup) ?? roleBindingType.group, kind, name: refersTo },
    },
  ]
}

/** The value if it is one of the choices, otherwise the first choice. */
const oneOf = <T extends string>(value: unknown, choices: readonly [T, ...T[]]): T =>
  choices.find((choice) => choice === value) ?? choices[0]
