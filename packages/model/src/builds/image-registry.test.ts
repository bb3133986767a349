import { expect, test } from 'vitest'
import { registryOf } from './image-registry'

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
