import { nameOf } from '@slipway/kube/object'
import type { Component } from '@slipway/model/supply-chain/component'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { apiVersionOf } from '@slipway/kube/resource-type'
import type { Param } from '@slipway/model/runs/tekton'
import { integerBetween, nameSuffix, type Random } from '../keyed-random'
import { outcomeAnnotation } from '../tekton/outcome'
import { commitUrl } from './git-url'
import type { Delivery, GitRepository } from './repository'

interface BuildRunInput {
  component: Component
  repository: Pick<GitRepository, 'url' | 'provider' | 'organization' | 'name' | 'defaultBranch'> & {
    /** Where people look at it, if that is not where it is cloned from. */
    webUrl?: string
  }
  /** Name of the Repository object that the event came through; the component's by default. */
  repositoryName?: string
  event: Delivery
  /** The branch of the pull request, for an event of one. */
  sourceBranch?: string
  random(key: string): Random
  /** Where the run can be looked at, without a final slash. */
  consoleUrl: string
  /** Of the run; by default it is generated. */
  name?: string
}

export const isPullRequestEvent = ({ event }: Pick<Delivery, 'event'>): boolean =>
  event === 'pull_request' || event === 'retest' || event === 'closed'

/** Without one, the pipeline that the platform proposes. */
export const defaultPipeline = { name: 'docker-build-oci-ta', bundle: 'latest' }

/** Value of the annotation that chooses a component's pipeline; `undefined` for nonsense. */
export function parsePipelineChoice(value: string | undefined): { name: string; bundle?: string } | undefined {
  if (value === undefined) return defaultPipeline
  try {
    const { name, bundle } = (JSON.parse(value) ?? {}) as { name?: unknown; bundle?: unknown }
    if (typeof name !== 'string' || !name) return undefined
    return { name, ...(typeof bundle === 'string' && { bundle }) }
  } catch {
    return undefined
  }
}

/** `namespace/name`, as a repository knows the components whose pipelines are defined in it. */
export const componentKey = ({ metadata }: Component): string => `${metadata.namespace}/${metadata.name}`

export const branchOfComponent = (component: Component, repository: Pick<GitRepository, 'defaultBranch'>): string =>
  component.spec.source.git?.revision || repository.defaultBranch

/** The event type that Pipelines as Code notes, which keeps the words of the provider. */
function eventTypeOf({ event }: Delivery, provider: GitRepository['provider']): string {
  if (event === 'retest') return 'retest-all-comment'
  if (event === 'incoming') return 'incoming'
  if (event === 'push') return provider === 'gitlab' ? 'Push' : 'push'
  return provider === 'gitlab' ? 'Merge_Request' : 'pull_request'
}

/** Image of a component without a tag or digest. */
const imageOf = ({ spec }: Component) => spec.containerImage?.replace(/@.*$/, '').replace(/:[^/:]*$/, '') ?? ''

/** Longer beginnings are cut off where a name is generated. Source: k8s.io/apiserver, names/generate.go. */
const maxGeneratedHead = 58

/**
 * The build that Pipelines as Code starts for an event, with everything that it writes on it.
 * The same event makes a run of the same name.
 */
export function buildRunFor(input: BuildRunInput): PipelineRun {
  const { component, event, repository } = input
  const { namespace = '' } = component.metadata
  const componentName = nameOf(component)
  const isPullRequest = isPullRequestEvent(event)
  const trigger = isPullRequest ? 'on-pull-request' : 'on-push'
  const random = input.random(`build ${namespace}/${componentName} ${repository.url} ${event.id}`)
  const generateName = `${componentName}-${trigger}-`
  const name = input.name ?? `${generateName.slice(0, maxGeneratedHead)}${nameSuffix(random)}`
  const facts = factsOf(input, { trigger, name, random })
  const { sha } = event.commit
  const outcome = component.metadata.annotations?.[outcomeAnnotation]
  return {
    apiVersion: apiVersionOf(pipelineRunType),
    kind: pipelineRunType.kind,
    metadata: {
      name,
      ...(input.name === undefined && { generateName }),
      namespace,
      labels: {
        'app.kubernetes.io/managed-by': 'pipelinesascode.tekton.dev',
        'app.kubernetes.io/version': 'v0.41.1',
        [labels.application]: component.spec.application ?? '',
        [labels.component]: componentName,
        [labels.pipelineType]: 'build',
        ...facts.labels,
      },
      annotations: {
        [annotations.repository]: `${webUrlOf(repository)}?rev=${sha}`,
        [annotations.buildCommitSha]: sha,
        [annotations.branch]: event.branch,
        ...(isPullRequest && { [annotations.buildPullRequestNumber]: String(event.pullRequest) }),
        ...facts.annotations,
        ...(outcome && { [outcomeAnnotation]: outcome }),
        'results.tekton.dev/recordSummaryAnnotations': JSON.stringify({
          repo: repository.name,
          commit: sha,
          eventType: facts.labels[labels.eventType],
          ...(event.pullRequest !== undefined && { 'pull_request-id': event.pullRequest }),
        }),
      },
    },
    spec: {
      params: paramsOf(component, repository.url, sha, isPullRequest),
      pipelineRef: pipelineRefOf(component),
      taskRunTemplate: { serviceAccountName: `build-pipeline-${componentName}` },
      timeouts: { pipeline: '1h0m0s' },
      workspaces: [{ name: 'git-auth', secret: { secretName: facts.annotations[pac('git-auth-secret')] ?? '' } }],
    },
  }
}

const webUrlOf = ({ url, webUrl = url }: BuildRunInput['repository']) => webUrl

const pac = (key: string) => `pipelinesascode.tekton.dev/${key}`

/** On a run: `"true"` if a newer one of its pull request takes its place. */
export const cancelInProgress = pac('cancel-in-progress')

/** What Pipelines as Code notes of an event: some of it as labels too, since those can be searched for. */
function factsOf(
  { component, repository, repositoryName = nameOf(component), event, sourceBranch, consoleUrl }: BuildRunInput,
  { trigger, name, random }: { trigger: string; name: string; random: Random },
) {
  const { namespace = '' } = component.metadata
  const isPullRequest = isPullRequestEvent(event)
  const definition = `${nameOf(component)}-${trigger}`
  const { sha, title, body } = event.commit
  const labelled: Record<string, string> = {
    [cancelInProgress]: String(isPullRequest),
    ...(repository.provider === 'github' && {
      [pac('check-run-id')]: String(integerBetween(random, 60_000_000_000, 69_999_999_999)),
    }),
    [labels.eventType]: eventTypeOf(event, repository.provider),
    [labels.originalPipelineRunName]: labelValueOf(definition),
    ...(event.pullRequest !== undefined && { [labels.pullRequestNumber]: String(event.pullRequest) }),
    [labels.repository]: repositoryName,
    [labels.commitSha]: sha,
    [labels.runState]: 'started',
    [labels.organization]: labelValueOf(repository.organization),
    [labels.repositoryName]: labelValueOf(repository.name),
  }
  const source = repository.provider === 'gitlab' && {
    [pac('source-project-id')]: String(integerBetween(random, 10_000_000, 69_999_999)),
    [pac('target-project-id')]: String(integerBetween(random, 10_000_000, 69_999_999)),
  }
  const more: Record<string, string> = {
    [annotations.pacBranch]: event.branch,
    [pac('controller-info')]: JSON.stringify({
      name: 'default',
      configmap: 'pipelines-as-code',
      secret: 'pipelines-as-code-secret',
      gRepo: 'pipelines-as-code',
    }),
    [pac('git-auth-secret')]: `pac-gitauth-${lowerLetters(random, 6)}`,
    [annotations.pacGitProvider]: repository.provider,
    ...(repository.provider === 'github' && { [pac('installation-id')]: '41873025' }),
    ...source,
    [annotations.pacLogUrl]: `${consoleUrl}/ns/${namespace}/pipelinerun/${name}`,
    [pac('max-keep-runs')]: '3',
    [pac('on-cel-expression')]: celExpressionOf(component, event, isPullRequest),
    [annotations.pacRepositoryUrl]: webUrlOf(repository),
    [pac('scm-reporting-plr-started')]: 'true',
    [annotations.pacSender]: event.sender,
    [annotations.pacShaTitle]: body === undefined ? title : `${title}\n\n${body}`,
    [annotations.pacShaUrl]: commitUrl(repository, sha),
    [annotations.pacSourceBranch]: isPullRequest ? (sourceBranch ?? event.branch) : `refs/heads/${event.branch}`,
    [annotations.pacSourceRepositoryUrl]: webUrlOf(repository),
  }
  const all: Record<string, string> = {
    ...labelled,
    ...more,
    [labels.originalPipelineRunName]: definition,
    [labels.organization]: repository.organization,
    [labels.repositoryName]: repository.name,
  }
  return { labels: labelled, annotations: all }
}

/** Groups of GitLab have slashes between them, which a label does not hold, nor more than so many characters. */
const labelValueOf = (text: string) =>
  text
    .replace(/[^A-Za-z0-9_.-]/g, '-')
    .slice(0, 63)
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')

const lowerLetters = (random: Random, count: number) =>
  Array.from({ length: count }, () => String.fromCharCode(integerBetween(random, 97, 122))).join('')

function celExpressionOf(component: Component, { branch }: Delivery, isPullRequest: boolean): string {
  const event = `event == "${isPullRequest ? 'pull_request' : 'push'}" && target_branch == "${branch}"`
  const directory = directoryOf(component)
  const file = `.tekton/${nameOf(component)}-${isPullRequest ? 'pull-request' : 'push'}.yaml`
  return directory ? `${event} && ( "${directory}/***".pathChanged() || "${file}".pathChanged() )` : event
}

/** The directory of the repository that a component is built from; empty for all of it. */
export const directoryOf = ({ spec }: Component): string =>
  (spec.source.git?.context ?? '')
    .replace(/^(\.?\/)+/, '')
    .replace(/\/+$/, '')
    .replace(/^\.$/, '')

/** Does an event concern the part of the repository that a component is built from? */
export function concerns({ event, commit }: Delivery, component: Component): boolean {
  const directory = directoryOf(component)
  const isByHand = event === 'retest' || event === 'incoming'
  if (!directory || isByHand || commit.context === undefined) return true
  return commit.context === definitionsOf(component) || `${commit.context}/`.startsWith(`${directory}/`)
}

/** What a commit changes that brings the pipelines of a component, or takes them away. */
export const definitionsOf = (component: Component): string => `.tekton/${nameOf(component)}`

function paramsOf(component: Component, url: string, sha: string, isPullRequest: boolean): Param[] {
  const git = component.spec.source.git
  const directory = directoryOf(component)
  return [
    { name: 'git-url', value: url },
    { name: 'revision', value: sha },
    { name: 'output-image', value: `${imageOf(component)}:${isPullRequest ? 'on-pr-' : ''}${sha}` },
    ...(isPullRequest ? [{ name: 'image-expires-after', value: '5d' }] : []),
    { name: 'dockerfile', value: git?.dockerfileUrl || 'Dockerfile' },
    ...(directory ? [{ name: 'path-context', value: directory }] : []),
  ]
}

function pipelineRefOf(component: Component): PipelineRun['spec']['pipelineRef'] {
  const { name, bundle = 'latest' } =
    parsePipelineChoice(component.metadata.annotations?.[annotations.buildPipeline]) ?? defaultPipeline
  const isTag = !bundle.includes('/')
  return {
    resolver: 'bundles',
    params: [
      { name: 'name', value: name },
      { name: 'bundle', value: isTag ? `quay.io/konflux-ci/tekton-catalog/pipeline-${name}:${bundle}` : bundle },
      { name: 'kind', value: 'pipeline' },
    ],
  }
}
