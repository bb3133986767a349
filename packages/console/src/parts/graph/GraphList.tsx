import { Button } from '@patternfly/react-core'
import type { Graph, GraphNode } from '@slipway/model/graphs/graph'
import { neighboursOf } from '@slipway/model/directed-graph'
import { Duration } from '../text/Duration'
import { VirtualList } from '../../ui/page/VirtualList'
import { UserText } from '../../ui/text/UserText'
import { StatusLabel } from '../status/StatusLabel'
import { NodeBadges } from './NodeBadges'
import { isTaskNode, nodeName, nudgesText, outcomeText } from './node-text'
import './graph-list.css'

interface GraphListProps {
  graph: Graph
  /** Id of the selected node. */
  selected: string | undefined
  onSelect: (id: string) => void
  /** Accessible name of the list. */
  label: string
}

/** A row with the names of its parents. */
const rowHeightPx = 62
const idOf = ({ id }: GraphNode): string => id

/** The nodes of a graph as a list, each before its children. */
export function GraphList({ graph, selected, onSelect, label }: GraphListProps) {
  const before = parentNames(graph)
  return (
    <VirtualList
      items={graph.nodes}
      idOf={idOf}
      rowHeightPx={rowHeightPx}
      className="slipway-graph-list"
      label={label}
      renderRow={(node, props) => {
        const { id, kind, note, label: name, status, verdict, detail, commit, startTime, endTime, isEndUnknown } = node
        const parents = before.get(id) ?? []
        return (
          <li {...props} className="slipway-graph-list__row" data-selected={id === selected || undefined}>
            <span className="slipway-graph-list__name">
              <Button
                variant="link"
                isInline
                data-node={id}
                aria-pressed={id === selected}
                onClick={() => onSelect(id)}
              >
                {note && (
                  <span className="slipway-graph-list__note">
                    <UserText text={note} />{' '}
                  </span>
                )}
                <UserText text={name} />
              </Button>
              <span className="slipway-graph-list__after">
                {isTaskNode(node) && node.kind === 'finally'
                  ? 'finally, after every other task'
                  : parents.length > 0 && `after ${parents.join(', ')}`}
              </span>
              {detail && (
                <span className="slipway-graph-list__after">
                  <UserText text={detail} />
                </span>
              )}
              {commit && <span className="slipway-graph-list__after">commit {commit}</span>}
              {nudgesText(node) && <span className="slipway-graph-list__after">{nudgesText(node)}</span>}
              {isTaskNode(node) && node.when && (
                <span className="slipway-graph-list__after">conditions {outcomeText(node)}</span>
              )}
            </span>
            <span>{status && <StatusLabel status={status} verdict={verdict} />}</span>
            <span className="slipway-graph-list__duration">
              {status && kind !== 'stage' && (
                <Duration from={startTime} to={endTime} isOver={isEndUnknown} isPending={status === 'Pending'} />
              )}
            </span>
            <span>
              <NodeBadges node={node} />
            </span>
          </li>
        )
      }}
    />
  )
}

/** How many parents are named; the rest are counted. */
const mostNamed = 3

function parentNames({ nodes, edges }: Graph): Map<string, string[]> {
  const names = new Map(nodes.map((node: GraphNode) => [node.id, nodeName(node)]))
  const parents = neighboursOf(edges, 'to', 'from')
  return new Map(
    [...parents].map(([id, ids]) => {
      const named = ids.slice(0, mostNamed).flatMap((parent) => names.get(parent) ?? [])
      return [id, ids.length > mostNamed ? [...named, `${ids.length - mostNamed} more`] : named]
    }),
  )
}
