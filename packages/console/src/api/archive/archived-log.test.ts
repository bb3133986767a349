import { describe, expect, it, test } from 'vitest'
import { namespace, testCluster } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { startApi } from '../../../test/render-route'
import { setFlag } from '../flags/flags'
import { archivedTaskLog, logOf } from './archived-log'

type Present = 'both' | 'results' | 'kubearchive' | 'none'

async function scene(present: Present = 'both') {
  const results = await fakeArchive([])
  const kubeArchive = await fakeArchive([])
  const cluster = await testCluster({
    as: 'admin',
    archives: {
      ...((present === 'both' || present === 'results') && { tektonResults: results.plugin }),
      ...((present === 'both' || present === 'kubearchive') && { kubeArchive: kubeArchive.plugin }),
    },
  })
  startApi()
  return { cluster, results, kubeArchive }
}

describe('the log of a task', () => {
  const log = {
    namespace,
    task: 'build',
    pod: 'old-pod',
    containers: ['step-clone', 'step-build'],
    pipelineRunUid: 'run-uid',
    taskRunUid: 'task-uid',
  }
  const missingLog = { code: 404, message: 'Logs are no longer accessible for build task' }

  it('ARCH-10, ARCH-31 comes from Tekton Results, and is split into steps', async () => {
    const { cluster, results } = await scene()
    results.logs['run-uid/task-uid'] = 'step-clone :-\ncloned\n\nstep-build :-\nstep-build: x :- y\nall\n'
    expect(await archivedTaskLog(log)).toEqual([
      { container: 'step-clone', text: 'cloned\n' },
      { container: 'step-build', text: 'step-build: x :- y\nall' },
    ])
    expect(cluster.calls.map(({ path }) => path).filter((path) => path.includes('/plugins/'))).toEqual([
      '/api/k8s/plugins/kubearchive/livez',
      `/api/k8s/plugins/tekton-results/apis/results.tekton.dev/v1alpha2/parents/${namespace}/results/run-uid/logs/task-uid`,
    ])
  })

  it('counts for every step if it does not name its containers', async () => {
    const { results } = await scene()
    results.logs['run-uid/task-uid'] = 'one\ntwo\n'
    const logs = await archivedTaskLog(log)
    expect(logOf(logs, 'step-build')).toEqual({ container: '', text: 'one\ntwo\n' })
  })

  it('ARCH-09 comes from KubeArchive when its flag is on, step by step', async () => {
    const { kubeArchive, results } = await scene()
    setFlag('kubearchive-logs', true)
    kubeArchive.logs['old-pod/step-clone'] = 'cloned\n'
    kubeArchive.logs['old-pod/step-build'] = 'built\n'
    expect(await archivedTaskLog(log)).toEqual([
      { container: 'step-clone', text: 'cloned\n' },
      { container: 'step-build', text: 'built\n' },
    ])
    expect(kubeArchive.requests.map(({ pathname, searchParams }) => [pathname, searchParams.get('container')])).toEqual(
      log.containers.map((container) => [`/api/v1/namespaces/${namespace}/pods/old-pod/log`, container]),
    )
    expect(results.requests).toEqual([])
  })

  it('comes from KubeArchive where that is the only one, with its flag off', async () => {
    const { cluster, kubeArchive } = await scene('kubearchive')
    kubeArchive.logs['old-pod/step-build'] = 'built\n'
    expect((await archivedTaskLog(log)).map(({ text }) => text)).toEqual(['', 'built\n'])
    expect(cluster.calls.filter(({ path }) => path.includes('/tekton-results/'))).toEqual([])
    await expect(archivedTaskLog({ ...log, pod: undefined })).rejects.toMatchObject(missingLog)
  })

  it('is not missing for a step that never ran, and so has written nothing', async () => {
    const { kubeArchive } = await scene('kubearchive')
    const failed = { ...log, silent: ['step-build'] }
    kubeArchive.logs['old-pod/step-clone'] = 'cloned\n'
    expect(await archivedTaskLog(failed)).toEqual([
      { container: 'step-clone', text: 'cloned\n' },
      { container: 'step-build', text: '' },
    ])
    delete kubeArchive.logs['old-pod/step-clone']
    await expect(archivedTaskLog(failed)).rejects.toMatchObject(missingLog)
  })

  it('is not requested of other containers than the only one that is needed', async () => {
    const { kubeArchive } = await scene('kubearchive')
    kubeArchive.logs['old-pod/step-build'] = 'built\n'
    expect(await archivedTaskLog({ ...log, only: 'step-build' })).toEqual([
      { container: 'step-build', text: 'built\n' },
    ])
    expect(kubeArchive.requests).toHaveLength(1)
  })

  it('waits for as long as a KubeArchive that limits its logs asks', async () => {
    const { cluster, kubeArchive } = await scene()
    setFlag('kubearchive-logs', true)
    kubeArchive.logs['old-pod/step-clone'] = 'cloned\n'
    kubeArchive.logs['old-pod/step-build'] = 'built\n'
    let limitedAtMs = 0
    let resentAtMs = 0
    cluster.faults.intercept((path) => {
      if (!path.includes('container=step-build')) return undefined
      if (limitedAtMs > 0) resentAtMs = performance.now()
      if (resentAtMs > 0) return undefined
      limitedAtMs = performance.now()
      return Response.json({ message: 'too many requests' }, { status: 429, headers: { 'retry-after': '1' } })
    })
    expect((await archivedTaskLog(log)).map(({ text }) => text)).toEqual(['cloned\n', 'built\n'])
    expect(resentAtMs - limitedAtMs).toBeGreaterThan(990)
  })

  it('ARCH-32 that is missing for one step does not hide the others', async () => {
    const { kubeArchive } = await scene()
    setFlag('kubearchive-logs', true)
    kubeArchive.logs['old-pod/step-clone'] = 'cloned\n'
    expect(await archivedTaskLog(log)).toEqual([
      { container: 'step-clone', text: 'cloned\n' },
      { container: 'step-build', text: '', missing: expect.objectContaining(missingLog) as unknown },
    ])
  })

  test.each<[Present, boolean]>([
    ['results', false],
    ['none', false],
    ['kubearchive', true],
  ])('ARCH-32 that is missing is an error with code 404 (%s)', async (present, isKubeArchive) => {
    await scene(present)
    setFlag('kubearchive-logs', isKubeArchive)
    await expect(archivedTaskLog(log)).rejects.toMatchObject(missingLog)
  })

  it('ARCH-32 that may not be read is an error with code 404 too', async () => {
    const { results } = await scene()
    results.failure = 403
    await expect(archivedTaskLog(log)).rejects.toMatchObject(missingLog)
  })

  test.each<[string, number, boolean]>([
    ['Tekton Results', 503, false],
    ['Tekton Results', 429, false],
    ['KubeArchive', 500, true],
  ])('is not reported as missing when %s responds with %i, since it may recover', async (_, code, isKubeArchive) => {
    const { results, kubeArchive } = await scene()
    setFlag('kubearchive-logs', isKubeArchive)
    results.failure = kubeArchive.failure = code
    await expect(archivedTaskLog(log)).rejects.toMatchObject({ code, message: 'the archive is unavailable' })
  })

  it('is not reported as missing when the session has ended meanwhile', async () => {
    const { cluster } = await scene()
    cluster.faults.intercept((path) =>
      path.includes('/plugins/')
        ? Response.json({}, { status: 401, headers: { 'www-authenticate': 'Session' } })
        : undefined,
    )
    await expect(archivedTaskLog(log)).rejects.toMatchObject({ code: 401, isSessionEnd: true })
  })
})
