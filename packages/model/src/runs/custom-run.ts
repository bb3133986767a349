import { specOf } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'
import type { PipelineRun } from './pipeline-run'
import type { TaskRun } from './task-run'
import type { DefinitionRef, Param, Run } from './tekton'

/** A pipeline task that a custom controller runs, if one exists. */
export interface CustomRun extends Run {
  spec: {
    status?: 'RunCancelled'
    statusMessage?: string
    customRef: DefinitionRef
    params?: Param[]
    serviceAccountName?: string
    timeout?: string
    retries?: number
    workspaces?: ({ name: string } & Record<string, unknown>)[]
  }
}

export const customRunType = defineResource<CustomRun>({
  group: 'tekton.dev',
  version: 'v1beta1',
  kind: 'CustomRun',
  plural: 'customruns',
  namespaced: true,
})

const { kind } = customRunType

/** Whether a run has tasks that custom controllers run, so that its task runs are not all of its children. */
export const hasCustomRuns = ({ status }: PipelineRun): boolean =>
  Array.isArray(status?.childReferences) && status.childReferences.some((child) => child?.kind === kind)

/** A custom run in the form of a task run without a pod: all that pages show of both is the same. */
export function asTaskRun(run: CustomRun): TaskRun {
  const { metadata, status } = run
  const spec = specOf(run)
  return {
    apiVersion: `${customRunType.group}/${customRunType.version}`,
    kind,
    metadata,
    spec: {
      ...(spec.params && { params: spec.params }),
      ...(spec.status === 'RunCancelled' && { status: 'TaskRunCancelled' }),
      ...(spec.customRef && { taskRef: spec.customRef }),
    },
    ...(status && { status }),
  }
}

/** Whether `asTaskRun` has made this. It has no page of its own. */
export const isCustomRun = (run: Pick<TaskRun, 'kind'>): boolean => run.kind === kind
