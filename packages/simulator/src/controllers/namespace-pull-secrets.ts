import { namespaceType, secretType, serviceAccountType, type Namespace } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, type KubeObject } from '@slipway/kube/object'
import { ignoreExisting } from '@slipway/kube/status'
import { imageRepositoryType } from '@slipway/model/builds/image-repository'
import { integrationRunner } from '@slipway/model/access/roles/service-accounts'
import { defineController, on } from '../controller'
import { namespacePullSecret, namespacePullSecretName } from '../image-credentials'
import { linkOf, withLinks } from '../linked-secrets'

const namespaceKeyOf = (object: KubeObject) => [{ name: namespaceOf(object) ?? '' }]
const whenNamed =
  (name: string) =>
  (object: KubeObject): { name: string }[] =>
    nameOf(object) === name ? namespaceKeyOf(object) : []

/** Creates the secret with which tests pull images in each namespace that has image repositories. */
export const namespacePullSecrets = defineController<Namespace>({
  name: 'namespace-pull-secrets',
  type: namespaceType,
  wakes: [
    on(imageRepositoryType, namespaceKeyOf),
    on(secretType, whenNamed(namespacePullSecretName)),
    on(serviceAccountType, whenNamed(integrationRunner)),
  ],
  writes: [
    [secretType, 'create'],
    [serviceAccountType, 'update'],
  ],
  async reconcile(object, { client, informer, random }) {
    const namespace = nameOf(object)
    if (object.metadata.deletionTimestamp || informer(imageRepositoryType).list(namespace).length === 0) return
    const secret = informer(secretType).get(namespace, namespacePullSecretName)
    if (!secret) await client.create(secretType, namespacePullSecret(namespace, random)).catch(ignoreExisting)
    const account = informer(serviceAccountType).get(namespace, integrationRunner)
    if (!account || !secret) return
    const linked = withLinks(account, [linkOf(secret)])
    if (linked !== account) await client.replace(serviceAccountType, linked)
  },
})
