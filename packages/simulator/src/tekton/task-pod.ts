import type { Container, ContainerState, ContainerStatus, Pod } from '@slipway/kube/core-types'
import { labels } from '@slipway/model/labels'
import { taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import type { TaskSpec } from '@slipway/model/runs/tekton'
import { ownerReference, type ControllerContext } from '../controller'
import { pick } from '../keyed-random'
import type { TaskPlan } from './plan'

/** The pod of a TaskRun, as Tekton creates it. Source: tektoncd/pipeline, pkg/pod. */

const entrypointImage = 'registry.slipway.test/tekton/entrypoint:v1.6.0'
const shellImage = 'registry.slipway.test/tekton/shell-image:v1.6.0'

const nodes = [
  'ip-10-30-12-41.ec2.internal',
  'ip-10-30-57-108.ec2.internal',
  'ip-10-30-83-9.ec2.internal',
  'ip-10-30-141-76.ec2.internal',
  'ip-10-30-190-233.ec2.internal',
] as const

/**
 * The node that events name for a pod. The pod's spec names none, because Kubernetes deletes pods of unknown nodes, and
 * retains deleted pods until the kubelet of their node has stopped them.
 */
export const nodeOf = ({ random }: Pick<ControllerContext, 'random'>, { metadata }: Pod): string =>
  pick(random(`node ${metadata.namespace ?? ''}/${metadata.name ?? ''}`), nodes)

/** A cluster's scheduler ignores pods that name another scheduler. */
const schedulerName = 'slipway-simulator'

/** @param taskRun must have the task spec in its status, which determines the containers */
export function podFor(taskRun: TaskRun, plan: TaskPlan, name: string): Pod {
  const { namespace, name: taskRunName = '', uid = '' } = taskRun.metadata
  const spec = taskRun.status?.taskSpec ?? taskRun.spec.taskSpec
  const steps = plan.steps.map(({ name, container }, index): Container => ({
    name: container,
    image: spec?.steps?.[index]?.image || shellImage,
    command: ['/tekton/bin/entrypoint'],
    args: ['-step_metadata_dir', `/tekton/run/${index}/status`, '-entrypoint', `/tekton/scripts/${name}`, '--'],
  }))
  const sidecars = sidecarsOf(spec).map(({ container, image }): Container => ({ name: container, image }))
  const hasScripts = spec?.steps?.some(({ script }) => script)
  return {
    metadata: {
      name,
      namespace,
      labels: {
        ...taskRun.metadata.labels,
        'app.kubernetes.io/managed-by': 'tekton-pipelines',
        [labels.taskRun]: taskRunName,
        [labels.taskRunUid]: uid,
      },
      annotations: { ...taskRun.metadata.annotations, 'tekton.dev/ready': 'READY' },
      ownerReferences: [ownerReference(taskRunType, taskRun)],
    },
    spec: {
      initContainers: [
        { name: 'prepare', image: entrypointImage, command: ['/ko-app/entrypoint', 'init'] },
        ...(hasScripts
          ? [{ name: 'place-scripts', image: shellImage, command: ['sh'], args: ['-c', '# scripts'] }]
          : []),
      ],
      containers: [...steps, ...sidecars],
      restartPolicy: 'Never',
      serviceAccountName: taskRun.spec.serviceAccountName ?? 'default',
      schedulerName,
    },
  }
}

/** The sidecars of a task with the names of their containers. */
export const sidecarsOf = (spec: TaskSpec | undefined): { name: string; container: string; image: string }[] =>
  (spec?.sidecars ?? []).map(({ name, image = '' }) => ({ name, container: `sidecar-${name}`, image }))

/** Whether a container runs or has ended; `undefined` before it starts. */
export function stateOf(status: Pod['status'], container: string): 'running' | 'terminated' | undefined {
  const { terminated, running } = status?.containerStatuses?.find(({ name }) => name === container)?.state ?? {}
  return terminated ? 'terminated' : running ? 'running' : undefined
}

/**
 * If a container started and ended since the last status, returns a status in which those containers still run: their
 * logs must be written, and clients may follow them, before the end is reported. Otherwise `undefined`.
 * @param known the last reported status
 * @param containers the containers that have logs
 */
export function statusBeforeEnds(
  known: Pod['status'],
  status: Pod['status'],
  containers: string[],
): Pod['status'] | undefined {
  const ended = status?.containerStatuses?.filter(
    ({ name, state }) => state?.terminated && stateOf(known, name) !== 'terminated' && containers.includes(name),
  )
  if (!ended?.some(({ name }) => !stateOf(known, name))) return undefined
  return {
    ...status,
    phase: 'Running',
    containerStatuses: status?.containerStatuses?.map((each) => {
      if (!ended.includes(each)) return each
      const startedAt = each.state?.terminated?.startedAt
      return { ...each, state: { running: { ...(startedAt && { startedAt }) } } }
    }),
  }
}

/** The status of a pod whose run was stopped: its unfinished containers are terminated. */
export function stoppedPodStatus(status: Pod['status'], finishedAt: string): Pod['status'] {
  const stopped = ({ state }: ContainerStatus): ContainerState =>
    state?.terminated
      ? state
      : {
          terminated: {
            exitCode: 1,
            reason: 'Error',
            ...(state?.running?.startedAt && { startedAt: state.running.startedAt }),
            finishedAt,
          },
        }
  return {
    ...status,
    phase: 'Failed',
    containerStatuses: status?.containerStatuses?.map((each) => ({ ...each, ready: false, state: stopped(each) })),
  }
}
