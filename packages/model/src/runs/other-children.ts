import { isRecord, namespaceOf } from '@slipway/kube/object'
import { labels } from '../labels'
import { customRunType } from './custom-run'
import type { ChildReference, PipelineRun } from './pipeline-run'
import { type TaskRun, taskRunType } from './task-run'

const isOtherKind = (kind: string): boolean => kind !== taskRunType.kind && kind !== customRunType.kind

/** Tekton itself makes only task runs and custom runs. */
export const isToOtherKind = ({ kind = taskRunType.kind }: ChildReference): boolean => isOtherKind(kind)

/**
 * The children of a run of any other kind, such as the run of a pipeline in a pipeline, in the form of task runs: only
 * what the run says about them is known, which does not include their state.
 */
export function otherChildrenOf(run: PipelineRun): TaskRun[] {
  const references = run.status?.childReferences
  if (!Array.isArray(references)) return []
  return references
    .filter((reference: unknown) => isRecord(reference))
    .filter(isToOtherKind)
    .map(asTaskRun)

  function asTaskRun({ apiVersion, kind, name, pipelineTaskName }: ChildReference): TaskRun {
    const namespace = namespaceOf(run)
    const metadata = { name, ...(namespace && { namespace }), labels: { [labels.pipelineTask]: pipelineTaskName } }
    return { ...(apiVersion && { apiVersion }), ...(kind && { kind }), metadata, spec: {} }
  }
}

/** Whether `otherChildrenOf` has made this. It has no page of its own as a task run. */
export const isOtherChild = ({ kind = taskRunType.kind }: TaskRun): boolean => isOtherKind(kind)
