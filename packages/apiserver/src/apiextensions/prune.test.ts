import { expect, it, test } from 'vitest'
import type { JsonSchema } from './json-schema'
import { compileSchema } from './structural-schema'

const text: JsonSchema = { type: 'string' }
const ofSpec = (spec: JsonSchema): JsonSchema => ({ type: 'object', properties: { spec } })
const object = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
})
const keep = { 'x-kubernetes-preserve-unknown-fields': true }

test.each<[string, JsonSchema, unknown, unknown, string[]]>([
  ['a known field', object({ a: text }), { a: 'x' }, { a: 'x' }, []],
  ['an unknown field', object({ a: text }), { a: 'x', b: 1 }, { a: 'x' }, ['spec.b']],
  ['all fields of an object without properties', { type: 'object' }, { a: 1 }, {}, ['spec.a']],
  [
    'unknown fields in a list',
    { type: 'array', items: object({ a: text }) },
    [{ a: 'x' }, { b: 1 }],
    [{ a: 'x' }, {}],
    ['spec[1].b'],
  ],
  [
    'unknown fields in a map',
    { type: 'object', additionalProperties: object({}) },
    { k: { b: 1 } },
    { k: {} },
    ['spec.k.b'],
  ],
  [
    'nothing in a map of anything',
    { type: 'object', additionalProperties: true },
    { k: { b: 1 } },
    { k: { b: 1 } },
    [],
  ],
  [
    'nothing below a preserving node',
    { type: 'object', ...keep },
    { a: { b: [{ c: 1 }] } },
    { a: { b: [{ c: 1 }] } },
    [],
  ],
  [
    'below a declared field of a preserving node',
    object({ a: object({}) }, keep),
    { a: { b: 1 }, c: { d: 1 } },
    { a: {}, c: { d: 1 } },
    ['spec.a.b'],
  ],
  ['int or string', object({ a: { 'x-kubernetes-int-or-string': true } }), { a: 5 }, { a: 5 }, []],
  [
    'an embedded resource',
    object({
      template: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: object({ a: text }) } },
    }),
    { template: { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', foo: 1 }, spec: { a: 'x', b: 1 }, c: 1 } },
    { template: { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, spec: { a: 'x' } } },
    ['spec.template.c', 'spec.template.metadata.foo', 'spec.template.spec.b'],
  ],
  [
    'unknown fields of owners of an embedded resource',
    object({ template: { type: 'object', 'x-kubernetes-embedded-resource': true } }),
    {
      template: {
        apiVersion: 'v1',
        kind: 'X',
        metadata: { ownerReferences: [{ name: 'x', foo: 1 }], managedFields: [{ fieldsV1: { 'f:a': {} }, foo: 1 }] },
      },
    },
    {
      template: {
        apiVersion: 'v1',
        kind: 'X',
        metadata: { ownerReferences: [{ name: 'x' }], managedFields: [{ fieldsV1: { 'f:a': {} } }] },
      },
    },
    ['spec.template.metadata.managedFields[0].foo', 'spec.template.metadata.ownerReferences[0].foo'],
  ],
  [
    'names of Object.prototype',
    object({}),
    JSON.parse('{"__proto__":{"a":1},"constructor":1}'),
    {},
    ['spec.__proto__', 'spec.constructor'],
  ],
])('prunes %s', (_, spec, given, left, unknown) => {
  const schema = compileSchema(ofSpec(spec))
  const holder = { spec: structuredClone(given) }
  if (!Array.isArray(given) && Object.hasOwn(given as object, '__proto__')) holder.spec = given // Not cloned by all engines.
  expect(schema.unknownFields(holder)).toEqual(unknown)
  schema.prune(holder)
  expect(holder).toEqual({ spec: left })
  expect(schema.unknownFields(holder)).toEqual([])
})

it('pruning keeps apiVersion, kind and known metadata regardless of the schema', () => {
  const whole = { apiVersion: 'a/v1', kind: 'A', metadata: { name: 'x', labels: { a: 'b' }, nonsense: 1 }, other: 1 }
  compileSchema({ type: 'object' }).prune(whole)
  expect(whole).toEqual({ apiVersion: 'a/v1', kind: 'A', metadata: { name: 'x', labels: { a: 'b' } } })
})

test.each<[string, JsonSchema, unknown, unknown]>([
  ['absent', object({ a: { ...text, default: 'd' } }), {}, { a: 'd' }],
  ['present', object({ a: { ...text, default: 'd' } }), { a: 'x' }, { a: 'x' }],
  ['null that is not allowed', object({ a: { ...text, default: 'd' } }), { a: null }, { a: 'd' }],
  ['null that is allowed', object({ a: { ...text, nullable: true, default: 'd' } }), { a: null }, { a: null }],
  ['null without a default', object({ a: text }), { a: null }, {}],
  ['inside a default', object({ a: object({ b: { ...text, default: 'd' } }, { default: {} }) }), {}, { a: { b: 'd' } }],
  ['no parent', object({ a: object({ b: { ...text, default: 'd' } }) }), {}, {}],
  ['in a list', { type: 'array', items: object({ b: { ...text, default: 'd' } }) }, [{}], [{ b: 'd' }]],
  ['in a map', { type: 'object', additionalProperties: { ...text, default: 'd' } }, { k: null }, { k: 'd' }],
])('defaults: %s', (_, spec, given, expected) => {
  const holder = { spec: given }
  compileSchema(ofSpec(spec)).applyDefaults(holder)
  expect(holder).toEqual({ spec: expected })
})

it('every object gets its own copy of a default', () => {
  const schema = compileSchema(ofSpec(object({ a: { type: 'array', items: text, default: [] } })))
  const [one, two] = [{ spec: {} as { a?: string[] } }, { spec: {} as { a?: string[] } }]
  schema.applyDefaults(one)
  schema.applyDefaults(two)
  one.spec.a?.push('x')
  expect(two.spec.a).toEqual([])
})
