import type { Application } from '@slipway/model/builds/application'
import { useList, useObject } from '../../api/source'
import { paths } from '../../paths'
import { applications } from '../../resources/applications'
import { components } from '../../resources/components'
import { actionChecks } from '../../ui/actions/defined-action'
import { useActions } from '../../ui/actions/use-actions'
import { activityParts } from '../../parts/activity/activity-tabs'
import { createApplication } from '../../parts/applications/actions'
import { ApplicationSwitcher } from '../../parts/applications/ApplicationSwitcher'
import { DetailLayout } from '../../ui/page/DetailLayout'
import { route } from '../../ui/page/route'
import { applicationActions } from './application-actions'

export const page = route(paths.application, ({ namespace, application }) => ({
  // The switcher offers to create an application.
  check: actionChecks(namespace, ...applicationActions, createApplication),
  read: [
    applications.get(namespace, application),
    // For the switcher.
    applications.list(namespace),
    // For the dialog of relationships.
    components.listed(namespace),
  ],
}))

export { ApplicationLayout as Component }
function ApplicationLayout() {
  const at = page.useParams()
  const { actionsOf, dialog } = useActions(
    applicationActions,
    { ...at, components: useList(components.listed(at.namespace)) },
    { afterDelete: paths.applications(at) },
  )
  return (
    <>
      <DetailLayout
        kind="Application"
        name={at.application}
        source={useObject(applications.get(at.namespace, at.application))}
        breadcrumbs={[
          { label: 'Applications', to: paths.applications(at) },
          { label: at.application, content: <ApplicationSwitcher {...at} /> },
        ]}
        label={({ spec }: Application) => spec.displayName !== at.application && spec.displayName}
        actions={actionsOf}
        tabs={[
          { label: 'Overview', to: paths.application(at) },
          {
            label: 'Activity',
            to: paths.activity(at),
            parts: activityParts((activityTab) => paths.activityTab({ ...at, activityTab })),
          },
          { label: 'Components', to: paths.components(at) },
          { label: 'Integration tests', to: paths.integrationTests(at) },
          { label: 'Snapshots', to: paths.snapshots(at) },
          { label: 'Releases', to: paths.releases(at) },
        ]}
      />
      {dialog}
    </>
  )
}
