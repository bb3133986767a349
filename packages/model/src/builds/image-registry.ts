/**
 * The host of the registry that an image is in, with its port; `undefined` for a text that is not the address of an
 * image. Anyone who may edit a component chooses its image, so that only a valid host may end up in a command.
 * @param image such as `quay.io/team/api`, also with a tag or a digest
 */
export function registryOf(image: string): string | undefined {
  const [first = '', ...rest] = image.split('/')
  // Docker: reference/normalize.go. A first part that cannot be a host is the name of a user of Docker Hub.
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  const host = isHost ? first : 'docker.io'
  return hostPattern.test(host) && imagePattern.test(image) ? host : undefined
}

const hostPattern = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:\d{1,5})?$/i
const imagePattern = /^[\w][\w./:@-]*$/
