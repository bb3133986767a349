import { type KubeObject, nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import type { Application } from '@slipway/model/builds/application'
import type { Component } from '@slipway/model/builds/component'
import { commitMessageOf, commitShaOf } from '@slipway/model/git/git-facts'
import type { Release } from '@slipway/model/releases/release'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { type TaskRun, taskRunType } from '@slipway/model/runs/task-run'
import { startOf } from '@slipway/model/runs/tekton'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { referenceOf } from '@slipway/model/snapshots/snapshot-origin'
import type { ChainParts } from '@slipway/model/search/chain'
import { type ReleasePlan, releasePlanStatus } from '@slipway/model/releases/release-plan'
import { releasePlanVerdict } from '@slipway/model/releases/release-plan-verdict'
import { releasePlanView } from '@slipway/model/views/release-plans'
import { applicationView } from '@slipway/model/views/applications'
import { componentView } from '@slipway/model/views/components'
import { pipelineRunView } from '@slipway/model/views/pipeline-runs'
import { releaseView } from '@slipway/model/views/releases'
import { snapshotView } from '@slipway/model/views/snapshots'
import type { ReactNode } from 'react'
import { applicationOf, type InApplication, pathIn, servedApplication } from '../../parts/links'
import { ReleaseStatusLabel } from '../../parts/releases/ReleaseStatusLabel'
import { displaySnapshotStatus, displayStatus, displayTaskStatus } from '../../parts/status/display-status'
import { StatusLabel } from '../../parts/status/StatusLabel'
import { paths } from '../../paths'

/** A kind of object that a search finds, and what its rows say. */
export interface FoundKind {
  /** As the heading, such as `Pipeline runs`. */
  title: string
  /** `id` of its view kind. */
  id: string
  status?: (object: KubeObject) => ReactNode
  /** What was made of: the title of a commit. */
  about?: (object: KubeObject) => string | undefined
  /** SHA of the commit whose page tells the rest of the story. */
  commit?: (object: KubeObject) => string | undefined
  place: (object: KubeObject) => InApplication
  /** RFC 3339. */
  time: (object: KubeObject) => string | undefined
  path: (object: KubeObject) => string | undefined
}

const createdAt = ({ metadata }: KubeObject) => metadata.creationTimestamp

/** Views return objects of their own kind. */
const kind = <T extends KubeObject>(own: {
  [K in keyof FoundKind]: FoundKind[K] extends ((object: KubeObject) => infer R) | undefined
    ? (object: T) => R
    : FoundKind[K]
}): FoundKind => own as unknown as FoundKind

const runs = kind<PipelineRun>({
  title: 'Pipeline runs',
  id: pipelineRunView.id,
  status: (run) => <StatusLabel status={displayStatus(run)} />,
  about: (run) => commitMessageOf(run)?.split('\n', 1)[0],
  commit: commitShaOf,
  place: servedApplication,
  time: startOf,
  path: (run) => pathIn(servedApplication(run), (at) => paths.pipelineRun({ ...at, pipelineRun: nameOf(run) })),
})

/** Those of archives: no view has the task runs of the cluster, whose runs are found instead. */
export const archivedTaskRuns = kind<TaskRun>({
  title: 'Task runs',
  id: taskRunType.plural,
  status: (taskRun) => <StatusLabel status={displayTaskStatus(taskRun)} />,
  about: () => undefined,
  commit: commitShaOf,
  place: applicationOf,
  time: startOf,
  path: (taskRun) => pathIn(applicationOf(taskRun), (at) => paths.taskRun({ ...at, taskRun: nameOf(taskRun) })),
})

/** The run of a task run or a pod. */
export const runsOfPart: FoundKind = { ...runs, title: 'The pipeline run of this task run or pod' }

const inSpec = (object: KubeObject & { spec?: { application?: string | undefined } }): InApplication => ({
  namespace: namespaceOf(object),
  application: specOf(object).application,
})

const foundSnapshots = kind<Snapshot>({
  title: 'Snapshots',
  id: snapshotView.id,
  status: (snapshot) => <StatusLabel status={displaySnapshotStatus(snapshot)} />,
  about: (snapshot) => referenceOf(snapshot).shaTitle,
  commit: commitShaOf,
  place: inSpec,
  time: createdAt,
  path: (snapshot) => pathIn(inSpec(snapshot), (at) => paths.snapshot({ ...at, snapshot: nameOf(snapshot) })),
})

const foundReleases = kind<Release>({
  title: 'Releases',
  id: releaseView.id,
  status: (release) => <ReleaseStatusLabel release={release} />,
  about: (release) => specOf(release).releasePlan,
  commit: () => undefined,
  place: applicationOf,
  time: createdAt,
  path: (release) => pathIn(applicationOf(release), (at) => paths.release({ ...at, release: nameOf(release) })),
})

export const foundKinds: readonly FoundKind[] = [
  foundSnapshots,
  runs,
  foundReleases,
  kind<ReleasePlan>({
    title: 'Release plans',
    id: releasePlanView.id,
    status: (plan) => <StatusLabel status={releasePlanStatus(plan)} verdict={releasePlanVerdict(plan)} />,
    about: () => undefined,
    commit: () => undefined,
    place: inSpec,
    time: createdAt,
    path: (plan) => paths.releasePlan({ namespace: namespaceOf(plan) ?? '', releasePlan: nameOf(plan) }),
  }),
  kind<Component>({
    title: 'Components',
    id: componentView.id,
    status: () => undefined,
    about: () => undefined,
    commit: ({ status }) => status?.lastBuiltCommit,
    place: inSpec,
    time: createdAt,
    path: (component) => pathIn(inSpec(component), (at) => paths.component({ ...at, component: nameOf(component) })),
  }),
  kind<Application>({
    title: 'Applications',
    id: applicationView.id,
    status: () => undefined,
    about: () => undefined,
    commit: () => undefined,
    place: (application) => ({ namespace: namespaceOf(application), application: nameOf(application) }),
    time: createdAt,
    path: (application) =>
      pathIn({ namespace: namespaceOf(application), application: nameOf(application) }, paths.application),
  }),
]

/** What was found, as parts of chains: components and the like are part of many. */
export function chainParts(found: readonly { kind: FoundKind; rows: readonly KubeObject[] }[]): ChainParts {
  // Views return objects of their own kind.
  const rowsOf = <T extends KubeObject>({ id }: FoundKind) =>
    found.filter(({ kind: { id: of } }) => of === id).flatMap(({ rows }) => rows) as T[]
  return { runs: rowsOf(runs), snapshots: rowsOf(foundSnapshots), releases: rowsOf(foundReleases) }
}
