import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { type Component, componentType } from '@slipway/model/builds/component'
import { permission } from '../../api/access/permission'
import { type ApplicationParams, type NamespaceParams, paths } from '../../paths'
import { startBuild } from '../../resources/run-requests'
import { linkSecretsPermission } from '../../resources/service-accounts'
import type { DefinedAction } from '../../ui/actions/defined-action'
import { runAction } from '../../ui/actions/object-actions'
import { LazyBuildPipelinesDialog } from '../../parts/components/LazyBuildPipelinesDialog'
import { LazyBuildTriggerDialog } from '../../parts/components/LazyBuildTriggerDialog'
import { LazyConfirmDeleteDialog } from '../../ui/form/LazyConfirmDeleteDialog'

const inApplication = (component: Component, { namespace }: NamespaceParams): ApplicationParams => ({
  namespace,
  application: specOf(component).application ?? '',
})

const withoutApplication = (component: Component): string | false =>
  !specOf(component).application && 'It belongs to no application'

/** What can be done with any component. */
export const componentActions: readonly DefinedAction<Component>[] = [
  {
    label: 'Start new build',
    needs: permission("You don't have access to start a new build", ['patch', componentType]),
    run: (component) =>
      runAction(component, 'build', () => startBuild(namespaceOf(component) ?? '', nameOf(component)), {
        messages: {
          pending: 'Requesting a new build…',
          done: 'New build requested. It appears here when it starts.',
          failed: "Couldn't start a new build",
        },
      }),
  },
  {
    label: 'Edit build pipeline plan',
    needs: permission("You don't have access to edit the build pipeline plan", ['patch', componentType]),
    disabledReason: withoutApplication,
    dialog: (component, { at, onClose }) => (
      <LazyBuildPipelinesDialog at={inApplication(component, at)} component={nameOf(component)} onClose={onClose} />
    ),
  },
  {
    label: 'Manage linked secrets',
    needs: linkSecretsPermission,
    disabledReason: withoutApplication,
    to: (component, at) => paths.linkedSecrets({ ...inApplication(component, at), component: nameOf(component) }),
  },
  {
    label: 'Delete component',
    isDanger: true,
    needs: permission("You don't have access to delete a component", ['delete', componentType]),
    dialog: (component, { onClose, onDeleted }) => (
      <LazyConfirmDeleteDialog type={componentType} object={component} onClose={onClose} onDeleted={onDeleted}>
        Its repository and images are not deleted. This cannot be undone.
      </LazyConfirmDeleteDialog>
    ),
  },
]

/** Finds the condition that kept a push or a pull request from being built. */
export const explainBuilds: DefinedAction<Component, ApplicationParams> = {
  label: 'Why was it not built?',
  dialog: (component, { onClose }) => <LazyBuildTriggerDialog component={component} onClose={onClose} />,
}

/** Opens the build pipelines of all components of an application. */
export const editBuildPipelines: DefinedAction<unknown, ApplicationParams> = {
  label: 'Edit build pipeline plans',
  needs: permission("You don't have access to edit the build pipeline plans", ['patch', componentType]),
  dialog: (_, { at, onClose }) => <LazyBuildPipelinesDialog at={at} onClose={onClose} />,
}
