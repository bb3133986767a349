import type { KubeObject } from '@slipway/kube/object'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { aPipelineRun } from '@slipway/model/testing'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { describe, expect, it, test } from 'vitest'
import { namespace, testCluster } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { startApi } from '../../../test/render-route'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { newestStart, originOf } from './origin'
import { setFlag } from '../flags/flags'
import { completeSinceMs, useHistory, type HistorySelection } from './history'
import { mergeOnce, selectObjects } from './merged-history'
import { queryClient } from '../query-client'
import type { Source } from '../source'

const run = (name: string, day: number, uid: string | undefined = name) =>
  aPipelineRun({ metadata: { name, uid, creationTimestamp: `2026-01-${String(day).padStart(2, '0')}T09:00:00Z` } })
const missingOf = ({ missing }: Source<PipelineRun>) => missing.map(({ name, error }) => `${name}: ${error.message}`)
const names = (items: readonly KubeObject[] | undefined) => items?.map(({ metadata }) => metadata.name)

describe('runs of the cluster and of an archive', () => {
  test.each<[string, PipelineRun[], PipelineRun[], number | undefined, string[]]>([
    ['ARCH-11 are merged, newest first', [run('b', 2)], [run('c', 3), run('a', 1)], undefined, ['c', 'b', 'a']],
    ['ARCH-14 that are in both appear once', [run('b', 2)], [run('b', 2), run('a', 1)], undefined, ['b', 'a']],
    [
      'ARCH-14 that share only their name appear twice',
      [run('a', 2, 'second')],
      [run('a', 1, 'first')],
      undefined,
      ['a', 'a'],
    ],
    ['ARCH-12 are cut to the limit', [run('b', 2)], [run('c', 3), run('a', 1)], 2, ['c', 'b']],
    ['are an empty list if both are empty', [], [], undefined, []],
  ])('%s', (_, live, archived, limit, expected) =>
    expect(names(mergeOnce(live, archived, newestStart, limit))).toEqual(expected),
  )

  it('ARCH-14 that are in both are those of the cluster', () => {
    const live = run('a', 1)
    expect(mergeOnce([live], [run('a', 1)], newestStart)[0]).toBe(live)
  })

  it('ARCH-14 are identified by name if they have no uid', () => {
    const unnamed = () => aPipelineRun({ metadata: { uid: undefined } })
    expect(mergeOnce([unnamed()], [unnamed()], newestStart)).toHaveLength(1)
  })

  const sha = (key: string) => aPipelineRun({ metadata: { name: key, labels: { [key]: 'abc' } } })
  test.each<[string, Partial<HistorySelection>, string[]]>([
    ['name', { name: ' LPH' }, ['alpha']],
    ['time', { createdAfter: '2026-01-01T10:00:00Z' }, ['beta']],
    ['an invalid time', { createdAfter: 'yesterday' }, ['alpha', 'beta']],
  ])('ARCH-12 in the cluster are filtered by %s', (_, selection, expected) => {
    expect(names(selectObjects([run('alpha', 1), run('beta', 2)], selection))).toEqual(expected)
  })

  it('ARCH-12 in the cluster are filtered by commit', () => {
    const keys = ['pipelinesascode.tekton.dev/sha', 'pac.test.appstudio.openshift.io/sha']
    expect(names(selectObjects([...keys.map(sha), sha('other')], { commit: 'abc' }))).toEqual(keys)
  })
})

async function scene(selection: Partial<HistorySelection> = {}, live: PipelineRun[] = [aPipelineRun()]) {
  const results = await fakeArchive([run('old', 1), run('older', 1)])
  const kubeArchive = await fakeArchive([run('other', 1)])
  const archives = { tektonResults: results.plugin, kubeArchive: kubeArchive.plugin }
  const cluster = await testCluster({ as: 'admin', objects: live, archives })
  startApi()
  const show = () =>
    renderHook(() => useHistory(pipelineRuns.history({ namespace, ...selection })), {
      wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
    }).result
  return { cluster, results, kubeArchive, show }
}

describe('the history of runs', () => {
  it('ARCH-10, ARCH-11 starts with the cluster and continues with Tekton Results', async () => {
    const { kubeArchive, show } = await scene()
    const view = show()
    await waitFor(() => expect(names(view.current.rows)).toEqual(['checkout-api-on-push-x4k2p', 'old', 'older']))
    expect(view.current).toMatchObject({ archive: 'Tekton Results', error: null, missing: [], more: undefined })
    expect(view.current.rows?.map(originOf)).toEqual([undefined, 'archive', 'archive'])
    expect(kubeArchive.requests).toEqual([])
  })

  it('ARCH-07 continues with KubeArchive as soon as its flag is on', async () => {
    const { show } = await scene()
    const view = show()
    await waitFor(() => expect(view.current.archive).toBe('Tekton Results'))
    act(() => setFlag('pipelineruns-kubearchive', true))
    await waitFor(() => expect(names(view.current.rows)).toEqual(['checkout-api-on-push-x4k2p', 'other']))
    expect(view.current.archive).toBe('KubeArchive')
  })

  it('ARCH-11 queries no archive when the cluster has as many as the limit', async () => {
    const { results, show } = await scene({ limit: 1 })
    const view = show()
    await waitFor(() => expect(names(view.current.rows)).toEqual(['checkout-api-on-push-x4k2p']))
    expect(results.requests).toEqual([])
    expect(view.current.archive).toBeUndefined()
  })

  it('ARCH-23, ARCH-28 loads more archived runs on demand', async () => {
    const { results, show } = await scene()
    results.objects = Array.from({ length: 31 }, (_, n) => run(`run-${n}`, 31 - n))
    const view = show()
    await waitFor(() => expect(view.current.rows).toHaveLength(31))
    // Run 29 is the last of the first page.
    expect(completeSinceMs(view.current)).toBe(Date.parse('2026-01-02T09:00:00Z'))
    act(() => view.current.more?.load())
    await waitFor(() => expect(view.current.rows).toHaveLength(32))
    expect(view.current.more).toBeUndefined()
    expect(completeSinceMs(view.current)).toBe(0)
    expect(results.requests.map(({ searchParams }) => searchParams.get('page_token'))).toEqual([null, '30'])
  })

  it('LIVE-25, ARCH-14 is kept up to date, and shows no run twice', async () => {
    const { cluster, show } = await scene()
    const view = show()
    await waitFor(() => expect(view.current.rows).toHaveLength(3))
    await waitFor(() => expect(cluster.openSockets()).toHaveLength(1))
    await cluster.system.create(pipelineRunType, aPipelineRun({ metadata: { name: 'new-run' } }))
    await waitFor(() => expect(names(view.current.rows)).toContain('new-run'))
    expect(view.current.rows).toHaveLength(4)
  })

  it('shows the runs of the cluster when the archive fails, and says so', async () => {
    const { results, show } = await scene()
    results.failure = 422
    const view = show()
    await waitFor(() => expect(missingOf(view.current)).toEqual(['the archive: the archive is unavailable']))
    expect(names(view.current.rows)).toEqual(['checkout-api-on-push-x4k2p'])
    expect(view.current.error).toBeNull()
    expect(completeSinceMs(view.current)).toBe(Infinity)
  })

  const refused = (code: number) => (path: string) =>
    /\/k8s\/apis\/.*\/pipelineruns/.test(path)
      ? new Response(JSON.stringify({ kind: 'Status', message: 'the cluster is down' }), { status: code })
      : undefined

  it('ARCH-11 shows the runs of the archive when the cluster fails, and says so', async () => {
    const { cluster, show } = await scene()
    cluster.faults.intercept(refused(422))
    const view = show()
    await waitFor(() => expect(names(view.current.rows)).toEqual(['old', 'older']))
    expect(missingOf(view.current)).toEqual(['the cluster: the cluster is down'])
  })

  it('shows no empty list when the cluster fails and there is no archive', async () => {
    const { cluster, show } = await scene()
    cluster.faults.intercept((path) => (path.includes('/plugins/') ? new Response('', { status: 404 }) : undefined))
    cluster.faults.intercept(refused(422))
    const view = show()
    await waitFor(() => expect(view.current.error?.message).toBe('the cluster is down'))
    expect(view.current.rows).toBeUndefined()
  })
})
