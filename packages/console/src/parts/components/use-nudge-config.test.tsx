import { aNudgeConfig } from '@slipway/model/testing/build-services'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { namespace, testCluster } from '../../../test/cluster'
import { startApi } from '../../../test/render-route'
import { queryClient } from '../../api/query-client'
import { nudgeConfigs } from '../../resources/nudge-configs'
import { useNudgeConfig } from './use-nudge-config'

it('the relationships of a namespace are unknown once the user may no longer read them', async () => {
  await testCluster({ as: 'maintainer' })
  startApi()
  const config = aNudgeConfig()
  queryClient.setQueryData(nudgeConfigs.of(namespace).queryKey, config, { updatedAt: 1 })
  const { result } = renderHook(() => useNudgeConfig(namespace), {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  })
  expect(result.current.config).toEqual(config)
  await waitFor(() => expect(result.current.unknown).toMatch(/^Unknown: you may not read /))
  expect(result.current.config).toBeUndefined()
})
