import { secretType, type Secret } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { componentType, type Component } from '@slipway/model/component'
import { imageRepositoryType, type ImageRepository } from '@slipway/model/image-repository'
import { annotations, labels } from '@slipway/model/labels'
import { cachedIndex } from '../cached-index'
import { defineController, ownerReference, watching, type ControllerContext } from '../controller'
import { hexDigits, type Random } from '../keyed-random'

/** Where the images of simulated components are said to be. */
export const imageRegistry = 'registry.slipway.test'

/** Image repositories of a component, which is named as `namespace/name`. */
export const imageRepositoriesOf = cachedIndex(imageRepositoryType, ({ metadata }) => {
  const name = metadata.labels?.[labels.imageComponent]
  return name === undefined ? undefined : `${metadata.namespace}/${name}`
})

/** The registry takes a moment to make a repository. */
const provisioningMs = 3_000

/**
 * The image controller: makes the address and the credentials of an image repository, makes new credentials when asked
 * to, and tells the component its image.
 */
export const imageRepositories = defineController<ImageRepository>({
  name: 'image-repositories',
  type: imageRepositoryType,
  owns: [secretType],
  sources: [
    watching(componentType, (component) => [
      {
        namespace: namespaceOf(component),
        name: `imagerepository-for-${component.spec.application}-${nameOf(component)}`,
      },
    ]),
  ],
  async reconcile(repository, context) {
    if (repository.metadata.deletionTimestamp) return
    const component = componentOf(repository, context)
    const image = repository.spec.image
    const name = image?.name ?? defaultNameOf(repository)
    const isUnowned =
      component && !repository.metadata.ownerReferences?.some(({ uid }) => uid === component.metadata.uid)
    if (isUnowned || image?.name === undefined || image.visibility === undefined) {
      await context.client.replace(imageRepositoryType, {
        ...repository,
        metadata: isUnowned ? ownedBy(component, repository) : repository.metadata,
        spec: { ...repository.spec, image: { name, visibility: image?.visibility ?? 'public' } },
      })
      return
    }
    if (repository.status?.state === undefined) {
      const ageMs = context.now() - Date.parse(repository.metadata.creationTimestamp ?? '')
      const waitMs = context.pace(provisioningMs) - ageMs
      if (waitMs > 0) return { afterMs: waitMs }
    }
    const wasAsked = repository.spec.credentials?.['regenerate-token'] === true
    const generatedAt = wasAsked
      ? context.timestamp()
      : (repository.status?.credentials?.generationTimestamp ?? context.timestamp())
    await writeSecrets(repository, generatedAt, context)
    const ready = await writeStatus(repository, statusOf(repository, generatedAt, context.random), context)
    // What was asked for is taken away last: until then it is done again.
    if (ready.spec.credentials) return forgetRequest(ready, context)
    await tellComponent(ready, component, context)
  },
})

const componentOf = ({ metadata }: ImageRepository, { informer }: ControllerContext): Component | undefined => {
  const name = metadata.labels?.[labels.imageComponent]
  return name === undefined ? undefined : informer(componentType).get(metadata.namespace, name)
}

const defaultNameOf = (repository: ImageRepository) =>
  `${namespaceOf(repository)}/${repository.metadata.labels?.[labels.imageComponent] ?? nameOf(repository)}`

const ownedBy = (component: Component, { metadata }: ImageRepository): ImageRepository['metadata'] => ({
  ...metadata,
  ownerReferences: [
    ...(metadata.ownerReferences ?? []),
    { ...ownerReference(componentType, component), controller: false },
  ],
})

/** The end of a secret's name is longer than what Kubernetes lets a name be cut for. */
const maxHeadLength = 220
const purposes = ['push', 'pull'] as const
type Purpose = (typeof purposes)[number]

export const imageSecretName = (repository: ImageRepository, purpose: Purpose): string =>
  `${nameOf(repository).slice(0, maxHeadLength)}-image-${purpose}`

const robotOf = (repository: ImageRepository, purpose: Purpose, random: (key: string) => Random) => {
  const key = `robot ${namespaceOf(repository)}/${nameOf(repository)} ${purpose}`
  const readable = (repository.spec.image?.name ?? '').replace(/[^a-z0-9]+/g, '_').slice(0, 40)
  return `slipway+${readable}_${hexDigits(random(key), 10)}${purpose === 'pull' ? '_pull' : ''}`
}

function statusOf(
  repository: ImageRepository,
  generationTimestamp: string,
  random: (key: string) => Random,
): ImageRepository['status'] {
  const { image, notifications } = repository.spec
  return {
    ...repository.status,
    state: 'ready',
    image: { url: `${imageRegistry}/${image?.name}`, visibility: image?.visibility },
    credentials: {
      generationTimestamp,
      'push-secret': imageSecretName(repository, 'push'),
      'pull-secret': imageSecretName(repository, 'pull'),
      'push-robot-account': robotOf(repository, 'push', random),
      'pull-robot-account': robotOf(repository, 'pull', random),
    },
    ...(notifications && {
      notifications: notifications.map(({ title }) => ({
        title,
        uuid: uuidFrom(random(`notification ${namespaceOf(repository)}/${nameOf(repository)} ${title}`)),
      })),
    }),
  }
}

function uuidFrom(random: Random): string {
  const digits = hexDigits(random, 30)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(12, 15)}`,
    `a${digits.slice(15, 18)}`,
    digits.slice(18, 30),
  ].join('-')
}

async function writeSecrets(repository: ImageRepository, generatedAt: string, context: ControllerContext) {
  const { client, informer, random } = context
  const namespace = namespaceOf(repository)
  for (const purpose of purposes) {
    const name = imageSecretName(repository, purpose)
    const data = { '.dockerconfigjson': dockerConfig(repository, purpose, generatedAt, random) }
    const known = informer(secretType).get(namespace, name)
    if (!known) {
      const secret: Secret = {
        metadata: {
          name,
          namespace,
          labels: { 'appstudio.redhat.com/internal': 'true' },
          ownerReferences: [ownerReference(imageRepositoryType, repository)],
        },
        type: 'kubernetes.io/dockerconfigjson',
        data,
      }
      await client.create(secretType, secret)
    } else if (known.data?.['.dockerconfigjson'] !== data['.dockerconfigjson']) {
      await client.replace(secretType, { ...known, data })
    }
  }
}

/** In base64. The token is another one each time that it is generated. */
function dockerConfig(
  repository: ImageRepository,
  purpose: Purpose,
  generatedAt: string,
  random: (key: string) => Random,
): string {
  const account = robotOf(repository, purpose, random)
  const token = hexDigits(random(`token ${account} ${generatedAt}`), 64).toUpperCase()
  const auths = { [`${imageRegistry}/${repository.spec.image?.name}`]: { auth: btoa(`${account}:${token}`) } }
  return btoa(JSON.stringify({ auths }))
}

/** @returns the object as it is now, on which further writes are based */
async function writeStatus(
  repository: ImageRepository,
  status: ImageRepository['status'],
  { client }: ControllerContext,
): Promise<ImageRepository> {
  if (JSON.stringify(status) === JSON.stringify(repository.status)) return repository
  return client.replaceStatus(imageRepositoryType, { ...repository, status })
}

async function forgetRequest(repository: ImageRepository, { client }: ControllerContext) {
  const { credentials: _done, ...spec } = repository.spec
  await client.replace(imageRepositoryType, { ...repository, spec })
}

async function tellComponent(
  repository: ImageRepository,
  component: Component | undefined,
  { client }: ControllerContext,
) {
  const isAsked = repository.metadata.annotations?.[annotations.updateComponentImage] === 'true'
  const url = `${imageRegistry}/${repository.spec.image?.name}`
  if (!component || component.metadata.deletionTimestamp) return
  if (component.spec.containerImage !== url && (isAsked || !component.spec.containerImage)) {
    await client.replace(componentType, { ...component, spec: { ...component.spec, containerImage: url } })
  }
  if (!isAsked) return
  const marks = { ...repository.metadata.annotations }
  delete marks[annotations.updateComponentImage]
  await client.replace(imageRepositoryType, { ...repository, metadata: { ...repository.metadata, annotations: marks } })
}
