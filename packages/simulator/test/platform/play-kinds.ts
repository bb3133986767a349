import { systemClock } from '@slipway/kube/clock'
import { namespaceType, serviceAccountType, type Pod } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import { isFinished, succeededCondition } from '@slipway/model/runs/tekton'
import { createInformer } from '../../src/informer'
import { runName } from '../runs'
import { factsOf, runOf, type Facts, type Kind } from '../tekton-kinds'
import type { RealTekton } from './real-tekton'

interface PlayingKubelet {
  /** Lets the steps end that `isHeld` has kept running. */
  release?(): void
  close(): unknown
}

interface PlayOptions {
  startKubelet(isHeld: (pod: Pod) => boolean): PlayingKubelet
  /** Changes a run, or a task that it refers to, before it is created. */
  change?<T extends KubeObject>(object: T, kind: Kind): T
}

export interface PlayedKinds {
  /** The facts about a run of this kind, once it has ended; its tasks and sidecars may end after it. */
  factsOf(name: string): Promise<() => Promise<Facts>>
  close(): Promise<void>
}

/** Creates a run of each kind, in a namespace of its own, all at the same time. */
export function playKinds(
  { client, failed }: Pick<RealTekton, 'client' | 'failed'>,
  kinds: Record<string, Kind>,
  { startKubelet, change = (object) => object }: PlayOptions,
): PlayedKinds {
  const waits = new Set<() => void>()
  const changed = () => waits.forEach((check) => check())
  const watch = { client, clock: systemClock, onChange: changed, warn: (message: string) => console.error(message) }
  const pipelineRuns = createInformer<PipelineRun>({ ...watch, type: pipelineRunType })
  const taskRuns = createInformer<TaskRun>({ ...watch, type: taskRunType })
  const held = new Set<string>()
  const kubelet = startKubelet(({ metadata: { namespace = '' } }) => held.has(namespace))

  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!condition()) return
        waits.delete(check)
        resolve()
      }
      waits.add(check)
      check()
    })

  async function play(kind: Kind, namespace: string): Promise<() => Promise<Facts>> {
    const { objects = [], requests = [], untilReason } = kind
    await client.create(namespaceType, { metadata: { name: namespace } })
    await client.create(serviceAccountType, { metadata: { name: 'build-pipeline-checkout-api', namespace } })
    for (const [type, object] of objects) {
      await client.create(type, change({ ...object, metadata: { ...object.metadata, namespace } }, kind))
    }
    if (requests.length > 0) held.add(namespace)
    const run = runOf(kind)
    await client.create(pipelineRunType, change({ ...run, metadata: { ...run.metadata, namespace } }, kind))
    for (const [index, request] of requests.entries()) {
      const one = () => taskRuns.get(namespace, `${runName}-one`)
      if (index === 0) await until(() => succeededCondition(one() ?? run)?.reason === 'Running')
      const patch = [{ op: 'add' as const, path: '/spec/status', value: request }]
      await client.patch(pipelineRunType, runName, patch, { namespace })
    }
    held.delete(namespace)
    kubelet.release?.()
    await until(() => {
      const known = pipelineRuns.get(namespace, runName)
      if (!known) return false
      return untilReason === undefined ? isFinished(known) : succeededCondition(known)?.reason === untilReason
    })
    return () => factsOf(client, namespace)
  }

  const outcomes = new Map(
    Object.entries(kinds).map(([name, kind], index) => {
      const outcome = Promise.race([play(kind, `kind-${index + 1}`), failed])
      outcome.catch(() => {})
      return [name, outcome]
    }),
  )
  return {
    factsOf: (name) => outcomes.get(name) ?? Promise.reject(new Error(`There is no kind ${name}.`)),
    async close() {
      await kubelet.close()
      taskRuns.close()
      pipelineRuns.close()
    },
  }
}
