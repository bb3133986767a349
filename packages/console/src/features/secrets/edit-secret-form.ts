import { textToBase64 } from '@slipway/kube/base64'
import { secretType, type Secret } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { changesBetween } from '@slipway/model/label-edit'
import { annotations, labels } from '@slipway/model/labels'
import type { LinkTarget } from '@slipway/model/secrets/link-request'
import { parseRegistryConfig, registryConfig, usernameError } from '@slipway/model/secrets/registry-config'
import { isCommon, isImagePull, isLinkable, secretTypes } from '@slipway/model/secrets/secret'
import { contentExpiry, type SecretContent, textOf, toData } from '@slipway/model/secrets/secret-content'
import { expiryChange, ownLabels, requiredKeys, secretPatch } from '@slipway/model/secrets/secret-edit'
import * as z from 'zod/mini'
import { patch, type Write } from '../../api/writes/writes'
import { emptyFile, type FileValue } from '../../lib/file-value'
import { labelsOf } from '../../parts/labels/label-rows'
import {
  configFile,
  credentialRows,
  emptyCredentials,
  issuesOf,
  keyValueRows,
  labelSchema,
  linkOptions,
  linkSchema,
  requiredFile,
  type SecretInput,
  sourceSchema,
  trimmed,
} from '../../parts/secrets/secret-form'

const actions = ['keep', 'replace', 'remove'] as const
const imageInputs = ['keep', 'credentials', 'file'] as const

/** An existing key, whose value is not known. */
interface StoredKey {
  key: string
  action: (typeof actions)[number]
  value: FileValue
}

type SharedInput = Pick<
  SecretInput,
  'credentials' | 'configFile' | 'host' | 'repository' | 'linkOption' | 'components' | 'labels'
>
export interface EditInput extends SharedInput {
  stored: StoredKey[]
  added: SecretInput['keyValues']
  imageInput: (typeof imageInputs)[number]
}

export const storedKey = (key: string): StoredKey => ({ key, action: 'keep', value: emptyFile })

/** Whether builds use it for a git host. */
export const isSource = ({ type, metadata }: Secret): boolean =>
  type === secretTypes.basicAuth || type === secretTypes.sshAuth || metadata.labels?.[labels.credentials] === 'scm'

/** Whether its links to components can be edited. */
export const hasLinks = (secret: Secret): boolean =>
  isLinkable(secret) && secret.metadata.labels?.[labels.secretFor] !== 'Deployment'

/** @param linked names of the components that it is linked to */
export const editDefaults = (secret: Secret, linked: readonly string[]): EditInput => ({
  stored: isImagePull(secret) ? [] : Object.keys(secret.data ?? {}).map(storedKey),
  added: [],
  imageInput: 'keep',
  credentials: [emptyCredentials],
  configFile: emptyFile,
  host: secret.metadata.labels?.[labels.scmHost] ?? '',
  repository: secret.metadata.annotations?.[annotations.scmRepository] ?? '',
  linkOption: isCommon(secret) ? 'all' : linked.length > 0 ? 'partial' : 'none',
  components: [...linked],
  labels: Object.entries(ownLabels(secret)).map(([key, value]) => ({ key, value })),
})

export const editSchema = (secret: Secret) =>
  z
    .object({
      stored: z.array(z.object({ key: z.string(), action: z.enum(actions), value: z.custom<FileValue>() })),
      added: z.custom<SecretInput['keyValues']>(),
      imageInput: z.enum(imageInputs),
      credentials: z.custom<SecretInput['credentials']>(),
      configFile: z.custom<FileValue>(),
      host: z.string(),
      repository: z.string(),
      linkOption: z.enum(linkOptions),
      components: z.array(z.string()),
      labels: z.custom<SecretInput['labels']>(),
    })
    .check(({ value, issues }) => {
      issues.push(...issuesOf(value, schemasOf(value, secret)))
      for (const [index, { action, value: file }] of value.stored.entries())
        if (action === 'replace' && requiredFile.safeParse(file).error)
          issues.push({ code: 'custom', path: ['stored', index, 'value'], message: 'Required', input: file })
      for (const [index, { key, action, value: file }] of value.stored.entries()) {
        const isUsername = secret.type === secretTypes.basicAuth && key === 'username' && action === 'replace'
        const message = isUsername ? usernameError(textOf(file)) : undefined
        if (message) issues.push({ code: 'custom', path: ['stored', index, 'value'], message, input: file })
      }
      for (const [index, { key }] of value.added.entries())
        if (value.stored.some((stored) => stored.key === key))
          issues.push({ code: 'custom', path: ['added', index, 'key'], message: 'This key exists.', input: key })
    })

const schemasOf = (values: EditInput, secret: Secret): z.ZodMiniType[] => [
  labelSchema,
  z.object({ added: keyValueRows }),
  ...(isSource(secret) ? [sourceSchema] : []),
  ...(hasLinks(secret) && values.linkOption === 'partial' ? [linkSchema] : []),
  ...(values.imageInput === 'credentials' ? [z.object({ credentials: credentialRows })] : []),
  ...(values.imageInput === 'file' ? [z.object({ configFile: configFile.check(sameFormat(secret)) })] : []),
]

/** The type of a secret cannot change, and each type has its own format. */
const sameFormat =
  ({ type }: Secret): z.core.CheckFn<FileValue> =>
  ({ value, issues }) => {
    const config = parseRegistryConfig(textOf(value))
    if (typeof config === 'string' || config.type === type) return
    const wanted = type === secretTypes.dockerConfig ? '.dockercfg' : 'config.json'
    issues.push({ code: 'custom', message: `This secret needs the format of a ${wanted} file.`, input: value })
  }

/**
 * The patch that a valid form describes.
 * @param current the version to change; only what the user changed since `original` is written to it
 */
export function editWrites(current: Secret, original: Secret, values: EditInput): Write[] {
  const content = replacedContent(original, values)
  const host = values.host.trim().toLowerCase()
  const operations = secretPatch(current, {
    data: dataChanges(original, values),
    labels: {
      ...changesBetween(ownLabels(original), labelsOf(values.labels)),
      ...(isSource(original) && host !== (original.metadata.labels?.[labels.scmHost] ?? '')
        ? { [labels.scmHost]: host || undefined }
        : {}),
    },
    annotations: {
      ...(isSource(original) &&
      values.repository.trim() !== (original.metadata.annotations?.[annotations.scmRepository] ?? '')
        ? { [annotations.scmRepository]: values.repository.trim() || undefined }
        : {}),
      ...(content && expiryChange(contentExpiry(content))),
    },
  })
  const ref = { namespace: namespaceOf(current), name: nameOf(current) }
  return operations.length > 0 ? [patch(secretType, ref, operations)] : []
}

/** New credentials, which may say when they expire. */
function replacedContent(secret: Secret, values: EditInput): SecretContent | undefined {
  if (values.imageInput === 'file') return { kind: 'registryConfig', file: values.configFile }
  if (values.imageInput === 'credentials') return { kind: 'registries', credentials: values.credentials.map(trimmed) }
  const password = values.stored.find(({ key, action }) => key === 'password' && action === 'replace')
  return secret.type === secretTypes.basicAuth && password
    ? { kind: 'basicAuth', username: '', password: textOf(password.value) }
    : undefined
}

function dataChanges(secret: Secret, { stored, added, imageInput, ...values }: EditInput) {
  const key = secret.type === secretTypes.dockerConfig ? '.dockercfg' : '.dockerconfigjson'
  return Object.fromEntries<string | undefined>([
    ...stored.filter(({ action }) => action === 'replace').map((row) => [row.key, toData(row.value)] as const),
    ...stored.filter(({ action }) => action === 'remove').map((row) => [row.key, undefined] as const),
    ...added.map((row) => [row.key, toData(row.value)] as const),
    ...(imageInput === 'file' ? [[key, toData(values.configFile)] as const] : []),
    ...(imageInput === 'credentials'
      ? [[key, textToBase64(registryConfig(values.credentials.map(trimmed), key))] as const]
      : []),
  ])
}

/** What can be done with an existing key: the API server rejects a secret without those that its type requires. */
export const actionsFor = (secret: Secret, key: string) =>
  actions
    .filter((action) => action !== 'remove' || !requiredKeys(secret).includes(key))
    .map((value) => ({ value, label: actionLabels[value] }))

const actionLabels = { keep: 'Keep the value', replace: 'Replace the value', remove: 'Remove the key' } as const

/** How the links change; `undefined` if they stay as they are. @param linked components that it is linked to now */
export function linkChanges(
  original: EditInput,
  { linkOption, components }: EditInput,
  linked: readonly string[],
): { target: LinkTarget; unlink: string[] } | undefined {
  const isSame =
    linkOption === original.linkOption &&
    (linkOption !== 'partial' || [...components].sort().join() === [...original.components].sort().join())
  if (isSame) return undefined
  if (linkOption === 'all') return { target: { option: 'all' }, unlink: [] }
  const kept = linkOption === 'partial' ? components : []
  return {
    target: linkOption === 'partial' ? { option: 'partial', components } : { option: 'none' },
    unlink: linked.filter((component) => !kept.includes(component)),
  }
}
