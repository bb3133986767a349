import type { Secret, ServiceAccount } from '@slipway/kube/core-types'
import { describe, expect, it } from 'vitest'
import { componentOf, linkedSecrets, serviceAccountOf, withoutSecret, withSecret } from './service-account'

const account = (secrets?: string[], imagePullSecrets?: string[]): ServiceAccount => ({
  metadata: { name: 'build-pipeline-cart', namespace: 'team-shop' },
  secrets: secrets?.map((name) => ({ name })),
  imagePullSecrets: imagePullSecrets?.map((name) => ({ name })),
})
const secret = (type: string): Secret => ({ metadata: { name: 'token', namespace: 'team-shop' }, type })
const names = (links: { name: string }[]) => links.map(({ name }) => name)

it('has a prefix and the name of its component (LINK-17)', () => {
  expect(serviceAccountOf('cart')).toBe('build-pipeline-cart')
  expect(componentOf(account())).toBe('cart')
  expect(componentOf({ metadata: { name: 'default' } })).toBeUndefined()
})

it('knows each linked secret once (LINK-18)', () => {
  expect([...linkedSecrets(account(['a', 'b'], ['b', 'c']))]).toEqual(['a', 'b', 'c'])
  expect([...linkedSecrets(account())]).toEqual([])
})

describe('linking', () => {
  it.each([
    ['kubernetes.io/dockerconfigjson', ['own', 'token'], ['token']],
    ['kubernetes.io/dockercfg', ['own', 'token'], ['token']],
    ['kubernetes.io/basic-auth', ['own', 'token'], []],
  ])('adds %s to the lists that its type needs (LINK-15)', (type, secrets, imagePullSecrets) => {
    const linked = withSecret(account(['own']), secret(type))
    expect([names(linked.secrets), names(linked.imagePullSecrets)]).toEqual([secrets, imagePullSecrets])
  })

  it('adds nothing twice (LINK-19)', () => {
    const once = withSecret(account(['token']), secret('kubernetes.io/dockerconfigjson'))
    expect(withSecret({ metadata: {}, ...once }, secret('kubernetes.io/dockerconfigjson'))).toEqual(once)
    expect(names(once.secrets)).toEqual(['token'])
  })

  it('is undone in both lists, and every other entry stays', () => {
    const unlinked = withoutSecret(account(['own', 'token'], ['token', 'other']), 'token')
    expect([names(unlinked.secrets), names(unlinked.imagePullSecrets)]).toEqual([['own'], ['other']])
  })
})
