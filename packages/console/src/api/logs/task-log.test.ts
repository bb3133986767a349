import { labels } from '@slipway/model/labels'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { aTaskRun, condition } from '@slipway/model/testing'
import { waitFor } from '@testing-library/react'
import { expect, it, onTestFinished, test, vi } from 'vitest'
import { namespace, testCluster } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { fastClock } from '../../../test/fast-clock'
import {
  ended,
  putPod,
  removePod,
  running,
  setStates,
  waiting,
  write,
  type ContainerScene,
} from '../../../test/pod-logs'
import { startApi } from '../../../test/render-route'
import { markArchived } from '../archive/origin'
import { setFlag } from '../flags/flags'
import { fetchStepLog } from './step-log'
import { createTaskLog, type TaskLog } from './task-log'

const pod = 'build-pod'
const logPath = `/api/k8s/api/v1/namespaces/${namespace}/pods/${pod}/log`

const taskRun = aTaskRun({
  metadata: { uid: 'task-uid', labels: { [labels.pipelineRunUid]: 'run-uid' } },
  status: {
    podName: pod,
    conditions: [condition('Succeeded', 'Unknown', 'Running')],
    steps: [
      { name: 'clone', container: 'step-clone' },
      { name: 'build', container: 'step-build' },
    ],
  },
})

async function scene(containers: Record<string, ContainerScene> | undefined) {
  const results = await fakeArchive()
  const kubeArchive = await fakeArchive()
  const cluster = await testCluster({
    as: 'admin',
    archives: { tektonResults: results.plugin, kubeArchive: kubeArchive.plugin },
  })
  startApi()
  if (containers) await putPod(cluster.system, pod, containers)
  const logCalls = () => cluster.calls.map(({ path }) => path).filter((path) => path.startsWith(logPath))
  return { ...cluster, results, kubeArchive, logCalls }
}

function read(of: TaskRun = taskRun): TaskLog {
  const clock = fastClock()
  const log = createTaskLog(of, { clock, random: () => 0.5 })
  const unsubscribe = log.subscribe(() => undefined)
  onTestFinished(() => {
    unsubscribe()
    // Ends the time for which the log stays connected, or it would be read in the next test too.
    clock.setSpeed(10_000)
  })
  return log
}

const textsOf = (log: TaskLog) =>
  log.steps.map(({ name, lines }) => [name, ...Array.from({ length: lines.count }, (_, line) => lines.text(line))])
const phasesOf = (log: TaskLog) => log.steps.map(({ state }) => state.phase)
const become = (log: TaskLog, phases: string[]) => waitFor(() => expect(phasesOf(log)).toEqual(phases))

it('LOG-08, LOG-09, LOG-10, LOG-20 reads the containers of the pod, and the log of each step', async () => {
  const { calls, logCalls } = await scene({
    'step-clone': { state: ended(), log: 'Cloning\nDone\n' },
    'step-build': { state: ended(1), log: 'error: no such file' },
    'sidecar-docker': { state: ended(), log: 'not a step' },
  })
  const log = read()
  await become(log, ['ended', 'ended'])
  expect(textsOf(log)).toEqual([
    ['clone', 'Cloning', 'Done'],
    ['build', 'error: no such file'],
  ])
  expect(log.steps[0]?.lines.timeMs(0)).toBe(Date.parse('2026-01-31T09:00:01Z'))
  expect(calls.map(({ path }) => path)).toContain(`/api/k8s/api/v1/namespaces/${namespace}/pods/${pod}`)
  expect(logCalls().sort()).toEqual([
    `${logPath}?container=step-build&timestamps=true`,
    `${logPath}?container=step-clone&timestamps=true`,
  ])
})

it('reads steps that have ended according to the task at once, and the others according to the pod', async () => {
  const { faults, logCalls } = await scene({
    'step-clone': { state: ended(), log: 'Cloning\n' },
    'step-build': { state: running, log: 'Building\n' },
  })
  let respond = () => {}
  const responded = new Promise<void>((resolve) => (respond = resolve))
  const undo = faults.intercept((path) =>
    path.endsWith(`/pods/${pod}`) ? responded.then(() => new Response('', { status: 503 })) : undefined,
  )
  const [clone, build] = taskRun.status?.steps ?? []
  if (!clone || !build) throw new Error('The task has two steps.')
  const log = read({ ...taskRun, status: { ...taskRun.status, steps: [{ ...clone, ...ended() }, build] } })
  await waitFor(() => expect(textsOf(log)).toEqual([['clone', 'Cloning']]))
  undo()
  respond()
  await waitFor(() =>
    expect(textsOf(log)).toEqual([
      ['clone', 'Cloning'],
      ['build', 'Building'],
    ]),
  )
  expect(logCalls().filter((path) => path.includes('step-clone'))).toHaveLength(1)
})

it('LOG-11, LOG-15 follows a running step, including its earlier output, and then the next one', async () => {
  const { system, logCalls } = await scene({
    'step-clone': { state: running, log: 'earlier\n' },
    'step-build': { state: waiting },
  })
  const log = read()
  await waitFor(() => expect(textsOf(log)).toEqual([['clone', 'earlier'], ['build']]))
  expect(phasesOf(log)).toEqual(['live', 'waiting'])
  expect(logCalls()).toEqual([`${logPath}?container=step-clone&follow=true&timestamps=true`])
  await write(system, pod, 'step-clone', 'half')
  await waitFor(() => expect(textsOf(log)[0]).toEqual(['clone', 'earlier', 'half']))
  await write(system, pod, 'step-clone', ' and half\n')
  await waitFor(() => expect(textsOf(log)[0]).toEqual(['clone', 'earlier', 'half and half']))
  await setStates(system, pod, { 'step-clone': ended(), 'step-build': running })
  await write(system, pod, 'step-build', 'Building\n')
  await waitFor(() => expect(textsOf(log)[1]).toEqual(['build', 'Building']))
  expect(phasesOf(log)).toEqual(['ended', 'live'])
})

it('reads sidecars beside the steps, and lists them last', async () => {
  await scene({
    'step-clone': { state: running, log: 'Cloning\n' },
    'step-build': { state: waiting },
    'sidecar-docker': { state: running, log: 'listening\n' },
    'sidecar-db': { state: ended(137), log: 'out of memory\n' },
  })
  const sidecars = [
    { name: 'docker', container: 'sidecar-docker', ...running },
    { name: 'db', ...ended(137) },
  ]
  const log = read({ ...taskRun, status: { ...taskRun.status, sidecars } })
  await become(log, ['live', 'waiting', 'live', 'ended'])
  await waitFor(() =>
    expect(textsOf(log)).toEqual([
      ['clone', 'Cloning'],
      ['build'],
      ['sidecar-docker', 'listening'],
      ['sidecar-db', 'out of memory'],
    ]),
  )
})

it('reads a sidecar that its task does not report yet, since its pod has just been created', async () => {
  const cluster = await scene({ 'step-clone': { state: waiting }, 'sidecar-docker': { state: waiting } })
  const taskSpec = { sidecars: [{ name: 'docker' }] }
  const log = read({ ...taskRun, status: { ...taskRun.status, steps: [], taskSpec } })
  await become(log, ['waiting', 'waiting'])
  await setStates(cluster.system, pod, { 'step-clone': running, 'sidecar-docker': running })
  await write(cluster.system, pod, 'sidecar-docker', 'listening\n')
  await waitFor(() => expect(textsOf(log)).toEqual([['clone'], ['sidecar-docker', 'listening']]))
})

it('waits for a step that has ended only in an earlier attempt of its task', async () => {
  const cluster = await scene({ 'step-clone': { state: waiting } })
  const attempt = { ...taskRun.status, steps: [{ name: 'clone', container: 'step-clone', ...ended(1) }] }
  const log = read({ ...taskRun, status: { ...attempt, retriesStatus: [attempt] } })
  await become(log, ['waiting'])
  await setStates(cluster.system, pod, { 'step-clone': running })
  await write(cluster.system, pod, 'step-clone', 'Cloning again\n')
  await become(log, ['live'])
  await waitFor(() => expect(textsOf(log)).toEqual([['clone', 'Cloning again']]))
})

it('reads a step that has started and ended while the step before was read', async () => {
  const cluster = await scene({ 'step-clone': { state: running }, 'step-build': { state: waiting } })
  const log = read()
  await become(log, ['live', 'waiting'])
  log.update({ ...taskRun, status: { ...taskRun.status, conditions: [condition('Succeeded', 'True')] } })
  await setStates(cluster.system, pod, { 'step-clone': running, 'step-build': running })
  await write(cluster.system, pod, 'step-build', 'built\n')
  await setStates(cluster.system, pod, { 'step-clone': ended(), 'step-build': ended() })
  await become(log, ['ended', 'ended'])
  expect(textsOf(log)).toEqual([['clone'], ['build', 'built']])
})

it('does not wait for a step of a task that has ended', async () => {
  const { logCalls } = await scene({ 'step-clone': { state: waiting } })
  const log = read({
    ...taskRun,
    status: { ...taskRun.status, conditions: [condition('Succeeded', 'False', 'Failed')] },
  })
  await become(log, ['ended'])
  expect(logCalls()).toEqual([])
})

it('resumes after a lost connection without repeating a line', async () => {
  const { system, faults, logCalls } = await scene({ 'step-clone': { state: running, log: 'one\none\n' } })
  const undo = faults.intercept((path) => (path.startsWith(logPath) ? brokenResponse() : undefined))
  const log = read()
  await become(log, ['reconnecting'])
  expect(textsOf(log)).toEqual([['clone', 'one', 'one']])
  undo()
  await write(system, pod, 'step-clone', 'two\n')
  await waitFor(() => expect(textsOf(log)).toEqual([['clone', 'one', 'one', 'two']]))
  expect(logCalls().at(-1)).toBe(
    `${logPath}?container=step-clone&follow=true&timestamps=true&sinceTime=2026-01-31T09%3A00%3A00Z`,
  )
  expect(phasesOf(log)).toEqual(['live'])
})

it('resumes after a pause with what was written meanwhile, without repeating a line', async () => {
  const { system } = await scene({ 'step-clone': { state: running, log: 'one\n' } })
  const log = createTaskLog(taskRun, { clock: fastClock(100), random: () => 0.5 })
  const leave = log.subscribe(() => undefined)
  await waitFor(() => expect(textsOf(log)).toEqual([['clone', 'one']]))
  leave()
  await become(log, ['paused'])
  await write(system, pod, 'step-clone', 'two\n', '2026-01-31T09:00:01.5Z')
  onTestFinished(log.subscribe(() => undefined))
  await waitFor(() => expect(textsOf(log)).toEqual([['clone', 'one', 'two']]))
})

test.each([429, 500, 503])('retries after a %i, and says so meanwhile', async (code) => {
  const { faults } = await scene({ 'step-clone': { state: ended(), log: 'one\n' } })
  const undo = faults.intercept((path) =>
    path.startsWith(logPath) ? Response.json({ message: 'overloaded' }, { status: code }) : undefined,
  )
  const log = read()
  await become(log, ['reconnecting'])
  expect(log.steps[0]?.state).toMatchObject({ error: expect.objectContaining({ code }) as unknown })
  undo()
  await become(log, ['ended'])
  expect(textsOf(log)).toEqual([['clone', 'one']])
})

it('waits for a new session when the session has ended', async () => {
  const { faults } = await scene({ 'step-clone': { state: ended(), log: 'one\n' } })
  faults.intercept((path) =>
    path.startsWith(logPath)
      ? Response.json({}, { status: 401, headers: { 'www-authenticate': 'Session' } })
      : undefined,
  )
  const log = read()
  await become(log, ['reconnecting'])
  expect(log.steps[0]?.state).toMatchObject({ error: { isSessionEnd: true } })
})

it('says why a log may not be read, and reads it once that is allowed', async () => {
  const { faults } = await scene({ 'step-clone': { state: ended(), log: 'one\n' } })
  const undo = faults.intercept((path) =>
    path.startsWith(logPath) ? Response.json({ message: 'no logs for you' }, { status: 403 }) : undefined,
  )
  const log = read()
  await become(log, ['failed'])
  expect(log.steps[0]?.state).toMatchObject({ error: { code: 403, message: 'no logs for you' } })
  undo()
  log.retry()
  await become(log, ['ended'])
})

it('LOG-12 reads the log of a task with a deleted pod from Tekton Results, whichever steps it had', async () => {
  const { results, kubeArchive } = await scene(undefined)
  results.logs['run-uid/task-uid'] = 'step-clone :-\nCloning\n\nstep-build :-\nerror: no such file\n'
  const log = read({ ...taskRun, status: { ...taskRun.status, steps: [] } })
  await become(log, ['ended', 'ended'])
  expect(textsOf(log)).toEqual([
    ['clone', 'Cloning'],
    ['build', 'error: no such file'],
  ])
  expect(log.steps[0]?.state).toEqual({ phase: 'ended', isArchived: true })
  expect(kubeArchive.requests).toEqual([])
})

it('for a task that only the archive has, requests the pod once, and not the log of each step', async () => {
  const { results, logCalls, calls } = await scene(undefined)
  results.logs['run-uid/task-uid'] = 'step-clone :-\nCloning\n\nstep-build :-\nBuilding\n'
  const steps = (taskRun.status?.steps ?? []).map((step) => ({ ...step, ...ended() }))
  const log = read(markArchived({ ...taskRun, status: { ...taskRun.status, steps } }))
  await become(log, ['ended', 'ended'])
  expect(calls.map(({ path }) => path)).toContain(`/api/k8s/api/v1/namespaces/${namespace}/pods/${pod}`)
  expect(logCalls()).toEqual([])
})

it('LOG-13 reads the log from KubeArchive with the flag on', async () => {
  const { results, kubeArchive } = await scene(undefined)
  setFlag('kubearchive-logs', true)
  kubeArchive.logs[`${pod}/step-clone`] = 'Cloning\n'
  kubeArchive.logs[`${pod}/step-build`] = '2026-01-31T09:00:00Z said by the program\n'
  const log = read()
  await become(log, ['ended', 'ended'])
  expect(textsOf(log)).toEqual([
    ['clone', 'Cloning'],
    ['build', '2026-01-31T09:00:00Z said by the program'],
  ])
  expect(results.requests).toEqual([])
})

it('LOG-13, LOG-14 says that the log of one step is missing, and shows the others', async () => {
  const { kubeArchive } = await scene(undefined)
  setFlag('kubearchive-logs', true)
  kubeArchive.logs[`${pod}/step-clone`] = 'Cloning\n'
  const log = read()
  await become(log, ['ended', 'failed'])
  expect(textsOf(log)).toEqual([['clone', 'Cloning'], ['build']])
  expect(log.steps[1]?.state).toMatchObject({
    error: { code: 404, message: 'Logs are no longer accessible for build task' },
  })
})

/** What a kubelet sends with status 200 once its node has lost the log. */
const notice = 'unable to retrieve container logs for containerd://0a1b2c'

it('LOG-12 asks the archive if a node says in place of the log that it no longer has it', async () => {
  const { faults, results } = await scene({ 'step-clone': { state: ended() }, 'step-build': { state: ended(1) } })
  faults.intercept((path) => (path.startsWith(logPath) ? new Response(notice) : undefined))
  results.logs['run-uid/task-uid'] = 'step-clone :-\nCloning\n\nstep-build :-\nerror: no such file\n'
  const log = read()
  await become(log, ['ended', 'ended'])
  expect(textsOf(log)).toEqual([
    ['clone', 'Cloning'],
    ['build', 'error: no such file'],
  ])
  expect(log.steps[0]?.state).toEqual({ phase: 'ended', isArchived: true })
})

it('LOG-14 says that a log is missing if the archive has nothing but the sentence of the node either', async () => {
  const { faults, kubeArchive } = await scene({ 'step-clone': { state: ended() }, 'step-build': { state: ended(1) } })
  setFlag('kubearchive-logs', true)
  faults.intercept((path) => (path.startsWith(logPath) ? new Response(notice) : undefined))
  kubeArchive.logs[`${pod}/step-clone`] = 'Cloning\n'
  kubeArchive.logs[`${pod}/step-build`] = `${notice}\n`
  const log = read()
  await become(log, ['ended', 'failed'])
  expect(textsOf(log)).toEqual([['clone', 'Cloning'], ['build']])
  const missing = { code: 404, message: 'Logs are no longer accessible for build task' }
  expect(log.steps[1]?.state).toMatchObject({ error: missing })
  const build = fetchStepLog(taskRun, 'build', new AbortController().signal)
  await expect(build).rejects.toMatchObject(missing)
  await expect(fetchStepLog(taskRun, 'clone', new AbortController().signal)).resolves.toBe('Cloning\n')
})

it('LOG-14 says that a log is missing in the archive too', async () => {
  await scene(undefined)
  const log = read()
  await waitFor(() => expect(log.error.phase).toBe('failed'))
  expect(log.error).toMatchObject({ error: { code: 404, message: 'Logs are no longer accessible for build task' } })
})

it('LOG-05 waits for the pod of a pending task, of which no log can be missing', async () => {
  const { system, calls, results } = await scene({ 'step-clone': { state: waiting }, 'step-build': { state: waiting } })
  const pending = {
    ...taskRun,
    status: { ...taskRun.status, conditions: [condition('Succeeded', 'Unknown', 'Pending')] },
  }
  const log = read(pending)
  await become(log, ['waiting', 'waiting'])
  await removePod(system, pod)
  const podReads = () => calls.filter(({ path }) => path.endsWith(`/pods/${pod}`)).length
  const before = podReads()
  await waitFor(() => expect(podReads()).toBeGreaterThan(before + 2))
  expect(phasesOf(log)).toEqual(['waiting', 'waiting'])
  const second = read(pending)
  await waitFor(() => expect(second.error.phase).toBe('waiting'))
  expect(results.requests).toEqual([])
  await putPod(system, pod, { 'step-clone': { state: ended(), log: 'Cloning\n' }, 'step-build': { state: ended() } })
  await become(log, ['ended', 'ended'])
  await become(second, ['ended', 'ended'])
  expect(textsOf(second)).toEqual([['clone', 'Cloning'], ['build']])
})

it('LOG-12 keeps what was read of a step when its pod is deleted meanwhile', async () => {
  const { system, results } = await scene({ 'step-clone': { state: running, log: 'one\n' } })
  results.logs['run-uid/task-uid'] = 'step-clone :-\none\ntwo\n'
  const log = read()
  await waitFor(() => expect(textsOf(log)).toEqual([['clone', 'one']]))
  await removePod(system, pod)
  await become(log, ['ended'])
  expect(textsOf(log)[0]?.slice(0, 2)).toEqual(['clone', 'one'])
})

it('closes its connection while the page is hidden', async () => {
  const { system } = await scene({ 'step-clone': { state: running, log: 'one\n' } })
  const log = createTaskLog(taskRun, { clock: fastClock(200), random: () => 0.5 })
  onTestFinished(log.subscribe(() => undefined))
  await become(log, ['live'])
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  await become(log, ['paused'])
  await write(system, pod, 'step-clone', 'two\n', '2026-01-31T09:00:02Z')
  visibility.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
  await waitFor(() => expect(textsOf(log)).toEqual([['clone', 'one', 'two']]))
  visibility.mockRestore()
})

/** Two lines and a part of the third, and then a network error. */
function brokenResponse(): Response {
  const stamp = '2026-01-31T09:00:01.000000000Z'
  let isSent = false
  return new Response(
    new ReadableStream<Uint8Array>({
      pull(controller) {
        if (isSent) controller.error(new TypeError('network error'))
        else controller.enqueue(new TextEncoder().encode(`${stamp} one\n${stamp} one\n${stamp} tw`))
        isSent = true
      },
    }),
  )
}

/** Holds back responses like a proxy that buffers them: until they end, which they do not. */
const heldResponses = {
  'the whole response': ({ signal }: RequestInit) =>
    new Promise<Response>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
  'the body': () => new Response(new ReadableStream()),
}

test.each(Object.entries(heldResponses))(
  'LOG-11 reads a log again and again if a proxy on the way holds back %s of one that is followed',
  async (_, hold) => {
    const { system, faults, logCalls } = await scene({ 'step-clone': { state: running, log: 'earlier\n' } })
    faults.intercept((path, init) => (path.includes('follow=true') ? hold(init) : undefined))
    const log = read()
    await waitFor(() => expect(textsOf(log)).toEqual([['clone', 'earlier']]))
    expect(phasesOf(log)).toEqual(['polling'])
    await write(system, pod, 'step-clone', 'half')
    await waitFor(() => expect(textsOf(log)).toEqual([['clone', 'earlier', 'half']]))
    await write(system, pod, 'step-clone', ' and half\nthe end')
    await setStates(system, pod, { 'step-clone': ended() })
    await become(log, ['ended'])
    expect(textsOf(log)).toEqual([['clone', 'earlier', 'half and half', 'the end']])
    expect(logCalls().filter((path) => path.includes('follow=true'))).toHaveLength(1)
  },
)

it('LOG-11 goes on following a step that has written nothing', async () => {
  const { system, logCalls } = await scene({ 'step-clone': { state: running } })
  const log = read()
  await waitFor(() => expect(logCalls().filter((path) => path.includes('tailLines=1'))).toHaveLength(2))
  expect(phasesOf(log)).toEqual(['live'])
  await write(system, pod, 'step-clone', 'first\n')
  await waitFor(() => expect(textsOf(log)).toEqual([['clone', 'first']]))
  expect(phasesOf(log)).toEqual(['live'])
  expect(logCalls().filter((path) => path.includes('follow=true'))).toHaveLength(1)
})
