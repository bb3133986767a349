import { eventType, namespaceType, podType } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { queryString, resourcePath } from '@slipway/kube/path'
import type { ResourceType } from '@slipway/kube/resource-type'
import { parseWatchEvent } from '@slipway/kube/watch-event'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import { succeededCondition, type PipelineSpec, type PipelineTask, type Run } from '@slipway/model/runs/tekton'
import { aNamespace, aPipelineRun } from '@slipway/model/testing'
import { pipelineRuns } from '../src/controllers/pipeline-runs'
import { taskRuns } from '../src/controllers/task-runs'
import { startWorld, type World } from './world'

const namespace = 'team-payments'
export const runName = 'run-a'

/** A task with its own spec, one step, and the given results. */
export const aTask = (name: string, rest: Partial<PipelineTask> = {}, results: string[] = []): PipelineTask => ({
  name,
  taskSpec: {
    steps: [{ name: 'main', image: `registry.slipway.test/tools/${name}:1`, script: `run ${name}` }],
    results: results.map((result) => ({ name: result })),
  },
  ...rest,
})

/** @param outcomes by task, as in the annotation */
export const aRun = (
  pipelineSpec: PipelineSpec,
  spec: Partial<PipelineRun['spec']> = {},
  outcomes: Record<string, string> = {},
): PipelineRun =>
  aPipelineRun({
    metadata: { name: runName, annotations: { 'simulator.slipway.dev/outcome': JSON.stringify(outcomes) } },
    spec: { ...spec, pipelineSpec },
  })

/** A world in which this run has just been created. */
export async function startRun(run: PipelineRun, objects: [ResourceType, KubeObject][] = [], seed?: string) {
  const world = await startWorld({
    controllers: [pipelineRuns, taskRuns],
    objects: [[namespaceType, aNamespace()], ...objects],
    seed,
  })
  const runs = runsIn(world)
  const conditions = watchConditions(world, pipelineRunType)
  await conditions.isOpen
  await world.client.create(pipelineRunType, run)
  await world.simulator.idle()
  return {
    world,
    runs,
    /** The conditions of the run, as reported by a watch. */
    seen: conditions.seen,
    /** Advances the clock until the run is in this state. */
    async until(isReached: (state: Record<string, string>) => boolean): Promise<void> {
      for (let seconds = 0; !isReached(await runs.state()); seconds++) {
        if (seconds > 600) throw new Error(`never reached: ${JSON.stringify(await runs.state())}`)
        await world.advance(1_000)
      }
    },
  }
}

/** All runs, with their pods, events and logs (including the time of each line), as text. */
export async function dumpOf({ client }: Pick<World, 'client'>): Promise<string> {
  const types = [pipelineRunType, taskRunType, podType, eventType]
  const lists = await Promise.all(types.map((type: ResourceType) => client.list(type, { namespace })))
  const { items } = await client.list(podType, { namespace })
  const logs: Record<string, string> = {}
  for (const { metadata, spec } of items) {
    for (const { name: container } of spec.containers) {
      const path = resourcePath(podType, { namespace, name: metadata.name, subresource: 'log' })
      const read = client.text(path + queryString({ container, timestamps: true }))
      logs[`${metadata.name ?? ''} ${container}`] = await read.catch((error: Error) => error.message)
    }
  }
  return JSON.stringify([lists.map((list) => list.items), logs], undefined, 1)
}

/** The message of a condition with these counts of tasks. */
export const counts = (completed: number, { failed = 0, cancelled = 0, incomplete = 0, skipped = 0 } = {}) =>
  `Tasks Completed: ${completed} (Failed: ${failed}, Cancelled ${cancelled}), ` +
  `${incomplete ? `Incomplete: ${incomplete}, ` : ''}Skipped: ${skipped}`

export function runsIn({ client }: Pick<World, 'client'>) {
  const runs = {
    run: () => client.get(pipelineRunType, runName, { namespace }),
    taskRun: (task: string) => client.get(taskRunType, `${runName}-${task}`, { namespace }),
    pods: async () => (await client.list(podType, { namespace })).items,
    async taskRuns(): Promise<Record<string, TaskRun>> {
      const { items } = await client.list(taskRunType, { namespace })
      return Object.fromEntries(items.map((item) => [(item.metadata.name ?? '').slice(runName.length + 1), item]))
    },
    /** Reasons of the conditions of the run and of each of its tasks. */
    async state(): Promise<Record<string, string>> {
      const all = { run: await runs.run(), ...(await runs.taskRuns()) }
      return Object.fromEntries(Object.entries(all).map(([name, run]) => [name, succeededCondition(run)?.reason ?? '']))
    },
    setSpecStatus: (status: PipelineRun['spec']['status']) =>
      client.patch(pipelineRunType, runName, [{ op: 'add', path: '/spec/status', value: status }], { namespace }),
    log: (pod: string, container: string, timestamps = false) =>
      client.text(
        resourcePath(podType, { namespace, name: pod, subresource: 'log' }) + queryString({ container, timestamps }),
      ),
  }
  return runs
}

/** Collects a line for each new condition of an object of the kind, from a watch that starts now. */
function watchConditions({ client }: Pick<World, 'client'>, type: ResourceType) {
  const seen: string[] = []
  const last = new Map<string, string>()
  let opened = () => {}
  const isOpen = new Promise<void>((resolve) => (opened = resolve))
  const handlers = {
    onOpen: () => opened(),
    onClose: () => {},
    onMessage(text: string) {
      const event = parseWatchEvent<Run>(text)
      if (event?.type !== 'ADDED' && event?.type !== 'MODIFIED') return
      const object = event.object as KubeObject as Run
      const { status = '', reason = '', message = '' } = succeededCondition(object) ?? {}
      const line = `${object.metadata.name ?? ''} ${status} ${reason} ${message}`.trim()
      if (last.get(object.metadata.uid ?? '') !== line) seen.push(line)
      last.set(object.metadata.uid ?? '', line)
    },
  }
  const watch = client.watch(type, { namespace, resourceVersion: undefined }, handlers)
  return { seen, isOpen, close: () => watch.close() }
}
