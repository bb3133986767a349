import { expect, it } from 'vitest'
import { aComponent, anApplication } from './testing'

it('builds an object with its apiVersion and kind', () =>
  expect(anApplication()).toMatchObject({ apiVersion: 'appstudio.redhat.com/v1alpha1', kind: 'Application' }))

it('derives defaults from the name', () => {
  expect(anApplication({ metadata: { name: 'ledger' } }).spec.displayName).toBe('ledger')
  expect(aComponent({ metadata: { name: 'ledger-web' } }).spec).toMatchObject({
    componentName: 'ledger-web',
    source: { git: { url: expect.stringContaining('/ledger-web') } },
  })
})

it('merges overrides into the defaults at any depth', () => {
  const component = aComponent({ spec: { source: { git: { revision: 'next' } }, containerImage: undefined } })
  expect(component.spec.source.git).toMatchObject({ url: expect.any(String), revision: 'next' })
  expect(component.spec).not.toHaveProperty('containerImage')
})

it('gives each object its own values', () => {
  anApplication().metadata.name = 'changed'
  expect(anApplication().metadata.name).toBe('checkout')
})
