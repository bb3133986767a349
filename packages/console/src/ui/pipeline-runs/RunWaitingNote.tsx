import { Alert, Content, List, ListItem } from '@patternfly/react-core'
import type { Event, Pod } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { type Evidence, waitingOf, waitingTaskRuns } from '@slipway/model/runs/run-waiting'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { useQueries } from '@tanstack/react-query'
import { events } from '../../resources/events'
import { pods } from '../../resources/pods'

const sources: Record<Evidence['from'], string> = { condition: 'Status', pod: 'Pod', event: 'Event' }

/** How many waiting tasks are examined, since most of them wait for the same thing. */
const mostExamined = 3

/** Why a run is waiting, with the evidence; nothing for a run that is progressing or has ended. */
export function RunWaitingNote({ run, taskRuns }: { run: PipelineRun; taskRuns: readonly TaskRun[] }) {
  const namespace = namespaceOf(run) ?? ''
  const suspects = isFinished(run) ? [] : waitingTaskRuns(taskRuns).slice(0, mostExamined)
  const podNames = suspects.flatMap(({ status }) => status?.podName ?? [])
  const knownPods = useQueries({ queries: podNames.map((name) => pods.get(namespace, name)), combine: dataOf<Pod> })
  const names = isFinished(run) ? [] : [nameOf(run), ...suspects.map(nameOf), ...podNames]
  const lists = useQueries({
    queries: names.map((name) => events.of(namespace, name)),
    combine: dataOf<{ items: Event[] }>,
  })
  const waiting = waitingOf(
    run,
    taskRuns,
    knownPods,
    lists.flatMap(({ items }) => items),
  )
  if (!waiting) return null
  return (
    <Alert
      isInline
      component="h2"
      variant="info"
      title={waiting.task ? `Task ${waiting.task} is waiting` : 'This pipeline run is waiting'}
    >
      <Content component="p">{waiting.text}</Content>
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

/** Ignores failed reads: the note is optional, and the page works without it. */
const dataOf = <T,>(results: { data: T | undefined }[]): T[] => results.flatMap(({ data }) => data ?? [])
