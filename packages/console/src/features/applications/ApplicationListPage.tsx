import { Skeleton } from '@patternfly/react-core'
import ApplicationsIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-applications-icon'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { applicationType } from '@slipway/model/builds/application'
import { healthRank } from '@slipway/model/overview/namespace-health'
import { useQuery } from '@tanstack/react-query'
import { connectViews } from '../../api/views/open-view'
import { paths } from '../../paths'
import { componentGroups } from '../../resources/component-groups'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { actionChecks } from '../../ui/actions/defined-action'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { useActions } from '../../ui/actions/use-actions'
import { createApplication } from '../../parts/applications/actions'
import { HealthCell } from '../../parts/health/HealthLabel'
import { Page } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { SourceReporter } from '../../ui/SourceReporter'
import { UserText } from '../../ui/text/UserText'
import { valueWidthsRem } from '../../ui/table/column-widths'
import { ageColumn, byName, nameColumn } from '../../ui/table/common-columns'
import type { Column, Filter } from '../../ui/table/rows'
import { ListTable } from '../../ui/table/ListTable'
import { deleteApplication } from './application-actions'
import { BuildMarks } from './BuildMarks'
import {
  type ApplicationCells,
  firstApplications,
  type ListedApplication,
  useListedApplications,
} from './use-listed-applications'
import './application-list.css'

export const page = route(paths.applications, ({ namespace }) => ({
  require: [{ verb: 'list', type: applicationType, namespace }],
  check: actionChecks(namespace, createApplication, deleteApplication),
  waitFor: [firstApplications(namespace)],
  parts: [connectViews],
}))

export { ApplicationListPage as Component }
function ApplicationListPage() {
  const { namespace } = page.useParams()
  const { data: hasGroups } = useQuery(componentGroups.served())
  return (
    <Page
      title="Applications"
      breadcrumbs={[{ label: 'Applications' }]}
      description="An application is 1 or more components running together for building and releasing."
      actions={
        <div className="slipway-applications__links">
          <ButtonLink variant="link" to={paths.allComponents({ namespace })}>
            View all components
          </ButtonLink>
          {hasGroups && (
            <ButtonLink variant="link" to={paths.componentGroups({ namespace })}>
              View component groups
            </ButtonLink>
          )}
          <ButtonLink variant="link" to={paths.pipelineRuns({ namespace })}>
            View all pipeline runs
          </ButtonLink>
          <ButtonLink variant="link" to={paths.policy({ namespace })}>
            View policy
          </ButtonLink>
          <ButtonLink variant="link" to={paths.vulnerabilities({ namespace })}>
            View vulnerabilities
          </ButtonLink>
        </div>
      }
    >
      <ApplicationTable key={namespace} namespace={namespace} />
    </Page>
  )
}

/** Here and not in the page, so that events do not render the whole page again. */
function ApplicationTable({ namespace }: { namespace: string }) {
  const { actionsOf, dialog } = useActions([deleteApplication], { namespace })
  const { source, cells, others } = useListedApplications(namespace)
  return (
    <>
      {others.map((other) => (
        <SourceReporter key={other.label} {...other} />
      ))}
      <ListTable
        label="Applications"
        at={cells}
        source={source}
        columns={columns}
        filters={filters}
        toolbar={<DefinedButton action={createApplication} at={{ namespace }} />}
        empty={<NoApplications namespace={namespace} />}
        actions={({ application }) => actionsOf(application)}
      />
      {dialog}
    </>
  )
}

const nameOfRow = ({ application }: ListedApplication) => nameOf(application)
const placeOf = ({ application }: ListedApplication) => ({
  namespace: namespaceOf(application) ?? '',
  application: nameOf(application),
})

const columns: Column<ListedApplication, ApplicationCells>[] = [
  nameColumn(nameOfRow, { linkTo: (row) => paths.application(placeOf(row)) }),
  {
    id: 'status',
    label: 'Status',
    width: 25,
    // What fails comes first.
    sortBy: ({ health }) => health && healthRank(health.state),
    cell: ({ health }) => <HealthCell health={health} />,
  },
  {
    id: 'builds',
    label: 'Last builds',
    width: 15,
    cell: (row, { hasNoComponents }) =>
      row.components ? (
        <BuildMarks at={placeOf(row)} components={row.components} />
      ) : hasNoComponents ? (
        'Not known'
      ) : (
        <Skeleton width="4rem" />
      ),
  },
  {
    id: 'components',
    label: 'Components',
    widthRem: valueWidthsRem.count,
    visibleFrom: 'lg',
    cell({ components }, { hasNoComponents }) {
      if (components) return components.length.toLocaleString('en-US')
      return hasNoComponents ? 'Failed to load components' : <Skeleton width="2rem" />
    },
  },
  ageColumn('lastDeploy', 'Last deploy', ({ lastDeploy }) => lastDeploy ?? undefined, {
    cell({ lastDeploy }, { hasNoReleases }) {
      if (lastDeploy !== undefined) return <RelativeTime time={lastDeploy ?? undefined} />
      return hasNoReleases ? 'Failed to load releases' : <Skeleton width="6rem" />
    },
  }),
  {
    id: 'heldBack',
    label: 'Held back',
    width: 20,
    visibleFrom: 'xl',
    cell({ heldBack }, { hasNoSnapshots }) {
      if (!heldBack) return hasNoSnapshots ? 'Not known' : <Skeleton width="6rem" />
      const [newest] = heldBack
      if (!newest) return '-'
      return (
        <>
          {heldBack.length > 1 && `${heldBack.length}: `}
          <UserText text={newest.reason} />
        </>
      )
    },
  },
]

const filters: Filter<ListedApplication>[] = [byName(nameOfRow)]

const NoApplications = ({ namespace }: { namespace: string }) => (
  <MessagePanel
    titleText="Easily onboard your applications"
    icon={ApplicationsIcon}
    action={<DefinedButton action={createApplication} at={{ namespace }} />}
  >
    Create an application to build, test and release its components together. You can add components at any time.
  </MessagePanel>
)
