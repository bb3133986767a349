import { base64ToText, textToBase64 } from '@slipway/kube/base64'
import type { Secret } from '@slipway/kube/core-types'
import { annotations, labels } from '../labels'
import { parseRegistryConfig, type RegistryCredentials, registryConfig, tokensIn } from './registry-config'
import { isLinkable, secretTypes } from './secret'
import { firstExpiry, toRfc3339 } from './token-expiry'

/** Text that was typed, or the bytes of a file as text or base64. */
export interface SecretValue {
  encoding: 'text' | 'base64'
  content: string
}

interface SecretEntry {
  key: string
  value: SecretValue
}

/** What a secret of each type is made of. */
export type SecretContent =
  | { kind: 'opaque'; entries: readonly SecretEntry[] }
  | { kind: 'registries'; credentials: readonly RegistryCredentials[] }
  | { kind: 'registryConfig'; file: SecretValue }
  | { kind: 'basicAuth'; username: string; password: string }
  | { kind: 'sshAuth'; privateKey: SecretValue }

export interface SecretDraft {
  name: string
  namespace: string
  content: SecretContent
  /** Where a source secret applies; builds find it by these. */
  source?: { host: string; repository: string }
  labels?: Readonly<Record<string, string>>
  /** Whether it is linked to all present and future components, if its type can be linked at all. */
  isCommon?: boolean
  /** Whether it is for deployments, and not for builds. */
  isForDeployment?: boolean
}

/** A value as the API stores it: base64 of its bytes, encoded once. A PEM text gets the form that its readers need. */
export const toData = ({ encoding, content }: SecretValue): string =>
  encoding === 'base64' ? content : textToBase64(normalizePem(content))

/** OpenSSH rejects a key without its last line break, or with the line ends of Windows ("error in libcrypto"). */
function normalizePem(text: string): string {
  const trimmed = text.trim()
  return /^-----BEGIN [^-]+-----\s[^]*-----END [^-]+-----$/.test(trimmed)
    ? `${trimmed.replaceAll(/\r\n?/g, '\n')}\n`
    : text
}

/** The Secret to create. Labels of the platform overrule equal ones of the user. */
export function buildSecret({
  name,
  namespace,
  content,
  source,
  labels: ownLabels,
  isCommon = false,
  isForDeployment = false,
}: SecretDraft): Secret {
  const { type, data } = typeAndData(content)
  const isSource = content.kind === 'basicAuth' || content.kind === 'sshAuth'
  const allLabels = {
    ...ownLabels,
    ...(isSource && { [labels.credentials]: 'scm' }),
    ...(isSource && source?.host && { [labels.scmHost]: source.host }),
    ...(isCommon && isLinkable({ metadata: {}, type }) && { [labels.commonSecret]: 'true' }),
    ...(isForDeployment && { [labels.secretFor]: 'Deployment' }),
  }
  const expiry = contentExpiry(content)
  const allAnnotations = {
    ...(isSource && source?.repository && { [annotations.scmRepository]: source.repository }),
    ...(expiry && { [annotations.credentialExpires]: toRfc3339(expiry) }),
  }
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      namespace,
      ...(Object.keys(allLabels).length > 0 && { labels: allLabels }),
      ...(Object.keys(allAnnotations).length > 0 && { annotations: allAnnotations }),
    },
    type,
    data,
  }
}

function typeAndData(content: SecretContent): Required<Pick<Secret, 'type' | 'data'>> {
  switch (content.kind) {
    case 'opaque': {
      const data = Object.fromEntries(content.entries.map(({ key, value }) => [key, toData(value)]))
      return { type: secretTypes.opaque, data }
    }
    case 'registries': {
      const config = registryConfig(content.credentials)
      return { type: secretTypes.dockerConfigJson, data: { '.dockerconfigjson': textToBase64(config) } }
    }
    case 'registryConfig': {
      const config = parseRegistryConfig(textOf(content.file))
      // The form does not submit a file that cannot be parsed.
      const { type, key } = typeof config === 'string' ? newerFormat : config
      return { type, data: { [key]: toData(content.file) } }
    }
    case 'basicAuth': {
      const { username, password } = content
      const data = { username: textToBase64(username), password: textToBase64(password) }
      return { type: secretTypes.basicAuth, data }
    }
    case 'sshAuth':
      return { type: secretTypes.sshAuth, data: { 'ssh-privatekey': toData(content.privateKey) } }
  }
}

const newerFormat = { type: secretTypes.dockerConfigJson, key: '.dockerconfigjson' } as const

/** The text of a file; empty for one that is not text. */
export const textOf = ({ encoding, content }: SecretValue): string =>
  encoding === 'text' ? content : (base64ToText(content) ?? '')

/** When the first token among the credentials expires, as far as they say. */
export function contentExpiry(content: SecretContent): Date | undefined {
  switch (content.kind) {
    case 'registries':
      return firstExpiry(content.credentials.map(({ password }) => password))
    case 'registryConfig': {
      const config = parseRegistryConfig(textOf(content.file))
      return typeof config === 'string'
        ? undefined
        : firstExpiry(config.entries.flatMap(([, entry]) => tokensIn(entry)))
    }
    case 'basicAuth':
      return firstExpiry([content.password])
    default:
      return undefined
  }
}

/** Secrets that tasks of the platform look for by name, and their keys. */
export const secretPresets = [{ name: 'snyk-secret', keys: ['snyk_token'] }] as const
