import { roleBindingType } from '@slipway/kube/core-types'
import { isLabelValue } from '@slipway/kube/label-syntax'
import { clusterRoleName } from '@slipway/model/access/roles/user-actions'
import { sanitizeLabelValue } from '@slipway/model/releases/release-author'
import type { ControllerContext } from '../controller'

/**
 * The platform's webhook records which user creates a release or gives a plan standing authorization. A controller
 * cannot know who wrote an object, so the simulator uses the first admin or maintainer of the namespace.
 * @returns a name as a valid label value; `undefined` if there is no such user
 */
export function authorIn(namespace: string | undefined, { informer }: ControllerContext): string | undefined {
  const bindings = informer(roleBindingType).list(namespace)
  const [author] = (['admin', 'maintainer'] as const)
    .flatMap((role) => bindings.filter(({ roleRef }) => roleRef.name === clusterRoleName(role)))
    .flatMap(({ subjects = [] }) => subjects.filter(({ kind }) => kind === 'User'))
    .map(({ name }) => sanitizeLabelValue(name))
    .filter((value) => value !== '' && isLabelValue(value))
  return author
}
