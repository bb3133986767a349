import { isRecord } from '@slipway/kube/object'
import { asRecord, parseJson } from '@slipway/kube/parse'
import { isForPullRequest } from '../git/git-facts'
import { groupBy } from '../grouping'
import type { Component } from './component'
import { annotations, labels } from '../labels'
import { lastFirstBy } from '../newest'
import type { PipelineRun } from '../runs/pipeline-run'
import type { PublicInfo } from '../platform/public-info'
import { webAddress } from '../web-address'
import { startKey } from '../runs/tekton'

/** State of a component's build pipeline, which arrives by pull request. Specification 2, section 4. */
export type BuildPipelineState =
  'sample' | 'configureRequested' | 'unconfigureRequested' | 'loading' | 'pending' | 'ready' | 'error' | 'disabled'

/** Samples have no label, nor do components whose state is still loading. */
export const buildPipelineLabels: Record<BuildPipelineState, string | undefined> = {
  sample: undefined,
  configureRequested: 'Sending pull request',
  unconfigureRequested: 'Rolling back',
  loading: undefined,
  pending: 'Merge pull request',
  ready: 'Custom',
  error: 'Pull request failed',
  disabled: 'Default',
}

/** State of a component's pull request flow according to the build service. */
export interface PullRequestFlow {
  /** `enabled`, `disabled`, `error`; other values count as errors. */
  state: string
  errorMessage: string | undefined
  /** http or https URL of the pull request that adds the pipeline. */
  mergeUrl: string | undefined
  /** Milliseconds since 1970. */
  configuredAtMs: number | undefined
}

/** How many of the newest builds to check for a merged pull request. */
export const buildsForState = 10

/** Values of the annotation `build.appstudio.openshift.io/request` that change where the pipeline comes from. */
export const pipelineRequests = {
  /** Sends a pull request that adds the pipeline to the repository. */
  configure: 'configure-pac',
  /** The same without a pull request, where the repository has the pipeline already. */
  configureInPlace: 'configure-pac-no-mr',
  /** Rolls the pull request flow back, with a pull request that removes the pipeline if it was merged. */
  unconfigure: 'unconfigure-pac',
} as const
export type PipelineRequest = keyof typeof pipelineRequests

const configureRequests = new Set<string>([pipelineRequests.configure, pipelineRequests.configureInPlace])

interface BuildFacts {
  /** Push builds of the component; `undefined` until they are known. */
  builds: readonly PipelineRun[] | undefined
  /** Name of the account that acts for the platform (`botName`); `undefined` until it is known. */
  bot: string | undefined
}

export function buildPipelineState(component: Component, { builds, bot }: BuildFacts): BuildPipelineState {
  const marks = component.metadata.annotations ?? {}
  if (marks[annotations.sample] === 'true') return 'sample'
  const request = marks[annotations.buildRequest] ?? ''
  if (configureRequests.has(request)) return 'configureRequested'
  if (request === pipelineRequests.unconfigure) return 'unconfigureRequested'
  const flow = pullRequestFlowOf(component)
  if (!flow || flow.state === 'disabled') return 'disabled'
  if (flow.state !== 'enabled') return 'error'
  if (!builds || bot === undefined) return 'loading'
  return builds.some((run) => isOfMergedPipeline(run, flow, bot)) ? 'ready' : 'pending'
}

/**
 * Whether the pull request that adds the build pipeline is waiting to be merged, as far as the component itself says: it
 * has never been built. `buildPipelineState` also knows of merged pipelines whose builds have all failed.
 */
export function awaitsFirstMerge(component: Component): boolean {
  const flow = pullRequestFlowOf(component)
  const { [annotations.buildRequest]: request, [annotations.sample]: sample } = component.metadata.annotations ?? {}
  const isBuilt = Boolean(component.status?.lastBuiltCommit ?? component.status?.lastPromotedImage)
  return flow?.state === 'enabled' && flow.mergeUrl !== undefined && !request && sample !== 'true' && !isBuilt
}

/** Whether further builds could change the state. */
export function isUndecided(component: Component, { builds = [], bot }: BuildFacts): boolean {
  return builds.length < buildsForState && buildPipelineState(component, { builds, bot }) === 'pending'
}

/** Whether the repository has no pipeline, and no pull request will add one. */
export const lacksBuildPipeline = (state: BuildPipelineState): boolean => state === 'disabled' || state === 'error'

/** What can be requested for a component in this state, or is being processed; nothing for samples. */
export function pipelineRequestsIn(state: BuildPipelineState): PipelineRequest[] {
  if (state === 'sample') return []
  const isWanted = lacksBuildPipeline(state) || state === 'configureRequested'
  return isWanted ? ['configure', 'configureInPlace'] : ['unconfigure']
}

/** Whether a component is built on request or on every push. */
export const buildTrigger = (state: BuildPipelineState): 'Manual' | 'Automatic' =>
  state === 'disabled' ? 'Manual' : 'Automatic'

/** Whether a user's push since the setup of the flow triggered this run. That push added the pipeline or came later. */
function isOfMergedPipeline({ metadata, status }: PipelineRun, { configuredAtMs }: PullRequestFlow, bot: string) {
  if (metadata.annotations?.[annotations.pacSender]?.includes(bot)) return false
  const atMs = Date.parse(metadata.creationTimestamp ?? status?.startTime ?? '')
  return configuredAtMs === undefined || !(atMs <= configuredAtMs)
}

const bots = { production: 'red-hat-konflux', staging: 'konflux-staging' } as const

/**
 * Part of the name of the account that opens pull requests and pushes for the platform: the name of its GitHub App.
 * @param info `undefined` if it could not be fetched
 */
export function botName(info: Pick<PublicInfo, 'environment' | 'githubAppUrl'> | undefined): string {
  const [, configured] = /^https?:\/\/[^/]+\/(?:github-)?apps\/([\w-]+)/i.exec(info?.githubAppUrl ?? '') ?? []
  if (configured) return configured
  return !info || info.environment === 'production' ? bots.production : bots.staging
}

/** Whether a run is a build of a push rather than of a pull request. */
export const isPushBuild = (run: PipelineRun): boolean =>
  run.metadata.labels?.[labels.pipelineType] === 'build' && !isForPullRequest(run)

/** The push builds of each component, most recently started first. */
export function pushBuildsByComponent(runs: readonly PipelineRun[]): Map<string, PipelineRun[]> {
  const builds = groupBy(runs.filter(isPushBuild), ({ metadata }) => metadata.labels?.[labels.component])
  for (const own of builds.values()) own.sort(lastFirstBy(startKey))
  return builds
}

const flows = new WeakMap<Component, { flow: PullRequestFlow | undefined }>()

/** `undefined` if the annotation of the build service is missing or invalid; logs an invalid one once per object. */
export function pullRequestFlowOf(component: Component): PullRequestFlow | undefined {
  const known = flows.get(component)
  if (known) return known.flow
  const { annotations: marks = {}, name } = component.metadata
  const text = marks[annotations.buildStatus]
  const flow = text === undefined ? undefined : parseFlow(text)
  if (text !== undefined && flow === unreadable) {
    console.warn(`The build status of component ${String(name)} could not be read: ${text.slice(0, 200)}`)
  }
  const found = flow === unreadable ? undefined : flow && { ...flow, configuredAtMs: configurationTime(flow, marks) }
  flows.set(component, { flow: found })
  return found
}

const unreadable = Symbol('no build status')

function parseFlow(text: string): PullRequestFlow | undefined | typeof unreadable {
  const status = parseJson(text)
  if (!isRecord(status)) return unreadable
  const pac = asRecord(status.pac)
  if (typeof pac.state !== 'string') return undefined
  const configuredAtMs = Date.parse(String(pac['configuration-time']))
  return {
    state: pac.state,
    errorMessage: typeof pac['error-message'] === 'string' ? pac['error-message'] : undefined,
    mergeUrl: webAddress(pac['merge-url']),
    configuredAtMs: Number.isNaN(configuredAtMs) ? undefined : configuredAtMs,
  }
}

/** A component moved to another cluster is configured again there, although its pipeline was merged long before. */
function configurationTime({ configuredAtMs }: PullRequestFlow, marks: Record<string, string>): number | undefined {
  const { metadata } = asRecord(parseJson(marks[annotations.lastApplied] ?? ''))
  const applied = asRecord(asRecord(metadata).annotations)[annotations.buildStatus]
  const before = typeof applied === 'string' ? parseFlow(applied) : undefined
  const beforeMs = typeof before === 'object' ? before.configuredAtMs : undefined
  if (configuredAtMs === undefined || beforeMs === undefined) return configuredAtMs ?? beforeMs
  return Math.min(configuredAtMs, beforeMs)
}
