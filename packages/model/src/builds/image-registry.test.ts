import { describe, expect, it, test } from 'vitest'
import { imageCommands, proxiedImageCommands, registryOf } from './image-registry'

test.each<[image: string, registry: string | undefined]>([
  ['quay.io/team/api', 'quay.io'],
  ['quay.io/team/api:latest', 'quay.io'],
  [`quay.io/team/api@sha256:${'a'.repeat(64)}`, 'quay.io'],
  ['registry.slipway.test:5000/api', 'registry.slipway.test:5000'],
  ['localhost/api', 'localhost'],
  ['team/api', 'docker.io'],
  ['busybox:1', 'docker.io'],
  ['', undefined],
  ['$(reboot).io/team/api', undefined],
  ['-u.io/team/api', undefined],
  ['quay.io;reboot/team/api', undefined],
  ['quay.io\nreboot/team/api', undefined],
  ['quay.io:port/team/api', undefined],
  ['https://quay.io/team/api', undefined],
  ['quay.io/team/$(reboot)', undefined],
])('the registry of %j is %s', (image, registry) => expect(registryOf(image)).toBe(registry))

describe('the commands for an image', () => {
  const digest = `sha256:${'a'.repeat(64)}`
  const texts = (commands: ReturnType<typeof imageCommands>) =>
    commands && [...commands.login, ...commands.use].map(({ command }) => command)

  it('name it as it is at its registry', () =>
    expect(texts(imageCommands('quay.io/team/api:1'))).toEqual([
      'podman login quay.io',
      'docker login quay.io',
      'podman pull quay.io/team/api:1',
      'skopeo inspect docker://quay.io/team/api:1',
      'cosign tree quay.io/team/api:1',
      'cosign download attestation quay.io/team/api:1',
    ]))

  it('name it at the proxy of the platform, where the token is the password', () =>
    expect(texts(proxiedImageCommands(`quay.io/team/api@${digest}`, 'images.example.com:8443'))).toEqual([
      'podman login -u unused images.example.com:8443',
      'docker login -u unused images.example.com:8443',
      `podman pull images.example.com:8443/team/api@${digest}`,
      `skopeo inspect docker://images.example.com:8443/team/api@${digest}`,
      `cosign tree images.example.com:8443/team/api@${digest}`,
      `cosign download attestation images.example.com:8443/team/api@${digest}`,
    ]))

  test.each([
    [`quay.io/team/api:1.0_x@${digest}`, `quay.io/team/api@${digest}`],
    [`localhost:5000/api:1@${digest}`, `localhost:5000/api@${digest}`],
    [`localhost:5000/api@${digest}`, `localhost:5000/api@${digest}`],
    ['localhost:5000/api:1', 'localhost:5000/api:1'],
    ['busybox', 'busybox'],
  ])('name %s as %s', (image, expected) => expect(imageCommands(image)?.image).toBe(expected))

  test.each(['', 'quay.io/team/$(reboot)', 'quay.io/team/api; reboot', '-u.io/team/api'])(
    'are none for %j, which is not an image',
    (image) => {
      expect(imageCommands(image)).toBeUndefined()
      expect(proxiedImageCommands(image, 'images.example.com')).toBeUndefined()
    },
  )

  test.each([
    ['busybox:1', 'images.example.com'],
    ['team/api', 'images.example.com'],
    ['quay.io/team/api', 'images.example.com;reboot'],
  ])('through a proxy are none for %s at %s', (image, host) =>
    expect(proxiedImageCommands(image, host)).toBeUndefined(),
  )
})
