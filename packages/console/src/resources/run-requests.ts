import { nameOf, namespaceOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { componentType } from '@slipway/model/builds/component'
import { annotations, labels } from '@slipway/model/labels'
import { type PipelineRequest, pipelineRequests } from '@slipway/model/builds/build-pipeline-state'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { stopRequests, type StopRequest, type RerunRequest, startBuildRequest } from '@slipway/model/runs/run-actions'
import { type Snapshot, snapshotType } from '@slipway/model/snapshots/snapshot'
import { client } from '../api/client'
import { metadataPatch } from '../api/writes/metadata-patch'
import { inOrder } from '../api/writes/perform-writes'
import { patch, type Write } from '../api/writes/writes'

/** Stops or cancels a run. */
export const stopRunWrite = (run: PipelineRun, request: StopRequest): Write =>
  patch(pipelineRunType, { namespace: namespaceOf(run), name: nameOf(run) }, [
    { op: 'replace', path: '/spec/status', value: stopRequests[request] },
  ])

export async function stopRun(run: PipelineRun, request: StopRequest): Promise<void> {
  await inOrder([stopRunWrite(run, request)])
}

/** Requests the platform to repeat a build or a test. */
export async function rerun(namespace: string, request: RerunRequest): Promise<void> {
  if (request.kind === 'build') await startBuild(namespace, request.component)
  else await mark(snapshotType, namespace, request.snapshot, 'labels', labels.rerun, request.scenario)
}

/** Requests the platform to run a test on a snapshot, whatever its contexts. */
export const runTestWrite = (snapshot: Snapshot, scenario: string): Write =>
  patch(
    snapshotType,
    { namespace: namespaceOf(snapshot), name: nameOf(snapshot) },
    metadataPatch(snapshot, 'labels', { [labels.rerun]: scenario }),
  )

/** Requests a build of the newest commit of a component. */
export const startBuild = (namespace: string, component: string): Promise<void> =>
  mark(componentType, namespace, component, 'annotations', annotations.buildRequest, startBuildRequest)

/** Requests a pull request with the build pipeline of a component, or its rollback. */
export const requestPipeline = (namespace: string, component: string, request: PipelineRequest): Promise<void> =>
  mark(componentType, namespace, component, 'annotations', annotations.buildRequest, pipelineRequests[request])

/** Adds one label or annotation, and keeps the others. */
async function mark(
  type: ResourceType,
  namespace: string,
  name: string,
  member: 'labels' | 'annotations',
  key: string,
  value: string,
): Promise<void> {
  const object: KubeObject = await client.get(type, name, { namespace })
  await inOrder([patch(type, { namespace, name }, metadataPatch(object, member, { [key]: value }))])
}
