import { expect, test } from 'vitest'
import { shortImageAddress } from './snapshot'

test.each([
  ['a digest', `quay.io/acme/web@sha256:${'0123456789ab'.padEnd(64, 'c')}`, 'quay.io/acme/web@sha256:0123456789ab'],
  ['a tag', 'quay.io/acme/web:latest', 'quay.io/acme/web:latest'],
  ['an invalid digest', 'quay.io/acme/web@sha256:aa', 'quay.io/acme/web@sha256:aa'],
])('the short address of an image with %s', (_, image, short) => expect(shortImageAddress(image)).toBe(short))
