import { roleBindingType, type ConfigMap, type RoleRef } from '@slipway/kube/core-types'
import { isRecord } from '@slipway/kube/object'

/** Where what everybody may know about a platform is published. */
export const publicInfoLocation = { namespace: 'konflux-info', name: 'konflux-public-info' } as const
const entry = 'info.json'

/** Where the operators of a platform write what everybody should read at the top of every page: a YAML list. */
export const bannerLocation = { namespace: publicInfoLocation.namespace, name: 'konflux-banner-configmap' } as const
export const bannerEntry = 'banner-content.yaml'

export interface ImageNotification {
  title: string
  event: string
  method: string
  config: { url?: string; email?: string }
}

/** A role that people can be given in a namespace. */
export interface GrantableRole {
  /** Begins with a capital letter, whatever the configuration has. */
  displayName: string
  description: string
  roleRef: RoleRef
}

export interface PublicInfo {
  /** `development` is what an operator writes by default; anything unknown counts as `production`. */
  environment: 'production' | 'staging' | 'development'
  visibility: 'public' | 'private'
  /** Only an address that a browser may follow: http or https. */
  statusPageUrl?: string
  githubAppUrl?: string
  /** Addresses of bills of materials, with a placeholder for the digest of the image or of the document. */
  sbomServer: { url?: string; sbomSha?: string }
  /** What a new image repository should report, and to whom. */
  imageNotifications: ImageNotification[]
  /** The most privileged first. */
  roles: GrantableRole[]
}

/** The public info cannot be read; the message is for people. */
export class PublicInfoError extends Error {}

/**
 * Reads the public info out of its config map. A field that makes no sense counts as absent.
 * @throws PublicInfoError when there is no `info.json` or it is no JSON object
 */
export function parsePublicInfo(configMap: ConfigMap): PublicInfo {
  const text = configMap.data?.[entry]
  if (!text) throw new PublicInfoError(`${entry} not found in ${configMap.metadata.name ?? ''} ConfigMap`)
  const info = parsed(text)
  const integrations = record(info.integrations)
  const sbomServer = record(integrations.sbom_server)
  return {
    environment: oneOf(info.environment, ['production', 'staging', 'development']),
    visibility: oneOf(info.visibility, ['public', 'private']),
    statusPageUrl: webAddress(info.statusPageUrl),
    githubAppUrl: webAddress(record(integrations.github).application_url),
    sbomServer: { url: words(sbomServer.url), sbomSha: words(sbomServer.sbom_sha) },
    imageNotifications: list(record(integrations.image_controller).notifications).flatMap(imageNotification),
    roles: list(info.rbac).flatMap(grantableRole),
  }
}

function parsed(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new PublicInfoError(`Failed to parse ${entry}: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (!isRecord(value)) throw new PublicInfoError(`Failed to parse ${entry}: not a JSON object`)
  return value
}

function imageNotification(value: unknown): ImageNotification[] {
  const { title, event, method, config } = record(value)
  if (!words(title) || !words(event) || !words(method)) return []
  const { url, email } = record(config)
  return [
    {
      title: String(title),
      event: String(event),
      method: String(method),
      config: { url: words(url), email: words(email) },
    },
  ]
}

function grantableRole(value: unknown): GrantableRole[] {
  const { displayName, description, roleRef } = record(value)
  const { kind, name, apiGroup } = record(roleRef)
  const refersTo = words(name)
  if (!refersTo || (kind !== 'ClusterRole' && kind !== 'Role')) return []
  const label = words(displayName) ?? refersTo
  return [
    {
      displayName: label.charAt(0).toUpperCase() + label.slice(1),
      description: words(description) ?? '',
      roleRef: { apiGroup: words(apiGroup) ?? roleBindingType.group, kind, name: refersTo },
    },
  ]
}

const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const words = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() ? value.trim() : undefined

/** Only an address that a browser may follow; `undefined` for everything else. */
export const webAddress = (value: unknown): string | undefined => {
  const text = words(value)
  return text && /^https?:\/\//i.test(text) ? text : undefined
}

/** The value when it is one of the choices, else the first of them. */
const oneOf = <T extends string>(value: unknown, choices: readonly [T, ...T[]]): T =>
  choices.find((choice) => choice === value) ?? choices[0]
