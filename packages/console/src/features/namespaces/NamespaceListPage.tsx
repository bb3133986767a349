import { EmptyState, EmptyStateBody, EmptyStateFooter, Skeleton } from '@patternfly/react-core'
import NamespaceIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-tenant-icon'
import type { Namespace } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { isForbidden } from '@slipway/kube/status'
import { publicGrants } from '@slipway/model/access/namespace-visibility'
import { applicationType } from '@slipway/model/builds/application'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { isIdle } from '../../api/live/idle'
import { failureText } from '../../api/messages'
import { countQuery } from '../../api/queries'
import { userQuery } from '../../api/session/session'
import { useList } from '../../api/source'
import { paths } from '../../paths'
import { namespaces } from '../../resources/namespaces'
import { publicInfo } from '../../resources/public-info'
import { roleBindings } from '../../resources/role-bindings'
import { CopyButton } from '../../ui/actions/CopyButton'
import { Page } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { byName, nameColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'

export const page = route(paths.namespaces, () => ({ read: [namespaces.list()] }))

export { NamespaceListPage as Component }
function NamespaceListPage() {
  const navigate = useNavigate()
  return (
    <Page title="Namespaces" description="Namespaces you have access to. Each belongs to one team.">
      <ListTable
        label="Namespaces"
        source={useList(namespaces.list())}
        columns={columns}
        filters={filters}
        empty={<NoNamespaces />}
        actions={(row) => [
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

const columns: Column<Namespace>[] = [
  nameColumn(nameOf, {
    width: 40,
    cell: (row) => <Link to={paths.applications({ namespace: nameOf(row) })}>{nameOf(row)}</Link>,
  }),
  { id: 'applications', label: 'Applications', cell: (row) => <ApplicationCount namespace={nameOf(row)} /> },
  { id: 'visibility', label: 'Visibility', width: 20, cell: (row) => <Visibility namespace={nameOf(row)} /> },
]

const filters: Filter<Namespace>[] = [byName(nameOf)]

/** Requested only for rendered rows, and only where the user may list role bindings. */
function Visibility({ namespace }: { namespace: string }) {
  const { data: info } = useQuery(publicInfo.get())
  const { data, error } = useQuery(roleBindings.ofEveryone(namespace))
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

/** How often an empty list is read again: users may get access while they look at it. */
const rereadMs = 20_000
const rereadWhenIdleMs = 60_000

function NoNamespaces() {
  const { data: user } = useQuery(userQuery)
  // A watch covers namespaces, but not the permission to see them.
  useQuery({
    ...namespaces.list(),
    refetchInterval: () => (isIdle() ? rereadWhenIdleMs : rereadMs),
    refetchOnWindowFocus: 'always',
  })
  return (
    <EmptyState headingLevel="h2" titleText="You don't have access to any namespaces yet" icon={NamespaceIcon}>
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
