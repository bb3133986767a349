import type { Application } from '@slipway/model/supply-chain/application'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useAccess } from '../../api/access/access'
import { useObject } from '../../api/source'
import { paths } from '../../paths'
import { applications, deleteApplicationChecks } from '../../resources/applications'
import { addComponentChecks, buildComponentChecks } from '../../resources/components'
import { addIntegrationTestChecks } from '../../resources/integration-test-scenarios'
import { activityParts } from '../../ui/activity/activity-tabs'
import { ApplicationSwitcher } from '../../ui/applications/ApplicationSwitcher'
import { addComponentAction } from '../../ui/components/AddComponentButton'
import { relationshipsNeeds, useRelationships } from '../../ui/components/use-relationships'
import { addIntegrationTestAction } from '../../ui/integration-tests/AddIntegrationTestButton'
import { LazyBuildPipelinesDialog } from '../../ui/components/LazyBuildPipelinesDialog'
import { manageBuildPipelinesAction } from '../../ui/components/ManageBuildPipelinesButton'
import { DetailLayout } from '../../ui/page/DetailLayout'
import { createLoader } from '../../ui/page/needs'
import { useRequiredParams } from '../../ui/page/route-params'
import { deleteApplicationAction, DeleteApplicationDialog } from './DeleteApplicationDialog'

export const loader = createLoader(['namespace', 'application'], ({ namespace, application }) => ({
  check: [
    ...buildComponentChecks(namespace),
    ...addComponentChecks(namespace),
    ...addIntegrationTestChecks(namespace),
    ...relationshipsNeeds(namespace).check,
    ...deleteApplicationChecks(namespace),
  ],
  read: [
    applications.get(namespace, application),
    // For the switcher.
    applications.list(namespace),
    ...relationshipsNeeds(namespace).read,
  ],
}))

export { ApplicationLayout as Component }
function ApplicationLayout() {
  const at = useRequiredParams('namespace', 'application')
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState<Application>()
  const [isManagingPipelines, setIsManagingPipelines] = useState(false)
  const mayManagePipelines = useAccess(buildComponentChecks(at.namespace))
  const mayAdd = useAccess(addComponentChecks(at.namespace))
  const mayAddTest = useAccess(addIntegrationTestChecks(at.namespace))
  const mayDelete = useAccess(deleteApplicationChecks(at.namespace))
  const relationships = useRelationships(at)
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
        actions={(application) => [
          manageBuildPipelinesAction(mayManagePipelines, () => setIsManagingPipelines(true)),
          addComponentAction(mayAdd, () => void navigate(paths.createComponent(at))),
          addIntegrationTestAction(mayAddTest, () => void navigate(paths.addIntegrationTest(at))),
          relationships.action,
          deleteApplicationAction(application, mayDelete, () => setDeleting(application)),
        ]}
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
      {isManagingPipelines && <LazyBuildPipelinesDialog at={at} onClose={() => setIsManagingPipelines(false)} />}
      {relationships.dialog}
      {deleting && (
        <DeleteApplicationDialog
          application={deleting}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => void navigate(paths.applications(at))}
        />
      )}
    </>
  )
}
