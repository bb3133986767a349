import { nameOf, specOf } from '@slipway/kube/object'
import type { ViewKind } from '@slipway/views/view-kind'
import { awaitsFirstMerge } from '../builds/build-pipeline-state'
import { type Component, componentType } from '../builds/component'
import { componentFields } from './component-fields'
import { yesOrNo } from './yes-or-no'

/** Components by name. Their builds are those of `pipelineRunView`: the first one of each component. */
export const componentView: ViewKind<Component> = {
  id: componentType.plural,
  type: componentType,
  mask: componentFields,
  fields: {
    name: { is: 'text', of: nameOf },
    application: { is: 'choice', of: (component) => specOf(component).application },
    awaitsMerge: { is: 'choice', of: (component) => yesOrNo(awaitsFirstMerge(component)) },
    isBeingDeleted: { is: 'choice', of: ({ metadata }) => yesOrNo(metadata.deletionTimestamp !== undefined) },
  },
  order: 'name',
  text: nameOf,
  identifiers: (component) =>
    [nameOf(component), specOf(component).containerImage ?? [], component.status?.lastBuiltCommit ?? []].flat(),
}
