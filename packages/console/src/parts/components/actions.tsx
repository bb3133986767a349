import { type Component, componentsOf, componentType } from '@slipway/model/builds/component'
import { permission } from '../../api/access/permission'
import type { Source } from '../../api/source'
import { type ApplicationParams, paths } from '../../paths'
import type { DefinedAction } from '../../ui/actions/defined-action'
import { ChunkLoadAlert, lazyComponent } from '../../ui/page/lazy-component'
import { LazyBuildPipelinesDialog } from './LazyBuildPipelinesDialog'

/** Specification 2, section 6: this permission is enough to be offered the import. */
export const addComponent: DefinedAction<unknown, ApplicationParams> = {
  label: 'Add component',
  needs: permission("You don't have access to add a component", ['create', componentType]),
  to: (_, at) => paths.createComponent(at),
}

export const manageBuildPipelines: DefinedAction<unknown, ApplicationParams> = {
  label: 'Manage build pipelines',
  needs: permission('You do not have access to manage build pipelines', ['patch', componentType]),
  dialog: (_, { at, onClose }) => <LazyBuildPipelinesDialog at={at} onClose={onClose} />,
}

// Loaded on demand: few users open it, and no page needs its fields.
const RelationshipsDialog = lazyComponent(() => import('./RelationshipsDialog'), 'RelationshipsDialog', {
  Missing: ChunkLoadAlert,
})

/** The application whose relationships are defined, and `components.listed` of its namespace. */
export interface RelationshipsParams extends ApplicationParams {
  components: Pick<Source<Component>, 'rows' | 'error'>
}

export const defineRelationships: DefinedAction<unknown, RelationshipsParams> = {
  label: 'Define component relationships',
  isWrite: true,
  needs: permission("You don't have access to define component relationships", ['patch', componentType]),
  disabledReason: (_, { application, components: { rows, error } }) =>
    rows ? missingReason(rows, application) : error ? 'The components could not be loaded' : 'Loading the components',
  dialog: (_, { at, onClose }) =>
    at.components.rows && <RelationshipsDialog at={at} components={at.components.rows} onClose={onClose} />,
}

/** Why there is nothing to relate. */
function missingReason(all: readonly Component[], application: string): string | false {
  if (componentsOf(all, application).length === 0) return 'This application has no components'
  const existing = all.filter(({ metadata }) => !metadata.deletionTimestamp)
  return existing.length < 2 && 'A relationship needs two components, and this namespace has only one'
}
