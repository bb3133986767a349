import { Alert, Content, List, ListItem } from '@patternfly/react-core'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { Evidence, Unread, Waiting } from '@slipway/model/runs/run-waiting'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { asSentence } from '../../api/messages'
import { DateAndAge } from '../../ui/text/RelativeTime'
import { RunQueuePosition } from './RunQueuePosition'
import { useWaiting } from './use-waiting'

const sources: Record<Evidence['from'], string> = { condition: 'Status', pod: 'Pod', event: 'Event' }

interface RunWaitingProps {
  run: PipelineRun
  taskRuns: readonly TaskRun[]
}

/** Why a run is waiting, with the evidence; nothing for a run that is progressing or has ended. */
export function RunWaitingNote({ run, taskRuns }: RunWaitingProps) {
  const waiting = useWaiting(run, taskRuns)
  if (!waiting) return null
  return (
    <Alert
      isInline
      component="h2"
      variant="info"
      title={waiting.task ? `Task ${waiting.task} is waiting` : 'This pipeline run is waiting'}
    >
      <Content component="p">{waitingText(waiting)}</Content>
      {waiting.since && (
        <Content component="p">
          Since <DateAndAge time={waiting.since} />
        </Content>
      )}
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

/** Why a run is waiting, in a cell; `-` for a run that is progressing. */
export function WaitingText({ run, taskRuns }: RunWaitingProps) {
  const waiting = useWaiting(run, taskRuns)
  return waiting ? waitingText(waiting) : '-'
}

const waitingText = ({ text, unread }: Waiting): string => [text, ...unread.map(unreadText)].join(' ')

const unreadText = ({ source, because }: Unread): string =>
  asSentence(`${source.charAt(0).toUpperCase()}${source.slice(1)} may say why, but ${because}`)
