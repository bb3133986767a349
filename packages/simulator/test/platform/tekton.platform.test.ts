import { systemClock } from '@slipway/kube/clock'
import { namespaceType, serviceAccountType } from '@slipway/kube/core-types'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import { isFinished, succeededCondition } from '@slipway/model/runs/tekton'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createInformer } from '../../src/informer'
import { runName } from '../runs'
import { factsOf, kinds, runOf, type Facts, type Kind } from '../tekton-kinds'
import { startKubelet } from './kubelet'
import { startRealTekton } from './real-tekton'

const outcomes = new Map<string, Promise<() => Promise<Facts>>>()
const closers: (() => unknown)[] = []

beforeAll(async () => {
  const tekton = await startRealTekton()
  const { client, nopImage, failed } = tekton
  closers.push(() => tekton.close())
  const waits = new Set<() => void>()
  const changed = () => waits.forEach((check) => check())
  const watch = { client, clock: systemClock, onChange: changed, warn: (message: string) => console.error(message) }
  const pipelineRuns = createInformer<PipelineRun>({ ...watch, type: pipelineRunType })
  const taskRuns = createInformer<TaskRun>({ ...watch, type: taskRunType })
  const held = new Set<string>()
  const kubelet = startKubelet({
    client,
    nopImage,
    isHeld: ({ metadata: { namespace = '' } }) => held.has(namespace),
    onError: (error) => console.error(error),
  })
  closers.push(kubelet.close, taskRuns.close, pipelineRuns.close)

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
      await client.create(type, { ...object, metadata: { ...object.metadata, namespace } })
    }
    if (requests.length > 0) held.add(namespace)
    const run = runOf(kind)
    await client.create(pipelineRunType, { ...run, metadata: { ...run.metadata, namespace } })
    for (const [index, request] of requests.entries()) {
      const one = () => taskRuns.get(namespace, `${runName}-one`)
      if (index === 0) await until(() => succeededCondition(one() ?? run)?.reason === 'Running')
      const patch = [{ op: 'add' as const, path: '/spec/status', value: request }]
      await client.patch(pipelineRunType, runName, patch, { namespace })
    }
    held.delete(namespace)
    kubelet.release()
    await until(() => {
      const known = pipelineRuns.get(namespace, runName)
      if (!known) return false
      return untilReason === undefined ? isFinished(known) : succeededCondition(known)?.reason === untilReason
    })
    return () => factsOf(client, namespace)
  }
  for (const [index, [name, kind]] of Object.entries(kinds).entries()) {
    const outcome = Promise.race([play(kind, `kind-${index + 1}`), failed])
    outcome.catch(() => {})
    outcomes.set(name, outcome)
  }
})

afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

it.each(Object.entries(kinds))('%s', async (name, kind) => {
  // The tasks and sidecars of a run may end after it.
  const facts = await outcomes.get(name)
  await expect.poll(() => facts?.(), { interval: 500 }).toEqual(kind.expected)
})
