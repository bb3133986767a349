import type { KubeClient } from '@slipway/kube/client'
import { systemClock } from '@slipway/kube/clock'
import { podType, type Container, type ContainerState, type ContainerStatus, type Pod } from '@slipway/kube/core-types'
import { namespaceOf, nameOf, uidOf } from '@slipway/kube/object'
import { ApiError } from '@slipway/kube/status'
import { labels } from '@slipway/model/labels'
import { taskRunType } from '@slipway/model/runs/task-run'
import type { ParamValue } from '@slipway/model/runs/tekton'
import { createInformer } from '../../src/informer'
import { createPodLogs } from '../../src/pod-logs'
import { inventedValue } from '../../src/tekton/catalog/generic-task'
import { forcedOutcomeOf, type Outcome } from '../../src/tekton/outcome'

/**
 * Plays the kubelet, and Tekton's entrypoint in each container, for the pods that Tekton's controller creates. Nothing is
 * executed: an annotation says how a task ends, as for the simulator, and results are invented. After each change of a
 * pod, the kubelet reports the next status.
 */
export interface Kubelet {
  /** Lets the steps end that `isHeld` has kept running. */
  release(): void
  close(): void
}

interface KubeletOptions {
  client: KubeClient
  /** As given to the controller: a sidecar that gets this image ends. */
  nopImage: string
  /** Whether the steps of a pod must still run. */
  isHeld(pod: Pod): boolean
  onError(error: unknown): void
}

/** How long a container runs at least, so that clients see it running. */
const stepMs = 100

export function startKubelet({ client, nopImage, isHeld, onError }: KubeletOptions): Kubelet {
  const logs = createPodLogs(client)
  const timers = new Map<string, () => void>()

  function schedule(pod: Pod) {
    timers.get(uidOf(pod))?.()
    timers.set(
      uidOf(pod),
      systemClock.after(stepMs, () => void report(pod).catch(onError)),
    )
  }

  async function report(pod: Pod) {
    if (isHeld(pod) && hasStarted(pod)) return
    const location = { namespace: namespaceOf(pod), name: nameOf(pod) }
    try {
      const results = await resultsOf(pod)
      // Tekton creates the pod before it reports which results there are.
      if (!results) return schedule(pod)
      const status = nextStatus(pod, { nopImage, results })
      if (!status) return
      if (!hasStarted(pod)) {
        for (const { name } of status.initContainerStatuses ?? []) {
          await logs.write(location, name, 'Entrypoint initialization\n', systemClock.now())
        }
      }
      for (const { name, state } of status.containerStatuses ?? []) {
        if (!state?.terminated || stateOf(pod, name)?.terminated) continue
        const [, retry] = /-retry(\d+)$/.exec(nameOf(pod)) ?? []
        const text = `output of ${name}${retry === undefined ? '' : ` in retry ${retry}`}\n`
        await logs.write(location, name, text, systemClock.now())
      }
      await client.replaceStatus(podType, { ...pod, status })
    } catch (error) {
      // The pod was changed or deleted meanwhile, which the informer reports.
      if (!(error instanceof ApiError && (error.code === 404 || error.code === 409))) throw error
    }
  }

  async function resultsOf(pod: Pod): Promise<Record<string, ParamValue> | undefined> {
    const name = pod.metadata.labels?.[labels.taskRun] ?? ''
    const taskRun = await client.get(taskRunType, name, { namespace: namespaceOf(pod) })
    const { taskSpec } = taskRun.status ?? {}
    return taskSpec && Object.fromEntries((taskSpec.results ?? []).map((each) => [each.name, inventedValue(each)]))
  }

  const pods = createInformer({
    client,
    clock: systemClock,
    type: podType,
    onChange({ object, previous }) {
      if (object) return schedule(object)
      if (!previous) return
      timers.get(uidOf(previous))?.()
      timers.delete(uidOf(previous))
    },
    warn: onError,
  })
  return {
    release: () => pods.list().forEach(schedule),
    close() {
      pods.close()
      for (const stop of timers.values()) stop()
    },
  }
}

const stateOf = ({ status }: Pod, container: string): ContainerState | undefined =>
  status?.containerStatuses?.find(({ name }) => name === container)?.state
const hasStarted = ({ status }: Pod): boolean => (status?.containerStatuses?.length ?? 0) > 0
const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z')
const argument = ({ args = [] }: Container, flag: string): string | undefined => args[args.indexOf(flag) + 1]

interface Task {
  nopImage: string
  results: Record<string, ParamValue>
}

/** What the kubelet reports next about a pod; `undefined` until something else changes. */
function nextStatus(pod: Pod, task: Task): Pod['status'] | undefined {
  const { containers } = pod.spec
  const outcome = forcedOutcomeOf(pod, pod.metadata.labels?.[labels.pipelineTask] ?? '')
  const { status } = pod
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return undefined
  const inState = (stateOfContainer: (container: Container) => ContainerState): ContainerStatus[] =>
    containers.map((container) => statusOf(container, stateOfContainer(container)))
  if (!hasStarted(pod)) {
    const waiting = waitingFor(outcome)
    if (waiting) return { phase: 'Pending', startTime: now(), containerStatuses: inState((each) => waiting(each)) }
    return {
      phase: 'Running',
      startTime: now(),
      initContainerStatuses: pod.spec.initContainers?.map((each) => statusOf(each, ended(0, 'Completed'))),
      containerStatuses: inState(() => ({ running: { startedAt: now() } })),
    }
  }
  if (status?.phase !== 'Running') return undefined
  // Entrypoints wait for this file in the volume of the downward API before they run the first step.
  if (pod.metadata.annotations?.['tekton.dev/ready'] !== 'READY') return undefined

  const set = (ending: Container, state: ContainerState): Pod['status'] => ({
    ...status,
    containerStatuses: status.containerStatuses?.map((each) =>
      each.name === ending.name ? statusOf(ending, state) : each,
    ),
  })
  const steps = containers.filter(({ name }) => name.startsWith('step-'))
  const step = steps.find(({ name }) => stateOf(pod, name)?.running)
  if (step) {
    const state = endOfStep(pod, steps, step, outcome, task)
    return state && set(step, state)
  }
  const sidecar = containers.find(({ name, image }) => image === task.nopImage && stateOf(pod, name)?.running)
  if (sidecar) return set(sidecar, ended(0, 'Completed'))
  if (containers.some(({ name }) => stateOf(pod, name)?.running)) return undefined
  const hasFailed = containers.some(({ name }) => stateOf(pod, name)?.terminated?.exitCode !== 0)
  return { ...status, phase: hasFailed ? 'Failed' : 'Succeeded' }
}

function waitingFor(outcome: Outcome | undefined): ((container: Container) => ContainerState) | undefined {
  if (outcome === 'config-error') {
    const message = 'secret "registry-credentials" not found'
    return () => ({ waiting: { reason: 'CreateContainerConfigError', message } })
  }
  if (outcome === 'image-pull') {
    return ({ image = '' }) => ({
      waiting: { reason: 'ImagePullBackOff', message: `Back-off pulling image "${image}"` },
    })
  }
  return undefined
}

/** The end of the step that runs, by the outcome of its task; `undefined` if it hangs. */
function endOfStep(
  pod: Pod,
  steps: Container[],
  step: Container,
  outcome: Outcome | undefined,
  { results }: Task,
): ContainerState | undefined {
  const before = steps.slice(0, steps.indexOf(step))
  if (before.some(({ name }) => stateOf(pod, name)?.terminated?.exitCode !== 0)) {
    return ended(1, 'Error', [{ key: 'Reason', value: 'Skipped', type: internal }])
  }
  if (outcome === 'timeout') return undefined
  if (outcome === 'oom') return ended(137, 'OOMKilled')
  const isFirstAttempt = !/-retry\d+$/.test(nameOf(pod))
  if (step === steps[0] && (outcome === 'fail' || (outcome === 'flaky' && isFirstAttempt))) {
    if (argument(step, '-on_error') !== 'continue') return ended(1, 'Error', [])
    return ended(0, 'Completed', [{ key: 'ExitCode', value: '1', type: internal }])
  }
  if (step !== steps.at(-1)) return ended(0, 'Completed', [])
  return ended(
    0,
    'Completed',
    Object.entries(results).map(([key, value]) => ({
      key,
      value: typeof value === 'string' ? value : JSON.stringify(value),
      type: ofTask,
    })),
  )
}

/** What the entrypoint of a step reports to the controller. Source: pkg/result of tektoncd/pipeline. */
interface Report {
  key: string
  value: string
  type: typeof ofTask | typeof internal
}
const ofTask = 1
const internal = 3

/** @param reports written by the entrypoint, unless it was killed */
function ended(exitCode: number, reason: string, reports?: Report[]): ContainerState {
  const at = now()
  const started: Report = { key: 'StartedAt', value: at, type: internal }
  const message = reports && JSON.stringify([started, ...reports])
  return { terminated: { exitCode, reason, startedAt: at, finishedAt: at, ...(message && { message }) } }
}

const statusOf = ({ name, image = '' }: Container, state: ContainerState): ContainerStatus => ({
  name,
  image,
  // Known once the image has been pulled.
  imageID: state.waiting ? '' : `${image}@sha256:${'5'.repeat(64)}`,
  ready: state.running !== undefined,
  restartCount: 0,
  state,
})
