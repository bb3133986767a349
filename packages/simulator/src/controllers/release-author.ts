import { roleBindingType } from '@slipway/kube/core-types'
import { isLabelValue } from '@slipway/kube/label-syntax'
import { clusterRoleName } from '@slipway/model/access/roles/user-actions'
import type { ControllerContext } from '../controller'
import { sanitizeLabelValue } from '../release/author-label'

/**
 * The platform notes by a webhook who asks for a release or gives a plan its standing authorization. Nobody tells a
 * controller who wrote an object, so here it is the first person who may do everything in the namespace.
 * @returns a name that a label may hold; `undefined` when nobody may
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
