import { manualClock } from '@slipway/kube/testing'
import { labels } from '@slipway/model/labels'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { aTaskRun, condition } from '@slipway/model/testing'
import { expect, it, vi } from 'vitest'
import { namespace, testCluster } from '../../test/cluster'
import { fakeArchive } from '../../test/fake-archive'
import { ended, putPod, running } from '../../test/pod-logs'
import { startApi } from '../../test/render-route'
import { queryClient } from '../api/query-client'
import { logFile } from './log-download'
import { logSnippetQuery } from './logs'

const failed: TaskRun = aTaskRun({
  metadata: { uid: 'task-uid', labels: { [labels.pipelineRunUid]: 'run-uid' } },
  status: {
    podName: 'build-pod',
    conditions: [condition('Succeeded', 'False', 'Failed')],
    steps: [{ name: 'build', container: 'step-build', ...ended(1) }],
  },
})

it('finds the lines around the first error of a step, with the number of that line', async () => {
  const { system } = await testCluster({ as: 'admin' })
  startApi()
  await putPod(system, 'build-pod', { 'step-build': { state: ended(1), log: 'fine\nerror: no such file\nbye\n' } })
  expect(await queryClient.fetchQuery(logSnippetQuery(failed, 'build'))).toEqual({
    step: 'build',
    errorLine: 2,
    lines: [
      { number: 1, text: 'fine' },
      { number: 2, text: 'error: no such file' },
      { number: 3, text: 'bye' },
    ],
  })
})

it.each(['kubeArchive', 'tektonResults'])(
  'LOG-12 finds the lines in %s, and fails if the log is not there',
  async (name) => {
    const archive = await fakeArchive()
    await testCluster({ as: 'admin', archives: { [name]: archive.plugin } })
    startApi()
    await expect(queryClient.fetchQuery(logSnippetQuery(failed, 'build'))).rejects.toMatchObject({ code: 404 })
    archive.logs['build-pod/step-build'] = 'fatal: not a repository\n'
    archive.logs['run-uid/task-uid'] = 'step-build :-\nfatal: not a repository\n'
    const snippet = await queryClient.fetchQuery(logSnippetQuery(failed, 'build'))
    expect(snippet).toMatchObject({ errorLine: 1, lines: [{ number: 1, text: 'fatal: not a repository' }] })
  },
)

it('the file has the error of a task whose log an archive fails to return, and nothing of one without a log', async () => {
  const archive = await fakeArchive()
  await testCluster({ as: 'admin', archives: { kubeArchive: archive.plugin } })
  startApi()
  const bare = { ...failed, status: { ...failed.status, steps: undefined } }
  expect(await logFile([bare])).toEqual([])
  archive.failure = 503
  const file = (await logFile([bare, failed])).join('')
  expect(file.replaceAll(/ \(request \S+\)/g, '')).toBe(
    '===== build =====\nthe archive is unavailable\n\n===== build / build =====\nthe archive is unavailable\n',
  )
})

it('LOG-19 stops waiting for a step that does not respond', async () => {
  const { system, faults } = await testCluster({ as: 'admin' })
  startApi()
  await putPod(system, 'build-pod', { 'step-build': { state: running }, 'step-push': { state: running } })
  const hanging = new Promise<Response>(() => undefined)
  const path = `/api/k8s/api/v1/namespaces/${namespace}/pods/build-pod/log`
  let requests = 0
  faults.intercept((called, { signal }) => {
    if (!called.startsWith(path)) return undefined
    requests++
    return Promise.race([
      hanging,
      new Promise<Response>((_, no) => signal?.addEventListener('abort', () => no(signal.reason))),
    ])
  })
  const clock = manualClock()
  const runningTask = { ...failed, status: { ...failed.status, steps: [{ name: 'build', container: 'step-build' }] } }
  let file: string | undefined
  void logFile([runningTask], { clock }).then((pieces) => (file = pieces.join('')))
  await vi.waitFor(() => expect(requests).toBe(1))
  await clock.advance(999)
  expect(file).toBeUndefined()
  await clock.advance(1)
  await vi.waitFor(() => expect(file).toBe('===== build / build =====\n'))
})

it('LOG-19 includes what a running step has written, and does not wait for finished steps', async () => {
  const { system, faults } = await testCluster({ as: 'admin' })
  startApi()
  await putPod(system, 'build-pod', { 'step-build': { state: running }, 'step-clone': { state: ended() } })
  let isRead = false
  faults.intercept((called) => {
    if (called.includes('container=step-build')) return neverEnding('so far\nhal', () => (isRead = true))
    return called.includes('container=step-clone') ? new Response('cloned\n') : undefined
  })
  const clock = manualClock()
  const steps = [
    { name: 'clone', container: 'step-clone', ...ended() },
    { name: 'build', container: 'step-build', ...running },
  ]
  let file: string | undefined
  const runningTask = { ...failed, status: { ...failed.status, steps } }
  void logFile([runningTask], { clock }).then((pieces) => (file = pieces.join('')))
  await vi.waitFor(() => expect(isRead).toBe(true))
  await clock.advance(1_000)
  await vi.waitFor(() =>
    expect(file).toBe('===== build / clone =====\ncloned\n\n===== build / build =====\nso far\nhal\n'),
  )
})

/** @param onRead called when all of the text has been read; nothing follows it */
function neverEnding(text: string, onRead: () => void): Response {
  let isSent = false
  const body = new ReadableStream(
    {
      pull(controller) {
        if (!isSent) controller.enqueue(new TextEncoder().encode(text))
        else onRead()
        return isSent ? new Promise(() => undefined) : void (isSent = true)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body)
}
