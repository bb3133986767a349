import { secretType, serviceAccountType, type ServiceAccount } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { integrationRunner } from '@slipway/model/access/roles/service-accounts'
import { aServiceAccount } from '@slipway/model/testing/build-services'
import { namespacePullSecret } from '../image-credentials'
import { linkedSecretsAnnotation, linkOf, withLinks } from '../linked-secrets'
import { seed, type ScenarioContext, type Seed } from './scenario'

/** A secret to link to service accounts of builds. */
export interface LinkPlan {
  /** Name of a secret in the namespace, which may be missing. */
  secret: string
  /** Names of components; default: all. */
  components?: string[]
  lists: ('secrets' | 'imagePullSecrets')[]
  /** Whether it was linked by a controller, which does so once, rather than by a user. */
  isAutomatic?: boolean
}

const prefix = 'build-pipeline-'

/** Adds the planned links to the seed if it is a service account of builds. */
export function withPlannedLinks(each: Seed, links: LinkPlan[]): Seed {
  const name = nameOf(each.object)
  if (each.type.kind !== serviceAccountType.kind || !name.startsWith(prefix)) return each
  const planned = links.filter(({ components }) => components?.includes(name.slice(prefix.length)) ?? true)
  // The kind was checked above.
  const account = each.object as ServiceAccount
  const listed = (list: LinkPlan['lists'][number]) => [
    ...planned.filter(({ lists }) => lists.includes(list)).map(({ secret }) => ({ name: secret })),
    ...(account[list] ?? []),
  ]
  const marks = account.metadata.annotations ?? {}
  const automatic = planned.filter(({ isAutomatic }) => isAutomatic).map(({ secret }) => secret)
  const done = [...(marks[linkedSecretsAnnotation]?.split(',') ?? []), ...automatic].sort().join(',')
  const metadata = { ...account.metadata, annotations: { ...marks, [linkedSecretsAnnotation]: done } }
  const linked: ServiceAccount = {
    ...account,
    metadata,
    secrets: listed('secrets'),
    imagePullSecrets: listed('imagePullSecrets'),
  }
  return { ...each, object: linked }
}

/** The secret to pull images of a namespace, and the service account of its tests with that secret linked. */
export function namespacePullSeeds(namespace: string, { world }: ScenarioContext): Seed[] {
  const secret = namespacePullSecret(namespace, world.random)
  const account = aServiceAccount({ metadata: { name: integrationRunner, namespace } })
  return [seed(secretType, secret), seed(serviceAccountType, withLinks(account, [linkOf(secret)]))]
}
