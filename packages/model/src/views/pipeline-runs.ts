import { nameOf, namespaceOf } from '@slipway/kube/object'
import type { ViewKind } from '@slipway/views/view-kind'
import { isPushBuild } from '../builds/build-pipeline-state'
import { msOf } from '../duration'
import { branchOf, commitShaOf, isForPullRequest, pullRequestText, userOf } from '../git/git-facts'
import { annotations, labels } from '../labels'
import { builtDigestOf } from '../snapshots/snapshot-vulnerabilities'
import { commitIdentifiers } from './commit-identifiers'
import { type PipelineRun, pipelineRunType } from '../runs/pipeline-run'
import { snapshotsOf } from '../runs/run-actions'
import { pipelineRunStatus } from '../runs/run-status'
import { eventTypeText, pipelineTypeText } from '../runs/run-type'
import { durationMsOf, startKey, startOf } from '../runs/tekton'
import { runFields } from './pipeline-run-fields'
import { yesOrNo } from './yes-or-no'

/** Later than any start, in milliseconds: runs that wait are newer than all that have started. */
const waitingMs = 1e15

/** The start of a run for sorting. */
function startMsOf(run: PipelineRun): number | undefined {
  const startMs = msOf(startOf(run))
  return startMs !== undefined && startKey(run).startsWith('~') ? startMs + waitingMs : startMs
}

const labelOf =
  (key: string) =>
  ({ metadata }: PipelineRun): string | undefined =>
    metadata.labels?.[key]

/** The component that a push build is of: another application may have had one of the same name. */
function pushBuildOf(run: PipelineRun): string | undefined {
  const component = labelOf(labels.component)(run)
  return component !== undefined && isPushBuild(run)
    ? `${labelOf(labels.application)(run) ?? ''}/${component}`
    : undefined
}

/** The test that a run of a merged change is of. */
function pushTestOf(run: PipelineRun): string | undefined {
  const scenario = labelOf(labels.scenario)(run)
  return scenario !== undefined && !isForPullRequest(run)
    ? `${labelOf(labels.application)(run) ?? ''}/${scenario}`
    : undefined
}

/** And who pushed. Whether a component's pipeline was merged depends on the newest push of each user, not on the newest of all. */
function pushBuildBy(run: PipelineRun): string | undefined {
  const build = pushBuildOf(run)
  return build && `${build}/${run.metadata.annotations?.[annotations.pacSender] ?? ''}`
}

/** The component in whose dependencies MintMaker looks for newer versions, with its namespace: it does so in one of its own. */
export const updatedIn = (namespace: string, component: string): string => `${namespace}/${component}`

function updatedBy(run: PipelineRun): string | undefined {
  const [namespace, component] = [labels.updatedNamespace, labels.updatedComponent].map((key) => labelOf(key)(run))
  return namespace && component ? updatedIn(namespace, component) : undefined
}

/** Pipeline runs in the cluster, newest start first. */
export const pipelineRunView: ViewKind<PipelineRun> = {
  id: pipelineRunType.plural,
  type: pipelineRunType,
  mask: runFields,
  fields: {
    name: { is: 'text', of: nameOf },
    started: { is: 'number', of: startMsOf },
    duration: { is: 'number', of: durationMsOf },
    status: { is: 'choice', of: pipelineRunStatus },
    type: { is: 'choice', of: pipelineTypeText },
    trigger: { is: 'choice', of: eventTypeText },
    namespace: { is: 'choice', of: namespaceOf },
    application: { is: 'choice', of: labelOf(labels.application) },
    component: { is: 'choice', of: labelOf(labels.component) },
    scenario: { is: 'choice', of: labelOf(labels.scenario) },
    'pull request': { is: 'choice', of: pullRequestText },
    isForPullRequest: { is: 'choice', of: (run) => yesOrNo(isForPullRequest(run)) },
    branch: { is: 'choice', of: branchOf },
    byUser: { is: 'choice', of: userOf },
    commit: { is: 'choice', of: commitShaOf },
    snapshot: { is: 'choice', of: snapshotsOf },
    release: { is: 'choice', of: labelOf(labels.releaseName) },
    pushBuild: { is: 'choice', of: pushBuildOf },
    pushTest: { is: 'choice', of: pushTestOf },
    pushBuildBy: { is: 'choice', of: pushBuildBy },
    updated: { is: 'choice', of: updatedBy },
  },
  order: '-started',
  text: nameOf,
  identifiers: (run) => [nameOf(run), builtDigestOf(run) ?? [], commitIdentifiers(run)].flat(),
}
