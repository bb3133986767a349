import { applicationType } from '@slipway/model/application'
import { componentType, type Component } from '@slipway/model/component'
import type { ControllerContext } from '../controller'

/**
 * The component that a pipeline of a repository builds; `undefined` once it or its application is being deleted.
 * @param key `namespace/name`
 */
export function builtComponent(key: string, { informer }: Pick<ControllerContext, 'informer'>): Component | undefined {
  const [namespace, name = ''] = key.split('/')
  const component = informer(componentType).get(namespace, name)
  const application = component && informer(applicationType).get(namespace, component.spec.application ?? '')
  const isThere = application && !application.metadata.deletionTimestamp && !component.metadata.deletionTimestamp
  return isThere ? component : undefined
}
