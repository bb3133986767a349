import { type Application, applicationType } from '@slipway/model/builds/application'
import { permission } from '../../api/access/permission'
import type { DefinedAction } from '../../ui/actions/defined-action'
import { deletingReason } from '../../ui/actions/deleting-reason'
import {
  addComponent,
  defineRelationships,
  manageBuildPipelines,
  type RelationshipsParams,
} from '../../parts/components/actions'
import { LazyConfirmDeleteDialog } from '../../ui/form/LazyConfirmDeleteDialog'
import { addIntegrationTest } from '../../parts/integration-tests/actions'

export const deleteApplication: DefinedAction<Application> = {
  label: 'Delete application',
  isDanger: true,
  needs: permission("You don't have access to delete this application", ['delete', applicationType]),
  disabledReason: (application) => deletingReason(application, 'application'),
  dialog: (application, { onClose, onDeleted }) => (
    <LazyConfirmDeleteDialog type={applicationType} object={application} onClose={onClose} onDeleted={onDeleted}>
      Its components, snapshots, integration tests and releases are deleted with it. This cannot be undone.
    </LazyConfirmDeleteDialog>
  ),
}

/** What can be done with an application on its page. */
export const applicationActions: readonly DefinedAction<Application, RelationshipsParams>[] = [
  manageBuildPipelines,
  addComponent,
  addIntegrationTest,
  defineRelationships,
  deleteApplication,
]
