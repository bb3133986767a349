import { namespaceType } from '@slipway/kube/core-types'
import { applicationType } from '@slipway/model/builds/application'
import { componentType, type Component } from '@slipway/model/builds/component'
import type { ControllerContext } from '../controller'

/**
 * The component that a pipeline in a repository builds; `undefined` if it, its application or its namespace is missing
 * or being deleted.
 * @param key `namespace/name`
 */
export function builtComponent(key: string, { informer }: Pick<ControllerContext, 'informer'>): Component | undefined {
  const [namespace = '', name = ''] = key.split('/')
  const component = informer(componentType).get(namespace, name)
  const application = component && informer(applicationType).get(namespace, component.spec.application ?? '')
  const isBeingDeleted = [component, application, informer(namespaceType).get(undefined, namespace)].some(
    (object) => object?.metadata.deletionTimestamp,
  )
  return application && !isBeingDeleted ? component : undefined
}
