import type { FieldPath } from '@slipway/kube/field-mask'
import { type KubeObject, namespaceOf, nameOf } from '@slipway/kube/object'
import type { Groups, ViewKind } from '@slipway/views/view-kind'
import { type Commit, commitOf } from '../builds/commit'
import { msOf } from '../duration'
import { commitShaOf } from '../git/git-facts'
import { labels } from '../labels'
import { type PipelineRun, pipelineRunType } from '../runs/pipeline-run'
import type { RunStatusOf } from '../runs/run-status'
import { runFields } from './pipeline-run-fields'
import { pipelineRunView } from './pipeline-runs'

/** A commit as a row, which is named after its SHA. */
export type CommitRow = KubeObject & Commit

/** @param runs of one commit, and at least one of them */
export function commitRowOf(runs: readonly PipelineRun[], statusOf?: RunStatusOf): CommitRow {
  const [run] = runs
  const sha = (run && commitShaOf(run)) ?? ''
  return { metadata: { name: sha, namespace: run && namespaceOf(run) }, ...commitOf(sha, runs, statusOf) }
}

/** Everything that a commit has but its runs. */
const ownFields: readonly (keyof Commit)[] = [
  'sha',
  'shaTitle',
  'shaUrl',
  'branch',
  'branchUrl',
  'user',
  'isPullRequest',
  'pullRequestNumber',
  'pullRequestUrl',
  'repoUrl',
  'gitProvider',
  'creationTime',
  'components',
  'application',
  'status',
]

const commitFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  ...ownFields,
  ...['metadata.uid', ...runFields].map((field) => `pipelineRuns.${field}`),
]

const labelOf = ({ metadata }: PipelineRun, key: string): string | undefined => metadata.labels?.[key]

/** @param scopeOf what the runs of a row have in common besides their commit; runs without it are left out */
function commitsIn(id: string, scopeOf: (run: PipelineRun) => string | undefined): ViewKind<CommitRow> {
  const groups: Groups<CommitRow, PipelineRun> = {
    kind: pipelineRunView,
    keyOf(run) {
      const [scope, sha] = [scopeOf(run), commitShaOf(run)]
      return scope && sha ? `${scope}/${sha}` : undefined
    },
    rowOf: (runs) => commitRowOf(runs),
  }
  return {
    id,
    type: pipelineRunType,
    mask: commitFields,
    fields: {
      committedAt: { is: 'number', of: ({ creationTime }) => msOf(creationTime) },
      status: { is: 'choice', of: ({ status }) => status },
      commit: { is: 'choice', of: ({ sha }) => sha },
      application: { is: 'choice', of: ({ application }) => application },
      component: { is: 'choice', of: ({ components }) => components },
      branch: { is: 'choice', of: ({ branch }) => branch },
      byUser: { is: 'choice', of: ({ user }) => user },
      'pull request': {
        is: 'choice',
        of: ({ pullRequestNumber: number }) => (number === undefined ? undefined : `#${number}`),
      },
    },
    order: '-committedAt',
    text: (row) => `${row.shaTitle} ${nameOf(row)}`,
    identifiers: (row) => [nameOf(row)],
    groups,
  }
}

/** The commits of applications, latest first, each with its runs in the cluster. */
export const commitView = commitsIn('commits', (run) => labelOf(run, labels.application))

/** The same of components: a commit that was built for several of them has a row for each, with the runs of this one. */
export const componentCommitView = commitsIn('componentcommits', (run) => {
  const [application, component] = [labelOf(run, labels.application), labelOf(run, labels.component)]
  return application && component ? `${application}/${component}` : undefined
})
