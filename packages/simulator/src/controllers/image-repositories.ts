import { secretType } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { componentType, type Component } from '@slipway/model/builds/component'
import { imageRepositoryType, type ImageRepository } from '@slipway/model/builds/image-repository'
import { annotations, labels } from '@slipway/model/labels'
import { cachedIndex } from '../cached-index'
import {
  defineController,
  ownerReference,
  on,
  objectKeyOf,
  type ControllerContext,
  type ReconcileResult,
} from '../controller'
import { componentKey } from '../git-host/build-run'
import { imageCredentials, imagePurposes, imageRegistry, imageSecret, imageSecretName } from '../image-credentials'
import { hexDigits, type Random } from '../keyed-random'

export const imageFinalizer = 'appstudio.openshift.io/image-repository'

/** Image repositories of a component, by its key `namespace/name`. */
export const imageRepositoriesOf = cachedIndex(imageRepositoryType, ({ metadata }) => {
  const name = metadata.labels?.[labels.imageComponent]
  return name === undefined ? undefined : `${metadata.namespace}/${name}`
})

/** How long the registry takes to create or delete a repository. */
const provisioningMs = 3_000

/**
 * The image controller: sets the URL and creates the credentials of an image repository, regenerates them on request,
 * and writes the image to the component.
 */
export const imageRepositories = defineController<ImageRepository>({
  name: 'image-repositories',
  type: imageRepositoryType,
  owns: [secretType],
  wakes: [
    on(componentType, (component, context) => imageRepositoriesOf(context, componentKey(component)).map(objectKeyOf)),
  ],
  writes: [
    [imageRepositoryType, 'update', 'updateStatus'],
    [secretType, 'create', 'update'],
    [componentType, 'update'],
  ],
  async reconcile(repository, context) {
    if (repository.metadata.deletionTimestamp) return remove(repository, context)
    // A repository that failed or is broken in the registry is ignored, as by the real controller.
    if (broken.has(repository.status?.state)) return
    const component = componentOf(repository, context)
    const { finalizers = [] } = repository.metadata
    const isProvisioned = finalizers.includes(imageFinalizer)
    if (!component && isLinked(repository) && !isProvisioned) return void (await waitForComponent(repository, context))
    const image = repository.spec.image
    const name = image?.name ?? defaultNameOf(repository)
    const isUnowned =
      component && !repository.metadata.ownerReferences?.some(({ uid }) => uid === component.metadata.uid)
    if (isUnowned || !isProvisioned || image?.name === undefined || image.visibility === undefined) {
      await context.client.replace(imageRepositoryType, {
        ...repository,
        metadata: {
          ...(isUnowned ? ownedBy(component, repository) : repository.metadata),
          finalizers: isProvisioned ? finalizers : [...finalizers, imageFinalizer],
        },
        spec: { ...repository.spec, image: { name, visibility: image?.visibility ?? 'public' } },
      })
      return
    }
    if (repository.status?.state !== 'ready') {
      const ageMs = context.now() - Date.parse(repository.metadata.creationTimestamp ?? '')
      const waitMs = context.scale(provisioningMs) - ageMs
      if (waitMs > 0) return { afterMs: waitMs }
    }
    const isRequested = repository.spec.credentials?.['regenerate-token'] === true
    const generatedAt = isRequested
      ? context.timestamp()
      : (repository.status?.credentials?.generationTimestamp ?? context.timestamp())
    await writeSecrets(repository, generatedAt, isRequested, context)
    const ready = await writeStatus(repository, statusOf(repository, generatedAt, context.random), context)
    // The request is removed last, so that it is repeated after an interruption.
    if (ready.spec.credentials) return removeRequest(ready, context)
    await updateComponent(ready, component, context)
  },
})

async function remove(
  repository: ImageRepository,
  { client, now, scale }: ControllerContext,
): Promise<ReconcileResult | void> {
  const { deletionTimestamp = '', finalizers = [] } = repository.metadata
  if (!finalizers.includes(imageFinalizer)) return
  const waitMs = scale(provisioningMs) - (now() - Date.parse(deletionTimestamp))
  if (waitMs > 0) return { afterMs: waitMs }
  const metadata = { ...repository.metadata, finalizers: finalizers.filter((each) => each !== imageFinalizer) }
  await client.replace(imageRepositoryType, { ...repository, metadata })
}

const broken = new Set<NonNullable<ImageRepository['status']>['state']>(['failed', 'damaged', 'missing'])

const isLinked = ({ metadata }: ImageRepository) => Boolean(metadata.labels?.[labels.imageComponent])

const waitForComponent = (repository: ImageRepository, context: ControllerContext) => {
  const message = `Component '${repository.metadata.labels?.[labels.imageComponent]}' does not exist`
  return writeStatus(repository, { ...repository.status, state: 'waiting', message }, context)
}

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

const withoutMessage = ({ message: _, ...status }: NonNullable<ImageRepository['status']>) => status

function statusOf(
  repository: ImageRepository,
  generationTimestamp: string,
  random: (key: string) => Random,
): ImageRepository['status'] {
  const { image, notifications } = repository.spec
  const known = repository.status?.notifications ?? []
  return {
    // Removes the message of a repository that was waiting for its component.
    ...(repository.status?.state === 'waiting' ? withoutMessage(repository.status) : repository.status),
    state: 'ready',
    image: { url: `${imageRegistry}/${image?.name}`, visibility: image?.visibility },
    credentials: imageCredentials(repository, generationTimestamp, random),
    ...(notifications && {
      notifications: notifications.map(({ title }) => ({
        title,
        uuid:
          known.find((each) => each.title === title)?.uuid ??
          uuidFrom(random(`notification ${namespaceOf(repository)}/${nameOf(repository)} ${title}`)),
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

/** @param isRenewed whether existing secrets get a new token */
async function writeSecrets(
  repository: ImageRepository,
  generatedAt: string,
  isRenewed: boolean,
  context: ControllerContext,
) {
  const { client, informer, random } = context
  for (const purpose of imagePurposes) {
    const known = informer(secretType).get(namespaceOf(repository), imageSecretName(repository, purpose))
    if (known && !isRenewed) continue
    const secret = imageSecret(repository, purpose, generatedAt, random)
    if (known) await client.replace(secretType, { ...known, data: secret.data })
    else await client.create(secretType, secret)
  }
}

/** @returns the updated object, for further writes */
async function writeStatus(
  repository: ImageRepository,
  status: ImageRepository['status'],
  { client }: ControllerContext,
): Promise<ImageRepository> {
  if (JSON.stringify(status) === JSON.stringify(repository.status)) return repository
  return client.replaceStatus(imageRepositoryType, { ...repository, status })
}

async function removeRequest(repository: ImageRepository, { client }: ControllerContext) {
  const { credentials: _done, ...spec } = repository.spec
  await client.replace(imageRepositoryType, { ...repository, spec })
}

async function updateComponent(
  repository: ImageRepository,
  component: Component | undefined,
  { client }: ControllerContext,
) {
  const isRequested = repository.metadata.annotations?.[annotations.updateComponentImage] === 'true'
  const url = `${imageRegistry}/${repository.spec.image?.name}`
  if (!component || component.metadata.deletionTimestamp) return
  if (component.spec.containerImage !== url && (isRequested || !component.spec.containerImage)) {
    await client.replace(componentType, { ...component, spec: { ...component.spec, containerImage: url } })
  }
  if (!isRequested) return
  const marks = { ...repository.metadata.annotations }
  delete marks[annotations.updateComponentImage]
  await client.replace(imageRepositoryType, { ...repository, metadata: { ...repository.metadata, annotations: marks } })
}
