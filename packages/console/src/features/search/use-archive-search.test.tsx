import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { testCluster } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { startApi } from '../../../test/render-route'
import { queryClient } from '../../api/query-client'
import { useArchiveSearch } from './use-archive-search'

const namespaces = Array.from({ length: 7 }, (_, index) => `team-${index}`)

async function search(term: string, archives: 'one' | 'none' = 'one') {
  const archive = await fakeArchive()
  await testCluster({ as: 'admin', archives: archives === 'one' ? { kubeArchive: archive.plugin } : {} })
  startApi()
  const view = renderHook(
    ({ isLiveKnown }: { isLiveKnown: boolean }) => useArchiveSearch(term, namespaces, isLiveKnown),
    {
      initialProps: { isLiveKnown: false },
      wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
    },
  )
  const asked = () => new Set(archive.requests.map(({ pathname }) => /namespaces\/([^/]+)/.exec(pathname)?.[1])).size
  return { ...view, asked, current: () => view.result.current }
}

it('searches the archives of five namespaces once the cluster has responded, and of the others on request', async () => {
  const { current, rerender, asked } = await search('nowhere')
  await waitFor(() => expect(current().isFetching).toBe(false))
  expect(asked()).toBe(0)
  expect(current()).toMatchObject({ scope: '', others: undefined })
  rerender({ isLiveKnown: true })
  await waitFor(() => expect(current().scope).toBe('Searched in the archives of 5 of these namespaces (KubeArchive).'))
  expect(asked()).toBe(5)
  expect(current().others?.count).toBe(2)
  act(() => current().others?.search())
  await waitFor(() => expect(current().scope).toBe('Searched in the archives of these namespaces (KubeArchive).'))
  expect(asked()).toBe(7)
  expect(current().others).toBeUndefined()
})

it('says that there is no archive', async () => {
  const { current, rerender } = await search('nowhere', 'none')
  rerender({ isLiveKnown: true })
  await waitFor(() => expect(current().scope).toBe('No archive is installed.'))
  expect(current().others).toBeUndefined()
})
