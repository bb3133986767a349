import { nameOf, namespaceOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { ignoreMissing } from '@slipway/kube/status'
import { componentType } from '@slipway/model/builds/component'
import { annotations, labels } from '@slipway/model/labels'
import { type PipelineRequest, pipelineRequests } from '@slipway/model/builds/build-pipeline-state'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { stopRequests, type StopRequest, type RerunRequest, startBuildRequest } from '@slipway/model/runs/run-actions'
import { type Snapshot, snapshotType } from '@slipway/model/snapshots/snapshot'
import { client } from '../api/client'
import { metadataPatch } from '../api/writes/metadata-patch'
import { inOrder, type Performer, separately } from '../api/writes/perform-writes'
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
  await inOrder([await rerunWrite(namespace, request)])
}

/** Several of these, each on its own: what is rejected does not stop the others. */
export function rerunSeparately(namespace: string, requests: readonly RerunRequest[]): Performer {
  // Another attempt sends the same writes, so that those that were applied are recognized and left out.
  let planned: Write[] | undefined
  const plan = async () => (planned ??= await Promise.all(requests.map((request) => rerunWrite(namespace, request))))
  const perform: Performer = async (_, attempt) => separately(await plan(), attempt)
  return Object.assign(perform, { plan })
}

const rerunWrite = (namespace: string, request: RerunRequest): Promise<Write> =>
  request.kind === 'build'
    ? buildRequestWrite(namespace, request.component, startBuildRequest)
    : markWrite(snapshotType, { namespace, name: request.snapshot }, 'labels', { [labels.rerun]: request.scenario })

/** Requests the platform to run a test on a snapshot, whatever its contexts. */
export const runTestWrite = (snapshot: Snapshot, scenario: string): Write =>
  patch(
    snapshotType,
    { namespace: namespaceOf(snapshot), name: nameOf(snapshot) },
    metadataPatch(snapshot, 'labels', { [labels.rerun]: scenario }),
  )

/** Requests a build of the newest commit of a component. */
export const startBuild = (namespace: string, component: string): Promise<void> =>
  rerun(namespace, { kind: 'build', component })

/** Requests a pull request with the build pipeline of a component, or its rollback. */
export async function requestPipeline(namespace: string, component: string, request: PipelineRequest): Promise<void> {
  await inOrder([await buildRequestWrite(namespace, component, pipelineRequests[request])])
}

const buildRequestWrite = (namespace: string, component: string, value: string): Promise<Write> =>
  markWrite(componentType, { namespace, name: component }, 'annotations', { [annotations.buildRequest]: value })

/** Adds labels or annotations, and keeps the others. If the object does not exist, the write is rejected. */
async function markWrite(
  type: ResourceType,
  ref: { namespace: string; name: string },
  member: 'labels' | 'annotations',
  added: Record<string, string>,
): Promise<Write> {
  const object: KubeObject | undefined = await client.get(type, ref.name, ref).catch(ignoreMissing)
  return patch(type, ref, metadataPatch(object ?? { metadata: {} }, member, added))
}
