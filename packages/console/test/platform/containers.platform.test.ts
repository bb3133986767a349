import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@slipway/kube/clock'
import { namespaceType, serviceAccountType } from '@slipway/kube/core-types'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { podNameOf, taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { aPipelineRun } from '@slipway/model/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { forcedOutcomeOf } from '../../../simulator/src/tekton/outcome'
import { startContainerKubelet, type ContainerKubelet } from '../../../simulator/test/platform/container-kubelet'
import { createContainerRuntime, type ContainerRuntime } from '../../../simulator/test/platform/containers'
import { prepareImages } from '../../../simulator/test/platform/images'
import { playKinds, type PlayedKinds } from '../../../simulator/test/platform/play-kinds'
import { withRealScripts } from '../../../simulator/test/platform/real-scripts'
import { provided, startRealTekton, type RealTekton } from '../../../simulator/test/platform/real-tekton'
import { runName } from '../../../simulator/test/runs'
import { factsOf, kinds } from '../../../simulator/test/tekton-kinds'
import { configureApi } from '../../src/api/client'
import { createTaskLog } from '../../src/api/logs/task-log'
import { stopRun } from '../../src/resources/run-requests'

/** The pods of the real controller run in containers, with Tekton's entrypoint and scripts that do something. */

let folder: string
let tekton: RealTekton
let runtime: ContainerRuntime
let kubelet: ContainerKubelet
let played: PlayedKinds

/** Those that have pods. */
const runningKinds = Object.fromEntries(
  Object.entries(kinds).filter(([name, { expected }]) => expected.tasks && name !== 'no account'),
)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'containers-'))
  tekton = await startRealTekton()
  const { client, token } = tekton
  const programs = JSON.parse(provided('TEKTON_IMAGES')) as Record<'entrypoint' | 'nop' | 'workingdirinit', string>
  const imageOf = prepareImages({ ...programs, busybox: provided('BUSYBOX') }, join(folder, 'images'))
  runtime = createContainerRuntime({ runc: provided('RUNC'), folder })
  kubelet = startContainerKubelet({
    client,
    runtime,
    folder: join(folder, 'pods'),
    imageOf(name, pod) {
      const outcome = forcedOutcomeOf(pod, pod.metadata.labels?.[labels.pipelineTask] ?? '')
      return outcome === 'image-pull' && name.includes('/tools/') ? undefined : imageOf(name)
    },
    onError: (error) => console.error(error),
  })
  configureApi({
    baseUrl: 'http://cluster.test',
    fetch: (input, init = {}) =>
      tekton.fetch(String(input).replace('/api/k8s/', '/'), {
        ...init,
        headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` },
      }),
  })
  played = playKinds(tekton, runningKinds, { startKubelet: () => ({ close: () => {} }), change: withRealScripts })
})

afterAll(async () => {
  await played.close()
  await kubelet.close()
  await runtime.close()
  await tekton.close()
  rmSync(folder, { recursive: true })
})

const image = 'registry.slipway.test/tools:1'
/** What Tekton accepts in a task, of which the product has types for a part only. */
type AnyTask = { steps: object[] } & Record<string, unknown>

/** Starts a run of one task, with a folder for its files. */
async function start(namespace: string, task: AnyTask, rest: object = {}) {
  const { client } = tekton
  await client.create(namespaceType, { metadata: { name: namespace } })
  await client.create(serviceAccountType, { metadata: { name: 'build-pipeline-checkout-api', namespace } })
  const taskSpec = { ...task, workspaces: [{ name: 'files' }], steps: task.steps.map((step) => ({ image, ...step })) }
  const run = aPipelineRun({
    metadata: { name: runName, namespace },
    spec: {
      workspaces: [{ name: 'files', emptyDir: {} }],
      pipelineSpec: {
        workspaces: [{ name: 'files' }],
        tasks: [{ name: 'a', taskSpec: taskSpec as never, workspaces: [{ name: 'files' }], ...rest }],
      },
    },
  })
  return client.create(pipelineRunType, run)
}

const taskRunIn = (namespace: string) => tekton.client.get(taskRunType, `${runName}-a`, { namespace })

/** Reads a task's log as its page does: from when its pod exists until the task has ended. */
async function followLog(namespace: string) {
  const readable = await vi.waitFor(async () => {
    const taskRun = await taskRunIn(namespace)
    expect(podNameOf(taskRun)).toBeDefined()
    return taskRun
  })
  const log = createTaskLog(readable, { clock: systemClock, random: () => 0.5 })
  const unsubscribe = log.subscribe(() => undefined)
  const linesOf = () =>
    Object.fromEntries(
      log.steps.map(({ name, lines }) => [name, Array.from({ length: lines.count }, (_, line) => lines.text(line))]),
    )
  return {
    lines: linesOf,
    /** The lines of each step and sidecar, once there are no more to come. */
    async complete(): Promise<Record<string, string[]>> {
      await vi.waitFor(async () => {
        const taskRun: TaskRun = await taskRunIn(namespace)
        log.update(taskRun)
        expect(isFinished(taskRun)).toBe(true)
        expect(log.steps.map(({ state }) => state)).toEqual(
          log.steps.map(() => expect.objectContaining({ phase: 'ended' })),
        )
      })
      unsubscribe()
      return linesOf()
    },
  }
}

async function run(namespace: string, task: AnyTask, rest?: object) {
  await start(namespace, task, rest)
  const log = await followLog(namespace)
  const lines = await log.complete()
  return { lines, ...(await factsOf(tekton.client, namespace)) }
}

const numbered = (count: number, text: (line: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at + 1))

describe('the log of a task, read while it runs', () => {
  it('has each of 20,000 lines once, in order', async () => {
    const { lines } = await run('long', { steps: [{ name: 'count', script: 'seq 1 20000 | sed "s/^/line /"' }] })
    expect(lines).toEqual({ count: numbered(20_000, (line) => `line ${line}`) })
  })

  it('has the lines of both streams, each in its order', async () => {
    const script = 'for i in $(seq 1 500); do echo "out $i"; echo "err $i" >&2; done'
    const { lines } = await run('streams', { steps: [{ name: 'both', script }] })
    const of = (stream: string) => lines['both']?.filter((line) => line.startsWith(stream))
    expect(of('out')).toEqual(numbered(500, (line) => `out ${line}`))
    expect(of('err')).toEqual(numbered(500, (line) => `err ${line}`))
  })

  it('has texts of any script, colours, progress, very long lines, bytes that are not text and a last line without end', async () => {
    const script = String.raw`
      echo 'Grüße 世界 🚀 عربى'
      printf '\033[1;31merror:\033[0m red\n'
      printf '10%%\r50%%\r100%%\n'
      printf 'tab\there\n\n'
      printf 'x%.0s' $(seq 1 20000) && echo
      printf 'byte \377\n'
      printf 'slowly: '; sleep 1; printf '%s' '世界' | head -c 4; sleep 1; printf '%s' '世界' | tail -c 2; echo
      printf 'no newline'`
    const { lines } = await run('texts', { steps: [{ name: 'text', script }] })
    expect(lines['text']).toEqual([
      'Grüße 世界 🚀 عربى',
      'error: red',
      '100%',
      'tab\there',
      '',
      'x'.repeat(20_000),
      'byte \uFFFD',
      'slowly: 世界',
      'no newline',
    ])
  })

  it('has the lines of steps that share files, in the order of the steps, and of a sidecar that they wait for', async () => {
    const path = '$(workspaces.files.path)'
    const { lines } = await run('files', {
      steps: [
        {
          name: 'wait',
          script: `until [ -e ${path}/ready ]; do sleep 0.1; done; cp ${path}/ready ${path}/sub`,
        },
        { name: 'read', workingDir: `${path}/sub`, script: 'pwd; cat ready' },
      ],
      sidecars: [
        {
          name: 'server',
          image,
          script: `echo started; echo served > ${path}/ready; exec sleep 3600`,
        },
      ],
    })
    expect(lines).toEqual({ wait: [], read: ['/workspace/files/sub', 'served'], 'sidecar-server': ['started'] })
    // A sidecar is stopped once the task has ended.
    await expect
      .poll(async () => (await factsOf(tekton.client, 'files')).tasks?.['a'], { interval: 500 })
      .toEqual([
        'True Succeeded All Steps have completed executing',
        'wait terminated 0 Completed, Completed',
        'read terminated 0 Completed, Completed',
        'sidecar sidecar-server terminated',
      ])
  })

  it('continues with the second attempt of a task whose first one failed, and the first can still be read', async () => {
    const script = 'echo "attempt $(context.task.retry-count)"; [ $(context.task.retry-count) -gt 0 ] || exit 3'
    const { lines, tasks } = await run('retried', { steps: [{ name: 'try', script }] }, { retries: 1 })
    expect(lines).toEqual({ try: ['attempt 1'] })
    expect(tasks?.['a']).toContain('attempt StepFailed')
    const first = await tekton.client.log(`${runName}-a-pod`, { namespace: 'retried', container: 'step-try' })
    expect(first).toBe('attempt 0\n')
  })

  it('ends when the run is cancelled in the middle of a step, with what was written until then', async () => {
    const created = await start('cancelled', {
      steps: [{ name: 'tick', script: 'i=0; while true; do i=$((i+1)); echo "tick $i"; sleep 0.2; done' }],
    })
    const log = await followLog('cancelled')
    await vi.waitFor(() => expect(log.lines()['tick']?.length).toBeGreaterThan(5))
    await stopRun(created, 'cancel')
    const { tick = [] } = await log.complete()
    expect(tick).toEqual(numbered(tick.length, (line) => `tick ${line}`))
    await expect
      .poll(async () => (await factsOf(tekton.client, 'cancelled')).run, { interval: 500 })
      .toBe(`False Cancelled PipelineRun "${runName}" was cancelled`)
  })
})

describe('a step that ends in a way of its own', () => {
  const failedWith = (code: number) => [
    `False StepFailed "step-x" exited with code ${code}: Error`,
    `x terminated ${code} Error, Error`,
  ]
  it.each<[end: string, namespace: string, steps: object[], expected: string[]]>([
    ['exits with a code', 'code', [{ name: 'x', script: 'exit 42' }], failedWith(42)],
    // Its script, not the first process of the container, which would end with 137.
    ['is killed by a signal', 'signal', [{ name: 'x', script: 'kill -KILL $$' }], failedWith(255)],
    ['has no such program', 'no-program', [{ name: 'x', command: ['/bin/nope'] }], failedWith(1)],
    [
      'writes a result that is too large',
      'large',
      [{ name: 'x', script: 'head -c 5000 /dev/zero | tr "\\0" x > $(results.big.path)' }],
      failedWith(1),
    ],
    [
      'is out of time',
      'step-time',
      [
        { name: 'x', timeout: '2s', script: 'sleep 60' },
        { name: 'y', script: ':' },
      ],
      [
        'False StepFailed "step-x" exited because the step exceeded the specified timeout limit',
        'x terminated 1 Error, TimeoutExceeded',
        'y terminated 1 Error, Skipped',
      ],
    ],
    [
      'is followed by another that reads its exit code',
      'ignored',
      [
        { name: 'x', onError: 'continue', script: 'exit 42' },
        { name: 'y', script: 'grep -x 42 $(steps.step-x.exitCode.path)' },
      ],
      [
        'True Succeeded All Steps have completed executing',
        'x terminated 42 Completed, Continued',
        'y terminated 0 Completed, Completed',
      ],
    ],
  ])('%s', async (_end, namespace, steps, expected) => {
    const { tasks } = await run(namespace, { steps, results: [{ name: 'big' }] })
    expect(tasks?.['a']).toEqual(expected)
  })
})

// Last, since some of them wait for time limits of a minute and more.
describe('what Tekton reports of real containers is what the simulator is compared with', () => {
  it.each(Object.entries(runningKinds))('%s', async (name, kind) => {
    const facts = await played.factsOf(name)
    await expect.poll(facts, { interval: 500 }).toEqual(kind.expected)
  })
})
