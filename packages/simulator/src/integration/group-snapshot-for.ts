import { nameOf, namespaceOf } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { applicationType, type Application } from '@slipway/model/builds/application'
import { componentsOf, type Component } from '@slipway/model/builds/component'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { snapshotType, type GroupMember, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { isFinished } from '@slipway/model/runs/tekton'
import { ownerReference } from '../controller'
import { hasSucceeded } from './build-facts'
import { promotedComponent, snapshotName } from './snapshot-for'

/** Creates group snapshots, with which pull requests of several components are tested together. */

interface GroupInput {
  /** Snapshot of a pull request's build for which no decision about the group has been recorded. */
  snapshot: Snapshot
  application: Application
  /** All components of the namespace. */
  components: Component[]
  /** Builds of the same application and group, in any order. */
  builds: PipelineRun[]
  /** Component snapshots of the group, including `snapshot`. */
  snapshots: Snapshot[]
  /** Whether the pull request of the snapshot is open. */
  isOpen(snapshot: Snapshot): boolean
  nowMs: number
  isTaken(name: string): boolean
}

export interface GroupDecision {
  /** The note to record on the snapshots with the names `notedOn`. */
  note: string
  notedOn: string[]
  group?: Snapshot
}

/** Annotations of a snapshot for whose group there is a decision. */
export const groupAnnotations = (note: string) => ({ [annotations.createGroupSnapshotStatus]: note })

export const tooFew = (count: number, sha: string): string =>
  `The number ${count} of component snapshots belonging to this pr group hash ${sha} is less than 2, ` +
  'skipping group snapshot creation'

/**
 * Decides what to do about the group of a new snapshot; `undefined` while snapshots of finished builds are still
 * missing.
 * Source: integration-service, EnsureGroupSnapshotExist.
 */
export function groupDecision(input: GroupInput): GroupDecision | undefined {
  const { snapshot, builds } = input
  const group = snapshot.metadata.annotations?.[annotations.pullRequestGroup] ?? ''
  const sha = snapshot.metadata.labels?.[labels.pullRequestGroupSha] ?? ''
  const alone = (note: string): GroupDecision => ({ note, notedOn: [nameOf(snapshot)] })
  // The last build of the group creates the group snapshot.
  for (const build of latestOf(builds)) {
    const what = `The build pipelineRun ${namespaceOf(build) ?? ''}/${nameOf(build)} with pr group ${group}`
    if (!isFinished(build)) return alone(`${what} is still running, won't create group snapshot`)
    if (!hasSucceeded(build)) return alone(`${what} failed, won't create group snapshot`)
    const hasSnapshot = snapshot.metadata.labels?.[labels.buildPipelineRun] === nameOf(build)
    const marks = build.metadata.annotations ?? {}
    const isConsidered = marks[labels.snapshot] ?? marks[annotations.createSnapshotStatus]
    if (!hasSnapshot && isConsidered === undefined) return undefined
  }
  const members = membersOf(input)
  if (members.size < 2) return alone(tooFew(members.size, sha))
  const created = groupSnapshot(input, members)
  return {
    note: noteAbout(created, group),
    notedOn: [...members.values()].map(nameOf),
    group: created,
  }
}

const noteAbout = (created: Snapshot, group: string): string =>
  `Group snapshot ${namespaceOf(created) ?? ''}/${nameOf(created)} is created for pr group ${group}`

/** The same decision, with the existing snapshot if it was created before an interruption. */
export function reuseExistingGroup({ group, ...decision }: GroupDecision, known: Snapshot[]): GroupDecision {
  const { [annotations.groupMembers]: members, [annotations.pullRequestGroup]: name = '' } =
    group?.metadata.annotations ?? {}
  const created = known.find(({ metadata }) => members && metadata.annotations?.[annotations.groupMembers] === members)
  return created ? { ...decision, note: noteAbout(created, name) } : { ...decision, ...(group && { group }) }
}

const componentOf = ({ metadata }: Snapshot | PipelineRun): string => metadata.labels?.[labels.component] ?? ''

/** The latest object of each component. */
function latestOf<T extends Snapshot | PipelineRun>(objects: T[]): T[] {
  const latest = new Map<string, T>()
  const key = ({ metadata }: T) => `${metadata.creationTimestamp ?? ''} ${metadata.name ?? ''}`
  for (const object of objects) {
    const known = latest.get(componentOf(object))
    if (!known || key(known) < key(object)) latest.set(componentOf(object), object)
  }
  return [...latest.values()]
}

/** The newest snapshots of open pull requests, by component, in the order of the components. */
function membersOf({ application, components, snapshots, isOpen }: GroupInput): Map<string, Snapshot> {
  const open = new Map(latestOf(snapshots.filter(isOpen)).map((each) => [componentOf(each), each]))
  return new Map(
    componentsOf(components, nameOf(application)).flatMap((component) => {
      const member = open.get(nameOf(component))
      return member ? [[nameOf(component), member] as const] : []
    }),
  )
}

function groupSnapshot(
  { snapshot, application, components, nowMs, isTaken }: GroupInput,
  members: Map<string, Snapshot>,
): Snapshot {
  const list = [...members].map(([component, member]): GroupMember => {
    const { labels: known = {}, annotations: marks = {} } = member.metadata
    return {
      namespace: namespaceOf(member) ?? '',
      component,
      buildPipelineRun: known[labels.buildPipelineRun] ?? '',
      snapshot: nameOf(member),
      repoUrl: marks[copiedPacKey(annotations.pacRepositoryUrl)] ?? '',
      pullRequestNumber: known[copiedPacKey(labels.pullRequestNumber)] ?? '',
    }
  })
  const { labels: known = {}, annotations: marks = {} } = snapshot.metadata
  return {
    apiVersion: apiVersionOf(snapshotType),
    kind: snapshotType.kind,
    metadata: {
      name: snapshotName(nameOf(application), nowMs, isTaken),
      namespace: namespaceOf(snapshot),
      labels: {
        ...eventFacts(known),
        [labels.application]: nameOf(application),
        [labels.pullRequestGroupSha]: known[labels.pullRequestGroupSha] ?? '',
        [labels.snapshotType]: 'group',
      },
      annotations: {
        ...eventFacts(marks),
        [annotations.pullRequestGroup]: marks[annotations.pullRequestGroup] ?? '',
        [annotations.integrationWorkflow]: 'pull-request',
        // Sorted, so that the same group always has the same text.
        [annotations.groupMembers]: JSON.stringify(list.sort((a, b) => (a.component < b.component ? -1 : 1))),
      },
      ownerReferences: [ownerReference(applicationType, application)],
    },
    spec: {
      application: nameOf(application),
      components: componentsOf(components, nameOf(application)).flatMap((component) => {
        const built = members.get(nameOf(component))?.spec.components?.find(({ name }) => name === nameOf(component))
        return built ?? promotedComponent(component) ?? []
      }),
      artifacts: {},
    },
  }
}

/** Labels or annotations about the event that completed the group. */
const eventFacts = (facts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(facts).filter(([key]) =>
      /^(pac\.test\.appstudio\.openshift\.io|build\.appstudio\.[a-z.]+)\//.test(key),
    ),
  )
