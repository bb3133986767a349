import ListIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-list-icon'
import { nameOf } from '@slipway/kube/object'
import {
  childGroups,
  type ComponentGroup,
  componentGroupType,
  componentMembers,
  findGroupCycle,
  membersOf,
  promotedOf,
  testGraphOf,
} from '@slipway/model/builds/component-group'
import { findTestCycle, testsIn, testSteps } from '@slipway/model/builds/test-graph'
import { useQuery } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { queryClient } from '../../api/query-client'
import { useList } from '../../api/source'
import { type NamespaceParams, paths } from '../../paths'
import { plural } from '../../parts/graph/node-text'
import { componentGroups } from '../../resources/component-groups'
import { actionChecks } from '../../ui/actions/defined-action'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { useActions } from '../../ui/actions/use-actions'
import { loadNeeds } from '../../ui/page/needs'
import { Page } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { tablePreferences } from '../../ui/table/columns'
import { ageColumn, byName, creationTimeOf, nameColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { componentGroupActions, createComponentGroup } from './component-group-actions'
import { GroupLinks } from './GroupLinks'

export const page = route(paths.componentGroups)

/** A kind that the cluster does not have must not look like a missing permission, so discovery comes first. */
export async function loader({ params }: LoaderFunctionArgs): Promise<null> {
  const { namespace } = page.paramsOf(params)
  const isServed = await queryClient.ensureQueryData(componentGroups.served()).catch(() => true)
  if (!isServed) return null
  return loadNeeds({
    require: [{ verb: 'list', type: componentGroupType, namespace }],
    check: actionChecks(namespace, createComponentGroup, ...componentGroupActions),
    read: [componentGroups.listed(namespace)],
  })
}

export { ComponentGroupListPage as Component }
/** The component groups of a namespace. */
function ComponentGroupListPage() {
  const at = page.useParams()
  const { data: isServed = true } = useQuery(componentGroups.served())
  return (
    <Page
      title="Component groups"
      breadcrumbs={[{ label: 'Component groups' }]}
      description="A component group is 1 or more versions of components that are tested and released together."
    >
      {isServed ? (
        <GroupTable key={at.namespace} at={at} />
      ) : (
        <MessagePanel titleText="This cluster has no component groups" icon={ListIcon}>
          It does not have the kind ComponentGroup. Components are tested and released by application here.
        </MessagePanel>
      )}
    </Page>
  )
}

function GroupTable({ at }: { at: NamespaceParams }) {
  const source = useList(componentGroups.listed(at.namespace))
  const { actionsOf, dialog } = useActions(componentGroupActions, at)
  return (
    <>
      <ListTable
        label="Component groups"
        at={{ ...at, all: source.rows ?? none }}
        source={source}
        columns={columns}
        filters={filters}
        actions={actionsOf}
        firstSort="name"
        preferences={preferences}
        toolbar={<DefinedButton action={createComponentGroup} at={at} />}
        empty={<NoComponentGroups at={at} />}
      />
      {dialog}
    </>
  )
}

const none: ComponentGroup[] = []
const preferences = tablePreferences('slipway-component-groups-columns')

/** What cells need besides their row. */
interface At extends NamespaceParams {
  all: readonly ComponentGroup[]
}

const promotedCount = (group: ComponentGroup): number =>
  componentMembers(group).filter((member) => promotedOf(group, member)).length

const columns: Column<ComponentGroup, At>[] = [
  nameColumn(nameOf, {
    linkTo: (group, { namespace }) => paths.componentGroup({ namespace, componentGroup: nameOf(group) }),
  }),
  {
    id: 'components',
    label: 'Components',
    width: 15,
    sortBy: (group) => componentMembers(group).length,
    cell: (group) => componentMembers(group).length,
  },
  {
    id: 'promoted',
    label: 'Promoted',
    width: 10,
    visibleFrom: 'lg',
    sortBy: promotedCount,
    cell: (group) => `${promotedCount(group)} of ${componentMembers(group).length}`,
  },
  {
    id: 'groups',
    label: 'Nested groups',
    width: 20,
    sortBy: (group) => childGroups(group).length,
    cell: (group, { namespace, all }) => (
      <>
        <GroupLinks namespace={namespace} names={childGroups(group)} />
        {findGroupCycle(nameOf(group), membersOf(group), all) && ' (contains itself)'}
      </>
    ),
  },
  {
    id: 'tests',
    label: 'Ordered tests',
    width: 15,
    visibleFrom: 'xl',
    sortBy: (group) => testsIn(testGraphOf(group)).length,
    cell: (group) => orderText(group),
  },
  ageColumn('created', 'Created', creationTimeOf, { visibleFrom: 'xl' }),
]

function orderText(group: ComponentGroup): string {
  const graph = testGraphOf(group)
  const count = testsIn(graph).length
  if (count === 0) return 'None: all at once'
  if (findTestCycle(graph)) return `${count}, in a cycle`
  return `${count} in ${plural(testSteps([], graph).length, 'step')}`
}

const filters: Filter<ComponentGroup>[] = [byName(nameOf)]

const NoComponentGroups = ({ at }: { at: NamespaceParams }) => (
  <MessagePanel
    titleText="No component groups yet"
    icon={ListIcon}
    action={<DefinedButton action={createComponentGroup} at={at} />}
  >
    A component group says which versions of components are tested and released together, and in which order their
    integration tests run.
  </MessagePanel>
)
