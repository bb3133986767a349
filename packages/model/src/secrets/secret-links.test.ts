import type { ServiceAccount } from '@slipway/kube/core-types'
import { describe, expect, it } from 'vitest'
import { aComponent } from '../testing'
import { indexLinks, type LinkedComponent } from './secret-links'

const account = (name: string, secrets: string[], more: Partial<ServiceAccount['metadata']> = {}): ServiceAccount => ({
  metadata: { name, namespace: 'team-shop', ...more },
  secrets: secrets.map((secret) => ({ name: secret })),
})
const component = (name: string, secret?: string) =>
  aComponent({ metadata: { name }, spec: { application: 'shop', ...(secret && { secret }) } })
const linked = (name: string, isDeleted: boolean | undefined, application?: string): LinkedComponent => ({
  name,
  application,
  isDeleted,
})

describe('what refers to a secret', () => {
  it('is counted once per service account, by the name of its component (SEC-09)', () => {
    const web = { ...account('build-pipeline-web', ['token']), imagePullSecrets: [{ name: 'token' }] }
    const links = indexLinks(
      [web, account('build-pipeline-api', ['token', 'other'])],
      [component('api'), component('web')],
    )
    expect(links('token')).toEqual({
      components: [linked('api', false, 'shop'), linked('web', false, 'shop')],
      otherAccounts: [],
      isNamedByComponent: false,
    })
    expect(links('other').components).toEqual([linked('api', false, 'shop')])
  })

  it.each<[string, ServiceAccount[], ReturnType<typeof component>[] | undefined, unknown]>([
    ['nothing', [], [], { components: [], otherAccounts: [], isNamedByComponent: false }],
    [
      'a service account whose component was deleted',
      [account('build-pipeline-web', ['token'])],
      [],
      { components: [linked('web', true)], otherAccounts: [], isNamedByComponent: false },
    ],
    [
      'a service account while the components are not known',
      [account('build-pipeline-web', ['token'])],
      undefined,
      { components: [linked('web', undefined)], otherAccounts: [], isNamedByComponent: undefined },
    ],
    [
      'service accounts without a component',
      [account('runner', ['token']), account('default', ['token'])],
      [],
      { components: [], otherAccounts: ['default', 'runner'], isNamedByComponent: false },
    ],
    [
      'a service account that is being deleted, which no longer counts',
      [account('build-pipeline-web', ['token'], { deletionTimestamp: '2026-01-01T00:00:00Z' })],
      [],
      { components: [], otherAccounts: [], isNamedByComponent: false },
    ],
    [
      'the spec of a component',
      [],
      [component('web', 'token')],
      { components: [], otherAccounts: [], isNamedByComponent: true },
    ],
  ])('is %s', (_, accounts, components, expected) => {
    expect(indexLinks(accounts, components)('token')).toEqual(expected)
  })

  it('is the same object each time, so that unchanged rows are not rendered again', () => {
    const links = indexLinks([account('build-pipeline-web', ['token'])], [])
    expect(links('token')).toBe(links('token'))
    expect(links('unused')).toBe(links('unused'))
  })
})
