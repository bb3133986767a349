import { labels } from '@slipway/model/labels'
import { aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { ApiError } from '@slipway/kube/status'
import { describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { type Faults, namespace, testCluster } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { startApi } from '../../../test/render-route'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { snapshots } from '../../resources/snapshots'
import { taskRuns } from '../../resources/task-runs'
import { archivePage } from './archive'
import { setFlag } from '../flags/flags'
import { conditions, conditionsQuery } from '../flags/flag-conditions'
import { hasKubeArchive } from './installed'
import { queryClient } from '../query-client'

const archivedRun = aPipelineRun({
  metadata: { name: 'old-run', uid: 'old', creationTimestamp: '2026-01-01T09:00:00Z' },
  status: { conditions: [condition('Succeeded', 'True', 'Succeeded')] },
})
const archivedTask = aTaskRun({
  metadata: { name: 'old-task', uid: 'old-task', creationTimestamp: '2026-01-01T09:00:00Z' },
})
const archivedSnapshot = {
  apiVersion: 'appstudio.redhat.com/v1alpha1',
  kind: 'Snapshot',
  metadata: { name: 'old-snapshot', namespace, uid: 'old-snapshot', labels: { [labels.application]: 'checkout' } },
  spec: {},
}

const livez = '/api/k8s/plugins/kubearchive/livez'

type Present = 'both' | 'results' | 'kubearchive' | 'none'

async function scene(present: Present = 'both') {
  const results = await fakeArchive([archivedRun, archivedTask])
  const kubeArchive = await fakeArchive([archivedRun, archivedTask, archivedSnapshot])
  const cluster = await testCluster({
    as: 'admin',
    objects: [aPipelineRun({ metadata: { name: 'live-run' } }), aTaskRun({ metadata: { name: 'live-task' } })],
    archives: {
      ...((present === 'both' || present === 'results') && { tektonResults: results.plugin }),
      ...((present === 'both' || present === 'kubearchive') && { kubeArchive: kubeArchive.plugin }),
    },
  })
  startApi()
  return { cluster, results, kubeArchive }
}

const endSession = ({ intercept }: Faults) =>
  intercept((path) =>
    path.includes('/plugins/')
      ? Response.json({}, { status: 401, headers: { 'www-authenticate': 'Session' } })
      : undefined,
  )

const calledPlugins = (calls: { path: string }[]) =>
  calls.map(({ path }) => path).filter((path) => path.includes('/plugins/'))

describe('the availability of KubeArchive', () => {
  it('ARCH-01, ARCH-02, ARCH-03 is checked once, by its health endpoint', async () => {
    const { cluster } = await scene()
    expect(await Promise.all([hasKubeArchive(), hasKubeArchive()])).toEqual([true, true])
    expect(await hasKubeArchive()).toBe(true)
    expect(calledPlugins(cluster.calls)).toEqual([livez])
  })

  it('ARCH-02 is not known, which is not the same as none, until something has answered', async () => {
    const { cluster } = await scene('kubearchive')
    const heal = cluster.faults.intercept((path) =>
      path.includes('/plugins/') ? Response.json({ message: 'not yet' }, { status: 503 }) : undefined,
    )
    setFlag('pipelineruns-kubearchive', true)
    await expect(hasKubeArchive()).rejects.toMatchObject({ code: 503 })
    expect(await conditions()).not.toHaveProperty('isKubearchiveEnabled')
    await expect(archivePage(snapshotType, { namespace })).rejects.toMatchObject({ code: 503 })
    heal()
    expect(await hasKubeArchive()).toBe(true)
    expect((await archivePage(snapshotType, { namespace })).archive).toBe('KubeArchive')
    await queryClient.invalidateQueries(conditionsQuery)
    expect(await conditions()).toMatchObject({ isKubearchiveEnabled: true })
  })

  it('ARCH-02 is remembered when there is none, so that no other request is sent', async () => {
    const { cluster } = await scene('none')
    setFlag('pipelineruns-kubearchive', true)
    for (let n = 0; n < 3; n++) {
      expect(await archivePage(pipelineRunType, { namespace })).toMatchObject({ items: [], next: undefined })
    }
    expect(calledPlugins(cluster.calls)).toEqual([livez])
  })
})

describe('the archive of runs', () => {
  const namesIn = async () => {
    const { items, archive } = await archivePage(pipelineRunType, { namespace })
    return [archive, ...items.map(({ metadata }) => metadata.name)]
  }
  /** The paths of the calls to plugins, without their queries. */
  const pathsOf = (calls: { path: string }[]) => calledPlugins(calls).map((path) => path.replace(/\?.*/, ''))
  const ofKubeArchive = `/api/k8s/plugins/kubearchive/apis/tekton.dev/v1/namespaces/${namespace}/pipelineruns`
  const results = '/api/k8s/plugins/tekton-results/apis/results.tekton.dev/v1alpha2/parents'
  /** As a gateway that does not name its plugins would respond. */
  const withoutNames = ({ faults }: { faults: Faults }) =>
    faults.intercept(async (path, init) => {
      const response = await faults.pass(path, init)
      const headers = new Headers(response.headers)
      headers.delete('slipway-plugins')
      const body = await response.text()
      return new Response(body, { status: response.status, headers })
    })

  it('is KubeArchive where that is the only one, with its flag off, and no other is called', async () => {
    const { cluster } = await scene('kubearchive')
    expect(await namesIn()).toEqual(['KubeArchive', 'old-run'])
    expect(await queryClient.fetchQuery(pipelineRuns.get(namespace, 'old-run'))).toEqual(archivedRun)
    expect(await queryClient.fetchQuery(taskRuns.get(namespace, 'old-task'))).toEqual(archivedTask)
    expect(pathsOf(cluster.calls)).toEqual([
      livez,
      ofKubeArchive,
      `${ofKubeArchive}/old-run`,
      `/api/k8s/plugins/kubearchive/apis/tekton.dev/v1/namespaces/${namespace}/taskruns/old-task`,
    ])
  })

  it('is Tekton Results where that is the only one, even with the flag of KubeArchive on', async () => {
    const { cluster } = await scene('results')
    setFlag('pipelineruns-kubearchive', true)
    expect(await namesIn()).toEqual(['Tekton Results', 'old-run'])
    expect(await namesIn()).toEqual(['Tekton Results', 'old-run'])
    const records = `${results}/${namespace}/results/-/records`
    expect(pathsOf(cluster.calls)).toEqual([livez, records, records])
  })

  it('ARCH-07, ARCH-10 is the one that the flag chooses where both are installed, and the other is not queried', async () => {
    const { results, kubeArchive } = await scene()
    expect((await namesIn())[0]).toBe('Tekton Results')
    expect([results.requests.length, kubeArchive.requests.length]).toEqual([1, 0])
    setFlag('pipelineruns-kubearchive', true)
    expect((await namesIn())[0]).toBe('KubeArchive')
    expect([results.requests.length, kubeArchive.requests.length]).toEqual([1, 1])
  })

  it.each<[Present, string, string[]]>([
    ['kubearchive', 'KubeArchive', [livez, `${results}/-/results`, ofKubeArchive, ofKubeArchive]],
    [
      'both',
      'Tekton Results',
      [livez, `${results}/-/results`, ...Array<string>(2).fill(`${results}/${namespace}/results/-/records`)],
    ],
    ['none', '', [livez, `${results}/${namespace}/results/-/records`]],
  ])('is found behind a gateway that does not name its plugins: %s', async (present, expected, calls) => {
    const { cluster } = await scene(present)
    withoutNames(cluster)
    for (let n = 0; n < 2; n++) expect((await namesIn())[0] ?? '').toBe(expected)
    expect(pathsOf(cluster.calls)).toEqual(calls)
  })

  it.each([404, 403])(
    'is KubeArchive behind a gateway that passes calls of a missing plugin to the cluster: %i',
    async (code) => {
      const { cluster } = await scene('kubearchive')
      withoutNames(cluster)
      cluster.faults.intercept((path) =>
        path.includes('/tekton-results/') ? Response.json({ message: 'cannot get path' }, { status: code }) : undefined,
      )
      expect(await namesIn()).toEqual(['KubeArchive', 'old-run'])
    },
  )

  it.each([false, true])(
    'is not thought to be missing while the only one cannot be reached (flag: %s)',
    async (isOn) => {
      const { cluster } = await scene('kubearchive')
      withoutNames(cluster)
      const heal = cluster.faults.intercept((path) =>
        path.includes('/kubearchive/') ? Response.json({ message: 'not yet' }, { status: 503 }) : undefined,
      )
      setFlag('pipelineruns-kubearchive', isOn)
      await expect(namesIn()).rejects.toMatchObject({ code: 503 })
      heal()
      expect(await namesIn()).toEqual(['KubeArchive', 'old-run'])
    },
  )
})

describe('one object', () => {
  it('ARCH-06, ARCH-16 comes from the cluster, without a request to an archive', async () => {
    const { cluster } = await scene()
    expect((await queryClient.fetchQuery(pipelineRuns.get(namespace, 'live-run'))).metadata.name).toBe('live-run')
    expect((await queryClient.fetchQuery(taskRuns.get(namespace, 'live-task'))).metadata.name).toBe('live-task')
    expect(calledPlugins(cluster.calls)).toEqual([])
  })

  it('ARCH-06, ARCH-10, ARCH-16 comes from Tekton Results after a 404', async () => {
    const { results, kubeArchive } = await scene()
    expect(await queryClient.fetchQuery(pipelineRuns.get(namespace, 'old-run'))).toEqual(archivedRun)
    expect(await queryClient.fetchQuery(taskRuns.get(namespace, 'old-task'))).toEqual(archivedTask)
    expect(results.requests).toHaveLength(2)
    expect(kubeArchive.requests).toEqual([])
  })

  it('ARCH-06, ARCH-07, ARCH-08 comes from KubeArchive after a 404 if its flags are on', async () => {
    const { results, kubeArchive } = await scene()
    setFlag('pipelineruns-kubearchive', true)
    setFlag('taskruns-kubearchive', true)
    expect(await queryClient.fetchQuery(pipelineRuns.get(namespace, 'old-run'))).toEqual(archivedRun)
    expect(await queryClient.fetchQuery(taskRuns.get(namespace, 'old-task'))).toEqual(archivedTask)
    expect(kubeArchive.requests.map(({ pathname }) => pathname)).toEqual([
      `/apis/tekton.dev/v1/namespaces/${namespace}/pipelineruns/old-run`,
      `/apis/tekton.dev/v1/namespaces/${namespace}/taskruns/old-task`,
    ])
    expect(results.requests).toEqual([])
  })

  test.each([403, 422])('ARCH-06 is not looked for in an archive after a %i', async (code) => {
    const { cluster } = await scene()
    cluster.faults.intercept((path) => (path.includes('/old-run') ? new Response('', { status: code }) : undefined))
    await expect(queryClient.fetchQuery(pipelineRuns.get(namespace, 'old-run'))).rejects.toMatchObject({ code })
    expect(calledPlugins(cluster.calls)).toEqual([])
  })

  it('ARCH-06 fails with the 404 of the cluster when an archive does not have it or denies access', async () => {
    const { results } = await scene()
    const missing = { code: 404, message: 'pipelineruns.tekton.dev "no-run" not found' }
    await expect(queryClient.fetchQuery(pipelineRuns.get(namespace, 'no-run'))).rejects.toMatchObject(missing)
    results.failure = 403
    await expect(queryClient.fetchQuery(pipelineRuns.get(namespace, 'no-run'))).rejects.toMatchObject(missing)
  })

  it('is not reported as missing when the session has ended meanwhile', async () => {
    const { cluster } = await scene()
    endSession(cluster.faults)
    await expect(queryClient.fetchQuery(pipelineRuns.get(namespace, 'old-run'))).rejects.toMatchObject({
      isSessionEnd: true,
      cause: { code: 404 },
    })
  })

  it('is not reported as missing when the archive fails', async () => {
    const { results } = await scene()
    results.failure = 500
    await expect(queryClient.fetchQuery(pipelineRuns.get(namespace, 'old-run'))).rejects.toMatchObject({
      code: 500,
      message: 'the archive is unavailable',
      cause: { code: 404 },
    })
  })
})

test.each<[string, () => Response | Promise<Response>]>([
  ['limits requests', () => Response.json({ message: 'too many requests' }, { status: 429 })],
  ['times out', () => Response.json({ message: 'query timeout' }, { status: 504 })],
  ['has a proxy that responds with a page', () => new Response('<html></html>')],
  ['breaks off its response', () => new Response('{"kind":"List","items":[{"metadata":{')],
  ['responds with something else', () => Response.json(['unexpected'])],
  ['closes the connection', () => Promise.reject(new TypeError('terminated'))],
])('nothing is reported as missing when KubeArchive %s', async (_, respond) => {
  const { cluster } = await scene('kubearchive')
  setFlag('pipelineruns-kubearchive', true)
  expect(await hasKubeArchive()).toBe(true)
  cluster.faults.intercept((path) => (path.includes('/plugins/kubearchive/') ? respond() : undefined))
  await expect(archivePage(pipelineRunType, { namespace })).rejects.toBeInstanceOf(ApiError)
  const reading = queryClient.fetchQuery({ ...pipelineRuns.get(namespace, 'old-run'), retry: false })
  await expect(reading).rejects.toMatchObject({ cause: { code: 404 } })
})

describe('the list of snapshots', () => {
  const withoutKind = (code: number) => (path: string) =>
    /\/k8s\/apis\/.*\/snapshots/.test(path)
      ? new Response(JSON.stringify({ kind: 'Status', message: 'the cluster says no' }), { status: code })
      : undefined

  it('comes from the cluster', async () => {
    const { cluster } = await scene()
    expect((await queryClient.fetchQuery(snapshots.listed(namespace, 'checkout'))).items).toEqual([])
    expect(calledPlugins(cluster.calls)).toEqual([])
  })

  it('ARCH-04 comes from the archive after a 404', async () => {
    const { cluster, kubeArchive } = await scene()
    cluster.faults.intercept(withoutKind(404))
    const { items } = await queryClient.fetchQuery(snapshots.listed(namespace, 'checkout'))
    expect(items).toEqual([archivedSnapshot])
    expect(kubeArchive.requests[0]?.pathname).toBe(
      `/apis/${snapshotType.group}/${snapshotType.version}/namespaces/${namespace}/snapshots`,
    )
    expect(calledPlugins(cluster.calls).at(-1)).toMatch(/^\/api\/k8s\/plugins\/kubearchive\/apis\//)
  })

  it('ARCH-17, SNAP-25, SNAP-26 fails with the error of the cluster unless that is a 404, and else with that of the archive', async () => {
    const { cluster, kubeArchive } = await scene()
    kubeArchive.failure = 422
    const undo = cluster.faults.intercept(withoutKind(403))
    await expect(queryClient.fetchQuery(snapshots.listed(namespace, 'checkout'))).rejects.toThrow('the cluster says no')
    undo()
    cluster.faults.intercept(withoutKind(404))
    await expect(queryClient.fetchQuery(snapshots.listed(namespace, 'checkout'))).rejects.toThrow(
      'the archive is unavailable',
    )
  })
})

describe('a page of archived runs', () => {
  it.each(['Running', 'ResolvingPipelineRef', 'PipelineRunPending'])(
    'ARCH-15 leaves out a run archived while unfinished, which can still be read by name: %s',
    async (reason) => {
      const { results, kubeArchive } = await scene()
      const unfinished = aPipelineRun({
        metadata: { name: 'left', uid: 'left', creationTimestamp: '2026-01-02T09:00:00Z' },
        status: { conditions: [condition('Succeeded', 'Unknown', reason)] },
      })
      results.objects = kubeArchive.objects = [unfinished, archivedRun]
      for (const isOn of [false, true]) {
        setFlag('pipelineruns-kubearchive', isOn)
        expect((await archivePage(pipelineRunType, { namespace })).items).toEqual([archivedRun])
        const { metadata } = await queryClient.fetchQuery(pipelineRuns.get(namespace, 'left'))
        expect(metadata.uid).toBe('left')
      }
    },
  )

  it('ARCH-05, ARCH-13 of KubeArchive has 200 objects, and the next one starts at its token', async () => {
    const { kubeArchive } = await scene()
    setFlag('pipelineruns-kubearchive', true)
    kubeArchive.objects = Array.from({ length: 201 }, (_, n) =>
      aPipelineRun({
        metadata: {
          name: `run-${n}`,
          uid: `${n}`,
          creationTimestamp: new Date(Date.UTC(2026, 0, 1) - n).toISOString(),
        },
      }),
    )
    const first = await archivePage(pipelineRunType, { namespace })
    expect(first.items).toHaveLength(200)
    const second = await archivePage(pipelineRunType, { namespace }, { position: first.next })
    expect(second.items.map(({ metadata }) => metadata.name)).toEqual(['run-200'])
    expect(second.next).toBeUndefined()
    expect(
      kubeArchive.requests.map(({ searchParams }) => [searchParams.get('limit'), searchParams.get('continue')]),
    ).toEqual([
      ['200', null],
      ['200', '200'],
    ])
  })

  it('ARCH-12 of KubeArchive is filtered by name, time, labels and limit', async () => {
    const { kubeArchive } = await scene()
    setFlag('pipelineruns-kubearchive', true)
    const labelSelector = { matchLabels: { [labels.application]: 'checkout' } }
    const selection = {
      namespace,
      labels: labelSelector,
      name: ' Old ',
      createdAfter: '2025-01-01T00:00:00Z',
      limit: 7,
    }
    expect((await archivePage(pipelineRunType, selection)).items).toEqual([archivedRun])
    expect(Object.fromEntries(kubeArchive.requests[0]?.searchParams ?? [])).toEqual({
      labelSelector: `${labels.application}=checkout`,
      name: '*Old*',
      creationTimestampAfter: '2025-01-01T00:00:00Z',
      limit: '7',
    })
  })

  it.each([false, true])('ARCH-12 has no more than the limit and no next page (KubeArchive: %s)', async (isOn) => {
    const { results, kubeArchive } = await scene()
    setFlag('pipelineruns-kubearchive', isOn)
    results.objects = kubeArchive.objects = ['a', 'b', 'c'].map((name) =>
      aPipelineRun({ metadata: { name, uid: name } }),
    )
    const { items, next } = await archivePage(pipelineRunType, { namespace, limit: 2 })
    expect([items.length, next]).toEqual([2, undefined])
  })

  it('ARCH-12 of KubeArchive is filtered by commit, under any of its keys', async () => {
    const { kubeArchive } = await scene()
    setFlag('pipelineruns-kubearchive', true)
    const run = (name: string, metadata: object) => aPipelineRun({ metadata: { name, uid: name, ...metadata } })
    kubeArchive.objects = [
      run('a', { labels: { 'pipelinesascode.tekton.dev/sha': 'abc' } }),
      run('b', { labels: { 'pac.test.appstudio.openshift.io/sha': 'abc' } }),
      run('c', { annotations: { 'build.appstudio.redhat.com/commit_sha': 'abc' } }),
      run('d', { labels: { 'pipelinesascode.tekton.dev/sha': 'def' } }),
    ]
    const { items } = await archivePage(pipelineRunType, { namespace, commit: 'abc' })
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c'])
  })

  it('ARCH-30 is not refetched before five minutes have passed', async () => {
    const { results } = await scene('results')
    const { archive } = pipelineRuns.history({ namespace })
    const read = () => queryClient.fetchInfiniteQuery(archive)
    await read()
    const requestCount = results.requests.length
    const readAtMs = Date.now()
    const clock = vi.spyOn(Date, 'now')
    onTestFinished(() => clock.mockRestore())
    clock.mockImplementation(() => readAtMs + 299_000)
    await read()
    expect(results.requests).toHaveLength(requestCount)
    clock.mockImplementation(() => readAtMs + 301_000)
    await read()
    expect(results.requests.length).toBeGreaterThan(requestCount)
  })
})
