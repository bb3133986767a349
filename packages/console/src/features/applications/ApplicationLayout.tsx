import type { Application } from '@slipway/model/supply-chain/application'
import { useState } from 'react'
import { type LoaderFunctionArgs, useNavigate } from 'react-router'
import { prefetchAccess, useAccess } from '../../api/access/access'
import { queryClient } from '../../api/query-client'
import { useObject } from '../../api/source'
import { paths } from '../../paths'
import { applications } from '../../resources/applications'
import { toDeleteApplication } from '../../resources/rights'
import { activityParts } from '../../ui/activity/activity-tabs'
import { ApplicationSwitcher } from '../../ui/applications/ApplicationSwitcher'
import { DetailLayout } from '../../ui/page/DetailLayout'
import { paramsOf, useRequiredParams } from '../../ui/page/route-params'
import { deleteApplicationAction, DeleteApplicationDialog } from './DeleteApplicationDialog'

export async function loader({ params }: LoaderFunctionArgs) {
  const { namespace, application } = paramsOf(params, 'namespace', 'application')
  void queryClient.prefetchQuery(applications.get(namespace, application))
  await prefetchAccess(toDeleteApplication(namespace))
  return null
}

export { ApplicationLayout as Component }
function ApplicationLayout() {
  const at = useRequiredParams('namespace', 'application')
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState<Application>()
  const mayDelete = useAccess(toDeleteApplication(at.namespace))
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
        actions={(application) => [deleteApplicationAction(application, mayDelete, () => setDeleting(application))]}
        tabs={[
          { label: 'Overview', to: paths.application(at) },
          {
            label: 'Activity',
            to: paths.activity(at),
            parts: activityParts((activityTab) => paths.activityTab({ ...at, activityTab })),
          },
          { label: 'Components', to: paths.components(at) },
        ]}
      />
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
