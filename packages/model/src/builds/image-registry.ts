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

/** A command line that users copy, and what it does. */
export interface ImageCommand {
  label: string
  command: string
}

/** How users get an image, and what is attached to it. */
export interface ImageCommands {
  /** The address that the commands use. */
  image: string
  login: ImageCommand[]
  use: ImageCommand[]
}

/**
 * Command lines for an image at its registry: never with the value of a secret, which the programs ask for. `undefined`
 * for a text that is not the address of an image, so that nothing else ends up in a shell.
 */
export function imageCommands(image: string): ImageCommands | undefined {
  const registry = registryOf(image)
  return registry === undefined ? undefined : commandsFor(pinned(image), registry, '')
}

/**
 * The same through the image proxy of the platform, where the token is the password and the user name is not used.
 * @param proxyHost such as `images.example.com`
 */
export function proxiedImageCommands(image: string, proxyHost: string): ImageCommands | undefined {
  const registry = registryOf(image)
  // The proxy has a registry behind it, which is never Docker Hub: an image without a host is not in it.
  if (!registry || !hostPattern.test(proxyHost) || !image.startsWith(`${registry}/`)) return undefined
  return commandsFor(pinned(`${proxyHost}${image.slice(registry.length)}`), proxyHost, '-u unused ')
}

const commandsFor = (image: string, registry: string, flags: string): ImageCommands => ({
  image,
  login: [
    { label: 'Log in with podman', command: `podman login ${flags}${registry}` },
    { label: 'Log in with docker', command: `docker login ${flags}${registry}` },
  ],
  use: [
    { label: 'Pull', command: `podman pull ${image}` },
    { label: 'Inspect', command: `skopeo inspect docker://${image}` },
    { label: 'List signatures and SBOM', command: `cosign tree ${image}` },
    { label: 'Download attestations', command: `cosign download attestation ${image}` },
  ],
})

/** Without the tag if there is a digest: skopeo accepts no address with both. */
const pinned = (image: string): string => image.replace(/:[\w][\w.-]*(?=@)/, '')
