import { describe, expect, it, test } from 'vitest'
import { validateCrd, type CustomResourceDefinition } from './crd'
import type { JsonSchema } from './json-schema'
import { aCrd } from './testing'

const changed = (change: (crd: CustomResourceDefinition) => void): CustomResourceDefinition => {
  const crd = aCrd({ type: 'object' })
  change(crd)
  return crd
}
const version = { name: 'v2', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }

it('a valid definition has no errors', () => {
  expect(validateCrd(aCrd({ type: 'object', properties: { a: { type: 'string', default: 'x' } } }))).toEqual([])
})

test.each<[string, (crd: CustomResourceDefinition) => void, string, string]>([
  [
    'a name that does not match',
    (crd) => (crd.metadata.name = 'x'),
    'metadata.name',
    'Invalid value: "x": must be spec.names.plural+"."+spec.group',
  ],
  [
    'two storage versions',
    (crd) => crd.spec.versions.push(version),
    'spec.versions',
    'Invalid value: ["v1","v2"]: must have exactly one version marked as storage version',
  ],
  [
    'no storage version',
    (crd) => (crd.spec.versions = [{ ...version, name: 'v1', storage: false }]),
    'spec.versions',
    'Invalid value: []: must have exactly one version marked as storage version',
  ],
  [
    'a duplicate version',
    (crd) => crd.spec.versions.push({ ...version, name: 'v1', storage: false }),
    'spec.versions[1].name',
    'Duplicate value: "v1"',
  ],
  [
    'no schema',
    (crd) => (crd.spec.versions = [{ name: 'v1', served: true, storage: true }]),
    'spec.versions[0].schema.openAPIV3Schema',
    'Required value: schemas are required',
  ],
  [
    'a list kind with the name of the kind',
    (crd) => (crd.spec.names.listKind = 'Widget'),
    'spec.names.listKind',
    'Invalid value: "Widget": kind and listKind may not be the same',
  ],
  [
    'an unknown scope',
    (crd) => (crd.spec.scope = 'Global' as never),
    'spec.scope',
    'Unsupported value: "Global": supported values: "Cluster", "Namespaced"',
  ],
  [
    'a column of an unknown type',
    (crd) =>
      (crd.spec.versions = [{ ...version, additionalPrinterColumns: [{ name: 'A', type: 'text', jsonPath: '.a' }] }]),
    'spec.additionalPrinterColumns[0].type',
    'Invalid value: "text": must be one of integer,number,string,boolean,date',
  ],
])('%s', (_, change, field, message) => {
  expect(validateCrd(changed(change))).toEqual([expect.objectContaining({ field, message })])
})

describe('the schema', () => {
  test.each<[string, JsonSchema, string, string | RegExp]>([
    ['a field without a type', {}, '.type', 'Required value: must not be empty for specified object fields'],
    ['a list of anything', { type: 'array' }, '.items', 'Required value: must be specified'],
    [
      'a map list without keys',
      { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' },
      '.x-kubernetes-list-map-keys',
      'Required value: must not be empty if x-kubernetes-list-type is map',
    ],
    [
      'both properties and additionalProperties',
      { type: 'object', properties: {}, additionalProperties: { type: 'string' } },
      '.additionalProperties',
      'Forbidden: additionalProperties and properties are mutual exclusive',
    ],
    [
      'a rule with an unknown function',
      { type: 'string', 'x-kubernetes-validations': [{ rule: 'self.isSorted()' }] },
      '.x-kubernetes-validations[0].rule',
      /^Invalid value: {"Rule":"self.isSorted\(\)","Message":"",.*}: compilation failed: ERROR: .*'dyn.isSorted\(\)'/,
    ],
    [
      'an invalid pattern',
      { type: 'string', pattern: '(' },
      '.pattern',
      /must be a valid regular expression, but isn't/,
    ],
    ['a default of another type', { type: 'integer', default: 'a' }, '.default', /must be of type integer: "string"/],
  ])('%s', (_, spec, field, message) => {
    expect(validateCrd(aCrd(spec))).toEqual([
      expect.objectContaining({
        field: `spec.validation.openAPIV3Schema.properties[spec]${field}`,
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      }),
    ])
  })
})

it.each<[object, string]>([
  [{ enum: 'a' }, '.enum'],
  [{ required: 'a' }, '.required'],
  [{ pattern: 7 }, '.pattern'],
  [{ properties: { a: null } }, '.properties[a]'],
  [{ properties: [1] }, '.properties'],
  [{ items: [{ type: 'string' }] }, '.items'],
  [{ 'x-kubernetes-validations': [{ rule: 5 }] }, '.x-kubernetes-validations[0].rule'],
])('rejects %j as a schema', (nonsense, field) => {
  const at = `spec.validation.openAPIV3Schema.properties[spec]${field}`
  const causes = validateCrd(aCrd({ type: 'object', ...nonsense } as JsonSchema))
  expect(causes).toEqual([expect.objectContaining({ field: at, reason: 'FieldValueTypeInvalid' })])
})

it.each([{}, { spec: {} }, { spec: { names: {}, versions: [{}] } }])('validateCrd does not throw on %j', (nonsense) => {
  expect(validateCrd({ metadata: { name: 'x' }, ...nonsense } as CustomResourceDefinition)).toEqual([])
})

it('members that all versions share are checked once, others for each version', () => {
  const columns = [{ name: 'A', type: 'text', jsonPath: '.a' }]
  const faulty = { ...version, additionalPrinterColumns: columns, schema: { openAPIV3Schema: { type: 'array' } } }
  const crd = (second: object) =>
    changed((next) => (next.spec.versions = [faulty, { ...faulty, name: 'v3', storage: false, ...second }]))
  const fieldsOf = (second: object) => validateCrd(crd(second)).map(({ field }) => field)
  expect(fieldsOf({})).toEqual(
    expect.arrayContaining(['spec.validation.openAPIV3Schema.type', 'spec.additionalPrinterColumns[0].type']),
  )
  expect(fieldsOf({ schema: version.schema, additionalPrinterColumns: [] })).toEqual(
    expect.arrayContaining([
      'spec.versions[0].schema.openAPIV3Schema.type',
      'spec.versions[0].additionalPrinterColumns[0].type',
    ]),
  )
})

it('scope, kind and stored versions are immutable', () => {
  const old = { ...aCrd({ type: 'object' }), status: { storedVersions: ['v1'] } }
  const crd = changed((next) => {
    next.spec.scope = 'Cluster'
    next.spec.names.kind = 'Gadget'
    next.spec.versions = [version]
  })
  expect(validateCrd(crd, old).map(({ field }) => field)).toEqual([
    'spec.scope',
    'spec.names.kind',
    'status.storedVersions[0]',
  ])
})
