import type { JsonPatchOperation } from '@slipway/kube/client'
import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { Write } from './writes'

// Values of Secrets never reach the screen or the clipboard: placeholders with the names of the keys take their place.

const isSecret = ({ group, kind }: ResourceType): boolean => group === '' && kind === 'Secret'

/** The annotation in which `kubectl apply` stores the complete object, values included. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

const textPlaceholder = (key: string): string => `<${key}>`
const base64Placeholder = (key: string): string => `<${key}, in base64>`

type Values = Record<string, unknown>
interface SecretObject extends KubeObject {
  data?: Values
  stringData?: Values
}

const mapped = (values: Values, placeholder: (key: string) => string): Values =>
  Object.fromEntries(Object.keys(values).map((key) => [key, placeholder(key)]))

function withPlaceholders(
  object: KubeObject,
  dataPlaceholder: (key: string) => string,
  stringPlaceholder: (key: string) => string,
): KubeObject {
  // Its type says that the object is a Secret. Absent maps stay absent.
  const { data, stringData, ...rest }: SecretObject = object
  const { [lastApplied]: _, ...annotations } = object.metadata.annotations ?? {}
  return {
    ...rest,
    metadata: { ...object.metadata, ...(object.metadata.annotations && { annotations }) },
    ...(data && { data: mapped(data, dataPlaceholder) }),
    ...(stringData && { stringData: mapped(stringData, stringPlaceholder) }),
  }
}

export const maskObject = <T extends KubeObject>(type: ResourceType, object: T): KubeObject =>
  isSecret(type) ? withPlaceholders(object, base64Placeholder, textPlaceholder) : object

/** Two versions of an object in which different values have different placeholders. */
export function maskVersions(
  type: ResourceType,
  before: KubeObject | undefined,
  after: KubeObject | undefined,
): [KubeObject | undefined, KubeObject | undefined] {
  if (!isSecret(type)) return [before, after]
  const old: SecretObject | undefined = before
  const now: SecretObject | undefined = after
  const placeholder = (key: string) =>
    old?.data && old.data[key] !== now?.data?.[key] ? `<new ${key}>` : textPlaceholder(key)
  return [
    old && withPlaceholders(old, textPlaceholder, textPlaceholder),
    now && withPlaceholders(now, placeholder, placeholder),
  ]
}

export function maskWrite(write: Write): Write {
  if (!isSecret(write.type)) return write
  if ('object' in write) return { ...write, object: maskObject(write.type, write.object) }
  return write.verb === 'patch' ? { ...write, patch: write.patch.map(maskOperation) } : write
}

function maskOperation(operation: JsonPatchOperation): JsonPatchOperation {
  if (!('value' in operation)) return operation
  const [, member, key] = operation.path.split('/')
  const placeholder = member === 'data' ? base64Placeholder : textPlaceholder
  if (member === 'metadata') return operation
  if (member !== 'data' && member !== 'stringData') return { ...operation, value: '<value>' }
  if (key !== undefined) return { ...operation, value: placeholder(key.replaceAll('~1', '/').replaceAll('~0', '~')) }
  return { ...operation, value: mapped(Object(operation.value), placeholder) }
}
