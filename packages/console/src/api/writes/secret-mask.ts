import type { JsonPatchOperation } from '@slipway/kube/client'
import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { isSecret, type Write } from './writes'

// Values of Secrets never reach the screen or the clipboard: placeholders with the names of the keys take their place.

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

/**
 * The object before and after a write, with a different placeholder for each value that the write sets. Whether that
 * differs from the current value is unknown, since the gateway blanks the values of Secrets in every response.
 */
export function maskVersions(
  write: Write,
  before: KubeObject | undefined,
  after: KubeObject | undefined,
): [KubeObject | undefined, KubeObject | undefined] {
  if (!isSecret(write.type)) return [before, after]
  const keys = before ? keysSetBy(write) : () => false
  const placeholder = (key: string) => (keys(key) ? `<new ${key}>` : textPlaceholder(key))
  return [
    before && withPlaceholders(before, textPlaceholder, textPlaceholder),
    after && withPlaceholders(after, placeholder, placeholder),
  ]
}

/** Returns whether a write sets the value of a key. */
function keysSetBy(write: Write): (key: string) => boolean {
  if ('object' in write) {
    const { data, stringData }: SecretObject = write.object
    return (key) => [data, stringData].some((values) => values && Object.hasOwn(values, key))
  }
  if (write.verb !== 'patch') return () => false
  const setters = write.patch.filter(({ op }) => op !== 'remove' && op !== 'test')
  return (key) =>
    setters.some(({ path, ...operation }) => {
      const [, member, name] = path.split('/')
      if (member === undefined) return true
      if (member !== 'data' && member !== 'stringData') return false
      if (name !== undefined) return unescaped(name) === key
      return 'value' in operation && Object.hasOwn(Object(operation.value), key)
    })
}

/** The name in a JSON pointer. */
const unescaped = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~')

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
  if (key !== undefined) return { ...operation, value: placeholder(unescaped(key)) }
  return { ...operation, value: mapped(Object(operation.value), placeholder) }
}
