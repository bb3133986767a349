import { expect, it } from 'vitest'
import { componentsOf, relatedComponents } from './component'
import { aComponent } from '../testing'

it('finds the components of an application, without those that are being deleted', () => {
  const mine = aComponent({ metadata: { name: 'checkout-api' } })
  const leaving = aComponent({ metadata: { name: 'checkout-old', deletionTimestamp: '2026-01-31T09:00:00Z' } })
  const other = aComponent({ spec: { application: 'ledger' } })
  const loose = aComponent({ spec: { application: undefined } })
  expect(componentsOf([other, mine, leaving, loose], 'checkout')).toEqual([mine])
})

it('finds the application of each related component, unless the component does not exist or is being deleted', () => {
  const mine = aComponent({ metadata: { name: 'api' } })
  const leaving = aComponent({ metadata: { name: 'old', deletionTimestamp: '2026-01-31T09:00:00Z' } })
  const other = aComponent({ metadata: { name: 'proxy' }, spec: { application: 'edge' } })
  expect(relatedComponents(['proxy', 'gone', 'api', 'proxy', 'old'], [mine, leaving, other])).toEqual([
    { name: 'proxy', application: 'edge' },
    { name: 'gone', application: undefined },
    { name: 'api', application: 'checkout' },
    { name: 'old', application: undefined },
  ])
})
