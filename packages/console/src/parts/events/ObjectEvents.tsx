import { Content, ExpandableSection } from '@patternfly/react-core'
import type { Event } from '@slipway/kube/core-types'
import { type KubeObject, nameOf, namespaceOf } from '@slipway/kube/object'
import { timeOf } from '@slipway/model/runs/run-waiting'
import { useState } from 'react'
import { useList } from '../../api/source'
import { events } from '../../resources/events'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { StatusBox } from '../../ui/failures/StatusBox'
import { ListTable } from '../../ui/table/ListTable'
import type { Column } from '../../ui/table/rows'

/** The events of an object, fetched when the section is opened. */
export function ObjectEvents({ object }: { object: KubeObject }) {
  const [isExpanded, setIsExpanded] = useState(false)
  return (
    <ExpandableSection toggleText="Events" isExpanded={isExpanded} onToggle={(_, expanded) => setIsExpanded(expanded)}>
      {isExpanded && <EventTable object={object} />}
    </ExpandableSection>
  )
}

function EventTable({ object }: { object: KubeObject }) {
  const source = useList(events.of(namespaceOf(object) ?? '', nameOf(object)))
  return (
    <StatusBox label="events" data={source.rows} error={source.error}>
      {() => (
        <ListTable
          label="Events"
          // `StatusBox` shows the error.
          source={{ ...source, error: null }}
          columns={columns}
          urlKey="events"
          firstSort="-seen"
          empty={<Content component="p">No events. A cluster keeps events for about an hour.</Content>}
        />
      )}
    </StatusBox>
  )
}

const columns: Column<Event>[] = [
  { id: 'type', label: 'Type', sortBy: ({ type }) => type, cell: ({ type }) => type ?? '-' },
  { id: 'reason', label: 'Reason', sortBy: ({ reason }) => reason, cell: ({ reason }) => reason ?? '-' },
  {
    id: 'message',
    label: 'Message',
    width: 50,
    cell: ({ message, count = 1 }) => `${message ?? '-'}${count > 1 ? ` (${count} times)` : ''}`,
  },
  {
    id: 'seen',
    label: 'Last seen',
    sortBy: timeOf,
    firstDirection: 'desc',
    cell: (event) => <RelativeTime time={timeOf(event) || undefined} />,
  },
]
