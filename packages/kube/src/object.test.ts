import { expect, it, test } from 'vitest'
import { asKubeObject } from './object'

test.each([undefined, null, 7, 'x', [], {}, { metadata: null }, { metadata: [] }, { metadata: 'x' }])(
  '%j is not an object',
  (value) => expect(asKubeObject(value)).toBeUndefined(),
)

test.each([
  { metadata: {} },
  { metadata: {}, status: null },
  { metadata: {}, status: 'ready' },
  { metadata: {}, status: {} },
  { metadata: {}, status: { conditions: [] } },
  { metadata: {}, status: { conditions: [{ type: 'Succeeded', status: 'True' }] } },
])('%j is returned unchanged', (object) => expect(asKubeObject(object)).toBe(object))

it.each(['none', { type: 'Succeeded' }, 7, null, [null], ['Succeeded'], [[]]])(
  'conditions of the form %j are dropped, and the rest stays',
  (conditions) => {
    const object = { metadata: { name: 'a' }, spec: {}, status: { conditions, startTime: 'x' } }
    expect(asKubeObject(object)).toEqual({ metadata: { name: 'a' }, spec: {}, status: { startTime: 'x' } })
    expect(object.status.conditions).toBe(conditions)
  },
)
