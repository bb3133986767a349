import { nameOf, namespaceOf } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import {
  type ComponentGroup,
  componentGroupType,
  componentMembers,
  type GroupMember,
  groupTree,
  type PromotedComponent,
} from '@slipway/model/builds/component-group'
import { branchOf } from '@slipway/model/git/git-facts'
import { annotations, labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { snapshotType, type Snapshot, type SnapshotComponent } from '@slipway/model/snapshots/snapshot'
import { ownerReference } from '../controller'
import { builtImageOf } from './build-facts'
import { buildAnnotations, buildLabels, snapshotName } from './snapshot-for'

/**
 * What becomes of a build in the component groups that its component is a member of. Source: the definitions of
 * ComponentGroup and Snapshot; what they do not say is the plainest (docs/simulating.md).
 */

/** Whether a build is of a member: it names the version, or else it is of the branch that the member names. */
export function isBuildOf({ name, componentVersion }: GroupMember, build: PipelineRun): boolean {
  const { labels: known = {}, annotations: marks = {} } = build.metadata
  if (known[labels.component] !== name) return false
  const version = known[labels.version] ?? marks[labels.version]
  if (!componentVersion) return true
  return version === undefined
    ? branchOf(build) === (componentVersion.version ?? componentVersion.name)
    : version === componentVersion.name
}

const isOf =
  ({ name, componentVersion }: GroupMember) =>
  (each: PromotedComponent) =>
    each.name === name && each.version === componentVersion?.name

/** One entry for each member that is a component, in their order; what was promoted of them stays. */
export const alignedCandidates = (group: ComponentGroup): PromotedComponent[] =>
  componentMembers(group).map((member) => {
    const version = member.componentVersion?.name
    const known = group.status?.globalCandidateList?.find(isOf(member))
    return known ?? { name: member.name, ...(version && { version }) }
  })

const buildTimeOf = ({ metadata }: PipelineRun): string => metadata.creationTimestamp ?? ''

/**
 * The oldest build that has not been promoted in the group yet, with the member that it is of.
 * @param builds promoted push builds of the namespace, in any order
 */
export function nextPromotion(
  group: ComponentGroup,
  candidates: readonly PromotedComponent[],
  builds: readonly PipelineRun[],
): { member: GroupMember; build: PipelineRun } | undefined {
  const waiting = componentMembers(group).flatMap((member) => {
    const since = candidates.find(isOf(member))?.lastPromotedBuildTime ?? group.metadata.creationTimestamp ?? ''
    return builds
      .filter((build) => isBuildOf(member, build) && buildTimeOf(build) > since)
      .map((build) => ({ member, build }))
  })
  return waiting.sort((a, b) => (buildTimeOf(a.build) < buildTimeOf(b.build) ? -1 : 1))[0]
}

export const promoted = (
  candidates: readonly PromotedComponent[],
  { member, build }: { member: GroupMember; build: PipelineRun },
): PromotedComponent[] =>
  candidates.map((candidate) => {
    if (!isOf(member)(candidate)) return candidate
    const marks = build.metadata.annotations ?? {}
    return {
      ...candidate,
      url: marks[annotations.repository]?.split('?')[0],
      lastPromotedImage: builtImageOf(build),
      lastPromotedCommit: marks[annotations.buildCommitSha],
      lastPromotedBuildTime: buildTimeOf(build),
    }
  })

interface Input {
  /** With the candidates that the snapshot is to contain. */
  group: ComponentGroup
  /** All groups of the namespace. */
  groups: readonly ComponentGroup[]
  /** The build that is the reason for the snapshot. */
  build: PipelineRun
  isTaken(name: string): boolean
}

/** A snapshot of all that was promoted of the members of a group and of the groups nested in it. */
export const componentGroupSnapshot = ({ group, groups, build, isTaken }: Input): Snapshot => {
  const { [labels.application]: _, ...known } = buildLabels(build)
  return {
    apiVersion: apiVersionOf(snapshotType),
    kind: snapshotType.kind,
    metadata: {
      name: snapshotName(nameOf(group), Date.parse(build.status?.startTime ?? buildTimeOf(build)), isTaken),
      namespace: namespaceOf(group),
      labels: known,
      annotations: buildAnnotations(build),
      ownerReferences: [ownerReference(componentGroupType, group)],
    },
    spec: {
      componentGroup: nameOf(group),
      components: groupTree(group, groups).members.flatMap(({ promoted: candidate }) => componentFor(candidate) ?? []),
      artifacts: {},
    },
  }
}

function componentFor(candidate: PromotedComponent | undefined): SnapshotComponent | undefined {
  if (!candidate?.lastPromotedImage) return undefined
  const { name, version, lastPromotedImage, url, lastPromotedCommit: revision } = candidate
  return {
    name,
    ...(version && { version }),
    containerImage: lastPromotedImage,
    ...(url && { source: { git: { url, ...(revision && { revision }) } } }),
  }
}
