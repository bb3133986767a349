import type { Secret } from '@slipway/kube/core-types'
import { describe, expect, it } from 'vitest'
import { annotations } from '../labels'
import { asAnnotation, isImagePull, isLinkable, linkTaskOf, secretTypeText } from './secret'

const ofType = (type: string | undefined, data: Secret['data'] = { a: '', b: '' }): Secret => ({
  metadata: { name: 'token', namespace: 'team-shop' },
  type,
  data,
})

describe('a type of secrets', () => {
  it.each([
    ['kubernetes.io/dockerconfigjson', 'Image pull', true, true],
    ['kubernetes.io/dockercfg', 'Image pull', true, true],
    ['kubernetes.io/basic-auth', 'Key/value (2)', false, true],
    ['kubernetes.io/ssh-auth', 'Key/value (2)', false, false],
    ['Opaque', 'Key/value (2)', false, false],
    [undefined, 'Key/value (2)', false, false],
    ['kubernetes.io/tls', 'kubernetes.io/tls', false, false],
  ])('%s (SEC-07, SEC-71, LINK-12, LINK-14)', (type, text, forImages, canBeLinked) => {
    const secret = ofType(type)
    expect([secretTypeText(secret), isImagePull(secret), isLinkable(secret)]).toEqual([text, forImages, canBeLinked])
  })

  it('has no keys if the secret has no data', () => {
    expect(secretTypeText({ metadata: {}, type: 'Opaque' })).toBe('Key/value (0)')
  })
})

describe('the link task of a secret', () => {
  const marked = (status?: string, error?: string): Secret => ({
    metadata: {
      annotations: {
        ...(status !== undefined && { [annotations.linkStatus]: status }),
        ...(error !== undefined && { [annotations.linkError]: error }),
      },
    },
  })
  it.each([
    [marked(), undefined],
    [{ metadata: {} }, undefined],
    [marked('nonsense'), undefined],
    [marked('Pending'), { state: 'Pending', error: undefined }],
    [marked('Succeeded', ''), { state: 'Succeeded', error: undefined }],
    [marked('Failed', 'forbidden'), { state: 'Failed', error: 'forbidden' }],
  ])('is read from its annotations (LINK-28, LINK-29, LINK-39)', (secret, task) => {
    expect(linkTaskOf(secret)).toEqual(task)
  })

  it.each([
    ['x'.repeat(2048), 'x'.repeat(2048)],
    ['x'.repeat(2049), `${'x'.repeat(2045)}...`],
    ['short', 'short'],
  ])('has an error of at most 2,048 characters (LINK-30)', (text, kept) => {
    expect(asAnnotation(text)).toBe(kept)
  })
})
