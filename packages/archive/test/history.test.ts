import { uidOf, type KubeObject } from '@slipway/kube/object'
import { aPipelineRun, aTaskRun } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { saveHistory } from '../src/history'
import { kinds, namespace, startWorld } from './world'

const deletedMs = Date.UTC(2026, 0, 30)
const at = (uid: string, owner?: KubeObject) => ({
  uid,
  creationTimestamp: '2026-01-29T00:00:00Z',
  ...(owner && {
    ownerReferences: [
      {
        apiVersion: owner.apiVersion ?? '',
        kind: owner.kind ?? '',
        name: 'owner',
        uid: uidOf(owner),
        controller: true,
      },
    ],
  }),
})

it('saved history is found like archived objects', async () => {
  const world = await startWorld()
  const run = aPipelineRun({ metadata: at('run-uid') })
  const task = aTaskRun({ metadata: at('task-uid', run) })
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'pod', namespace, ...at('pod-uid', task) },
    spec: { containers: [{ name: 'step-build' }] },
  }
  saveHistory(world.store, kinds, [
    { object: run, deletedMs },
    { object: task, deletedMs },
    { object: pod, deletedMs, logs: { 'step-build': 'built\n' } },
  ])
  const path = `/apis/tekton.dev/v1/namespaces/${namespace}/pipelineruns/${run.metadata.name ?? ''}`
  const { body } = await world.kubeArchive(path)
  const log = await world.results(`${namespace}/results/run-uid/logs/task-uid`)
  expect([body.metadata.deletionTimestamp, log.text]).toEqual(['2026-01-30T00:00:00Z', '[build] built\n\n\n'])
  expect(() => saveHistory(world.store, kinds, [{ object: { ...pod, kind: 'Node' }, deletedMs }])).toThrow(
    'The archive does not support v1 Node.',
  )
  await world.close()
})
