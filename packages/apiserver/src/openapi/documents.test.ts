import { describe, expect, it } from 'vitest'
import { allVerbs, type Subresource } from '../resource'
import { compileSchema } from '../apiextensions/structural-schema'
import { builtinSchema } from './builtin-schemas'
import { createOpenApi } from './documents'
import type { OpenApiKind } from './operations'
import { encodeMessage } from './protobuf'

const configMap: OpenApiKind = {
  type: { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true },
  schema: builtinSchema({ group: '', version: 'v1', kind: 'ConfigMap' }) ?? {},
  verbs: allVerbs,
  hasStatus: false,
  isCustom: false,
}
const widget: OpenApiKind = {
  type: { group: 'example.org', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true },
  schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        description: 'What it should be.',
        required: ['size'],
        properties: {
          size: { type: 'integer' },
          port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'string' } } },
          maybe: { type: 'string', nullable: true },
        },
      },
    },
  },
  verbs: allVerbs,
  hasStatus: true,
  isCustom: true,
}
const log: Subresource = { name: 'log', type: widget.type, verbs: ['get'], servedBy: 'log', query: ['tailLines'] }
const openApi = createOpenApi([configMap, widget], 'v1.32.0')
const widgetName = 'org.example.v1.Widget'

describe('version 3', () => {
  const document = openApi.v3('apis/example.org/v1')?.document

  it('lists a document with a hash for every group version', () => {
    const hash = openApi.v3('api/v1')?.hash
    expect(openApi.index()).toEqual({
      paths: {
        'api/v1': { serverRelativeURL: `/openapi/v3/api/v1?hash=${hash}` },
        'apis/example.org/v1': { serverRelativeURL: expect.stringContaining('/openapi/v3/apis/example.org/v1?hash=') },
      },
    })
    expect(openApi.v3('apis/nobody/v1')).toBeUndefined()
  })

  it('changes the hash only if the schema changes', () => {
    const hashWith = (kind: OpenApiKind) => createOpenApi([kind], 'v1.32.0').v3('apis/example.org/v1')?.hash
    expect(hashWith(widget)).toBe(hashWith({ ...widget, schema: structuredClone(widget.schema) }))
    expect(hashWith(widget)).not.toBe(hashWith({ ...widget, schema: { type: 'object' } }))
    expect(hashWith(widget)).not.toBe(hashWith({ ...widget, hasStatus: false }))
    expect(hashWith(widget)).not.toBe(hashWith({ ...widget, subresources: [log] }))
  })

  it('labels schemas with their kinds, and PATCH operations with kind and query parameters', () => {
    const gvk = { group: 'example.org', version: 'v1', kind: 'Widget' }
    expect(document).toMatchObject({
      components: { schemas: { [widgetName]: { 'x-kubernetes-group-version-kind': [gvk] } } },
      paths: {
        '/apis/example.org/v1/namespaces/{namespace}/widgets/{name}': {
          patch: {
            'x-kubernetes-group-version-kind': gvk,
            'x-kubernetes-action': 'patch',
            parameters: expect.arrayContaining(
              ['dryRun', 'fieldValidation', 'fieldManager'].map((name) =>
                expect.objectContaining({ name, in: 'query' }),
              ),
            ),
          },
        },
      },
    })
  })

  it('lists the strategic merge patch for built-in kinds only', () => {
    const bodyOf = (key: string, path: string) =>
      [
        ...JSON.stringify(openApi.v3(key)?.document, [
          ...['paths', path, 'patch', 'requestBody', 'content'],
          ...['application/strategic-merge-patch+json', 'application/merge-patch+json'],
        ]).matchAll(/application\/([a-z-]+)/g),
      ].map(([, type]) => type)
    expect(bodyOf('api/v1', '/api/v1/namespaces/{namespace}/configmaps/{name}')).toContain('strategic-merge-patch')
    const widgets = '/apis/example.org/v1/namespaces/{namespace}/widgets/{name}'
    expect(bodyOf('apis/example.org/v1', widgets)).toEqual(['merge-patch'])
  })

  it('includes the status subresource where there is one, and resolves every reference', () => {
    expect(document).toHaveProperty(['paths', '/apis/example.org/v1/namespaces/{namespace}/widgets/{name}/status'])
    const text = JSON.stringify(document)
    const names = [...text.matchAll(/#\/components\/schemas\/([^"]+)/g)].map(([, name]) => name)
    expect(names).toContain(`${widgetName}`)
    for (const name of names) expect(document).toHaveProperty(['components', 'schemas', name ?? ''])
  })
})

it('both versions describe subresources, as text or as another kind', () => {
  const type = { group: 'other.org', version: 'v2', kind: 'Question' }
  const question: Subresource = {
    name: 'question',
    type,
    verbs: ['create'],
    servedBy: 'log',
    schema: { type: 'object' },
  }
  const { v3, v2 } = createOpenApi([{ ...widget, subresources: [log, question] }], 'v1.32.0')
  const document = v3('apis/example.org/v1')?.document
  const item = '/apis/example.org/v1/namespaces/{namespace}/widgets/{name}'
  const questionName = 'org.other.v2.Question'
  const schema = { $ref: `#/components/schemas/${questionName}` }
  expect(document).toMatchObject({
    components: { schemas: { [questionName]: { 'x-kubernetes-group-version-kind': [type] } } },
    paths: {
      [`${item}/log`]: {
        get: {
          parameters: [{ name: 'tailLines', in: 'query' }],
          responses: { '200': { content: { 'text/plain': { schema: { type: 'string' } } } } },
        },
      },
      [`${item}/question`]: {
        post: {
          requestBody: { content: { 'application/json': { schema } } },
          responses: { '201': { content: { 'application/json': { schema } } } },
          'x-kubernetes-group-version-kind': type,
        },
      },
    },
  })
  expect(Object.keys(v2().paths[`${item}/log`] ?? {})).toEqual(['get'])
  expect(v2().paths[`${item}/question`]?.['post']?.['x-kubernetes-group-version-kind']).toEqual(type)
  expect(v2().definitions).toHaveProperty([questionName])
})

describe('version 2', () => {
  const { definitions } = openApi.v2()
  const spec = definitions[widgetName]?.properties?.['spec']

  it('omits what kubectl would misread', () => {
    expect(spec).toEqual({
      type: 'object',
      description: 'What it should be.',
      required: ['size'],
      properties: {
        size: { type: 'integer' },
        port: { type: 'string', format: 'int-or-string' },
        free: { type: 'object' },
        maybe: {},
      },
    })
  })

  it('has the same content in protobuf', () => {
    const document = decode(openApi.v2Protobuf())
    expect(textAt(document, 1)).toBe('2.0')
    const found = definitionsOf(document).get(widgetName)
    expect(found).toBeDefined()
    const properties = namedParts(fieldOf(found, 25))
    expect([...properties.keys()]).toEqual(['apiVersion', 'kind', 'spec', 'metadata'])
    const size = namedParts(fieldOf(properties.get('spec'), 25)).get('size')
    expect(textAt(fieldOf(size, 22), 1)).toBe('integer')
    expect(textAt(properties.get('metadata'), 1)).toMatch(/^#\/definitions\/.*ObjectMeta$/)
    expect([...definitionsOf(document).keys()].sort()).toEqual(Object.keys(openApi.v2().definitions).sort())
  })
})

it('encodeMessage writes lengths over 127 in several bytes', () => {
  const long = 'x'.repeat(300)
  const message = decode(
    encodeMessage([
      [1, [[2, long]]],
      [16, true],
    ]),
  )
  expect(textAt(fieldOf(message, 1), 2)).toBe(long)
  expect(message.get(16)).toEqual([1])
})

it.each([
  ['v1 ConfigMap', { data: { a: 'b' }, metadata: { name: 'x', labels: {} } }, []],
  ['v1 ConfigMap', { dta: {}, metadata: { name: 'x' } }, ['dta']],
  [
    'v1 Pod',
    {
      spec: {
        containers: [{ name: 'c', securityContext: { runAsUser: 1, x: 1 }, envv: [] }],
        volumes: [{ name: 'v', image: { reference: 'r' }, flocker: { datasetName: 'd' } }],
        hostNetwork: true,
        hostNetwrk: true,
      },
      metadata: {},
    },
    ['spec.containers[0].envv', 'spec.containers[0].securityContext.x', 'spec.hostNetwrk'],
  ],
  ['v1 Pod', { sepc: {}, metadata: {} }, ['sepc']],
])('builtinSchema knows the fields of %s', (key, object, unknown) => {
  const [version = '', kind = ''] = key.split(' ')
  expect(compileSchema(builtinSchema({ group: '', version, kind }) ?? {}).unknownFields(object)).toEqual(unknown)
})

it('builtinSchema returns undefined for other kinds', () => {
  expect(builtinSchema({ group: 'x.io', version: 'v1', kind: 'ConfigMap' })).toBeUndefined()
})

/** A message on the wire: bytes or a number for each field. */
type Message = Map<number, (Uint8Array | number)[]>

function decode(bytes: Uint8Array): Message {
  const message: Message = new Map()
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const tag = varint()
    const length = tag % 8 === 2 ? varint() : undefined
    const value = length === undefined ? varint() : bytes.subarray(at, (at += length))
    message.set(Math.floor(tag / 8), [...(message.get(Math.floor(tag / 8)) ?? []), value])
  }
  return message
}

const bytesOf = (message: Message | undefined, number: number): Uint8Array[] =>
  (message?.get(number) ?? []).filter((value) => value instanceof Uint8Array)
const fieldOf = (message: Message | undefined, number: number): Message =>
  decode(bytesOf(message, number)[0] ?? new Uint8Array())
const textAt = (message: Message | undefined, number: number): string =>
  new TextDecoder().decode(bytesOf(message, number)[0])
const namedParts = (message: Message): Map<string, Message> =>
  new Map(
    bytesOf(message, 1)
      .map(decode)
      .map((entry) => [textAt(entry, 1), fieldOf(entry, 2)]),
  )
const definitionsOf = (document: Message) => namedParts(fieldOf(document, 9))
