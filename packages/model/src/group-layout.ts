import { inEachGroup } from '@slipway/kube/resource-type'
import { componentType } from './builds/component'
import { imageRepositoryType } from './builds/image-repository'
import type { CustomResourceDefinition } from './crds/define-crd'

/**
 * Which groups a platform serves its kinds in: `old` as before they started to move, `both` as where those that have
 * moved first are served in both groups, `new` as after all have moved (ADR 62).
 */
export type GroupLayout = 'old' | 'both' | 'new'

const [newest, oldest = newest] = inEachGroup(componentType).map(({ group }) => group)
const firstMoved: readonly string[] = [componentType, imageRepositoryType].map(({ plural }) => plural)

/** @param definitions in the old layout */
export const definitionsIn = (
  layout: GroupLayout,
  definitions: readonly CustomResourceDefinition[],
): CustomResourceDefinition[] =>
  definitions.flatMap((definition) => {
    if (layout === 'old' || definition.spec.group !== oldest) return [definition]
    if (layout === 'new') return [moved(definition)]
    return firstMoved.includes(definition.spec.names.plural) ? [definition, moved(definition)] : [definition]
  })

function moved(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { metadata, spec } = definition
  const group = newest ?? spec.group
  return {
    ...definition,
    metadata: { ...metadata, name: `${spec.names.plural}.${group}` },
    spec: { ...spec, group },
  }
}
