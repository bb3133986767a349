import { Spinner } from '@patternfly/react-core'
import type { GrantableRole } from '@slipway/model/platform/public-info'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { publicInfo } from '../../resources/public-info'
import { LoadFailure } from '../../ui/failures/LoadFailure'

/** Draws what needs the configured roles, or says why they cannot be had. */
export function WithRoles({ children }: { children: (roles: GrantableRole[]) => ReactNode }) {
  const { data, error, isFetching, refetch } = useQuery(publicInfo.get())
  if (data) return children(data.roles)
  if (!error) return <Spinner aria-label="Loading roles" />
  return <LoadFailure noun="roles" error={error} isRetrying={isFetching} onRetry={() => void refetch()} />
}
