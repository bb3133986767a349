import { Content, ExpandableSection } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import type { Event } from '@slipway/kube/core-types'
import { type KubeObject, nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import { timeOf } from '@slipway/model/runs/run-waiting'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { events } from '../../resources/events'
import { RelativeTime } from '../text/RelativeTime'
import { StatusBox } from '../failures/StatusBox'
import { useRowTooltip } from '../table/row-tooltip'
import '../table/ResourceTable.css'

/** What the cluster noted about an object, asked for when somebody wants to see it. */
export function ObjectEvents({ object }: { object: KubeObject }) {
  const [isExpanded, setIsExpanded] = useState(false)
  return (
    <ExpandableSection toggleText="Events" isExpanded={isExpanded} onToggle={(_, expanded) => setIsExpanded(expanded)}>
      {isExpanded && <EventTable object={object} />}
    </ExpandableSection>
  )
}

function EventTable({ object }: { object: KubeObject }) {
  const { data, error } = useQuery(events.of(namespaceOf(object) ?? '', nameOf(object)))
  return (
    <StatusBox label="events" data={data} error={error}>
      {({ items }) => <EventRows items={items} />}
    </StatusBox>
  )
}

function EventRows({ items }: { items: Event[] }) {
  const { handlers, tooltip } = useRowTooltip()
  const newestFirst = [...items].sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1))
  if (newestFirst.length === 0)
    return <Content component="p">No events. A cluster keeps them for an hour or so.</Content>
  return (
    <>
      <Table variant="compact" aria-label="Events" className="slipway-table" {...handlers}>
        <Thead>
          <Tr>
            <Th width={10}>Type</Th>
            <Th width={20}>Reason</Th>
            <Th>Message</Th>
            <Th width={10}>Last seen</Th>
          </Tr>
        </Thead>
        <Tbody>
          {newestFirst.map((event) => (
            <Tr key={uidOf(event)} className="slipway-table__row">
              <Td dataLabel="Type">{event.type ?? '-'}</Td>
              <Td dataLabel="Reason">{event.reason ?? '-'}</Td>
              <Td dataLabel="Message">
                {event.message ?? '-'}
                {(event.count ?? 1) > 1 && ` (${event.count} times)`}
              </Td>
              <Td dataLabel="Last seen">
                <RelativeTime time={timeOf(event) || undefined} />
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
      {tooltip}
    </>
  )
}
