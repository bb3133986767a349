import { Alert, Button, List, ListItem, Popover, Spinner } from '@patternfly/react-core'
import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import { commitShaOf } from '@slipway/model/git/git-facts'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { useWholeViewWithArchive } from '../../api/archive/whole-view'
import { failureText } from '../../api/messages'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { PipelineRunLink } from '../links'
import { useOverlayContainer } from '../../ui/page/overlay-container'
import { RunStatus } from './RunStatus'

/** The other runs of the same commit, fetched on demand. */
export function RelatedPipelines({ run }: { run: PipelineRun }) {
  const overlayContainer = useOverlayContainer()
  const commit = commitShaOf(run)
  const application = run.metadata.labels?.[labels.application]
  if (!commit || !application) return 'No related pipelines'
  return (
    <Popover
      appendTo={overlayContainer}
      headerContent="Related runs"
      headerComponent="h3"
      minWidth="20rem"
      bodyContent={<RunsOfCommit run={run} commit={commit} application={application} />}
    >
      <Button variant="link" isInline aria-label="Show related runs">
        Show
      </Button>
    </Popover>
  )
}

function RunsOfCommit({ run, commit, application }: { run: PipelineRun; commit: string; application: string }) {
  const namespace = namespaceOf(run) ?? ''
  const { rows, error, missing, more } = useWholeViewWithArchive(
    pipelineRuns.view({ namespace, application, commit }),
    'pipeline runs',
  )
  const others = rows?.filter((each) => uidOf(each) !== uidOf(run))
  const failure = error ?? (others?.length === 0 ? missing[0]?.error : null)
  if (failure) return <Alert isInline isPlain variant="danger" component="p" title={failureText(failure)} />
  if (!others || (others.length === 0 && more?.isLoading)) return <Spinner size="md" aria-label="Loading the runs" />
  if (others.length === 0) return 'No related pipelines'
  return (
    <List isPlain>
      {others.map((each) => (
        <ListItem key={uidOf(each)}>
          <PipelineRunLink at={{ namespace, application }} pipelineRun={nameOf(each)} /> <RunStatus run={each} />
        </ListItem>
      ))}
    </List>
  )
}
