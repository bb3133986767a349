import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, redirect, type RouteObject, useParams } from 'react-router'
import { expect, it } from 'vitest'
import { queryClient } from '../api/query-client'
import { AppLayout } from '../shell/AppLayout'
import { renderFrames } from './frames'

const NeedsData = () => useSuspenseQuery({ queryKey: ['x'], queryFn: () => Promise.resolve('data') }).data

const ShortName = () => <h1>{useParams().commit?.slice(0, 7)}</h1>

const pages: RouteObject[] = [
  {
    Component: AppLayout,
    loader: () => redirect('/elsewhere'),
    children: [
      { path: '/plain', lazy: async () => ({ Component: () => <h1>Plain</h1> }) },
      {
        path: '/ns/:namespace/things/:thing',
        Component: () => (
          <article>
            <Outlet />
          </article>
        ),
        children: [{ index: true, Component: () => <h1>{useParams().thing}</h1> }],
      },
      { path: '/data', Component: NeedsData },
      { path: '/commit/:commit', Component: ShortName },
      { path: '/moved', element: null, loader: () => redirect('/plain') },
      { path: '*', Component: () => <h1>Not found</h1> },
    ],
  },
]

it('renders what each page shows before its data, without asking for any or following redirects', async () => {
  const frames = await renderFrames(pages)
  expect(frames.map(({ pattern, isWhole }) => [pattern, isWhole])).toEqual([
    ['^/plain/?$', true],
    ['^/ns/(?<namespace>[a-z0-9.-]+)/things/(?<thing>[a-z0-9.-]+)/?$', true],
    ['^/data/?$', false],
    ['^/commit/(?<commit>[a-z0-9.-]+)/?$', false],
    ['^/moved/?$', false],
    ['^/.*/?$', false],
  ])
  const [plain = '', thing = '', data = ''] = frames.map(({ html }) => html)
  expect(plain).toMatch(/<main .*<h1>Plain<\/h1>.*<\/main>/s)
  expect(thing).toMatch(/<main .*<article><h1>__thing__<\/h1><\/article>.*<\/main>/s)
  expect(thing).toContain('href="/ns/__namespace__/secrets"')
  expect(data).toContain('Loading page')
  expect(queryClient.isFetching()).toBe(0)
})
