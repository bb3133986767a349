import { assert as assertProperty, dictionary, jsonValue, property, record, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { configMaps } from '../builtin/configmaps'
import type { JsonSchema } from '../apiextensions/json-schema'
import { compileSchema } from '../apiextensions/structural-schema'
import { isSelected, metadataOf, deserialize, servedJson } from './objects'
import type { ResourceInfo } from '../resource'
import { selectionOf } from './selection'

const metadata = record({
  name: string(),
  labels: dictionary(string({ unit: 'binary' }), string({ unit: 'binary' })),
  annotations: dictionary(string(), string({ unit: 'binary' })),
})
/** The format written by `serialize`. */
const stored = (object: object) => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', ...object })

describe('stored text', () => {
  it('yields its metadata without being parsed to the end', () => {
    assertProperty(
      property(metadata, jsonValue(), (given, data) => {
        expect(metadataOf(stored({ metadata: given, data }))).toEqual(JSON.parse(JSON.stringify(given)))
      }),
    )
    expect(metadataOf(stored({ metadata: {} }).slice(0, -1))).toEqual({})
  })

  it('is served like the parsed object', () => {
    assertProperty(
      property(metadata, jsonValue(), (given, data) => {
        const version = { value: stored({ metadata: given, data }), revision: 7 }
        expect(JSON.parse(servedJson(configMaps, version))).toEqual(deserialize(configMaps, version))
      }),
    )
  })

  it('is served whatever its member order', () => {
    const version = { value: JSON.stringify({ metadata: { name: 'a' }, kind: 'ConfigMap' }), revision: 7 }
    expect(JSON.parse(servedJson(configMaps, version))).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', resourceVersion: '7' },
    })
    expect(metadataOf(version.value)).toEqual({ name: 'a' })
  })

  it('of custom objects is served in the requested version with defaults added to the schema later', () => {
    const kindWith = (version: string, properties: Record<string, JsonSchema>): ResourceInfo => {
      const schema: JsonSchema = { type: 'object', properties: { spec: { type: 'object', properties } } }
      const compiled = compileSchema(schema)
      const type = { group: 'test.io', version, kind: 'Widget', plural: 'widgets', namespaced: true }
      return { ...configMaps, type, isCustom: true, schema, compiled: () => compiled }
    }
    const widget = { apiVersion: 'test.io/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } }
    const version = { value: JSON.stringify(widget), revision: 8 }
    const size: JsonSchema = { type: 'integer' }
    const served = (resource: ResourceInfo): unknown => JSON.parse(servedJson(resource, version))
    const expected = { ...widget, apiVersion: 'test.io/v2', metadata: { name: 'a', resourceVersion: '8' } }
    const before = kindWith('v2', { size })
    const after = kindWith('v2', { size, color: { type: 'string', default: 'grey' } })
    // Twice: the second time uses the remembered result.
    for (let times = 0; times < 2; times++) {
      expect(served(before)).toEqual(expected)
      expect(served(after)).toEqual({ ...expected, spec: { size: 1, color: 'grey' } })
    }
  })
})

it('isSelected parses only metadata for label and name selectors', () => {
  const select = (query: string) => selectionOf(configMaps, new URLSearchParams(query))
  // The rest of the text is invalid, which must not matter.
  const value = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"app":"web"}},"data":{broken'
  const isIn = (query: string) => isSelected(configMaps, select(query), { value, revision: 1 })
  expect(isIn('')).toBe(true)
  expect(isIn('labelSelector=app%3Dweb')).toBe(true)
  expect(isIn('labelSelector=app%21%3Dweb')).toBe(false)
  expect(isIn('labelSelector=app&fieldSelector=metadata.name%3Da')).toBe(true)
  expect(isIn('fieldSelector=metadata.name%3Db')).toBe(false)
})
