import { Icon } from '@patternfly/react-core'
import BuildIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-build-icon'
import CommitIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-code-icon'
import ComponentIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-module-icon'
import FinallyIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-flag-icon'
import ReleaseIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-rocket-icon'
import TestIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-lab-icon'
import type { GraphNode, NodeKind } from '@slipway/model/graphs/graph'
import type { TaskNode } from '@slipway/model/graphs/pipeline-graph'
import type { ComponentType } from 'react'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { UserText } from '../../ui/text/UserText'
import { Duration } from '../text/Duration'
import { StatusLabel, toneOf } from '../status/StatusLabel'
import { NodeBadges } from './NodeBadges'
import {
  isOnlyCounted,
  isTaskNode,
  nodeName,
  describeNode,
  nudgeCounts,
  nudgesText,
  outcomeText,
  whenTexts,
} from './node-text'
import './graph-node.css'

/** The icon of each kind of node; ordinary tasks have none. */
const signs: Partial<Record<NodeKind, ComponentType>> = {
  finally: FinallyIcon,
  commit: CommitIcon,
  component: ComponentIcon,
  build: BuildIcon,
  test: TestIcon,
  release: ReleaseIcon,
}

interface GraphNodeBoxProps {
  node: GraphNode
  isSelected: boolean
  /** Tab reaches only one node of a graph; arrow keys lead on from there. */
  isTabStop: boolean
  /** Whether the conditions of a task are shown in front of it. */
  showsWhen: boolean
  onSelect: (id: string) => void
}

/** One node of a graph: its name, status, duration and findings. */
export function GraphNodeBox({ node, isSelected, isTabStop, showsWhen, onSelect }: GraphNodeBoxProps) {
  const { id, kind, label, note, status, verdict, detail, commit, startTime, endTime, isEndUnknown } = node
  const Sign = signs[kind]
  const hasRun = startTime !== undefined && status !== 'Pending'
  return (
    <>
      <button
        type="button"
        data-node={id}
        className="slipway-node nopan"
        data-kind={kind}
        data-tone={status && toneOf(verdict ?? status)}
        data-status={status}
        aria-label={describeNode(node)}
        aria-pressed={isSelected}
        tabIndex={isTabStop ? 0 : -1}
        onClick={() => onSelect(id)}
      >
        <span className="slipway-node__name" title={nodeName(node)}>
          {Sign && (
            <Icon isInline className="slipway-node__sign">
              <Sign />
            </Icon>
          )}
          {note && (
            <span className="slipway-node__note">
              <UserText text={note} />
              {commit && <span className="slipway-node__origin">{commit}</span>}
              {endTime && !isTaskNode(node) && (
                <span className="slipway-node__origin">
                  <RelativeTime time={endTime} />
                </span>
              )}
            </span>
          )}
          <span className="slipway-node__label">
            <UserText text={label} />
          </span>
        </span>
        <span className="slipway-node__state">
          {status && <StatusLabel status={status} verdict={verdict} />}
          {detail && (
            <span className="slipway-node__detail">
              <UserText text={detail} />
            </span>
          )}
          {hasRun && (
            <span className="slipway-node__duration">
              <Duration from={startTime} to={endTime} isOver={isEndUnknown} />
            </span>
          )}
        </span>
      </button>
      {showsWhen && isTaskNode(node) && node.when && <WhenSign node={node} when={node.when} />}
      <span className="slipway-node__badges" aria-hidden="true">
        {nudgeCounts(node) && (
          <span className="slipway-badges__one" title={nudgesText(node)}>
            {nudgeCounts(node)}
          </span>
        )}
        <NodeBadges node={node} />
      </span>
    </>
  )
}

/** Hidden from screen readers: the node's name includes the outcome, and its panel lists the conditions. */
const WhenSign = ({ node, when }: { node: TaskNode; when: NonNullable<TaskNode['when']> }) => (
  <span
    className="slipway-when"
    data-outcome={when.outcome}
    aria-hidden="true"
    title={`When${when.outcome ? ` (${outcomeText(node)})` : ''}: ${whenTexts(when).join('; ')}`}
  >
    <span className="slipway-when__mark">
      {node.hasNotRun ? '–' : !when.outcome || isOnlyCounted(node) ? '?' : when.outcome === 'met' ? '✓' : '✕'}
    </span>
  </span>
)
