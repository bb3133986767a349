import { secretType, serviceAccountType, type Secret } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { componentType, type Component } from '@slipway/model/builds/component'
import { imageRepositoryType } from '@slipway/model/builds/image-repository'
import { labels } from '@slipway/model/labels'
import { cachedIndex } from '../cached-index'
import { defineController, ownerReference, on, objectKeyOf, type ControllerContext } from '../controller'
import { componentKey } from '../git-host/build-run'
import { namespacePullSecretName } from '../image-credentials'
import { linkOf, withLinks, type SecretLink } from '../linked-secrets'
import { imageRepositoriesOf } from './image-repositories'

const isCommon = ({ metadata }: Secret) => metadata.labels?.[labels.commonSecret] === 'true'

/**
 * Creates the service account for the builds of each component, and links the credentials of its image and the secrets
 * common to all components to it. Each secret is linked once, so that a user can unlink it.
 */
export const buildServiceAccounts = defineController<Component>({
  name: 'build-service-accounts',
  type: componentType,
  owns: [serviceAccountType],
  wakes: [
    on(imageRepositoryType, ({ metadata }) => {
      const name = metadata.labels?.[labels.imageComponent]
      return name === undefined ? [] : [{ namespace: metadata.namespace, name }]
    }),
    on(secretType, (secret, { informer }) =>
      isCommon(secret) || nameOf(secret) === namespacePullSecretName
        ? informer(componentType).list(namespaceOf(secret)).map(objectKeyOf)
        : [],
    ),
  ],
  writes: [[serviceAccountType, 'create', 'update']],
  async reconcile(component, context) {
    if (component.metadata.deletionTimestamp) return
    const { client, informer } = context
    const namespace = namespaceOf(component) ?? ''
    const name = `build-pipeline-${nameOf(component)}`
    const known = informer(serviceAccountType).get(namespace, name)
    const account = known ?? {
      metadata: { name, namespace, ownerReferences: [ownerReference(componentType, component)] },
    }
    const linked = withLinks(account, secretsFor(component, context))
    if (!known) await client.create(serviceAccountType, linked)
    else if (linked !== account) await client.replace(serviceAccountType, linked)
  },
})

const commonSecretsOf = cachedIndex(secretType, (secret) => (isCommon(secret) ? namespaceOf(secret) : undefined))

/** Secrets to link to a component's account. Image credentials are only for tasks. */
function secretsFor(component: Component, context: ControllerContext): SecretLink[] {
  const namespace = namespaceOf(component) ?? ''
  const repositories = imageRepositoriesOf(context, componentKey(component))
  const names = repositories.flatMap(({ status }) => status?.credentials?.['push-secret'] ?? [])
  const ofImages = [...names, ...(names.length > 0 ? [namespacePullSecretName] : [])].flatMap(
    (name) => context.informer(secretType).get(namespace, name) ?? [],
  )
  return [
    ...commonSecretsOf(context, namespace).map(linkOf),
    ...ofImages.map((secret) => ({ secret, forImages: false })),
  ]
}
