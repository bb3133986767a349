import { secretType, serviceAccountType, type Secret, type ServiceAccount } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { componentType, type Component } from '@slipway/model/component'
import { imageRepositoryType } from '@slipway/model/image-repository'
import { labels } from '@slipway/model/labels'
import { cachedIndex } from '../cached-index'
import { defineController, ownerReference, watching, type ControllerContext } from '../controller'
import { componentKey } from '../git-host/build-run'
import { imageRepositoriesOf } from './image-repositories'

/** On a service account: names of the secrets that were linked to it by a controller, in the order of names. */
export const linkedSecretsAnnotation = 'simulator.slipway.dev/linked-secrets'

const isCommon = ({ metadata }: Secret) => metadata.labels?.[labels.commonSecret] === 'true'

/**
 * Gives each component the service account of its builds, and links to it what belongs there: the credentials of its
 * image and the secrets that are common to all components. Each is linked once: who unlinks it wants it so.
 */
export const buildServiceAccounts = defineController<Component>({
  name: 'build-service-accounts',
  type: componentType,
  owns: [serviceAccountType],
  sources: [
    watching(imageRepositoryType, ({ metadata }) => {
      const name = metadata.labels?.[labels.imageComponent]
      return name === undefined ? [] : [{ namespace: metadata.namespace, name }]
    }),
    watching(secretType, (secret, { informer }) =>
      isCommon(secret)
        ? informer(componentType)
            .list(namespaceOf(secret))
            .map((component) => ({ namespace: namespaceOf(component), name: nameOf(component) }))
        : [],
    ),
  ],
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

function secretsFor(component: Component, context: ControllerContext): Secret[] {
  const namespace = namespaceOf(component) ?? ''
  const pushSecrets = imageRepositoriesOf(context, componentKey(component)).map(({ status }) =>
    context.informer(secretType).get(namespace, status?.credentials?.['push-secret'] ?? ''),
  )
  return [...commonSecretsOf(context, namespace), ...pushSecrets.filter((secret) => secret !== undefined)]
}

const imagePullTypes = ['kubernetes.io/dockerconfigjson', 'kubernetes.io/dockercfg']

/** @returns the same object when nothing has to be linked */
function withLinks(account: ServiceAccount, wanted: Secret[]): ServiceAccount {
  const marks = account.metadata.annotations ?? {}
  const done = marks[linkedSecretsAnnotation]?.split(',').filter(Boolean) ?? []
  const missing = wanted.filter((secret) => !done.includes(nameOf(secret)))
  if (missing.length === 0) return account
  const add = (known: { name: string }[] = [], secrets: Secret[]) => [
    ...known,
    ...secrets
      .map(nameOf)
      .filter((name) => !known.some((each) => each.name === name))
      .map((name) => ({ name })),
  ]
  return {
    ...account,
    metadata: {
      ...account.metadata,
      annotations: { ...marks, [linkedSecretsAnnotation]: [...done, ...missing.map(nameOf)].sort().join(',') },
    },
    secrets: add(account.secrets, missing),
    imagePullSecrets: add(
      account.imagePullSecrets,
      missing.filter(({ type }) => imagePullTypes.includes(type ?? '')),
    ),
  }
}
