import { Alert, Content, List, ListItem } from '@patternfly/react-core'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { Evidence } from '@slipway/model/runs/run-waiting'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { RunQueuePosition } from './RunQueuePosition'
import { useWaiting } from './use-waiting'

const sources: Record<Evidence['from'], string> = { condition: 'Status', pod: 'Pod', event: 'Event' }

/** Why a run is waiting, with the evidence; nothing for a run that is progressing or has ended. */
export function RunWaitingNote({ run, taskRuns }: { run: PipelineRun; taskRuns: readonly TaskRun[] }) {
  const waiting = useWaiting(run, taskRuns)
  if (!waiting) return null
  return (
    <Alert
      isInline
      component="h2"
      variant="info"
      title={waiting.task ? `Task ${waiting.task} is waiting` : 'This pipeline run is waiting'}
    >
      <Content component="p">{waiting.text}</Content>
      <RunQueuePosition run={run} />
      {waiting.evidence.length > 0 && (
        <List isPlain>
          {waiting.evidence.map(({ from, reason, message }) => (
            <ListItem key={`${reason} ${message}`}>
              {sources[from]}: <strong>{reason}</strong> {message}
            </ListItem>
          ))}
        </List>
      )}
    </Alert>
  )
}
