import { EmptyState, EmptyStateBody, EmptyStateFooter, Skeleton } from '@patternfly/react-core'
import NamespaceIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-tenant-icon'
import type { Namespace } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { isForbidden } from '@slipway/kube/status'
import { publicGrants } from '@slipway/model/access/namespace-visibility'
import { applicationType } from '@slipway/model/builds/application'
import { type Health, healthRank } from '@slipway/model/overview/namespace-health'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { failureText } from '../../api/messages'
import { countQuery } from '../../api/queries'
import { userQuery } from '../../api/session/session'
import { objectRows, type RowKind, useJoined, useList } from '../../api/source'
import { paths } from '../../paths'
import { namespaces } from '../../resources/namespaces'
import { publicInfo } from '../../resources/public-info'
import { roleBindings } from '../../resources/role-bindings'
import { CopyButton } from '../../ui/actions/CopyButton'
import { RereadNamespaces } from '../../parts/namespaces/RereadNamespaces'
import { HealthCell } from '../../parts/health/HealthLabel'
import { useObservedNamespaces } from '../../parts/health/observed-namespaces'
import { useHealthViews } from '../../parts/health/use-health-views'
import { Page } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { SourceReporter } from '../../ui/SourceReporter'
import { valueWidthsRem } from '../../ui/table/column-widths'
import { byName, nameColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'

export const page = route(paths.namespaces, () => ({ read: [namespaces.list()] }))

export { NamespaceListPage as Component }
function NamespaceListPage() {
  const navigate = useNavigate()
  const { source, health } = useListedNamespaces()
  return (
    <Page title="Namespaces" description="Namespaces you have access to. Each belongs to one team.">
      <SourceReporter label="Health" source={health} />
      <ListTable
        label="Namespaces"
        source={source}
        columns={columns}
        filters={filters}
        empty={<NoNamespaces />}
        noMatches={<RereadNamespaces />}
        actions={({ namespace: row }) => [
          {
            label: 'View applications',
            onSelect: () => void navigate(paths.applications({ namespace: nameOf(row) })),
          },
          {
            label: 'View user access',
            isAddition: true,
            onSelect: () => void navigate(paths.access({ namespace: nameOf(row) })),
          },
        ]}
      />
    </Page>
  )
}

interface ListedNamespace {
  namespace: Namespace
  /** `undefined` until anything of it is known. */
  health: Health | 'not looked at' | undefined
}

const nameOfRow = ({ namespace }: ListedNamespace) => nameOf(namespace)

const namespaceRows: RowKind<ListedNamespace> = {
  idOf: ({ namespace }) => objectRows.idOf(namespace),
  nameOf: nameOfRow,
  isBeingDeleted: ({ namespace }) => objectRows.isBeingDeleted(namespace),
}

/** The namespaces of the user, each with its health. */
function useListedNamespaces() {
  const listed = useList(namespaces.list())
  const { read } = useObservedNamespaces(listed.rows?.map(nameOf) ?? none)
  const { healthOf, isKnown, source: health } = useHealthViews(read ?? none, 'namespace')
  const source = useJoined(
    [listed],
    ([all]) => {
      const healths = new Map(isKnown && read ? healthOf(read).map((each) => [each.name, each]) : none)
      const observed = read && new Set(read)
      return all?.map((namespace): ListedNamespace => {
        const isObserved = observed?.has(nameOf(namespace)) ?? true
        return { namespace, health: isObserved ? healths.get(nameOf(namespace)) : 'not looked at' }
      })
    },
    namespaceRows,
  )
  return { source, health }
}

const none: never[] = []

const columns: Column<ListedNamespace>[] = [
  nameColumn(nameOfRow, { linkTo: (row) => paths.applications({ namespace: nameOfRow(row) }) }),
  {
    id: 'status',
    label: 'Status',
    width: 30,
    // The worst comes first.
    sortBy: ({ health }) => (typeof health === 'object' ? healthRank(health.state) : undefined),
    cell: ({ health }) =>
      health === 'not looked at' ? (
        <span title="This cluster has no service for list views, so only a few namespaces are looked at. Pin this one on the overview, or open it.">
          Not looked at
        </span>
      ) : (
        <HealthCell health={health} />
      ),
  },
  {
    id: 'applications',
    label: 'Applications',
    widthRem: valueWidthsRem.count,
    cell: (row) => <ApplicationCount namespace={nameOfRow(row)} />,
  },
  { id: 'visibility', label: 'Visibility', width: 15, cell: (row) => <Visibility namespace={nameOfRow(row)} /> },
]

const filters: Filter<ListedNamespace>[] = [byName(nameOfRow)]

/** Requested only for rendered rows, and only where the user may list role bindings. */
function Visibility({ namespace }: { namespace: string }) {
  const { data: info } = useQuery(publicInfo.get())
  const { data, error } = useQuery(roleBindings.grants(namespace))
  if (data) return publicGrants(data.items, info?.roles ?? []).length > 0 ? 'Public' : 'Private'
  if (!error) return <Skeleton width="4rem" />
  return (
    <span title={isForbidden(error) ? 'You may not read the role bindings of this namespace' : failureText(error)}>
      Not known
    </span>
  )
}

/** Requested only for rendered rows: one small call each. */
function ApplicationCount({ namespace }: { namespace: string }) {
  const { data, isError } = useQuery(countQuery(applicationType, { namespace }))
  if (data !== undefined) return data.toLocaleString('en-US')
  return isError ? 'Failed to load applications' : <Skeleton width="2rem" />
}

function NoNamespaces() {
  const { data: user } = useQuery(userQuery)
  return (
    <EmptyState headingLevel="h2" titleText="You don't have access to any namespaces yet" icon={NamespaceIcon}>
      <RereadNamespaces />
      <EmptyStateBody>
        Ask your team's admin to add you, or a platform admin to create a namespace. A namespace appears here soon after
        you get access to it.
      </EmptyStateBody>
      {user && (
        <EmptyStateFooter>
          <span>
            Your username: <strong>{user.email}</strong> <CopyButton text={user.email} noun="username" />
          </span>
        </EmptyStateFooter>
      )}
    </EmptyState>
  )
}
