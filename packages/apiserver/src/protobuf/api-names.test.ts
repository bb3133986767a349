import * as client from '@kubernetes/client-node'
import { expect, it, test } from 'vitest'
import { protobufKinds } from './decode'
import { messageOf } from './kinds'
import type { Message, Type } from './message'
import { fieldsIn } from './testing'

// Checks the tables against the models that @kubernetes/client-node generates from the published OpenAPI document.

interface Model {
  getAttributeTypeMap(): { baseName: string; type: string }[]
}

const modelNames: Record<string, string> = {
  'v1 Event': 'CoreV1Event',
  'events.k8s.io/v1 Event': 'EventsV1Event',
  'authentication.k8s.io/v1 TokenRequest': 'AuthenticationV1TokenRequest',
}

// The package exports every model by name, which its types do not express.
const modelOf = (name: string): Model | undefined => (client as unknown as Record<string, Model>)[name]

/** The type of a field as spelled in the models; for a message, the name of the model that the field must have. */
function spelled(type: Type, attribute: string): string {
  switch (type.is) {
    case 'string':
    case 'bytes':
      return 'string'
    case 'int':
      return 'number'
    case 'bool':
      return 'boolean'
    case 'time':
      return 'Date'
    case 'microTime':
      return 'V1MicroTime'
    case 'intOrString':
      return 'IntOrString'
    case 'json':
      return 'any'
    case 'message':
      return modelOf(inner(attribute)) ? inner(attribute) : 'a model'
    case 'wrapped':
      return spelled(type.of, attribute)
    case 'list':
      return `Array<${spelled(type.of, attribute)}>`
    case 'map':
      return `{ [key: string]: ${spelled(type.of, attribute)}; }`
    case 'unsupported':
      return attribute
  }
}

const inner = (attribute: string): string => /^Array<(.*)>$/.exec(attribute)?.[1] ?? attribute

const messageIn = (type: Type): Message | undefined =>
  type.is === 'message' ? type.message : 'of' in type ? messageIn(type.of) : undefined

interface Difference {
  wrong: string[]
  left: Set<string>
}

function compare(message: Message, modelName: string, found: Difference): Difference {
  const attributes = new Map(
    modelOf(modelName)
      ?.getAttributeTypeMap()
      .map(({ baseName, type }) => [baseName, type]),
  )
  const visit = (part: Message) => {
    for (const [, field] of fieldsIn(part)) {
      if ('inline' in field) {
        visit(field.inline)
        continue
      }
      const [name, type] = field
      const attribute = attributes.get(name)
      attributes.delete(name)
      if (!attribute || attribute !== spelled(type, attribute)) found.wrong.push(`${modelName}.${name}: ${attribute}`)
      const inside = messageIn(type)
      if (inside && attribute) compare(inside, inner(attribute), found)
    }
  }
  visit(message)
  for (const name of attributes.keys()) found.left.add(`${modelName}.${name}`)
  return found
}

const compared = (apiVersion: string, kind: string) =>
  compare(messageOf(apiVersion, kind) ?? {}, modelNames[`${apiVersion} ${kind}`] ?? `V1${kind}`, {
    wrong: [],
    left: new Set(),
  })

test.each(protobufKinds)('names and types of $apiVersion $kind match the API', ({ apiVersion, kind }) =>
  expect(compared(apiVersion, kind).wrong).toEqual([]),
)

it('the tables omit only fields that kubelets report or that few clients use', () => {
  const left = new Set(protobufKinds.flatMap(({ apiVersion, kind }) => [...compared(apiVersion, kind).left]))
  expect([...left].filter((name) => !/\.(apiVersion|kind)$/.test(name)).sort()).toEqual([
    'V1ContainerStatus.allocatedResourcesStatus',
    'V1ContainerStatus.stopSignal',
    'V1DeleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential',
    'V1PodCondition.observedGeneration',
    'V1PodStatus.extendedResourceClaimStatus',
    'V1PodStatus.observedGeneration',
  ])
})
