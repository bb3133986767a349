import type { Condition, KubeObject } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'
import type { GitSource } from './component'

export interface SnapshotComponent {
  name: string
  version?: string
  /** By digest: `registry/name@sha256:…`. */
  containerImage: string
  source?: { git?: GitSource }
}

export interface Snapshot extends KubeObject {
  spec: {
    application?: string
    displayName?: string
    displayDescription?: string
    components?: SnapshotComponent[]
    artifacts?: { unstableFields?: unknown }
  }
  status?: { conditions?: Condition[] }
}

export const snapshotType = defineResource<Snapshot>({
  group: 'appstudio.redhat.com',
  version: 'v1alpha1',
  kind: 'Snapshot',
  plural: 'snapshots',
  namespaced: true,
})

/** Types of the conditions of a Snapshot. */
export const snapshotConditions = {
  testSucceeded: 'AppStudioTestSucceeded',
  integrationStatus: 'AppStudioIntegrationStatus',
  autoReleased: 'AutoReleased',
  addedToGlobalCandidateList: 'AddedToGlobalCandidateList',
} as const

/** One entry of the annotation `test.appstudio.openshift.io/status`, a JSON list. */
export interface ScenarioStatus {
  scenario: string
  status: 'Pending' | 'InProgress' | 'TestPassed' | 'TestFail' | 'EnvironmentProvisionError' | 'TestInvalid' | string
  lastUpdateTime: string
  details: string
  startTime?: string
  completionTime?: string
  testPipelineRunName?: string
  isOptionalScenario?: boolean
}

/** One entry of the annotation `test.appstudio.openshift.io/group-test-info`: a member of a group snapshot. */
export interface GroupMember {
  namespace: string
  component: string
  buildPipelineRun: string
  snapshot: string
  repoUrl: string
  pullRequestNumber: string
}
