import type { KubeClient } from '@slipway/kube/client'
import { type KubeObject, nameOf } from '@slipway/kube/object'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { releaseType } from '@slipway/model/releases/release'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { taskRunType } from '@slipway/model/runs/task-run'
import { anApplication } from '@slipway/model/testing'
import { QueryClientProvider, QueryObserver, useQuery } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { namespace, testCluster } from '../../../test/cluster'
import { fastClock } from '../../../test/fast-clock'
import { startApi } from '../../../test/render-route'
import { applications } from '../../resources/applications'
import { configureApi } from '../client'
import { useFreshness } from './freshness'
import { listQuery } from '../queries'
import { queryClient } from '../query-client'

const application = (name: string) => anApplication({ metadata: { name, namespace } })

function Names({ label = 'Names' }: { label?: string }) {
  const query = applications.list(namespace)
  const { data, error } = useQuery(query)
  const { kind, reason } = useFreshness([query])
  return (
    <section aria-label={label}>
      <p>{error ? error.message : (data?.items.map(nameOf).toSorted().join(' ') ?? 'waiting')}</p>
      <p role="status">{reason ? `${kind}: ${reason}` : kind}</p>
    </section>
  )
}

async function scene() {
  const cluster = await testCluster({ as: 'admin', objects: [application('a')] })
  const clock = fastClock()
  startApi(clock)
  const view = render(<Names />, {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  })
  await live()
  const lists = () => cluster.calls.filter(({ path }) => path.includes('/applications'))
  return { ...cluster, ...view, lists, clock }
}

const live = () => waitFor(() => expect(screen.getAllByRole('status')[0]).toHaveTextContent(/^live$/))
const shows = (text: string) => waitFor(() => expect(screen.getByText(text)).toBeVisible())
const add = (system: KubeClient, name: string) => system.create(applicationType, application(name))
const drop = (system: KubeClient, name: string) => system.delete(applicationType, name, { namespace })

it('LIVE-01, LIVE-16, LIVE-17, LIVE-18 shows what other clients add, change and delete, with a single list request', async () => {
  const { system, lists, openSockets } = await scene()
  await add(system, 'b')
  await shows('a b')
  await drop(system, 'a')
  await shows('b')
  expect(lists()).toHaveLength(1)
  expect(openSockets()).toEqual([`/wss/k8s/apis/appstudio.redhat.com/v1alpha1/namespaces/${namespace}/applications`])
})

it('LIVE-24 several components share one watch, which closes when all have unmounted', async () => {
  const { rerender, lists, openSockets, unmount } = await scene()
  rerender(
    <>
      <Names />
      <Names label="Others" />
      <Names label="More" />
    </>,
  )
  expect(openSockets()).toHaveLength(1)
  expect(lists()).toHaveLength(1)
  unmount()
  await waitFor(() => expect(openSockets()).toEqual([]))
})

it('LIVE-11 after lost connections the list shows what was created and deleted meanwhile', async () => {
  const { system, faults } = await scene()
  faults.areSocketsBlocked = true
  faults.cutSockets()
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('stale: The live connection was lost.'))
  await add(system, 'b')
  await drop(system, 'a')
  faults.areSocketsBlocked = false
  await shows('b')
  await live()
})

it('keeps its rows and gives the reason while the cluster cannot be read', async () => {
  const { system, faults } = await scene()
  const heal = faults.intercept((path) =>
    path.includes('/applications') ? Response.json({ message: 'etcd is down' }, { status: 500 }) : undefined,
  )
  faults.cutSockets()
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('stale: etcd is down'))
  await add(system, 'b')
  heal()
  await shows('a b')
  await live()
})

it('the watch continues from an explicit refetch', async () => {
  const { system, lists, openSockets } = await scene()
  await add(system, 'b')
  await queryClient.invalidateQueries({ queryKey: applications.list(namespace).queryKey })
  await shows('a b')
  expect(lists()).toHaveLength(2)
  await waitFor(() => expect(openSockets()).toHaveLength(1))
  await add(system, 'c')
  await shows('a b c')
})

it('LIVE-08, LIVE-10, LIVE-15 polls and says so while no socket can be opened, and stops when one can', async () => {
  const { system, faults, lists } = await scene()
  faults.areSocketsBlocked = true
  faults.cutSockets()
  await waitFor(() =>
    expect(screen.getByRole('status')).toHaveTextContent(
      'polling: WebSocket connection failed after multiple attempts',
    ),
  )
  await add(system, 'b')
  await shows('a b')
  faults.areSocketsBlocked = false
  await live()
  const listsBefore = lists().length
  await add(system, 'c')
  await shows('a b c')
  expect(lists()).toHaveLength(listsBefore)
})

it('LIVE-02, LIVE-03, LIVE-04, LIVE-23 watches the listed selection, from the version of the list', async () => {
  const urls: string[] = []
  const cluster = await testCluster({ as: 'admin' })
  configureApi({
    openSocket(url, protocol) {
      urls.push(`${protocol} ${url}`)
      return { onopen: null, onmessage: null, onerror: null, onclose: null, send() {}, close() {} }
    },
  })
  startApi()
  const query = listQuery(applicationType, { namespace, labels: { tier: 'web' }, fields: { 'metadata.name': 'a' } })
  onTestFinished(new QueryObserver(queryClient, query).subscribe(() => {}))
  await waitFor(() => expect(urls).toHaveLength(1))
  const { metadata } = await cluster.system.list(applicationType, { namespace })
  const { searchParams } = new URL(urls[0]?.split(' ')[1] ?? '')
  expect(urls[0]).toMatch(/^base64\.binary\.k8s\.io ws:.*\/wss\/k8s\/apis\/.*\/applications\?watch=true&/)
  expect(Object.fromEntries(searchParams)).toEqual({
    watch: 'true',
    heartbeat: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: metadata.resourceVersion,
    labelSelector: 'tier=web',
    fieldSelector: 'metadata.name=a',
  })
})

it('LIVE-24 a list that is shown again shortly after it was hidden still has its watch', async () => {
  const { rerender, lists, openSockets } = await scene()
  rerender(<p>elsewhere</p>)
  rerender(<Names />)
  await live()
  expect(lists()).toHaveLength(1)
  expect(openSockets()).toHaveLength(1)
})

it('a live list is never stale, so that another component does not refetch it', async () => {
  await scene()
  expect(
    queryClient
      .getQueryCache()
      .find({ queryKey: applications.list(namespace).queryKey })
      ?.isStale(),
  ).toBe(false)
})

it('after any writes while sockets are cut, blocked and ended, the screen finally equals a new list', async () => {
  const { system, faults } = await scene()
  const present = new Set(['a'])
  for (let round = 0; round < 24; round++) {
    if (round % 4 === 1) faults.cutSockets()
    if (round % 6 === 2) faults.endSockets()
    if (round % 8 === 3) faults.areSocketsBlocked = true
    if (round % 8 === 6) faults.areSocketsBlocked = false
    // Three names come and go, so that objects are deleted and recreated under the same name.
    const name = `x${round % 3}`
    await (present.has(name) ? drop : add)(system, name)
    if (!present.delete(name)) present.add(name)
    // In between, the connection recovers.
    if (round % 8 === 7) await live()
  }
  faults.areSocketsBlocked = false
  await add(system, 'last')
  const listed = (await system.list(applicationType, { namespace })).items.map(nameOf).toSorted()
  expect(listed).toEqual([...present, 'last'].toSorted())
  await shows(listed.join(' '))
  await live()
})

it('lists again when the network comes back', async () => {
  const { system, lists } = await scene()
  await add(system, 'b')
  dispatchEvent(new Event('online'))
  await waitFor(() => expect(lists()).toHaveLength(2))
  await shows('a b')
  await live()
})

it('lists again when a tab without recent events becomes visible, and does nothing while it is hidden', async () => {
  const { lists, clock } = await scene()
  clock.skip(10_000)
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  onTestFinished(() => visibility.mockRestore())
  document.dispatchEvent(new Event('visibilitychange'))
  expect(lists()).toHaveLength(1)
  visibility.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
  await waitFor(() => expect(lists()).toHaveLength(2))
  await live()
})

it('watches a list only while it is enabled', async () => {
  const cluster = await testCluster({ as: 'admin' })
  startApi()
  const query = applications.list(namespace)
  const observer = new QueryObserver(queryClient, { ...query, enabled: false })
  onTestFinished(observer.subscribe(() => {}))
  observer.setOptions({ ...query, enabled: true })
  await waitFor(() => expect(cluster.openSockets()).toHaveLength(1))
  observer.setOptions({ ...query, enabled: false })
  await waitFor(() => expect(cluster.openSockets()).toHaveLength(0))
  expect(cluster.calls).toHaveLength(1)
})

it('LIVE-25 watches components, snapshots, runs and releases alike', async () => {
  const cluster = await testCluster({ as: 'admin' })
  startApi()
  for (const type of [componentType, snapshotType, pipelineRunType, taskRunType, releaseType]) {
    onTestFinished(new QueryObserver(queryClient, listQuery<KubeObject>(type, { namespace })).subscribe(() => {}))
  }
  await waitFor(() =>
    expect(
      cluster
        .openSockets()
        .map((path) => path.split('/').at(-1))
        .toSorted(),
    ).toEqual(['components', 'pipelineruns', 'releases', 'snapshots', 'taskruns']),
  )
})
