import { expect, test } from 'vitest'
import { projection } from './projection'

const object = {
  metadata: { uid: 'u', name: 'shop', labels: { 'a.b/c': '1', d: '2' }, resourceVersion: '7' },
  status: { conditions: [{ type: 'Ready', status: 'True', message: 'x' }, { type: 'Done' }], text: 'words' },
}

test.each<[string[], unknown]>([
  [[], { metadata: { uid: 'u' } }],
  [['metadata.labels.`a.b/c`'], { metadata: { uid: 'u', labels: { 'a.b/c': '1' } } }],
  [['metadata.labels', 'metadata.labels.d'], { metadata: { uid: 'u', labels: { 'a.b/c': '1', d: '2' } } }],
  [['metadata.labels.d', 'metadata.labels'], { metadata: { uid: 'u', labels: { 'a.b/c': '1', d: '2' } } }],
  [
    ['status.conditions.type', 'status.conditions.status'],
    { metadata: { uid: 'u' }, status: { conditions: [{ type: 'Ready', status: 'True' }, { type: 'Done' }] } },
  ],
  [['spec.application', 'metadata.toString'], { metadata: { uid: 'u' } }],
  [['status.text.length'], { metadata: { uid: 'u' }, status: {} }],
])('the mask %j leaves the fields in it, and the uid', (mask, row) => expect(projection(mask)(object)).toEqual(row))
