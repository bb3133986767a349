import type { GroupVersionKind, JsonSchema } from '../apiextensions/json-schema'
import { metadataSchema } from './builtin-schemas'
import { definitionName, listMetadataName, metadataName } from './definition-names'
import { describedBy, gvkOf, operationsOf, pathParameters, type OpenApiKind, type Operation } from './operations'
import { int64, objectOf, string } from './schema-parts'

export const listMetadataSchema: JsonSchema = objectOf({
  continue: string,
  remainingItemCount: int64,
  resourceVersion: string,
})

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** The OpenAPI 3 document of one group version. */
export function v3Document(kinds: readonly OpenApiKind[], version: string): object {
  const schemas: Record<string, JsonSchema> = { [metadataName]: metadataSchema, [listMetadataName]: listMetadataSchema }
  const paths: Record<string, Record<string, object>> = {}
  for (const kind of kinds) {
    for (const { gvk, schema, isCustom } of describedBy(kind)) {
      schemas[definitionName(gvk, isCustom)] = kindSchema(schema, gvk, ref)
    }
    if (kind.verbs.includes('list')) {
      const gvk = gvkOf(kind)
      const name = definitionName(gvk, kind.isCustom)
      schemas[`${name}List`] = listSchema(name, gvk, ref)
    }
    for (const operation of operationsOf(kind)) {
      const { path, method } = operation
      const item = (paths[path] ??= { parameters: pathParameters(operation).map(pathParameter) })
      item[method] = operationObject(operation, kind.isCustom)
    }
  }
  return { openapi: '3.0.0', info: { title: 'Kubernetes', version }, paths, components: { schemas } }
}

/** @param refTo returns a reference to another definition in the same document */
export function kindSchema(schema: JsonSchema, gvk: GroupVersionKind, refTo: typeof ref): JsonSchema {
  const metadata = schema.properties?.['metadata']
  return {
    ...schema,
    properties: {
      apiVersion: string,
      kind: string,
      ...schema.properties,
      metadata: { ...metadata, ...refTo(metadataName) },
    },
    'x-kubernetes-group-version-kind': [gvk],
  }
}

export const listSchema = (name: string, gvk: GroupVersionKind, refTo: typeof ref): JsonSchema => ({
  ...objectOf(
    {
      apiVersion: string,
      kind: string,
      metadata: refTo(listMetadataName),
      items: { type: 'array', items: refTo(name) },
    },
    'items',
  ),
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
