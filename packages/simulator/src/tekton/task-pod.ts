import type { Container, ContainerState, ContainerStatus, Pod } from '@slipway/kube/core-types'
import { labels } from '@slipway/model/labels'
import { taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import { ownerReference, type ControllerContext } from '../controller'
import { pick } from '../keyed-random'
import type { TaskPlan } from './plan'

/** The pod of a TaskRun as Tekton makes it. Source: tektoncd/pipeline, pkg/pod. */

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
 * The node on which a pod is said to run. Its spec names none: Kubernetes deletes the pods of a node that it does not
 * know, and keeps deleted ones until the kubelet of their node has stopped them.
 */
export const nodeOf = ({ random }: Pick<ControllerContext, 'random'>, { metadata }: Pod): string =>
  pick(random(`node ${metadata.namespace ?? ''}/${metadata.name ?? ''}`), nodes)

/** The scheduler of a cluster leaves pods alone that name another one. */
const schedulerName = 'slipway-simulator'

/** @param taskRun with its task spec in the status, as the steps of the pod come from there */
export function podFor(taskRun: TaskRun, plan: TaskPlan, name: string): Pod {
  const { namespace, name: taskRunName = '', uid = '' } = taskRun.metadata
  const spec = taskRun.status?.taskSpec ?? taskRun.spec.taskSpec
  const steps = plan.steps.map(({ name, container }, index): Container => ({
    name: container,
    image: spec?.steps?.[index]?.image || shellImage,
    command: ['/tekton/bin/entrypoint'],
    args: ['-step_metadata_dir', `/tekton/run/${index}/status`, '-entrypoint', `/tekton/scripts/${name}`, '--'],
  }))
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
      containers: steps,
      restartPolicy: 'Never',
      serviceAccountName: taskRun.spec.serviceAccountName ?? 'default',
      schedulerName,
    },
  }
}

/** Whether a container has begun, and ended; `undefined` before. */
export function stateOf(status: Pod['status'], container: string): 'running' | 'terminated' | undefined {
  const { terminated, running } = status?.containerStatuses?.find(({ name }) => name === container)?.state ?? {}
  return terminated ? 'terminated' : running ? 'running' : undefined
}

/**
 * The status without the ends of containers that ended since, when nobody has heard the beginning of one of them: it
 * could not be followed, and its log would have no time to be written in. Nothing when there is none.
 * @param known what was told last
 * @param containers those that say something at all
 */
export function beforeEnds(
  known: Pod['status'],
  status: Pod['status'],
  containers: string[],
): Pod['status'] | undefined {
  const over = status?.containerStatuses?.filter(
    ({ name, state }) => state?.terminated && stateOf(known, name) !== 'terminated' && containers.includes(name),
  )
  if (!over?.some(({ name }) => !stateOf(known, name))) return undefined
  return {
    ...status,
    phase: 'Running',
    containerStatuses: status?.containerStatuses?.map((each) => {
      if (!over.includes(each)) return each
      const startedAt = each.state?.terminated?.startedAt
      return { ...each, state: { running: { ...(startedAt && { startedAt }) } } }
    }),
  }
}

/** The pod of a run that was told to stop: what ran or waited in it was ended. */
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
