import * as client from '@kubernetes/client-node'
import { expect, it, test } from 'vitest'
import { messageOf, protobufKinds } from './kinds'
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
  }
}

const inner = (attribute: string): string => /^Array<(.*)>$/.exec(attribute)?.[1] ?? attribute

const messageIn = (type: Type): Message | undefined =>
  type.is === 'message' ? type.message : 'of' in type ? messageIn(type.of) : undefined

interface Difference {
  wrong: string[]
  /** Fields that only the models have. */
  left: Set<string>
  /** Fields that only the tables have. */
  newer: Set<string>
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
      if (!attribute) found.newer.add(`${modelName}.${name}`)
      else if (attribute !== spelled(type, attribute)) found.wrong.push(`${modelName}.${name}: ${attribute}`)
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
    newer: new Set(),
  })

test.each(protobufKinds)('names and types of $apiVersion $kind match the API', ({ apiVersion, kind }) =>
  expect(compared(apiVersion, kind).wrong).toEqual([]),
)

it('the tables have all fields, and those that Kubernetes 1.35 added', () => {
  const differences = protobufKinds.map(({ apiVersion, kind }) => compared(apiVersion, kind))
  const left = new Set(differences.flatMap((found) => [...found.left]))
  expect([...left].filter((name) => !/\.(apiVersion|kind)$/.test(name))).toEqual([])
  expect(differences.flatMap(({ newer }) => [...newer]).sort()).toEqual([
    'V1PodCertificateProjection.userAnnotations',
    'V1PodSpec.workloadRef',
    'V1PodStatus.allocatedResources',
    'V1PodStatus.resources',
  ])
})
