import type { Secret } from '@slipway/kube/core-types'
import { labelValueErrors } from '@slipway/kube/label-syntax'
import { secretName } from '@slipway/model/resource-name'
import type { LinkTarget } from '@slipway/model/secrets/link-request'
import {
  normalizeRegistry,
  parseRegistryConfig,
  type RegistryCredentials,
  usernameError,
} from '@slipway/model/secrets/registry-config'
import { buildSecret, type SecretContent, secretPresets, textOf } from '@slipway/model/secrets/secret-content'
import { maxUrlLength, parseGitUrl, urlTooLong } from '@slipway/model/git/git-url'
import * as z from 'zod/mini'
import type { AppliedWrite } from '../../api/writes/perform-writes'
import { emptyFile, type FileValue } from '../../lib/file-value'
import { issueUnless } from '../../ui/form/issue-unless'
import type { KeyValue } from '../../ui/form/KeyValuesField'
import { type LabelRow, labelRows, labelsOf } from '../labels/label-rows'

const secretKinds = ['opaque', 'image', 'source'] as const
const audiences = ['Build', 'Deployment'] as const
const imageInputs = ['credentials', 'file'] as const
const sourceInputs = ['basic', 'ssh'] as const
export const linkOptions = ['none', 'all', 'partial'] as const

/** Everything that a user can enter, also for the types that are not selected: another choice does not lose it. */
export interface SecretInput {
  kind: (typeof secretKinds)[number]
  name: string
  secretFor: (typeof audiences)[number]
  keyValues: KeyValue[]
  imageInput: (typeof imageInputs)[number]
  credentials: RegistryCredentials[]
  configFile: FileValue
  sourceInput: (typeof sourceInputs)[number]
  username: string
  password: string
  privateKey: FileValue
  host: string
  repository: string
  linkOption: (typeof linkOptions)[number]
  components: string[]
  labels: LabelRow[]
}

export const emptyKeyValue: KeyValue = { key: '', value: emptyFile }
export const emptyCredentials: RegistryCredentials = { registry: '', username: '', password: '', email: '' }

export const secretDefaults: SecretInput = {
  kind: 'opaque',
  name: '',
  secretFor: 'Build',
  keyValues: [emptyKeyValue],
  imageInput: 'credentials',
  credentials: [emptyCredentials],
  configFile: emptyFile,
  sourceInput: 'basic',
  username: '',
  password: '',
  privateKey: emptyFile,
  host: '',
  repository: '',
  linkOption: 'none',
  components: [],
  labels: [],
}

const required = z.string().check(z.minLength(1, { error: 'Required', abort: true }))
const requiredText = z.string().check(z.refine((text) => text.trim() !== '', { error: 'Required' }))
export const requiredFile = z
  .custom<FileValue>()
  .check(z.refine(({ content }) => content !== '', { error: 'Required', abort: true }))

const usernameText = requiredText.check(issueUnless(usernameError))
const registryText = z.string().check(z.refine((text) => normalizeRegistry(text) !== '', { error: 'Required' }))

/**
 * Marks every entry of a list whose text repeats that of an earlier one.
 * @param normalize the form in which two texts are compared
 */
const unique =
  <Row>(member: keyof Row & string, error: string, normalize = (text: string) => text.trim()): z.core.CheckFn<Row[]> =>
  ({ value, issues }) => {
    const texts = value.map((row) => normalize(String(row[member])))
    for (const [index, text] of texts.entries())
      if (text && texts.indexOf(text) < index)
        issues.push({ code: 'custom', path: [index, member], message: error, input: text })
  }

const dataKey = required.check(
  z.regex(/^[-._a-zA-Z0-9]{1,253}$/, {
    error: 'Must be at most 253 letters, numbers, hyphens ( - ), underscores ( _ ) or periods ( . ).',
    abort: true,
  }),
  z.refine((key) => !/^\.{1,2}$|^\.\./.test(key), { error: 'Must not start with two periods.' }),
)
export const keyValueRows = z
  .array(z.object({ key: dataKey, value: requiredFile }))
  .check(unique('key', 'Each key can be used once.'))

export const configFile = requiredFile.check(({ value, issues }) => {
  const config = parseRegistryConfig(textOf(value))
  if (typeof config === 'string') issues.push({ code: 'custom', message: config, input: value })
})

export const credentialRows = z
  .array(z.object({ registry: registryText, username: usernameText, password: required, email: z.string() }))
  .check(
    z.minLength(1, { error: 'Add at least one registry.' }),
    unique('registry', 'Each registry can be used once.', normalizeRegistry),
  )

/** What is required depends on the type. */
const contentSchemas = {
  opaque: z.object({ keyValues: keyValueRows.check(z.minLength(1, { error: 'Add at least one key.' })) }),
  credentials: z.object({ credentials: credentialRows }),
  file: z.object({ configFile }),
  basic: z.object({ username: usernameText, password: required }),
  ssh: z.object({ privateKey: requiredFile }),
}

/** A port has no place in the label that holds the host. */
const host = z.string().check(
  z.refine((text) => labelValueErrors(text.trim()).length === 0, {
    error: 'Must be a host, such as gitlab.example.com, without protocol, port or path.',
  }),
)
const repository = z.string().check(z.maxLength(maxUrlLength, { error: urlTooLong }))

export const sourceSchema = z.object({ host, repository })
export const linkSchema = z.object({ components: z.array(z.string()).check(z.minLength(1, { error: 'Required' })) })

interface SchemaOptions {
  /** Why a name cannot be used, besides the rule for all names. */
  nameError: (name: string) => string | undefined
  /** Whether a name stands for a secret that exists, so that its values need not be entered. */
  isExisting?: (name: string) => boolean
}

/** The rules of the form. Values of types that are not selected may be anything. */
export const secretSchema = ({ nameError, isExisting = () => false }: SchemaOptions) => {
  const nameSchema = z.object({
    name: secretName.check(({ value, issues }) => {
      const message = nameError(value)
      if (message) issues.push({ code: 'custom', message, input: value })
    }),
  })
  // None of these can fail: zod skips the checks of an object if one of its members is invalid.
  return z
    .object({
      kind: z.enum(secretKinds),
      name: z.string(),
      secretFor: z.enum(audiences),
      keyValues: z.custom<KeyValue[]>(),
      imageInput: z.enum(imageInputs),
      credentials: z.custom<RegistryCredentials[]>(),
      configFile: z.custom<FileValue>(),
      sourceInput: z.enum(sourceInputs),
      username: z.string(),
      password: z.string(),
      privateKey: z.custom<FileValue>(),
      host: z.string(),
      repository: z.string(),
      linkOption: z.enum(linkOptions),
      components: z.array(z.string()),
      labels: z.custom<SecretInput['labels']>(),
    })
    .check(({ value, issues }) => {
      issues.push(...issuesOf(value, isExisting(value.name) ? [nameSchema] : [nameSchema, ...schemasOf(value)]))
    })
}

export const labelSchema = z.object({ labels: labelRows })

/** What some schemas find in the same values. */
export const issuesOf = (values: object, schemas: readonly z.ZodMiniType[]): z.core.$ZodRawIssue[] =>
  schemas.flatMap((schema) =>
    (schema.safeParse(values).error?.issues ?? []).map(({ message, path }) => ({
      code: 'custom' as const,
      message,
      path,
      input: values,
    })),
  )

const schemasOf = (values: SecretInput): z.ZodMiniType[] => [
  contentSchemas[inputOf(values)],
  ...(values.kind === 'source' ? [sourceSchema] : []),
  ...(isLinkableInput(values) && values.linkOption === 'partial' ? [linkSchema] : []),
  labelSchema,
]

/** Which group of fields holds the values of the secret. */
export function inputOf({ kind, imageInput, sourceInput }: SecretInput): keyof typeof contentSchemas {
  if (kind === 'opaque') return 'opaque'
  return kind === 'image' ? imageInput : sourceInput
}

/** Whether the secret can be linked to the service accounts of builds. */
export const isLinkableInput = (values: Pick<SecretInput, 'kind' | 'sourceInput' | 'secretFor'>): boolean =>
  values.secretFor === 'Build' &&
  (values.kind === 'image' || (values.kind === 'source' && values.sourceInput === 'basic'))

/** The preset that a name selects. */
export const presetOf = ({ kind, name }: Pick<SecretInput, 'kind' | 'name'>) =>
  kind === 'opaque' ? secretPresets.find((preset) => preset.name === name) : undefined

/** Which components the new secret is linked to. */
export function linkTargetOf(values: SecretInput): LinkTarget {
  if (!isLinkableInput(values) || values.linkOption === 'none') return { option: 'none' }
  return values.linkOption === 'all' ? { option: 'all' } : { option: 'partial', components: values.components }
}

export function contentOf(values: SecretInput): SecretContent {
  const { keyValues, credentials, configFile: file, username, password, privateKey } = values
  switch (inputOf(values)) {
    case 'opaque':
      return { kind: 'opaque', entries: keyValues }
    case 'credentials':
      return { kind: 'registries', credentials: credentials.map(trimmed) }
    case 'file':
      return { kind: 'registryConfig', file }
    case 'basic':
      return { kind: 'basicAuth', username: username.trim(), password }
    case 'ssh':
      return { kind: 'sshAuth', privateKey }
  }
}

/** The registry as tools look it up. A space at the end is a slip of the hand, except in a password. */
export const trimmed = ({ registry, username, password, email }: RegistryCredentials): RegistryCredentials => ({
  registry: normalizeRegistry(registry),
  username: username.trim(),
  password,
  email: email.trim(),
})

/** The Secret that valid values describe. */
export const toSecret = (values: SecretInput, namespace: string): Secret =>
  buildSecret({
    name: values.name,
    namespace,
    content: contentOf(values),
    source: { host: values.host.trim().toLowerCase(), repository: values.repository.trim() },
    labels: labelsOf(values.labels),
    isCommon: linkTargetOf(values).option === 'all',
    isForDeployment: values.secretFor === 'Deployment',
  })

/** The Secret that was created from them, without its values, since the task that links it outlives the form. */
export function writtenSecret(values: SecretInput, namespace: string, applied: AppliedWrite | undefined): Secret {
  const { data: _, ...secret } = toSecret(values, namespace)
  const uid = (applied?.result as Secret | undefined)?.metadata.uid
  return { ...secret, metadata: { ...secret.metadata, uid } }
}

/** The host and repository in a URL that was entered as one of them. */
export const sourceIn = (text: string): Pick<SecretInput, 'host' | 'repository'> | undefined => {
  const location = parseGitUrl(text)
  return location && { host: location.host, repository: location.path }
}
