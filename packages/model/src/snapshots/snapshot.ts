import { type Condition, isRecord, type KubeObject, specOf } from '@slipway/kube/object'
import { asArray, asText } from '@slipway/kube/parse'
import { defineResource } from '@slipway/kube/resource-type'
import type { GitSource } from '../builds/component'

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
    /** Instead of the application. */
    componentGroup?: string
    displayName?: string
    displayDescription?: string
    components?: SnapshotComponent[]
    artifacts?: { unstableFields?: unknown }
  }
  status?: {
    conditions?: Condition[]
    /** Of the snapshot of a group: those of the groups that it is nested in, by the names of these. */
    parentSnapshots?: Record<string, { created: boolean; name?: string; err?: string }>
  }
}

export const snapshotType = defineResource<Snapshot>({
  group: 'appstudio.redhat.com',
  newerGroups: ['konflux-ci.dev'],
  version: 'v1alpha1',
  kind: 'Snapshot',
  plural: 'snapshots',
  namespaced: true,
})

/** The components of a snapshot; entries without a name, which only an archive can have, are ignored. */
export const componentsIn = (snapshot: Snapshot): SnapshotComponent[] =>
  asArray(specOf(snapshot).components).filter(isComponent)

const isComponent = (entry: unknown): entry is SnapshotComponent => isRecord(entry) && typeof entry.name === 'string'

/** The digest in the address of an image, `sha256:…`; `undefined` for an image by tag. */
export const digestOf = (image: string | undefined): string | undefined =>
  /@(sha256:[0-9a-f]{64})$/.exec(typeof image === 'string' ? image.trim() : '')?.[1]

/** What tells images apart: the digest, if there is one, since a copy in another registry has the same content. */
export const imageIdOf = ({ containerImage }: SnapshotComponent): string | undefined =>
  digestOf(containerImage) ?? asText(containerImage)

/** The address of an image with the first 12 digits of its digest; as it is without one. */
export const shortImageAddress = (image: string): string => image.replace(/(@sha256:[0-9a-f]{12})[0-9a-f]{52}$/, '$1')

/** The first 12 digits of a digest, as in `docker images`; an image by tag as it is. */
export const shortImage = (image: string): string => /^sha256:([0-9a-f]{12})/.exec(image)?.[1] ?? image

/** Types of the conditions of a Snapshot. */
export const snapshotConditions = {
  testSucceeded: 'AppStudioTestSucceeded',
  integrationStatus: 'AppStudioIntegrationStatus',
  autoReleased: 'AutoReleased',
  addedToGlobalCandidateList: 'AddedToGlobalCandidateList',
  parentSnapshotsCreated: 'ParentSnapshotsCreated',
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
