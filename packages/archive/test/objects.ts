import { podType, type Pod } from '@slipway/kube/core-types'
import { nameOf, uidOf, type KubeObject } from '@slipway/kube/object'
import { resourcePath } from '@slipway/kube/path'
import type { ResourceType } from '@slipway/kube/resource-type'
import { labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import { aPipelineRun, aTaskRun, type Overrides } from '@slipway/model/testing'
import type { World as WholeWorld } from './world'

type Run = PipelineRun | TaskRun
type World = Pick<WholeWorld, 'client'>

export const succeeded = (status = 'True', reason = 'Succeeded') => ({
  conditions: [{ type: 'Succeeded', status, reason, message: '', lastTransitionTime: '2026-01-31T09:00:00Z' }],
})

/** Creates a run and sets its status, by default succeeded. */
async function make<T extends Run>(world: World, type: ResourceType<T>, run: T, status?: object): Promise<T> {
  const made = await world.client.create(type, run)
  if (status === undefined) return made
  return world.client.replaceStatus(type, { ...made, status } as T) // A status as the API accepts it.
}

export const makePipelineRun = (
  world: World,
  name: string,
  { metadata, ...rest }: Overrides<PipelineRun> = {},
  status: object | undefined = succeeded(),
): Promise<PipelineRun> =>
  make(world, pipelineRunType, aPipelineRun({ metadata: { name, ...metadata }, ...rest }), status)

export const makeRunningPipelineRun = (world: World, name: string): Promise<PipelineRun> =>
  makePipelineRun(world, name, {}, succeeded('Unknown', 'Running'))

const ownedBy = (owner: KubeObject) => [
  {
    apiVersion: owner.apiVersion ?? '',
    kind: owner.kind ?? '',
    name: nameOf(owner),
    uid: uidOf(owner),
    controller: true,
  },
]

export const makeTaskRun = (
  world: World,
  owner: PipelineRun,
  task: string,
  status: object | undefined = succeeded(),
): Promise<TaskRun> =>
  make(
    world,
    taskRunType,
    aTaskRun({
      metadata: {
        name: `${nameOf(owner)}-${task}`,
        namespace: owner.metadata.namespace,
        labels: { [labels.pipelineRun]: nameOf(owner), [labels.pipelineTask]: task },
        ownerReferences: ownedBy(owner),
      },
    }),
    status,
  )

/** Creates the pod of a task with the logs of its containers; ended by default. */
export async function makePod(
  world: World,
  taskRun: TaskRun,
  logs: Record<string, string>,
  phase: 'Running' | 'Succeeded' | 'Failed' = 'Succeeded',
): Promise<Pod> {
  const name = `${nameOf(taskRun)}-pod`
  const at = taskRun.metadata.namespace
  const containers = Object.keys(logs).map((container) => ({ name: container, image: 'registry.slipway.test/tools:1' }))
  const pod = await world.client.create(podType, {
    metadata: {
      name,
      namespace: at,
      labels: { [labels.taskRun]: nameOf(taskRun) },
      ownerReferences: ownedBy(taskRun),
    },
    spec: { containers, restartPolicy: 'Never' },
  })
  const withState = (state: object, next: string) =>
    world.client.request<Pod>(resourcePath(podType, { namespace: at, name, subresource: 'status' }), {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({
        status: {
          phase: next,
          containerStatuses: containers.map((each) => ({
            ...each,
            imageID: '',
            ready: false,
            restartCount: 0,
            state,
          })),
        },
      }),
    })
  await withState({ running: {} }, 'Running')
  for (const [container, text] of Object.entries(logs)) {
    if (text === '') continue
    const path = resourcePath(podType, { namespace: at, name, subresource: 'log' })
    await world.client.request(`${path}?container=${container}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: text,
    })
  }
  return phase === 'Running' ? pod : withState({ terminated: { exitCode: phase === 'Failed' ? 1 : 0 } }, phase)
}

export const namesOf = (items: KubeObject[]): string[] => items.map(nameOf)
