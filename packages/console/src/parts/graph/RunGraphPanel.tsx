import { Tab, Tabs, TabTitleText } from '@patternfly/react-core'
import { runGraph, type TaskNode } from '@slipway/model/graphs/pipeline-graph'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import { type ReactNode, useMemo } from 'react'
import { Duration } from '../text/Duration'
import { NoLog } from '../logs/NoLog'
import { noLogText } from '../logs/run-tasks'
import { isSettled, displayTaskStatus } from '../status/display-status'
import { StatusLabel } from '../status/StatusLabel'
import { graphViews, useGraphView, usePanelTab, useSelectedNode, useShownWhen } from './graph-url'
import { GraphDrawer } from './GraphDrawer'
import { GraphList } from './GraphList'
import { GraphViews, WhenSwitch } from './GraphViews'
import { LazyPipelineGraph } from './LazyPipelineGraph'
import { nodeName } from './node-text'
import { NodeFacts } from './NodeFacts'
import { Timeline } from './Timeline'
import './run-graph-panel.css'

interface RunGraphPanelProps {
  run: PipelineRun
  /** The task runs of the run, in any order; `undefined` if they are unknown. */
  taskRuns: readonly TaskRun[] | undefined
  /** Whether there are no others, in the cluster or an archive. */
  isComplete?: boolean
  /** Shown below the facts from the pipeline. @param taskRun of the node, if it has one */
  renderDetails: (taskRun: TaskRun | undefined, node: TaskNode) => ReactNode
  renderLogs: (taskRun: TaskRun) => ReactNode
}

/**
 * The tasks of a run as a graph, a list or a timeline, with a panel for the details and the log of one of them. The URL
 * keeps the state: `view`, `when`, `selected`, `panel`.
 */
export const RunGraphPanel = (props: RunGraphPanelProps) => (
  <NuqsAdapter>
    <RunGraph {...props} />
  </NuqsAdapter>
)

function RunGraph({ run, taskRuns, isComplete, renderDetails, renderLogs }: RunGraphPanelProps) {
  // A new object would render all boxes of `PipelineGraph` again, even when only the selection has changed.
  const graph = useMemo(
    () => runGraph(run, taskRuns, { isComplete, statusOf: displayTaskStatus }),
    [run, taskRuns, isComplete],
  )
  const [view, setView] = useGraphView(graphViews)
  const [showsWhen, setShowsWhen] = useShownWhen()
  const [selectedId, setSelectedId] = useSelectedNode()
  const select = (id: string | undefined) => void setSelectedId(id ?? null)
  const { nodes } = graph
  const node =
    nodes.find(({ id }) => id === selectedId) ?? nodes.find(({ taskRun }) => taskRun && taskRun === selectedId)
  const hasWhen = nodes.some(({ when }) => when)
  const label = `Tasks of ${run.metadata.name ?? ''}`
  if (nodes.length === 0) return <p>{isSettled(run) ? 'This run has no tasks.' : 'This run has no tasks yet.'}</p>
  return (
    <>
      <GraphViews offered={graphViews} view={view} onView={setView}>
        {view === 'graph' && hasWhen && <WhenSwitch isOn={showsWhen} onChange={(isOn) => void setShowsWhen(isOn)} />}
      </GraphViews>
      <GraphDrawer
        selected={node?.id}
        onSelect={select}
        title={node ? nodeName(node) : ''}
        subtitle={
          node && (
            <span className="slipway-run-node">
              <StatusLabel status={node.status} verdict={node.verdict} note={node.detail} />
              {node.startTime && node.status !== 'Pending' && (
                <Duration from={node.startTime} to={node.endTime} isOver={node.isEndUnknown} />
              )}
            </span>
          )
        }
        panel={
          node && (
            <TaskPanel
              key={node.id}
              run={run}
              node={node}
              taskRun={taskRuns?.find(({ metadata }) => metadata.name === node.taskRun)}
              renderDetails={renderDetails}
              renderLogs={renderLogs}
            />
          )
        }
      >
        {(onSelect) => {
          const shown = { selected: node?.id, onSelect, label }
          if (view === 'list') return <GraphList graph={graph} {...shown} />
          if (view === 'timeline') return <Timeline run={run} taskRuns={taskRuns ?? noRuns} nodes={nodes} {...shown} />
          return <LazyPipelineGraph graph={graph} kind={hasWhen && showsWhen ? 'run-when' : 'run'} {...shown} />
        }}
      </GraphDrawer>
    </>
  )
}

const noRuns: TaskRun[] = []

interface TaskPanelProps extends Pick<RunGraphPanelProps, 'run' | 'renderDetails' | 'renderLogs'> {
  node: TaskNode
  taskRun: TaskRun | undefined
}

function TaskPanel({ run, node, taskRun, renderDetails, renderLogs }: TaskPanelProps) {
  const [tab, setTab] = usePanelTab()
  return (
    <Tabs
      aria-label={nodeName(node)}
      activeKey={tab}
      onSelect={(_, key) => void setTab(key === 'logs' ? 'logs' : null)}
      mountOnEnter
      unmountOnExit
    >
      <Tab eventKey="details" title={<TabTitleText>Details</TabTitleText>}>
        <div className="slipway-run-node__tab">
          <NodeFacts node={node} />
          {renderDetails(taskRun, node)}
        </div>
      </Tab>
      <Tab eventKey="logs" title={<TabTitleText>Logs</TabTitleText>}>
        <div className="slipway-run-node__tab">
          {taskRun ? renderLogs(taskRun) : <NoLog text={noLogText(run, node)} run={run} />}
        </div>
      </Tab>
    </Tabs>
  )
}
