import { namespaceOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { applicationType } from '@slipway/model/builds/application'
import { componentGroupType } from '@slipway/model/builds/component-group'
import type { ControllerContext } from '../controller'
import type { PlatformVersion } from '../platform-version'

/** What a snapshot or an integration test belongs to: an application, or a component group. */

interface OwnerNames {
  application?: string
  componentGroup?: string
}

export const ownerTypes = (platform: PlatformVersion): readonly ResourceType[] =>
  platform === 'current' ? [applicationType, componentGroupType] : [applicationType]

/** The name of the owner of this kind; `undefined` if the owner is of another one. */
export const ownerNameOf = (spec: OwnerNames, type: ResourceType): string | undefined =>
  type.kind === applicationType.kind ? spec.application : spec.componentGroup

/** The owner, unless it is missing or being deleted. */
export function findOwner(
  object: KubeObject & { spec: OwnerNames },
  types: readonly ResourceType[],
  { informer }: Pick<ControllerContext, 'informer'>,
): { type: ResourceType; owner: KubeObject } | undefined {
  for (const type of types) {
    const name = ownerNameOf(object.spec, type)
    const owner = name ? informer(type).get(namespaceOf(object), name) : undefined
    if (owner && !owner.metadata.deletionTimestamp) return { type, owner }
  }
  return undefined
}

/** Whether both belong to the same application or to the same component group. */
export const isOfSameOwner = (a: OwnerNames, b: OwnerNames): boolean =>
  a.application === b.application && a.componentGroup === b.componentGroup
