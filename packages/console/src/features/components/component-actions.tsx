import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { type Component, componentType } from '@slipway/model/supply-chain/component'
import { useNavigate } from 'react-router'
import { disabledReason, useAccess } from '../../api/access/access'
import type { AccessCheck } from '../../api/access/access-review'
import { paths } from '../../paths'
import { buildComponentChecks, deleteComponentChecks } from '../../resources/components'
import { startBuild } from '../../resources/run-requests'
import { linkSecretsChecks } from '../../resources/service-accounts'
import type { Action } from '../../ui/action'
import { ConfirmDeleteDialog } from '../../ui/dialogs/ConfirmDeleteDialog'
import { runAction } from '../../ui/actions/object-actions'

/** The access checks of `useComponentActions`, for loaders. */
export const componentActionChecks = (namespace: string): AccessCheck[] => [
  ...buildComponentChecks(namespace),
  ...linkSecretsChecks(namespace),
  ...deleteComponentChecks(namespace),
]

/** Open the dialogs of the actions. */
interface ActionHandlers {
  onEditPipeline: (component: Component) => void
  onDelete: (component: Component) => void
}

/** The actions on any component of a namespace. */
export function useComponentActions(
  namespace: string,
  { onEditPipeline, onDelete }: ActionHandlers,
): (component: Component) => Action[] {
  const mayBuild = useAccess(buildComponentChecks(namespace))
  const mayLinkSecrets = useAccess(linkSecretsChecks(namespace))
  const mayDelete = useAccess(deleteComponentChecks(namespace))
  const navigate = useNavigate()
  return (component) => [
    {
      label: 'Start new build',
      isWrite: true,
      disabledReason: disabledReason(mayBuild, "You don't have access to start a new build"),
      onSelect: () =>
        runAction(component, 'build', () => startBuild(namespaceOf(component) ?? '', nameOf(component)), {
          messages: buildMessages,
        }),
    },
    {
      label: 'Edit build pipeline plan',
      disabledReason: disabledReason(mayBuild, "You don't have access to edit the build pipeline plan"),
      onSelect: () => onEditPipeline(component),
    },
    {
      label: 'Manage linked secrets',
      disabledReason: disabledReason(mayLinkSecrets, "You don't have access to manage linked secrets"),
      onSelect: () => {
        const { application = '' } = specOf(component)
        void navigate(paths.linkedSecrets({ namespace, application, component: nameOf(component) }))
      },
    },
    {
      label: 'Delete component',
      isDanger: true,
      disabledReason: disabledReason(mayDelete, "You don't have access to delete a component"),
      onSelect: () => onDelete(component),
    },
  ]
}

const buildMessages = {
  pending: 'Requesting a new build…',
  done: 'New build requested. It appears here when it starts.',
  failed: "Couldn't start a new build",
}

interface DeleteComponentDialogProps {
  component: Component
  onClose: () => void
  onDeleted?: () => void
}

export const DeleteComponentDialog = ({ component, ...handlers }: DeleteComponentDialogProps) => (
  <ConfirmDeleteDialog type={componentType} object={component} {...handlers}>
    Its repository and images are not deleted. This cannot be undone.
  </ConfirmDeleteDialog>
)
