import { Alert, EmptyState, EmptyStateBody } from '@patternfly/react-core'
import ComponentsIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-module-icon'
import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import { lacksBuildPipeline } from '@slipway/model/supply-chain/build-pipeline-state'
import { type Component, componentsOf, componentType } from '@slipway/model/supply-chain/component'
import type { BuildLabel } from '@slipway/model/runs/run-status'
import { useState } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import { prefetchAccess, requireAccess } from '../../api/access/access'
import { queryClient } from '../../api/query-client'
import { useList } from '../../api/source'
import type { ApplicationParams } from '../../paths'
import { components } from '../../resources/components'
import { latestBuilds } from '../../resources/latest-builds'
import { publicInfo } from '../../resources/public-info'
import { ComponentLink } from '../../ui/links'
import { paramsOf, useRequiredParams } from '../../ui/page/route-params'
import { ResourceTable } from '../../ui/table/ResourceTable'
import type { Column, Filter } from '../../ui/table/rows'
import { componentActionChecks, DeleteComponentDialog, useComponentActions } from './component-actions'
import { BuildFacts, BuildPipeline, BuildStatus, buildLabelOf } from './BuildFacts'
import { RepositoryLink, RevisionLink } from './SourceLinks'
import { type BuiltComponent, builtComponentRows, useBuilds } from './use-builds'
import '../../ui/inline-list.css'

export async function loader({ params }: LoaderFunctionArgs) {
  const { namespace, application } = paramsOf(params, 'namespace', 'application')
  void queryClient.prefetchQuery(latestBuilds.list(namespace, application))
  void queryClient.prefetchQuery(publicInfo.get())
  await Promise.all([
    requireAccess('list', componentType, namespace),
    prefetchAccess(componentActionChecks(namespace)),
    // What cannot be read is for the table to say.
    queryClient.prefetchQuery(components.listed(namespace)),
  ])
  return null
}

export { ComponentListTab as Component }
function ComponentListTab() {
  const at = useRequiredParams('namespace', 'application')
  const listed = useList(components.listed(at.namespace))
  const own = listed.rows && componentsOf(listed.rows, at.application)
  const source = useBuilds(at, { ...listed, rows: own }, latestBuilds.list(at.namespace, at.application))
  const [deleting, setDeleting] = useState<Component>()
  const actionsOf = useComponentActions(at.namespace, setDeleting)
  return (
    <>
      {source.rows && <MissingPipelines rows={source.rows} at={at} />}
      <ResourceTable
        label="Components"
        columns={columns}
        filters={filters}
        actions={({ component }) => actionsOf(component)}
        source={source}
        empty={<NoComponents />}
      />
      {deleting && <DeleteComponentDialog component={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}

const columns: Column<BuiltComponent>[] = [
  { id: 'status', label: 'Status', width: 15, cell: (row) => <BuildStatus row={row} /> },
  {
    id: 'name',
    label: 'Component',
    isRowHeader: true,
    sortBy: builtComponentRows.nameOf,
    cell: ({ component }) => {
      const at = { namespace: namespaceOf(component), application: component.spec.application }
      return <ComponentLink at={at} component={nameOf(component)} />
    },
  },
  { id: 'build', label: 'Latest push build', width: 25, cell: (row) => <BuildFacts row={row} /> },
  {
    id: 'source',
    label: 'Source',
    width: 15,
    visibleFrom: 'lg',
    cell: ({ component }) => (
      <>
        <RepositoryLink component={component} /> <RevisionLink component={component} />
      </>
    ),
  },
  {
    id: 'image',
    label: 'Image',
    width: 15,
    visibleFrom: 'xl',
    cell: ({ component: { spec } }) => spec.containerImage ?? '-',
  },
  { id: 'pipeline', label: 'Build pipeline', width: 10, visibleFrom: 'lg', cell: (row) => <BuildPipeline row={row} /> },
]

const buildLabels: readonly BuildLabel[] = ['completed', 'failed', 'running', 'not started', 'unknown']

const filters: Filter<BuiltComponent>[] = [
  { id: 'name', label: 'name', text: builtComponentRows.nameOf },
  { id: 'status', label: 'Status', choices: buildLabelOf, values: buildLabels },
]

const mostNamed = 5

/** Which components nothing builds by itself. */
function MissingPipelines({ rows, at }: { rows: readonly BuiltComponent[]; at: ApplicationParams }) {
  const lacking = rows.filter(({ state }) => lacksBuildPipeline(state))
  if (lacking.length === 0) return null
  return (
    <Alert
      isInline
      variant="warning"
      component="p"
      title={
        lacking.length === 1
          ? '1 component lacks a build pipeline definition'
          : `${lacking.length} components lack a build pipeline definition`
      }
    >
      A push builds them only once a pull request has brought a pipeline to their repositories:{' '}
      <ul className="slipway-inline-list">
        {lacking.slice(0, mostNamed).map(({ component }) => (
          <li key={uidOf(component)}>
            <ComponentLink at={at} component={nameOf(component)} />
          </li>
        ))}
        {lacking.length > mostNamed && <li>{lacking.length - mostNamed} more</li>}
      </ul>
    </Alert>
  )
}

const NoComponents = () => (
  <EmptyState headingLevel="h2" titleText="No components yet" icon={ComponentsIcon}>
    <EmptyStateBody>
      A component is built from a git repository. Those of this application are listed here with their latest builds.
    </EmptyStateBody>
  </EmptyState>
)
