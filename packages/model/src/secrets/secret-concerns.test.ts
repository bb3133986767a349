import type { Secret } from '@slipway/kube/core-types'
import type { ObjectMeta } from '@slipway/kube/object'
import { describe, expect, it } from 'vitest'
import { annotations, labels } from '../labels'
import { concernsOf, expiryOf, hasExpired, type SecretConcern } from './secret-concerns'
import type { SecretLinks } from './secret-links'

const registry = 'kubernetes.io/dockerconfigjson'
const secret = (type: string, metadata: Partial<ObjectMeta> = {}): Secret => ({
  metadata: { name: 'token', namespace: 'team-shop', ...metadata },
  type,
})
const nothing: SecretLinks = { components: [], otherAccounts: [], isNamedByComponent: false }
const linkedTo = (...isDeleted: (boolean | undefined)[]): SecretLinks => ({
  ...nothing,
  components: isDeleted.map((each, at) => ({ name: `web-${at}`, application: undefined, isDeleted: each })),
})
const labelled = (key: string, value: string) => secret(registry, { labels: { [key]: value } })
const linking = (state: string) => secret(registry, { annotations: { [annotations.linkStatus]: state } })
const owner = { apiVersion: 'v1', kind: 'ImageRepository', name: 'web', uid: '1' }

describe('a secret needs attention', () => {
  it.each<[string, Secret, SecretLinks | undefined, SecretConcern[]]>([
    ['registry credentials that nothing refers to', secret(registry), nothing, ['Unused']],
    ['a .dockercfg that nothing refers to', secret('kubernetes.io/dockercfg'), nothing, ['Unused']],
    ['a password that nothing refers to', secret('kubernetes.io/basic-auth'), nothing, ['Unused']],
    ['a type that cannot be linked', secret('Opaque'), nothing, []],
    ['an SSH key', secret('kubernetes.io/ssh-auth'), nothing, []],
    ['one that is linked', secret(registry), linkedTo(false), []],
    ['one linked to a service account without a component', secret(registry), { ...nothing, otherAccounts: ['a'] }, []],
    ['one that the spec of a component names', secret(registry), { ...nothing, isNamedByComponent: true }, []],
    ['one while links are not known', secret(registry), undefined, []],
    ['one while components are not known', secret(registry), { ...nothing, isNamedByComponent: undefined }, []],
    ['one for all components, of which there are none', labelled(labels.commonSecret, 'true'), nothing, []],
    ['credentials found by the host of a repository', labelled(labels.credentials, 'scm'), nothing, []],
    ['one that the platform created', labelled(labels.internal, 'true'), nothing, []],
    ['one for deployments', labelled(labels.secretFor, 'Deployment'), nothing, []],
    ['one for builds', labelled(labels.secretFor, 'Build'), nothing, ['Unused']],
    ['one that a controller owns', secret(registry, { ownerReferences: [owner] }), nothing, []],
    ['one that is about to be linked', linking('Pending'), nothing, []],
    ['one that is being linked', linking('Running'), nothing, []],
    ['one that was unlinked after it was linked', linking('Succeeded'), nothing, ['Unused']],
    ['one that could not be linked', linking('Failed'), nothing, ['Link failed']],
    ['one linked to a deleted component', secret(registry), linkedTo(false, true), ['Component deleted']],
    ['one linked to unknown components', secret(registry), linkedTo(undefined), []],
    ['an unlinkable type linked to a deleted component', secret('Opaque'), linkedTo(true), ['Component deleted']],
    ['one that is being deleted', secret(registry, { deletionTimestamp: '2026-01-01T00:00:00Z' }), nothing, []],
  ])('or not: %s', (_, given, links, expected) => {
    expect(concernsOf({ secret: given, links, isExpired: false })).toEqual(expected)
  })

  it('for several reasons at once, the most urgent first', () => {
    const failed = linking('Failed')
    expect(concernsOf({ secret: failed, links: linkedTo(true), isExpired: true })).toEqual([
      'Link failed',
      'Expired',
      'Component deleted',
    ])
  })
})

describe('the credentials of a secret have expired', () => {
  const nowMs = Date.parse('2026-06-15T12:00:00Z')
  const expiring = (time: string | undefined) =>
    secret(registry, { annotations: time === undefined ? {} : { [annotations.credentialExpires]: time } })
  it.each<[string | undefined, boolean, boolean]>([
    ['2026-06-15T11:59:59Z', true, true],
    ['2026-06-15T12:00:00Z', true, true],
    ['2026-06-15T12:00:01Z', true, false],
    ['2026-06-15T12:00:00.5z', true, false],
    ['2026-06-15T14:00:00+02:00', true, true],
    ['2026-06-15T11:00:00-02:00', true, false],
    ['2026-06-15', false, false],
    ['2026-13-45T00:00:00Z', false, false],
    ['1', false, false],
    ['May', false, false],
    ['', false, false],
    [undefined, false, false],
  ])('%s (known: %s): %s', (time, isKnown, expected) => {
    expect([expiryOf(expiring(time)) !== undefined, hasExpired(expiring(time), nowMs)]).toEqual([isKnown, expected])
  })
})
