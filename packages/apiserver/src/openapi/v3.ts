import type { GroupVersionKind, JsonSchema } from '../apiextensions/json-schema'
import { addPublished } from './builtin-schemas'
import { definitionName, listMetadataName, metadataName } from './definition-names'
import { describedBy, gvkOf, operationsOf, pathParameters, type OpenApiKind, type Operation } from './operations'

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** The OpenAPI 3 document of one group version. */
export function v3Document(kinds: readonly OpenApiKind[], version: string): object {
  const schemas = schemasOf(kinds, ref)
  const paths: Record<string, Record<string, object>> = {}
  for (const kind of kinds) {
    for (const operation of operationsOf(kind)) {
      const { path, method } = operation
      const item = (paths[path] ??= { parameters: pathParameters(operation).map(pathParameter) })
      item[method] = operationObject(operation, kind.isCustom)
    }
  }
  return { openapi: '3.0.0', info: { title: 'Kubernetes', version }, paths, components: { schemas } }
}

/** The schemas of kinds, of their lists and of everything in them by name. @param refTo returns a reference to one */
export function schemasOf(kinds: readonly OpenApiKind[], refTo: typeof ref): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {}
  for (const shared of [metadataName, listMetadataName]) addPublished(shared, schemas, refTo)
  for (const kind of kinds) {
    for (const { gvk, schema, isCustom } of describedBy(kind)) {
      const name = definitionName(gvk, isCustom)
      if (isCustom) schemas[name] = customSchema(schema, refTo)
      else addPublished(name, schemas, refTo)
      schemas[name] = { ...schemas[name], 'x-kubernetes-group-version-kind': [gvk] }
    }
    if (kind.verbs.includes('list')) {
      const gvk = gvkOf(kind)
      const name = definitionName(gvk, kind.isCustom)
      schemas[`${name}List`] = listSchema(name, gvk, refTo)
    }
  }
  return schemas
}

const string: JsonSchema = { type: 'string' }

const customSchema = ({ properties, ...schema }: JsonSchema, refTo: typeof ref): JsonSchema => ({
  ...schema,
  properties: {
    apiVersion: string,
    kind: string,
    ...properties,
    metadata: { ...properties?.['metadata'], ...refTo(metadataName) },
  },
})

const listSchema = (name: string, gvk: GroupVersionKind, refTo: typeof ref): JsonSchema => ({
  type: 'object',
  properties: {
    apiVersion: string,
    kind: string,
    metadata: refTo(listMetadataName),
    items: { type: 'array', items: refTo(name) },
  },
  required: ['items'],
  'x-kubernetes-group-version-kind': [{ ...gvk, kind: `${gvk.kind}List` }],
})

const pathParameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } })
const queryParameter = (name: string) => ({ name, in: 'query', schema: { type: 'string' } })

const patchTypes = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml']
// kubectl checks the document for this type, which custom kinds do not accept.
const strategicPatch = 'application/strategic-merge-patch+json'

function operationObject(operation: Operation, isCustom: boolean): object {
  const { method, action, id, query, response, hasBody, gvk } = operation
  const name = definitionName(gvk, isCustom)
  const allPatchTypes = isCustom ? patchTypes : [...patchTypes, strategicPatch]
  const bodyTypes = method === 'patch' ? allPatchTypes : ['application/json']
  const bodySchema = method === 'patch' ? { type: 'object' } : ref(name)
  return {
    operationId: id,
    parameters: query.map(queryParameter),
    ...(hasBody && {
      requestBody: {
        required: true,
        content: Object.fromEntries(bodyTypes.map((type) => [type, { schema: bodySchema }])),
      },
    }),
    responses: {
      [method === 'post' ? '201' : '200']: { description: 'OK', content: contentOf(response, name) },
      '401': { description: 'Unauthorized' },
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk,
  }
}

function contentOf(response: Operation['response'], name: string): object {
  switch (response) {
    case 'text':
      return { 'text/plain': { schema: { type: 'string' } } }
    case 'status':
      return { 'application/json': { schema: { type: 'object' } } }
    case 'list':
      return { 'application/json': { schema: ref(`${name}List`) } }
    case 'object':
      return { 'application/json': { schema: ref(name) } }
  }
}
