import { Content, List, ListItem } from '@patternfly/react-core'
import { namespaceOf } from '@slipway/kube/object'
import { qualifiedPlural } from '@slipway/kube/resource-type'
import { isForbidden } from '@slipway/kube/status'
import { msOf } from '@slipway/model/duration'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { pastWaitsOf, type QueueFacts } from '@slipway/model/runs/queue-estimate'
import { explainQueue } from '@slipway/model/runs/queue-explanation'
import {
  admissionQueueOf,
  localQueueType,
  mostPendingWorkloads,
  pendingWorkloads,
  type VisibilityVersion,
} from '@slipway/model/runs/queue-position'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useAccess } from '../../api/access/use-access'
import { asSentence, failureText } from '../../api/messages'
import { isIncomplete } from '../../api/queries'
import { toServerTime } from '../../lib/server-clock'
import { queueCheck, queuePositions } from '../../resources/queue-positions'
import { RelativeTime } from '../../ui/text/RelativeTime'

/** Where a run is that waits in a queue of Kueue, and when it starts; nothing on a cluster without Kueue. */
export function RunQueuePosition({ run }: { run: PipelineRun }) {
  const queue = admissionQueueOf(run)
  return queue && <InQueue run={run} queue={queue} />
}

interface InQueueProps {
  run: PipelineRun
  /** Name of the local queue. */
  queue: string
}

function InQueue({ run, queue }: InQueueProps) {
  const { data: version, error } = useQuery(queuePositions.version())
  if (version) return <PermittedPosition run={run} queue={queue} version={version} />
  return error && <Text>{unreadable(error)}</Text>
}

interface PositionProps extends InQueueProps {
  version: VisibilityVersion
}

function PermittedPosition(props: PositionProps) {
  const { isAllowed, isPending, hasFailed } = useAccess([queueCheck(namespaceOf(props.run) ?? '', props.version)])
  if (isAllowed) return <Position {...props} />
  if (isPending) return null
  return <Text>{hasFailed ? 'Your access to its position in the queue could not be checked.' : denied(props)}</Text>
}

function Position({ run, queue, version }: PositionProps) {
  const { data: reading, error } = useQuery(queuePositions.of(run, queue, version))
  const past = usePastWaits(run, queue)
  if (isForbidden(error)) return <Text>{denied({ run, queue, version })}</Text>
  if (!reading) return <Text>{error ? unreadable(error) : `Its position in the queue ${queue} is being read.`}</Text>
  const { observations, listedCount } = reading
  const createdMs = msOf(run.metadata.creationTimestamp) ?? 0
  const explanation = explainQueue(queue, { createdMs, observations, past })
  const readAtMs = observations.at(-1)?.atMs
  return (
    <>
      {explanation ? (
        <>
          <Text>
            <strong>{explanation.text}</strong>
          </Text>
          <List isPlain>
            {explanation.evidence.map((text) => (
              <ListItem key={text}>{text}</ListItem>
            ))}
          </List>
        </>
      ) : (
        <Text>{notListed(queue, listedCount)}</Text>
      )}
      {error && (
        <Text>
          {unreadable(error)}
          {readAtMs !== undefined && (
            <>
              {' Last read: '}
              <RelativeTime time={new Date(readAtMs).toISOString()} />.
            </>
          )}
        </Text>
      )}
    </>
  )
}

/** Absent until they are read, if they cannot be, and if the queue has more runs than are read: its pace would be wrong. */
function usePastWaits(run: PipelineRun, queue: string): QueueFacts['past'] {
  const { data, dataUpdatedAt } = useQuery(queuePositions.waits(namespaceOf(run) ?? '', queue))
  if (!data || isIncomplete(data)) return undefined
  return { waits: pastWaitsOf(data.items), readAtMs: toServerTime(dataUpdatedAt) }
}

const Text = ({ children }: { children: ReactNode }) => <Content component="p">{children}</Content>

const unreadable = (error: unknown): string =>
  `Its position in the queue could not be read: ${asSentence(failureText(error))}`

const denied = ({ queue, version }: PositionProps): string => {
  const type = { ...localQueueType(version), plural: `localqueues/${pendingWorkloads}` }
  return `You don't have access to its position in the queue ${queue}. Ask an admin for permission to get ${qualifiedPlural(type)}.`
}

const notListed = (queue: string, listedCount: number): string =>
  listedCount >= mostPendingWorkloads
    ? `It is not among the first ${listedCount} runs in the queue ${queue}.`
    : `It is not in the queue ${queue} now: it has just been admitted, or has not arrived there yet.`
