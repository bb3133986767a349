import ComponentsIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-module-icon'
import { nameOf } from '@slipway/kube/object'
import { componentType } from '@slipway/model/builds/component'
import { newestBuildKey } from '@slipway/model/builds/newest-build'
import type { ReactNode } from 'react'
import { paths } from '../../paths'
import { createApplication } from '../../parts/applications/actions'
import {
  type ComponentBuilds,
  type ListedComponent,
  useLatestBuild,
  useListedComponents,
} from '../../parts/components/use-builds'
import { ApplicationLink } from '../../parts/links'
import { ImageAddress } from '../../parts/text/ImageAddress'
import { actionChecks } from '../../ui/actions/defined-action'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { useActions } from '../../ui/actions/use-actions'
import { Page } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { tablePreferences } from '../../ui/table/columns'
import { byName, byStatus, statusColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { BuildFacts, buildLabelOf, buildLabels, BuildStatus } from './BuildFacts'
import { componentActions } from './component-actions'
import { componentColumns, placeOf } from './component-columns'

export const page = route(paths.allComponents, ({ namespace }) => ({
  require: [{ verb: 'list', type: componentType, namespace }],
  check: actionChecks(namespace, ...componentActions, createApplication),
}))

export { NamespaceComponentListPage as Component }
/** The components of every application of a namespace. */
function NamespaceComponentListPage() {
  const at = page.useParams()
  return (
    <Page title="Components" breadcrumbs={[{ label: 'Components' }]}>
      <ComponentTable key={at.namespace} {...at} />
    </Page>
  )
}

/** Here and not in the page, so that events do not render the whole page again. */
function ComponentTable({ namespace }: { namespace: string }) {
  const { actionsOf, dialog } = useActions(componentActions, { namespace })
  return (
    <>
      <ListTable
        label="Components"
        source={useListedComponents(namespace)}
        columns={columns}
        filters={filters}
        firstSort="status"
        actions={({ component }) => actionsOf(component)}
        preferences={tablePreferences('slipway-namespace-components-columns')}
        empty={<NoComponents namespace={namespace} />}
      />
      {dialog}
    </>
  )
}

interface LatestProps {
  row: ListedComponent
  children: (built: ComponentBuilds) => ReactNode
}

/** Requests an archived build only for rows that are rendered. */
const Latest = ({ row, children }: LatestProps) => children(useLatestBuild(row))

/** What is known of the newest build without the archive; `undefined` until it is. */
const outcomeOf = (row: ListedComponent): string | undefined => {
  if (row.builds.length > 0 || row.error) return buildLabelOf(row)
  return row.isComplete ? noRecentBuild : undefined
}

/** The archive is searched only for rendered rows, so a filter cannot know how older builds ended. */
const noRecentBuild = 'no recent build'

/** What is broken comes first, and what is not known yet last. */
const urgencies = ['failed', 'unknown', noRecentBuild, 'running', 'completed']
const urgencyOf = (row: ListedComponent): number | undefined => {
  const outcome = outcomeOf(row)
  return outcome === undefined ? undefined : urgencies.indexOf(outcome)
}

const isKnown = ({ builds, isComplete }: ListedComponent) => isComplete || builds.length > 0

const nameOfApplication = (row: ListedComponent) => placeOf(row).application

const columns: Column<ListedComponent>[] = [
  statusColumn('withVerdict', (row) => <Latest row={row}>{(built) => <BuildStatus row={built} />}</Latest>, {
    sortBy: urgencyOf,
  }),
  componentColumns.name,
  {
    id: 'application',
    label: 'Application',
    width: 15,
    sortBy: nameOfApplication,
    cell: (row) => (nameOfApplication(row) ? <ApplicationLink at={placeOf(row)} /> : '-'),
  },
  {
    id: 'build',
    label: 'Latest push build',
    width: 25,
    // Oldest first: a component that was not built for long is what users look for.
    sortBy: (row) => (isKnown(row) ? newestBuildKey(row.component, row.builds) : undefined),
    cell: (row) => <Latest row={row}>{(built) => <BuildFacts row={built} />}</Latest>,
  },
  componentColumns.source,
  {
    id: 'latestImage',
    label: 'Latest image',
    width: 15,
    visibleFrom: '2xl',
    cell: ({ component }) => {
      const image = component.status?.lastPromotedImage
      return image ? <ImageAddress image={image} noun={`latest image of ${nameOf(component)}`} /> : '-'
    },
  },
  { ...componentColumns.image, hiddenByDefault: true },
]

const filters: Filter<ListedComponent>[] = [
  byName(({ component }) => nameOf(component)),
  { id: 'application', label: 'Application', choices: nameOfApplication },
  byStatus(outcomeOf, [...buildLabels, noRecentBuild]),
]

const NoComponents = ({ namespace }: { namespace: string }) => (
  <MessagePanel
    titleText="No components yet"
    icon={ComponentsIcon}
    action={<DefinedButton action={createApplication} at={{ namespace }} />}
  >
    A component is built from a git repository. The components of all applications appear here with their latest builds.
  </MessagePanel>
)
