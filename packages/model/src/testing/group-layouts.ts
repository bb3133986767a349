import type { KubeObject } from '@slipway/kube/object'
import { inEachGroup } from '@slipway/kube/resource-type'
import { componentType } from '../builds/component'
import type { GroupLayout } from '../group-layout'

export const groupLayouts: readonly GroupLayout[] = ['old', 'both', 'new']

const [newest, oldest = newest] = inEachGroup(componentType).map(({ group }) => group)

/** An object of a kind of the product in the group that it has after it has moved. */
export const inNewestGroup = <T extends KubeObject>(object: T): T => ({
  ...object,
  apiVersion: object.apiVersion?.replace(`${oldest}/`, `${newest}/`),
})
