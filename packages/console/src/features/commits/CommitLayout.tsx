import {
  Button,
  EmptyState,
  EmptyStateActions,
  EmptyStateBody,
  EmptyStateFooter,
  List,
  ListItem,
  Skeleton,
} from '@patternfly/react-core'
import { nameOf, uidOf } from '@slipway/kube/object'
import { shortSha } from '@slipway/model/supply-chain/commit'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { Outlet, useLocation } from 'react-router'
import { type CommitParams, paths } from '../../paths'
import { ActionButton } from '../../ui/actions/ActionButton'
import { applicationCrumbs } from '../../ui/applications/ApplicationSwitcher'
import { goToSource } from '../../ui/commits/go-to-source'
import { useCommit } from '../../ui/commits/use-commit'
import { PipelineRunLink } from '../../ui/links'
import { currentTab, DetailTabs } from '../../ui/page/DetailLayout'
import { LastKnownScope } from '../../ui/status/last-known'
import { FreshnessReporter } from '../../ui/freshness-scope'
import { NoResponse, useIsOverdue } from '../../ui/status/NoResponse'
import { Page } from '../../ui/page/Page'
import { useRequiredParams } from '../../ui/page/route-params'
import { StatusLabel } from '../../ui/status/StatusLabel'
import { LoadFailure } from '../../ui/table/TableState'

export { CommitLayout as Component }
function CommitLayout() {
  const at = useRequiredParams('namespace', 'application', 'commit')
  const { pathname } = useLocation()
  const { source, commit } = useCommit(at)
  const { rows, error, missing, freshness, archive, more, isFetching, retry } = source
  const failure = error ?? (more?.isLoading ? undefined : missing[0]?.error)
  const name = `Commit ${shortSha(at.commit)}`
  const tabs = [
    { label: 'Details', to: paths.commit(at) },
    { label: 'Pipeline runs', to: paths.commitPipelineRuns(at) },
  ]
  const current = currentTab(tabs, pathname)
  const breadcrumbs = [...applicationCrumbs(at), { label: name }]
  if (!commit) {
    return (
      <Page title={name} breadcrumbs={breadcrumbs}>
        {failure ? (
          <LoadFailure noun="commit details" error={failure} isRetrying={isFetching} onRetry={retry} />
        ) : rows && !more?.isLoading ? (
          <NoCommit at={at} runs={rows} loadMore={more?.load} />
        ) : (
          <LoadingCommit name={name} />
        )}
      </Page>
    )
  }
  const { label, disabledReason, onSelect } = goToSource(commit)
  return (
    <LastKnownScope freshness={freshness}>
      <Page
        title={commit.shaTitle}
        documentTitle={`${name} - ${current?.label ?? ''}`}
        breadcrumbs={breadcrumbs}
        status={<StatusLabel status={commit.status ?? 'Unknown'} />}
        actions={
          <ActionButton variant="secondary" disabledReason={disabledReason} onClick={onSelect}>
            {label}
          </ActionButton>
        }
      >
        <FreshnessReporter label="Commit" freshness={freshness} onRetry={retry} archive={archive} missing={missing} />
        <DetailTabs label={name} tabs={tabs} current={current}>
          <Outlet context={commit} />
        </DetailTabs>
      </Page>
    </LastKnownScope>
  )
}

function LoadingCommit({ name }: { name: string }) {
  if (useIsOverdue(true)) return <NoResponse noun={name.toLowerCase()} />
  return <Skeleton width="20rem" screenreaderText={`Loading ${name}`} />
}

interface NoCommitProps {
  at: CommitParams
  /** What else ran for it, such as tests that outlived the build. */
  runs: readonly PipelineRun[]
  loadMore: (() => void) | undefined
}

/** What a commit is, its build says; of what else ran for it the pages are there all the same. */
const NoCommit = ({ at, runs, loadMore }: NoCommitProps) => (
  <EmptyState variant="sm" headingLevel="h2" titleText="Unable to load commit details" status="danger">
    <EmptyStateBody>
      <p>Not found</p>
      {runs.length > 0 && (
        <>
          <p>No build of this commit is known. These pipeline runs were made for it:</p>
          <List isPlain>
            {runs.map((run) => (
              <ListItem key={uidOf(run)}>
                <PipelineRunLink at={at} pipelineRun={nameOf(run)} />
              </ListItem>
            ))}
          </List>
        </>
      )}
    </EmptyStateBody>
    {loadMore && (
      <EmptyStateFooter>
        <EmptyStateActions>
          <Button variant="link" onClick={loadMore}>
            Look further back
          </Button>
        </EmptyStateActions>
      </EmptyStateFooter>
    )}
  </EmptyState>
)
