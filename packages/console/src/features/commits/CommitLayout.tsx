import { Button, List, ListItem } from '@patternfly/react-core'
import { nameOf, uidOf } from '@slipway/kube/object'
import { shortSha } from '@slipway/model/git/git-facts'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { type CommitParams, paths } from '../../paths'
import { applicationCrumbs } from '../../parts/applications/ApplicationSwitcher'
import { CommitStatus } from '../../parts/commits/CommitStatus'
import { goToSource } from '../../parts/commits/go-to-source'
import { useCommit } from '../../parts/commits/use-commit'
import { useSnapshotReleases } from '../../parts/commits/use-snapshot-releases'
import { PipelineRunLink } from '../../parts/links'
import { releases } from '../../resources/releases'
import { SourceReporter } from '../../ui/SourceReporter'
import { DetailLayout } from '../../ui/page/DetailLayout'
import { route } from '../../ui/page/route'
import { MessagePanel } from '../../ui/status/MessagePanel'

export const page = route(paths.commit, (at) => ({ read: [releases.progress(at.namespace)] }))

export { CommitLayout as Component }
function CommitLayout() {
  const at = page.useParams()
  const { source, runs } = useCommit(at)
  const { source: releaseSource, bySnapshot } = useSnapshotReleases(at.namespace)
  const name = `Commit ${shortSha(at.commit)}`
  return (
    <>
      <SourceReporter label="Releases" source={releaseSource} />
      <DetailLayout
        kind="Commit"
        name={name}
        source={source}
        breadcrumbs={[...applicationCrumbs(at), { label: name }]}
        title={({ shaTitle }) => shaTitle}
        label={(commit) => <CommitStatus commit={commit} releases={bySnapshot} />}
        actions={(commit) => [goToSource(commit)]}
        tabs={[
          { label: 'Details', to: paths.commit(at) },
          { label: 'Pipeline runs', to: paths.commitPipelineRuns(at) },
        ]}
        empty={<NoCommit at={at} runs={runs.rows ?? []} loadMore={runs.more?.load} />}
      />
    </>
  )
}

interface NoCommitProps {
  at: CommitParams
  /** Other runs of the commit, such as tests that outlived the build. */
  runs: readonly PipelineRun[]
  loadMore: (() => void) | undefined
}

/** The details of a commit come from its build. Without one, its other runs are still linked. */
const NoCommit = ({ at, runs, loadMore }: NoCommitProps) => (
  <MessagePanel
    variant="sm"
    titleText="Unable to load commit details"
    status="danger"
    action={
      loadMore && (
        <Button variant="link" onClick={loadMore}>
          Load older runs
        </Button>
      )
    }
  >
    <p>Not found</p>
    {runs.length > 0 && (
      <>
        <p>No build of this commit was found. These pipeline runs belong to it:</p>
        <List isPlain>
          {runs.map((run) => (
            <ListItem key={uidOf(run)}>
              <PipelineRunLink at={at} pipelineRun={nameOf(run)} />
            </ListItem>
          ))}
        </List>
      </>
    )}
  </MessagePanel>
)
