import { Skeleton } from '@patternfly/react-core'
import ApplicationsIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-applications-icon'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { type Application, applicationType } from '@slipway/model/builds/application'
import { useQuery } from '@tanstack/react-query'
import { paths } from '../../paths'
import { componentGroups } from '../../resources/component-groups'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { actionChecks } from '../../ui/actions/defined-action'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { useActions } from '../../ui/actions/use-actions'
import { createApplication } from '../../parts/applications/actions'
import { Page } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { byName, nameColumn } from '../../ui/table/common-columns'
import type { Column, Filter } from '../../ui/table/rows'
import { ViewTable } from '../../ui/table/ViewTable'
import { deleteApplication } from './application-actions'
import { type ApplicationFacts, useApplicationFacts } from './use-application-facts'
import './application-list.css'

export const page = route(paths.applications, ({ namespace }) => ({
  require: [{ verb: 'list', type: applicationType, namespace }],
  check: actionChecks(namespace, createApplication, deleteApplication),
}))

export { ApplicationListPage as Component }
function ApplicationListPage() {
  const { namespace } = page.useParams()
  const { actionsOf, dialog } = useActions([deleteApplication], { namespace })
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
      <ViewTable
        label="Applications"
        at={useApplicationFacts(namespace)}
        view={{ kind: applicationType.plural, namespaces: [namespace] }}
        columns={columns}
        filters={filters}
        toolbar={<DefinedButton action={createApplication} at={{ namespace }} />}
        empty={<NoApplications namespace={namespace} />}
        actions={actionsOf}
      />
      {dialog}
    </Page>
  )
}

const columns: Column<Application, ApplicationFacts>[] = [
  nameColumn(nameOf, {
    width: 50,
    linkTo: (application) =>
      paths.application({ namespace: namespaceOf(application) ?? '', application: nameOf(application) }),
  }),
  {
    id: 'components',
    label: 'Components',
    cell(application, { componentCounts, hasNoComponents }) {
      if (componentCounts) return componentCounts[nameOf(application)] ?? 0
      return hasNoComponents ? 'Failed to load components' : <Skeleton width="2rem" />
    },
  },
  {
    id: 'lastDeploy',
    label: 'Last deploy',
    cell(application, { lastDeploys, hasNoReleases }) {
      if (lastDeploys) return <RelativeTime time={lastDeploys.get(nameOf(application))} />
      return hasNoReleases ? 'Failed to load releases' : <Skeleton width="6rem" />
    },
  },
]

const filters: Filter<Application>[] = [byName(nameOf)]

const NoApplications = ({ namespace }: { namespace: string }) => (
  <MessagePanel
    titleText="Easily onboard your applications"
    icon={ApplicationsIcon}
    action={<DefinedButton action={createApplication} at={{ namespace }} />}
  >
    Create an application to build, test and release its components together. You can add components at any time.
  </MessagePanel>
)
