import { labels } from '@slipway/model/labels'
import { aComponent, anApplication, aPipelineRun, aRelease, aTaskRun } from '@slipway/model/testing'
import { aComponentGroup, aSecret } from '@slipway/model/testing/build-services'
import { anIntegrationTestScenario, aReleasePlan, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { waitFor } from '@testing-library/react'
import { generatePath } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { namespace, type Call } from '../../test/cluster'
import { renderRoute } from '../../test/render-route'
import { client } from '../api/client'
import { queryClient } from '../api/query-client'
import { startDiscovery } from '../api/served-types'
import { windowPath } from '../api/views/given-window'
import { paths } from '../paths'
import { routes } from '../routes'
import { pagePathsOf } from './page-patterns'
import { createPreloadPlan, type PreloadPlan } from './plan'
import { sendFirstRequests } from './requests'

let plan: PreloadPlan
/** The page at the end of a sign-in closes its window. */
const keepWindowOpen = () => void vi.spyOn(window, 'close').mockImplementation(() => {})
beforeAll(async () => {
  keepWindowOpen()
  // The build records it in Node.
  vi.stubEnv('SSR', true)
  plan = await createPreloadPlan()
  vi.unstubAllEnvs()
})
let stopDiscovery: () => void
beforeEach(() => {
  keepWindowOpen()
  // As `main.tsx` does.
  stopDiscovery = startDiscovery(client.request)
})
afterEach(() => {
  stopDiscovery()
  vi.unstubAllGlobals()
  globalThis.slipwayPreloaded = undefined
})

/** The parameters of every route. */
const params: Record<string, string> = {
  namespace,
  application: 'checkout',
  component: 'checkout-api',
  commit: 'a'.repeat(40),
  pipelineRun: 'checkout-api-build',
  taskRun: 'checkout-api-build-clone',
  activityTab: 'pipelineruns',
  componentGroup: 'checkout-group',
  integrationTest: 'checkout-unit-tests',
  snapshot: 'checkout-snapshot',
  release: 'checkout-release',
  releasePlan: 'checkout-to-production',
  secret: 'registry',
  binding: 'konflux-contributor-contributor-user-actions',
  '*': 'checkout-api-build',
}
const objects = [
  anApplication({ metadata: { name: 'checkout' } }),
  aComponent({ metadata: { name: 'checkout-api', namespace } }),
  aPipelineRun({
    metadata: { name: 'checkout-api-build', namespace, labels: { [labels.commitSha]: 'a'.repeat(40) } },
  }),
  aTaskRun({ metadata: { name: 'checkout-api-build-clone', namespace } }),
  aSecret({ metadata: { name: 'registry', namespace } }),
  aSnapshot({ metadata: { name: 'checkout-snapshot', namespace } }),
  anIntegrationTestScenario({ metadata: { name: 'checkout-unit-tests', namespace } }),
  aComponentGroup(),
  aReleasePlan(),
  aRelease({ metadata: { name: 'checkout-release' }, spec: { snapshot: 'checkout-snapshot' } }),
]

/** A line for each request, and for each review of a batch as if it had been sent by itself. */
const linesOf = ({ method, path, body }: Call): string[] => {
  const { items } = (body ?? {}) as { items?: unknown[] } // Only batches have items.
  if (path.endsWith('/access-reviews')) return (items ?? []).map((item) => `review ${JSON.stringify(item)}`)
  if (path.includes('/selfsubject')) return [`review ${JSON.stringify(body)}`]
  return [`${method} ${path}`]
}

/** The requests that are sent before the page at a path is loaded. None of them gets a response. */
async function preloadedCalls(
  path: string,
  { hasBatches = true } = {},
): Promise<(Call & { headers: HeadersInit | undefined })[]> {
  const calls: Awaited<ReturnType<typeof preloadedCalls>> = []
  vi.stubGlobal('fetch', (url: string, { method = 'GET', body, headers }: RequestInit = {}) => {
    // The page of an earlier test may still send a request. The URL of its cluster is absolute.
    if (url.startsWith('/')) calls.push({ method, path: url, headers, body: body && JSON.parse(String(body)) })
    return new Promise(() => {})
  })
  history.replaceState(null, '', path)
  sendFirstRequests(plan, location.pathname, hasBatches)
  // Batches and lists are sent in the next tasks.
  await new Promise((resolve) => setTimeout(resolve))
  vi.unstubAllGlobals()
  globalThis.slipwayPreloaded = undefined
  return calls
}

/** Read by the loaders of a namespace and of the forms that edit an object. */
const readByLoaders = [
  'get namespaces',
  'get rolebindings',
  'get secrets',
  'list serviceaccounts',
  'get integrationtestscenarios',
  'get componentgroups',
]

/** Reads of the cluster whose data no component uses. */
const unusedReads = () =>
  queryClient
    .getQueryCache()
    .getAll()
    .filter((query) => query.getObserversCount() === 0)
    .map(({ queryKey: [, plural, , verb] }) => `${String(verb)} ${String(plural)}`)
    .filter((name) => /^(get|list) /.test(name) && !readByLoaders.includes(name))

describe('every page uses what was preloaded for its path, and requests none of it twice', () => {
  it.each(pagePathsOf(routes).map((path, index) => [path, index] as const))('%s', async (path, index) => {
    const url = new URL(generatePath(path, params), location.origin).pathname
    expect(plan.pages.findIndex(([pattern]) => new RegExp(pattern).test(url))).toBe(index)
    const calls = await preloadedCalls(url)
    expect(calls.filter((call) => call.path.includes('review')).length).toBeLessThanOrEqual(1)
    // Windows are taken if they are there, and not requested otherwise.
    const preloaded = calls.flatMap(linesOf).filter((line) => !line.includes(windowPath))
    const { cluster } = await renderRoute(url, { objects })
    const sent = () => cluster.calls.flatMap(linesOf)
    await waitFor(() => expect(sent()).toEqual(expect.arrayContaining(preloaded)))
    await waitFor(() => expect(unusedReads()).toEqual([]))
    // Reviews are sent again when the cluster rejects a request.
    const reads = preloaded.filter((line) => line.startsWith('GET'))
    expect(
      sent()
        .filter((line) => reads.includes(line))
        .sort(),
    ).toEqual(reads.sort())
  })
})

it('lists are requested after everything else, in the spelling of the kube client', async () => {
  const calls = await preloadedCalls(paths.secrets({ namespace }))
  expect(calls.map(({ path }) => path.replace(/^.*\/|\?.*/g, ''))).toEqual([
    'userinfo',
    'konflux-banner-configmap',
    namespace,
    'v1alpha1',
    'access-reviews',
    'serviceaccounts',
    'secrets',
    'components',
  ])
  expect(calls[0]?.headers).toEqual({ accept: 'application/json', 'x-requested-with': 'slipway' })
  expect(calls[4]?.headers).toMatchObject({ 'content-type': 'application/json' })
})

it.each([
  paths.applications({ namespace }),
  paths.pipelineRuns({ namespace }),
  paths.activityTab({ namespace, application: 'checkout', activityTab: 'pipelineruns' }),
  paths.snapshots({ namespace, application: 'checkout' }),
])('the first rows of %s are taken from what was requested with its script', async (path) => {
  history.replaceState(null, '', path)
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(null, { status: 404 })))
  sendFirstRequests(plan, location.pathname)
  await new Promise((resolve) => setTimeout(resolve))
  vi.unstubAllGlobals()
  const all = globalThis.slipwayPreloaded ?? new Map<string, unknown>()
  const windows = [...all.keys()].filter((key) => key.includes(windowPath))
  for (const key of all.keys()) if (!windows.includes(key)) all.delete(key)
  expect(windows).toHaveLength(1)
  await renderRoute(path, { objects })
  await waitFor(() => expect([...all.keys()]).toEqual([]))
})

it('a gateway without batches gets the reviews at once, one by one', async () => {
  const sent = (await preloadedCalls(paths.secrets({ namespace }), { hasBatches: false })).map(({ path }) => path)
  expect(sent.filter((path) => path.includes('/selfsubject')).length).toBeGreaterThan(1)
  expect(sent.filter((path) => path.endsWith('/access-reviews'))).toEqual([])
})

it.each([
  ['', ['pipelineruns']],
  ['?status=Failed', []],
])('the first rows of a page are requested, but not with other filters in its URL: %j', async (search, kinds) => {
  const activity = paths.activityTab({ namespace, application: 'checkout', activityTab: 'pipelineruns' })
  const windows = (await preloadedCalls(activity + search)).filter(({ path }) => path.includes('/v1/window?'))
  expect(windows.map(({ path }) => /"kind":"(\w+)"/.exec(decodeURIComponent(path))?.[1])).toEqual(kinds)
})

it.each(['/ns/%E0%A4%A', '/ns//applications', '/ns/A/applications', '/nowhere'])(
  'nothing is requested from a namespace for %s',
  async (path) => {
    expect((await preloadedCalls(path)).map((call) => call.path.split('/').at(-1))).toEqual([
      'userinfo',
      'konflux-banner-configmap',
    ])
  },
)
