import { Spinner } from '@patternfly/react-core'
import type { GrantableRole } from '@slipway/model/platform/public-info'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { publicInfo } from '../../resources/public-info'
import { LoadFailure } from '../../ui/table/TableState'

/** Renders children that need the configured roles, or says why the roles could not be loaded. */
export function WithRoles({ children }: { children: (roles: GrantableRole[]) => ReactNode }) {
  const { data, error, isFetching, refetch } = useQuery(publicInfo.get())
  if (data) return children(data.roles)
  if (!error) return <Spinner aria-label="Loading roles" />
  return <LoadFailure noun="roles" error={error} isRetrying={isFetching} onRetry={() => void refetch()} />
}
