import { defineResource } from '@slipway/kube/resource-type'
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
