import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type Api, type Json, type Target } from './api-client'
import { aNamespace, eventually } from './api-fixtures'

/** Custom kinds: how a definition affects the objects of its kind, and its lifecycle. */
export function definitionContract(target: () => Target): void {
  let api: Api
  let namespace: string
  let count = 0
  beforeAll(async () => {
    api = apiOf(target())
    ;({ name: namespace } = await aNamespace(api))
  })
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const text = { type: 'string' }
  const schemaOf = (spec: object) => ({
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', ...spec } } },
  })
  const version = (name: string, more: object = {}) => ({
    name,
    served: true,
    storage: false,
    schema: schemaOf({ properties: { a: text } }),
    ...more,
  })
  const definitionOf = (group: string, versions: object[]): Json => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: { group, scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' }, versions },
  })
  const newGroup = () => `g${count++}.${namespace}.test`

  /** Creates a new kind, and returns the path of each version. */
  async function defined(versions: object[]) {
    const group = newGroup()
    const { code, body } = await api.post(definitions, definitionOf(group, versions))
    if (code !== 201) throw new Error(body.message)
    const list = (name: string) => `/apis/${group}/${name}/namespaces/${namespace}/things`
    const first: Json = versions[0]
    await eventually(async () => (await api.get(list(first.name))).code === 200)
    const thing = (name: string, spec: object, versionName = 'v1') => ({
      apiVersion: `${group}/${versionName}`,
      kind: 'Thing',
      metadata: { name },
      spec,
    })
    return { group, definition: `${definitions}/things.${group}`, list, thing }
  }

  /** Creates a kind with one version, whose spec has this schema. */
  const definedBy = (spec: object) => defined([version('v1', { storage: true, schema: schemaOf(spec) })])

  describe('a definition', () => {
    it('is established with its names, and served', async () => {
      const { definition, list } = await defined([version('v1', { storage: true })])
      const { body } = await api.get(definition)
      const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' }
      expect(body.spec).toMatchObject({ names, conversion: { strategy: 'None' } })
      expect(body.status).toMatchObject({ acceptedNames: names, storedVersions: ['v1'] })
      expect(body.status.conditions.map(({ type, status }: Json) => [type, status])).toEqual([
        ['NamesAccepted', 'True'],
        ['Established', 'True'],
      ])
      expect((await api.get(list('v1'))).body).toMatchObject({ kind: 'ThingList', items: [] })
    })

    it('has no effect in a dry run', async () => {
      const group = newGroup()
      const body = definitionOf(group, [version('v1', { storage: true })])
      expect((await api.post(`${definitions}?dryRun=All`, body)).code).toBe(201)
      expect((await api.get(`${definitions}/things.${group}`)).code).toBe(404)
      expect((await api.get(`/apis/${group}/v1/things`)).code).toBe(404)
    })

    it('may be as large as those of Tekton', async () => {
      const description = 'x'.repeat(700 * 1024)
      const { list } = await definedBy({ properties: { a: { ...text, description } } })
      expect((await api.get(list('v1'))).code).toBe(200)
    })

    it('is rejected if one of its rules is invalid', async () => {
      const rule = { rule: 'self.a.isSorted()' }
      const spec = { properties: { a: text }, 'x-kubernetes-validations': [rule] }
      const body = definitionOf(newGroup(), [version('v1', { storage: true, schema: schemaOf(spec) })])
      const response = await api.post(definitions, body)
      expect([response.code, response.body.details.causes.map(({ field }: Json) => field)]).toEqual([
        422,
        ['spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule'],
      ])
    })

    it('is deleted together with its objects, once they have no finalizers', async () => {
      const { definition, list, thing } = await defined([version('v1', { storage: true })])
      await api.post(list('v1'), thing('free', {}))
      const held = { ...thing('held', {}), metadata: { name: 'held', finalizers: ['contract.test/hold'] } }
      await api.post(list('v1'), held)
      const { body: ending } = await api.delete(definition)
      expect(ending.metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io'])
      await eventually(async () => (await api.get(`${list('v1')}/free`)).code === 404)
      const late = await api.post(list('v1'), thing('late', {}))
      expect([late.code, late.body.reason, late.body.message]).toEqual([
        403,
        'Forbidden',
        expect.stringMatching(
          /^things\.\S+ "late" is forbidden: create not allowed while custom resource definition is terminating$/,
        ),
      ])
      await api.patch(`${list('v1')}/held`, 'merge', { metadata: { finalizers: null } })
      await eventually(async () => (await api.get(definition)).code === 404)
      await eventually(async () => (await api.get(list('v1'))).code === 404)
    })
  })

  describe('versions', () => {
    it('each serve the same objects under their own apiVersion', async () => {
      const { list, thing, group } = await defined([
        version('v1alpha1'),
        version('v1beta1', { storage: true }),
        version('v1old', { served: false }),
      ])
      const { body: created } = await api.post(list('v1alpha1'), thing('x', { a: '1' }, 'v1alpha1'))
      expect(created.apiVersion).toBe(`${group}/v1alpha1`)
      const { body: read } = await api.get(`${list('v1beta1')}/x`)
      expect(read).toMatchObject({ apiVersion: `${group}/v1beta1`, metadata: { uid: created.metadata.uid } })
      const { body: listed } = await api.get(list('v1beta1'))
      expect(listed.items.map(({ apiVersion }: Json) => apiVersion)).toEqual([`${group}/v1beta1`])
      const watch = await api.watch(`${list('v1alpha1')}?watch=true`)
      expect((await watch.next()).object.apiVersion).toBe(`${group}/v1alpha1`)
      watch.close()
      expect((await api.get(list('v1old'))).code).toBe(404)
      const { code, body } = await api.post(list('v1beta1'), thing('y', {}, 'v1alpha1'))
      expect([code, body.message]).toEqual([
        400,
        `the API version in the data (${group}/v1alpha1) does not match the expected API version (${group}/v1beta1)`,
      ])
    })

    it('that were storage versions remain recorded', async () => {
      const { definition } = await defined([version('v1', { storage: true })])
      const moved = [version('v1'), version('v2', { storage: true })]
      const { code, body } = await api.patch(definition, 'merge', { spec: { versions: moved } })
      expect([code, body.status.storedVersions]).toEqual([200, ['v1', 'v2']])
      const dropped = await api.patch(definition, 'merge', { spec: { versions: moved.slice(1) } })
      expect([dropped.code, dropped.body.details.causes[0]]).toEqual([
        422,
        {
          reason: 'FieldValueInvalid',
          message:
            'Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
          field: 'status.storedVersions[0]',
        },
      ])
    })
  })

  describe('a schema', () => {
    it('prunes unknown fields, except where they are preserved or in embedded objects', async () => {
      const { list, thing } = await definedBy({
        properties: {
          a: text,
          data: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          template: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            properties: { spec: { type: 'object', properties: { a: text } } },
          },
        },
      })
      const template = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } }
      const { body } = await api.post(
        list('v1'),
        thing('x', {
          b: 1,
          data: { deep: [{ b: 1 }] },
          template: { ...template, odd: 1, metadata: { name: 'p', odd: 1 }, spec: { a: '1', b: 1 } },
        }),
      )
      expect(body.spec).toEqual({ data: { deep: [{ b: 1 }] }, template: { ...template, spec: { a: '1' } } })
    })

    it('applies defaults to missing and null fields, even in stored objects', async () => {
      const { definition, list, thing } = await definedBy({ properties: { a: text } })
      await api.post(list('v1'), thing('x', { a: null }))
      expect((await api.get(`${list('v1')}/x`)).body.spec).toEqual({})
      const properties = { a: { ...text, default: 'filled' }, n: { ...text, nullable: true, default: 'n' } }
      const later = [version('v1', { storage: true, schema: schemaOf({ properties }) })]
      await api.patch(definition, 'merge', { spec: { versions: later } })
      await eventually(async () => (await api.get(`${list('v1')}/x`)).body.spec.a === 'filled')
      const filled = { a: 'filled', n: 'n' }
      expect((await api.get(list('v1'))).body.items.map(({ spec }: Json) => spec)).toEqual([filled])
      const watch = await api.watch(`${list('v1')}?watch=true`)
      expect((await watch.next()).object.spec).toEqual(filled)
      watch.close()
      const { body } = await api.post(list('v1'), thing('y', { a: null, n: null }))
      expect(body.spec).toEqual({ a: 'filled', n: null })
    })

    const choice = { ...text, enum: ['a', 'b'] }
    it.each<[string, object, unknown, string]>([
      ['a missing required field', { properties: { v: text }, required: ['v'] }, undefined, 'Required value'],
      [
        'a wrong type',
        { properties: { v: { type: 'integer' } } },
        'string',
        'Invalid value: "string": spec.v in body must be of type integer: "string"',
      ],
      [
        'a text that does not match a pattern',
        { properties: { v: { ...text, pattern: '^[a-z0-9]+$' } } },
        'A_',
        `Invalid value: "A_": spec.v in body should match '^[a-z0-9]+$'`,
      ],
      [
        'a value outside an enum',
        { properties: { v: choice } },
        'z',
        'Unsupported value: "z": supported values: "a", "b"',
      ],
      [
        'a text that is too long',
        { properties: { v: { ...text, maxLength: 3 } } },
        'long',
        'Too long: may not be more than 3 bytes',
      ],
      [
        'a time',
        { properties: { v: { ...text, format: 'date-time' } } },
        'today',
        'Invalid value: "today": spec.v in body must be of type date-time: "today"',
      ],
    ])('rejects %s', async (_, spec, value, message) => {
      const { group, list, thing } = await definedBy(spec)
      const { code, body } = await api.post(list('v1'), thing('x', value === undefined ? {} : { v: value }))
      expect([code, body.message, body.details.causes[0]]).toEqual([
        422,
        `Thing.${group} "x" is invalid: spec.v: ${message}`,
        expect.objectContaining({ message, field: 'spec.v' }),
      ])
    })

    it('rejects duplicate items in a set or a map', async () => {
      const items = { type: 'object', properties: { name: text }, required: ['name'] }
      const { list, thing } = await definedBy({
        properties: {
          set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
          map: { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
        },
      })
      const { body } = await api.post(
        list('v1'),
        thing('x', { set: ['a', 'b', 'a'], map: [{ name: 'n' }, { name: 'n' }] }),
      )
      expect(body.details.causes).toEqual(
        expect.arrayContaining([
          { reason: 'FieldValueDuplicate', message: 'Duplicate value: "a"', field: 'spec.set[2]' },
          { reason: 'FieldValueDuplicate', message: 'Duplicate value: {"name":"n"}', field: 'spec.map[1]' },
        ]),
      )
    })

    it('accepts stored values that became invalid, until they change', async () => {
      const { definition, list, thing } = await definedBy({ properties: { a: text, b: text } })
      await api.post(list('v1'), thing('x', { a: 'z' }))
      const stricter = schemaOf({ properties: { a: choice, b: text } })
      await api.patch(definition, 'merge', { spec: { versions: [version('v1', { storage: true, schema: stricter })] } })
      await eventually(async () => (await api.post(`${list('v1')}?dryRun=All`, thing('y', { a: 'z' }))).code === 422)
      expect((await api.patch(`${list('v1')}/x`, 'merge', { spec: { b: '1' } })).code).toBe(200)
      expect((await api.patch(`${list('v1')}/x`, 'merge', { spec: { a: 'y' } })).code).toBe(422)
    })

    it('may have rules, including transition rules', async () => {
      const fixed = { rule: "oldSelf == '' || self == oldSelf", message: 'cannot be changed' }
      const either = { rule: 'has(self.a) != has(self.b)', message: 'one of a and b is needed' }
      const { group, list, thing } = await definedBy({
        properties: { a: text, b: text, name: { ...text, 'x-kubernetes-validations': [fixed] } },
        'x-kubernetes-validations': [either],
      })
      const { code, body } = await api.post(list('v1'), thing('x', { a: '1', b: '1' }))
      expect([code, body.message]).toEqual([
        422,
        `Thing.${group} "x" is invalid: spec: Invalid value: one of a and b is needed`,
      ])
      await api.post(list('v1'), thing('x', { a: '1', name: 'n' }))
      const renamed = await api.patch(`${list('v1')}/x`, 'merge', { spec: { name: 'm' } })
      expect([renamed.code, renamed.body.message]).toEqual([
        422,
        `Thing.${group} "x" is invalid: spec.name: Invalid value: "m": cannot be changed`,
      ])
    })

    it('does not check rules for a value outside an enum, but does for duplicate items', async () => {
      const never = { rule: 'false', message: 'never' }
      const { list, thing } = await definedBy({
        properties: { a: choice, set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' } },
        'x-kubernetes-validations': [never],
      })
      const messagesFor = async (spec: object) => {
        const { body } = await api.post(list('v1'), thing('x', spec))
        return body.details.causes.map(({ field, message }: Json) => `${field}: ${message}`)
      }
      expect(await messagesFor({ a: 'z' })).toEqual([
        'spec.a: Unsupported value: "z": supported values: "a", "b"',
        '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
      ])
      expect(await messagesFor({ set: ['a', 'a'] })).toEqual([
        'spec.set[1]: Duplicate value: "a"',
        'spec: Invalid value: never',
      ])
    })
  })
}
