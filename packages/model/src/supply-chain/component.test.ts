import { expect, it } from 'vitest'
import { componentsOf } from './component'
import { aComponent } from '../testing'

it('finds the components of an application, without those that are being deleted', () => {
  const mine = aComponent({ metadata: { name: 'checkout-api' } })
  const leaving = aComponent({ metadata: { name: 'checkout-old', deletionTimestamp: '2026-01-31T09:00:00Z' } })
  const other = aComponent({ spec: { application: 'ledger' } })
  const loose = aComponent({ spec: { application: undefined } })
  expect(componentsOf([other, mine, leaving, loose], 'checkout')).toEqual([mine])
})
