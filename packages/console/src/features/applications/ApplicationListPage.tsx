import { EmptyState, EmptyStateActions, EmptyStateBody, EmptyStateFooter, Skeleton } from '@patternfly/react-core'
import ApplicationsIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-applications-icon'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { type Application, applicationType } from '@slipway/model/supply-chain/application'
import { componentsOf } from '@slipway/model/supply-chain/component'
import { lastDeployOf } from '@slipway/model/supply-chain/release'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import { prefetchAccess, requireAccess, useAccess } from '../../api/access/access'
import { queryClient } from '../../api/query-client'
import { useList } from '../../api/source'
import { applications } from '../../resources/applications'
import { components } from '../../resources/components'
import { toCreateApplication, toDeleteApplication } from '../../resources/rights'
import { releases } from '../../resources/releases'
import { CreateApplicationButton } from '../../ui/applications/CreateApplicationButton'
import { ApplicationLink } from '../../ui/links'
import { Page } from '../../ui/page/Page'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { paramsOf, useRequiredParams } from '../../ui/page/route-params'
import { ResourceTable } from '../../ui/table/ResourceTable'
import type { Column, Filter } from '../../ui/table/rows'
import { deleteApplicationAction, DeleteApplicationDialog } from './DeleteApplicationDialog'

export async function loader({ params }: LoaderFunctionArgs) {
  const { namespace } = paramsOf(params, 'namespace')
  // Not awaited: the page stands at once, and its table says what becomes of each list. The first of them does not
  // even wait for the rights, which most who come here have.
  void queryClient.prefetchQuery(applications.list(namespace))
  await Promise.all([
    requireAccess('list', applicationType, namespace),
    prefetchAccess([...toCreateApplication(namespace), ...toDeleteApplication(namespace)]),
  ])
  void queryClient.prefetchQuery(components.counted(namespace))
  void queryClient.prefetchQuery(releases.outcomes(namespace))
  return null
}

export { ApplicationListPage as Component }
function ApplicationListPage() {
  const { namespace } = useRequiredParams('namespace')
  const [deleting, setDeleting] = useState<Application>()
  const mayDelete = useAccess(toDeleteApplication(namespace))
  return (
    <Page
      title="Applications"
      breadcrumbs={[{ label: 'Applications' }]}
      description="An application is 1 or more components running together for building and releasing."
    >
      <ResourceTable
        label="Applications"
        source={useList(applications.list(namespace))}
        columns={columns}
        filters={filters}
        toolbar={<CreateApplicationButton namespace={namespace} />}
        empty={<NoApplications namespace={namespace} />}
        actions={(application) => [deleteApplicationAction(application, mayDelete, () => setDeleting(application))]}
      />
      {deleting && <DeleteApplicationDialog application={deleting} onClose={() => setDeleting(undefined)} />}
    </Page>
  )
}

const columns: Column<Application>[] = [
  {
    id: 'name',
    label: 'Name',
    isRowHeader: true,
    width: 50,
    sortBy: nameOf,
    cell: (row) => <ApplicationLink at={{ namespace: namespaceOf(row), application: nameOf(row) }} />,
  },
  { id: 'components', label: 'Components', cell: (row) => <ComponentCount application={row} /> },
  { id: 'lastDeploy', label: 'Last deploy', cell: (row) => <LastDeploy application={row} /> },
]

const filters: Filter<Application>[] = [{ id: 'name', label: 'name', text: nameOf }]

function ComponentCount({ application }: { application: Application }) {
  const { data, isError } = useQuery(components.counted(namespaceOf(application) ?? ''))
  if (data) return componentsOf(data.items, nameOf(application)).length
  return isError ? 'Failed to load components' : <Skeleton width="2rem" />
}

function LastDeploy({ application }: { application: Application }) {
  const { data, isError } = useQuery(releases.outcomes(namespaceOf(application) ?? ''))
  if (data) return <RelativeTime time={lastDeployOf(data.items, nameOf(application))} />
  return isError ? 'Failed to load releases' : <Skeleton width="6rem" />
}

const NoApplications = ({ namespace }: { namespace: string }) => (
  <EmptyState headingLevel="h2" titleText="Easily onboard your applications" icon={ApplicationsIcon}>
    <EmptyStateBody>
      Create an application to build, test and release its components together. You can add components at any time.
    </EmptyStateBody>
    <EmptyStateFooter>
      <EmptyStateActions>
        <CreateApplicationButton namespace={namespace} />
      </EmptyStateActions>
    </EmptyStateFooter>
  </EmptyState>
)
