import { describe, expect, it, test } from 'vitest'
import { annotations, labels } from '../labels'
import { aRelease, condition } from '../testing'
import type { Release } from './release'
import { rerunGenerateName, rerunRelease } from './release-rerun'

describe('generated name of a rerun', () => {
  test.each([
    ['REL-13, REL-50 a release', 'checkout-prod-x4k2p', 'checkout-prod-x4k2p-rerun-'],
    ['REL-50 a rerun', 'checkout-prod-x4k2p-rerun-9zq7w', 'checkout-prod-x4k2p-rerun-'],
    ['REL-50 a rerun whose random part is missing', 'checkout-rerun', 'checkout-rerun-'],
    ['REL-50 a rerun of a rerun, as older consoles named it', 'checkout-rerun-9zq7w-rerun-b2c3d', 'checkout-rerun-'],
    ['a name with the same word in it', 'nightly-rerun-test-x4k2p', 'nightly-rerun-test-x4k2p-rerun-'],
    ['a name that starts with the word', 'rerun-x4k2p', 'rerun-x4k2p-rerun-'],
    // A cluster cuts a prefix after 58 characters.
    ['a name of 63 characters', 'a'.repeat(63), `${'a'.repeat(51)}-rerun-`],
    ['a long name that is cut at a dash', `${'a'.repeat(50)}-bbbbbbbbbb`, `${'a'.repeat(50)}-rerun-`],
  ])('%s', (_, name, expected) => expect(rerunGenerateName(name)).toBe(expected))
})

describe('a rerun', () => {
  const release = aRelease({
    metadata: {
      name: 'checkout-prod-x4k2p',
      uid: 'u-1',
      resourceVersion: '7',
      generation: 2,
      creationTimestamp: '2026-01-31T09:00:00Z',
      deletionTimestamp: '2026-01-31T10:00:00Z',
      finalizers: ['appstudio.redhat.com/release-finalizer'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'Application', name: 'checkout', uid: 'u-2' }],
      managedFields: [{ manager: 'kubectl' }],
      labels: { [labels.automated]: 'true', [labels.author]: 'bob.slipway.test', team: 'payments' },
      annotations: { [annotations.lastApplied]: '{}', [labels.author]: 'bob@slipway.test', note: 'kept' },
    },
    spec: { data: { releaseNotes: { synopsis: 'New' }, own: ['kept'] }, gracePeriodDays: 3 },
    status: { conditions: [condition('Released', 'True', 'Succeeded')] },
  })

  it('REL-12, REL-14, REL-15, REL-16 copies labels, annotations and spec, and says who requested it', () => {
    const { metadata, spec } = rerunRelease(release, 'ann@slipway.test')
    expect(metadata).toEqual({
      generateName: 'checkout-prod-x4k2p-rerun-',
      namespace: release.metadata.namespace,
      labels: {
        [labels.application]: 'checkout',
        team: 'payments',
        [labels.automated]: 'false',
        [labels.author]: 'ann.slipway.test',
      },
      annotations: { note: 'kept', [labels.author]: 'ann@slipway.test' },
    })
    expect(spec).toEqual(release.spec)
  })

  it('REL-43 has the labels of its application, of its trigger and of its author', () =>
    expect(Object.keys(rerunRelease(release, 'ann@slipway.test').metadata.labels ?? {})).toEqual(
      expect.arrayContaining([labels.application, labels.automated, labels.author]),
    ))

  it('REL-43 is among the releases of its application, even if the copied one is not labelled yet', () => {
    const unlabelled = { ...release, metadata: { ...release.metadata, labels: {} } }
    const ofApplication = (copied: Release) =>
      rerunRelease(copied, 'ann@slipway.test', 'shop').metadata.labels?.[labels.application]
    expect(ofApplication(unlabelled)).toBe('shop')
    expect(ofApplication(release)).toBe('checkout')
  })

  it('REL-17 has no status', () => expect(rerunRelease(release, 'ann@slipway.test')).not.toHaveProperty('status'))

  it('has no author label of a user whose name has no valid form', () => {
    const { metadata } = rerunRelease(release, '@')
    expect(metadata.labels).not.toHaveProperty(labels.author)
    expect(metadata.annotations).toMatchObject({ [labels.author]: '@' })
  })
})
