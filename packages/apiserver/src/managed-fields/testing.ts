import fc from 'fast-check'
import type { JsonSchema } from '../apiextensions/json-schema'

/** Objects with every kind of ownership. */

const scalar: JsonSchema = { type: 'string' }

export const itsSchema: JsonSchema = {
  type: 'object',
  properties: {
    name: scalar,
    labels: { type: 'object', additionalProperties: scalar },
    whole: { type: 'object', additionalProperties: scalar, 'x-kubernetes-map-type': 'atomic' },
    steps: { type: 'array', items: scalar },
    tags: { type: 'array', items: scalar, 'x-kubernetes-list-type': 'set' },
    items: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: scalar, value: scalar, env: { type: 'object' } } },
    },
    spec: { type: 'object', properties: { size: { type: 'integer' }, color: scalar } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
}

const word = fc.constantFrom('a', 'b', 'c')
const optional = <T extends Record<string, fc.Arbitrary<unknown>>>(members: T) =>
  fc.record(members, { requiredKeys: [] })
const map = fc.dictionary(word, word)

/** Without empty lists of items, which specify no fields. */
export const anObject: fc.Arbitrary<Record<string, unknown>> = optional({
  name: word,
  labels: map,
  whole: map,
  steps: fc.array(word, { maxLength: 3 }),
  tags: fc.uniqueArray(word, { minLength: 1 }),
  items: fc.uniqueArray(
    fc
      .tuple(word, optional({ value: word, env: map }))
      .map(([name, rest]): Record<string, unknown> => ({ name, ...rest })),
    { minLength: 1, selector: ({ name }) => name },
  ),
  spec: optional({ size: fc.integer({ min: 0, max: 2 }), color: word }),
  free: fc.dictionary(word, fc.oneof(word, map, fc.array(word, { maxLength: 2 }))),
})
