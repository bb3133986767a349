import { type KubeObject, specOf } from '@slipway/kube/object'
import { pullRequestFlowOf } from '../builds/build-pipeline-state'
import { commitShaOf, isForPullRequest, shortSha } from '../git/git-facts'
import { componentsOf, relatedComponents, type Component } from '../builds/component'
import type { NudgeConfig } from '../builds/nudge-config'
import { nudgesByName } from '../builds/component-relations'
import { neighboursOf, topologicalSort, type Edge } from '../directed-graph'
import type { Graph, GraphNode, NodeKind } from './graph'
import { newestBy } from '../grouping'
import type { IntegrationTestScenario } from '../snapshots/integration-test-scenario'
import { labels } from '../labels'
import type { PipelineRun } from '../runs/pipeline-run'
import { releaseStatus, releaseVerdict, type Release, type ReleaseStatus } from '../releases/release'
import type { ReleasePlan } from '../releases/release-plan'
import { pipelineRunStatus, type RunStatusOf, type RunStatusWord } from '../runs/run-status'
import { isFinished } from '../runs/tekton'
import { runVerdict } from '../snapshots/verdict'

/** The path from source to release, for the current state of an application or for one commit. */

export interface WorkflowNode extends GraphNode {
  verdict?: RunStatusWord
  /** Names of the represented objects. */
  component?: string
  pipelineRun?: string
  scenario?: string
  releasePlan?: string
  release?: string
  /** It blocks nothing. */
  isOptional?: boolean
  /** Members of a collapsed stage. */
  members?: WorkflowNode[]
}

export interface WorkflowParts {
  /** Name of the application; objects of other applications are ignored. */
  application: string
  /** All of the namespace: they nudge each other across applications. */
  components: readonly Component[]
  /** Of the namespace, if it has one. */
  nudgeConfig?: NudgeConfig | undefined
  runs: readonly PipelineRun[]
  /** Whether some runs could not be fetched, so that a node without a run here may have one. */
  areRunsPartial?: boolean
  scenarios: readonly IntegrationTestScenario[]
  releasePlans: readonly ReleasePlan[]
  /** `undefined` if they could not be fetched. */
  releases: readonly Release[] | undefined
  statusOf?: RunStatusOf
  verdictOf?: RunStatusOf
  releaseStatusOf?: (release: Release) => ReleaseStatus
  releaseVerdictOf?: (release: Release) => ReleaseStatus
}

/**
 * All components with their latest build, the tests of the application with their latest run, and its release plans
 * with their latest release. Runs for pull requests do not count: the graph shows what will be released.
 */
export function workflowGraph({
  application,
  statusOf = pipelineRunStatus,
  verdictOf = (run) => runVerdict(run, statusOf(run)),
  releaseStatusOf = releaseStatus,
  releaseVerdictOf = releaseVerdict,
  areRunsPartial = false,
  ...parts
}: WorkflowParts): Graph<WorkflowNode> {
  const components = componentsOf([...parts.components], application).map((component) => nameOf(component))
  const byName = new Map(parts.components.map((component) => [nameOf(component), component]))
  const { builds, tests } = latestRuns(parts.runs, application)
  const releases = newestBy(parts.releases ?? [], (release) => specOf(release).releasePlan)
  const isOwn = (one: KubeObject & { spec?: { application?: string } }) =>
    specOf(one).application === application && !one.metadata.deletionTimestamp
  const scenarios = parts.scenarios.filter(isOwn)
  const plans = parts.releasePlans.filter(isOwn)

  const nudging = parts.components.filter(({ metadata }) => !metadata.deletionTimestamp)
  const isNudging = new Set(nudging.map(nameOf))
  const stored = [...nudgesByName(nudging, parts.nudgeConfig)].filter(([from]) => isNudging.has(from))
  const nudges = stored.flatMap(([from, targets]) => [...new Set(targets)].map((to): Edge => ({ from, to })))
  const nudgesOf = neighboursOf(nudges, 'from', 'to')
  const nudgedByOf = neighboursOf(nudges, 'to', 'from')

  const componentNodes = components.map((name): WorkflowNode => {
    const component = byName.get(name)
    const branch = component && specOf(component).source?.git?.revision
    const targets = nudgesOf.get(name)
    const sources = nudgedByOf.get(name)
    return {
      id: `component/${name}`,
      kind: 'component',
      label: name,
      component: name,
      ...(branch && { detail: branch }),
      ...(targets && { nudges: relatedComponents(targets, parts.components) }),
      ...(sources && { nudgedBy: relatedComponents(sources, parts.components) }),
    }
  })
  const buildNodes = components.map((name): WorkflowNode => {
    const run = builds.get(name)
    const node = { id: `build/${name}`, kind: 'build', note: 'Build', label: name, component: name } as const
    if (run) return { ...node, ...commitFactOf(run), ...factsOf(run, statusOf, verdictOf) }
    return { ...node, status: areRunsPartial ? 'Unknown' : statusWithoutBuild(byName.get(name)) }
  })
  const testNodes = scenarios.map((scenario): WorkflowNode => {
    const name = nameOf(scenario)
    const run = tests.get(name)
    const isOptional = labelOf(scenario, labels.optional) === 'true'
    return {
      id: `test/${name}`,
      kind: 'test',
      note: 'Test',
      label: name,
      scenario: name,
      ...(run
        ? { ...commitFactOf(run), ...factsOf(run, statusOf, verdictOf) }
        : { status: areRunsPartial ? 'Unknown' : 'Idle' }),
      ...(isOptional && { isOptional, detail: 'optional' }),
    }
  })
  const releaseNodes = plans.map((plan): WorkflowNode => {
    const release = releases.get(nameOf(plan))
    return {
      id: `release/${nameOf(plan)}`,
      kind: 'release',
      note: 'Release',
      label: nameOf(plan),
      releasePlan: nameOf(plan),
      status: parts.releases ? 'Idle' : 'Unknown',
      ...(release && releaseFactsOf(release, releaseStatusOf, releaseVerdictOf)),
    }
  })
  const edges: Edge[] = [
    ...components.map((name) => ({ from: `component/${name}`, to: `build/${name}` })),
    ...scenarios.flatMap((scenario) =>
      buildNodes
        .filter(({ component }) => isTested(scenario, component ?? ''))
        .map(({ id }) => ({ from: id, to: `test/${nameOf(scenario)}` })),
    ),
  ]
  const required = scenarios.filter((scenario) => isHoldingUp(scenario)).map((scenario) => `test/${nameOf(scenario)}`)
  const before = required.length > 0 ? required : buildNodes.map(({ id }) => id)
  for (const { id } of releaseNodes) edges.push(...before.map((from) => ({ from, to: id })))
  const own = new Set(components)
  const shown = nudges.filter(({ from, to }) => own.has(from) && own.has(to))
  return {
    ...topologicalSort([...componentNodes, ...buildNodes, ...testNodes, ...releaseNodes], edges),
    ...(shown.length > 0 && {
      nudges: shown.map(({ from, to }) => ({ from: `component/${from}`, to: `component/${to}` })),
    }),
  }
}

/** The newest build of each component, and the newest run of each integration test; runs for pull requests do not count. */
function latestRuns(all: readonly PipelineRun[], application: string) {
  const runs = all.filter((run) => labelOf(run, labels.application) === application && !isForPullRequest(run))
  return {
    builds: newestBy(runs.filter(isBuild), (run) => labelOf(run, labels.component)),
    tests: newestBy(runs, (run) => labelOf(run, labels.scenario)),
  }
}

/** The runs whose verdicts the workflow of an application shows. */
export function workflowRuns({ runs, application }: Pick<WorkflowParts, 'runs' | 'application'>): PipelineRun[] {
  const { builds, tests } = latestRuns(runs, application)
  return [...new Set([...builds.values(), ...tests.values()])]
}

/**
 * Collapses the workflow to one node per stage, with the number of members and their worst status.
 * @param unread kinds that could not be fetched, whose number is unknown
 */
export function collapsedWorkflow(
  { nodes }: Graph<WorkflowNode>,
  unread: readonly NodeKind[] = [],
): Graph<WorkflowNode> {
  const stages = stageLabels.map(([kind, one, many]): WorkflowNode => {
    const members = nodes.filter((node) => node.kind === kind)
    const statuses = members.flatMap(({ status, verdict = status }) => verdict ?? [])
    const status = worstOf(statuses)
    const count = statuses.filter((each) => each === status).length
    return {
      id: `stage/${kind}`,
      kind: 'stage',
      note: unread.includes(kind) ? '?' : String(members.length),
      label: members.length === 1 ? one : many,
      members,
      ...(unread.includes(kind) && { status: 'Unknown' }),
      ...(members.some(({ nudges, nudgedBy }) => nudges ?? nudgedBy) && { detail: relationCountText(members) }),
      ...(status && { status, detail: count < members.length ? `${count} of ${members.length}` : undefined }),
    }
  })
  const edges = stages.slice(1).map(({ id }, index) => ({ from: stages[index]?.id ?? '', to: id }))
  return { nodes: stages, edges }
}

/** How many relations components have: those between two of them count once. */
function relationCountText(members: readonly WorkflowNode[]): string {
  const own = new Set(members.map(({ component }) => component))
  const count = members.reduce((sum, { nudges = [], nudgedBy = [] }) => {
    return sum + nudges.length + nudgedBy.filter(({ name }) => !own.has(name)).length
  }, 0)
  return count === 1 ? '1 relationship' : `${count} relationships`
}

const stageLabels: [NodeKind, string, string][] = [
  ['component', 'component', 'components'],
  ['build', 'build', 'builds'],
  ['test', 'integration test', 'integration tests'],
  ['release', 'release', 'releases'],
]

/** From harmless to urgent. */
const severity: RunStatusWord[] = [
  'Succeeded',
  'Idle',
  'Unknown',
  'Pending',
  'In Progress',
  'Starting',
  'Running',
  'PR needs merge',
  'Test Warnings',
  'Test Failures',
  'Cancelled',
  'FailedToStart',
  'Failed',
]

/** The most severe status of a group; statuses that are not listed are the least severe. */
export const worstOf = (statuses: readonly RunStatusWord[]): RunStatusWord | undefined =>
  statuses.reduce<RunStatusWord | undefined>(
    (worst, status) => (worst !== undefined && severity.indexOf(worst) >= severity.indexOf(status) ? worst : status),
    undefined,
  )

export interface CommitParts {
  sha: string
  title?: string
  /** Runs of the commit, in any order. */
  runs: readonly PipelineRun[]
  /** Releases of its snapshots, in any order; the newest of each plan is shown. */
  releases?: readonly Release[]
  statusOf?: RunStatusOf
  verdictOf?: RunStatusOf
}

/** The workflow of a commit: a build for each of its components, their tests, and the releases. */
export function commitGraph({
  sha,
  title,
  runs,
  releases = [],
  statusOf = pipelineRunStatus,
  verdictOf = (run) => runVerdict(run, statusOf(run)),
}: CommitParts): Graph<WorkflowNode> {
  const commit: WorkflowNode = { id: 'commit', kind: 'commit', label: shortSha(sha), ...(title && { detail: title }) }
  const ways = (run: PipelineRun) => (isForPullRequest(run) ? 'Pull request' : 'Push')
  const builds = [
    ...newestBy(runs.filter(isBuild), (run) => `${labelOf(run, labels.component) ?? ''}/${ways(run)}`).values(),
  ].map((run): WorkflowNode => {
    const component = labelOf(run, labels.component)
    return {
      id: `build/${component ?? ''}/${ways(run)}`,
      kind: 'build',
      note: ways(run),
      label: component ?? nameOf(run),
      ...(component && { component }),
      ...factsOf(run, statusOf, verdictOf),
    }
  })
  const testRuns = [
    ...newestBy(runs, (run) => {
      const scenario = labelOf(run, labels.scenario)
      return scenario && `${scenario}/${labelOf(run, labels.component) ?? ''}/${ways(run)}`
    }),
  ]
  const tests = testRuns.map(([key, run]): WorkflowNode => {
    const scenario = labelOf(run, labels.scenario) ?? ''
    const component = labelOf(run, labels.component)
    const isOptional = labelOf(run, labels.optional) === 'true'
    return {
      id: `test/${key}`,
      kind: 'test',
      note: 'Test',
      label: scenario,
      scenario,
      ...(component && { component }),
      ...factsOf(run, statusOf, verdictOf),
      ...(isOptional && { isOptional, detail: 'optional' }),
    }
  })
  const releaseRuns = new Map<string, PipelineRun[]>()
  for (const run of runs) {
    const release = labelOf(run, labels.releaseName)
    if (release) releaseRuns.set(release, [...(releaseRuns.get(release) ?? []), run])
  }
  const ownReleases = [...releaseRuns].map(([release, own]): WorkflowNode => {
    const newest = newestOf(own)
    return {
      id: `release/${release}`,
      kind: 'release',
      note: 'Release',
      label: release,
      release,
      ...(newest && factsOf(newest, statusOf, verdictOf)),
      ...(own.length > 1 && wordsOf(worstOf(own.map(statusOf)), worstOf(own.map(verdictOf)))),
    }
  })
  // Those of which every pipeline runs in another namespace, as most do.
  const otherReleases = [...newestBy(releases, (release) => specOf(release).releasePlan).values()]
    .filter((release) => !releaseRuns.has(nameOf(release)))
    .map((release): WorkflowNode => ({
      id: `release/${nameOf(release)}`,
      kind: 'release',
      note: 'Release',
      label: nameOf(release),
      ...releaseFactsOf(release),
    }))
  const isOf = (parent: WorkflowNode, run: PipelineRun) => {
    const component = labelOf(run, labels.component)
    return component === undefined || parent.component === undefined || parent.component === component
  }
  const edges: Edge[] = builds.map(({ id }) => ({ from: 'commit', to: id }))
  for (const [key, run] of testRuns) {
    const parents = builds.filter((build) => isOf(build, run) && build.note === ways(run))
    edges.push(...(parents.length > 0 ? parents : [commit]).map(({ id }) => ({ from: id, to: `test/${key}` })))
  }
  for (const [release, own] of releaseRuns) {
    const holding = tests.filter((test) => !test.isOptional && own.some((run) => isOf(test, run)))
    const parents = holding.length > 0 ? holding : builds.filter((build) => own.some((run) => isOf(build, run)))
    edges.push(...(parents.length > 0 ? parents : [commit]).map(({ id }) => ({ from: id, to: `release/${release}` })))
  }
  // A release needs the tests of pushes; of which components its snapshot has new images is not known here.
  const pushed = (nodes: WorkflowNode[]) => nodes.filter(({ isOptional, id }) => !isOptional && id.endsWith('/Push'))
  const before = [pushed(tests), pushed(builds), [commit]].find((nodes) => nodes.length > 0) ?? []
  edges.push(...otherReleases.flatMap(({ id }) => before.map((node) => ({ from: node.id, to: id }))))
  return topologicalSort([commit, ...builds, ...tests, ...ownReleases, ...otherReleases], edges)
}

/** Source: integration-service, gitops/snapshot.go. A component's test runs only for builds of that component. */
function isTested(scenario: IntegrationTestScenario, component: string): boolean {
  const contexts = contextsOf(specOf(scenario).contexts)
  const ofComponents = contexts.filter((name) => name.startsWith('component_'))
  return (
    ofComponents.length < contexts.length || contexts.length === 0 || ofComponents.includes(`component_${component}`)
  )
}

/** Whether a push must pass this test before it is released. */
const isHoldingUp = (scenario: IntegrationTestScenario): boolean => {
  const contexts = contextsOf(specOf(scenario).contexts)
  const isForPullRequests = contexts.length > 0 && contexts.every((name) => name === 'pull_request')
  return labelOf(scenario, labels.optional) !== 'true' && !isForPullRequests
}

const contextsOf = (contexts: IntegrationTestScenario['spec']['contexts']): string[] =>
  Array.isArray(contexts)
    ? contexts.flatMap((context: { name?: unknown } | null) => (typeof context?.name === 'string' ? context.name : []))
    : []

/** The outcome is unknown only if the component was built and the run has since been deleted. */
function statusWithoutBuild(component: Component | undefined): RunStatusWord {
  const { lastBuiltCommit, lastPromotedImage } = component?.status ?? {}
  if (!component || lastBuiltCommit || lastPromotedImage) return 'Unknown'
  return isPacEnabled(component) ? 'PR needs merge' : 'PipelineNotStarted'
}

const isPacEnabled = (component: Component): boolean => pullRequestFlowOf(component)?.state === 'enabled'

const isReleased = (release: Release): boolean => ['Succeeded', 'Failed'].includes(releaseStatus(release))

/** The verdict is only given where it says more than the status. */
const wordsOf = (status: RunStatusWord | undefined, verdict: RunStatusWord | undefined) => ({
  status,
  verdict: verdict === status ? undefined : verdict,
})

/** Not in the workflow of a commit, where all nodes have the same one. */
function commitFactOf(run: PipelineRun): { commit?: string } {
  const sha = commitShaOf(run)
  return sha ? { commit: shortSha(sha) } : {}
}

/** What a node shows of its run. */
export const factsOf = (run: PipelineRun, statusOf: RunStatusOf, verdictOf: RunStatusOf) => {
  const status = statusOf(run)
  const pipelineRun = nameOf(run)
  // The end is unknown, so the duration would keep growing.
  if (status === 'Unknown') return { pipelineRun, status }
  const { startTime, completionTime } = run.status ?? {}
  const endTime = isFinished(run) ? completionTime : undefined
  return {
    pipelineRun,
    ...wordsOf(status, verdictOf(run)),
    startTime,
    endTime,
    ...(isFinished(run) && !endTime && { isEndUnknown: true }),
  }
}

/** The facts of a node for a release. */
const releaseFactsOf = (release: Release, statusOf = releaseStatus, verdictOf = releaseVerdict) => ({
  release: nameOf(release),
  ...wordsOf(statusOf(release), verdictOf(release)),
  startTime: release.status?.startTime,
  endTime: release.status?.completionTime,
  ...(isReleased(release) && !release.status?.completionTime && { isEndUnknown: true }),
})

const isBuild = (run: PipelineRun): boolean => labelOf(run, labels.pipelineType) === 'build'

interface Named {
  metadata: { name?: string; labels?: Record<string, string>; creationTimestamp?: string }
}
const nameOf = ({ metadata }: Named): string => metadata.name ?? ''
const labelOf = ({ metadata }: Named, key: string): string | undefined => metadata.labels?.[key] || undefined

const newestOf = <T extends Named>(all: readonly T[]): T | undefined => newestBy(all, () => '').get('')
