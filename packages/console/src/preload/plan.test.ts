import { applicationType } from '@slipway/model/builds/application'
import { redirect, type RouteObject } from 'react-router'
import { expect, it } from 'vitest'
import { accessQuery } from '../api/access/access'
import { client, gateway } from '../api/client'
import { queryClient } from '../api/query-client'
import { createPreloadPlan } from './plan'

const get = (path: string) => client.request(path).then(String, () => null)
const check = (namespace: string) =>
  queryClient.fetchQuery(accessQuery({ verb: 'list', type: applicationType, namespace }))

const routes: RouteObject[] = [
  {
    loader: () => gateway.request('/oauth2/userinfo'),
    children: [
      {
        path: '/ns/:namespace',
        children: [
          { index: true, loader: ({ params }) => redirect(`/ns/${params.namespace}/applications`) },
          {
            path: '/ns/:namespace/applications',
            loader: async ({ params }) =>
              get(`/${(await check(params.namespace ?? '')) ? 'allowed' : 'denied'}/${params.namespace}`),
          },
        ],
      },
      { path: '*', element: null },
    ],
  },
]

it('the plan has the requests of all loaders of a path, those after access is allowed and after a redirect included', async () => {
  const { pages, requests } = await createPreloadPlan(routes)
  const planned = pages.map(([pattern, indexes]) => [pattern, indexes.map((index) => requests[index]?.[0])])
  const ofApplications = [
    '/oauth2/userinfo',
    // Which groups serve the kind.
    '/api/k8s/apis/konflux-ci.dev/v1alpha1',
    '/api/k8s/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    '/api/k8s/allowed/__namespace__',
  ]
  expect(planned).toEqual([
    ['^/ns/(?<namespace>[a-z0-9.-]+)/?$', ofApplications],
    ['^/ns/(?<namespace>[a-z0-9.-]+)/applications/?$', ofApplications],
    ['^/.*/?$', ['/oauth2/userinfo']],
  ])
})

it('a loader that throws anything but the error of a request fails the plan, whichever loader fails above it', async () => {
  const child: RouteObject = {
    path: '/broken',
    loader: () => {
      throw new ReferenceError('document is not defined')
    },
  }
  const parent: RouteObject = { loader: () => gateway.request('/oauth2/userinfo'), children: [child] }
  await expect(createPreloadPlan([parent])).rejects.toThrow('document is not defined')
})
