import { anApplication } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { guardFields } from './guarded-masks'

it('a field that the mask leaves out throws when it is read, unless the whole object lacks it too', () => {
  const whole = anApplication({ metadata: { name: 'shop', labels: { a: '1', b: '2' } }, spec: { displayName: 'Shop' } })
  const masked = anApplication({ metadata: { name: 'shop', labels: { a: '1' } } })
  Reflect.deleteProperty(masked, 'spec')
  guardFields(masked, whole, ['metadata.name', 'metadata.labels.a', 'status.conditions'], (field) => {
    throw new Error(field)
  })
  expect(masked.metadata.labels?.['a']).toBe('1')
  expect(() => masked.metadata.labels?.['b']).toThrow('metadata.labels.b')
  expect(() => masked.spec).toThrow('spec')
  expect(masked.metadata.annotations).toBeUndefined()
  expect(Object.keys({ ...masked })).not.toContain('spec')
})
