import type { Graph } from '@slipway/model/graphs/graph'
import type { WorkflowNode } from '@slipway/model/graphs/workflow'
import type { ReactNode } from 'react'
import type { ApplicationParams } from '../../paths'
import { StatusLabel } from '../status/StatusLabel'
import { useGraphView, useSelectedNode } from './graph-url'
import { GraphDrawer } from './GraphDrawer'
import { GraphList } from './GraphList'
import { GraphViews } from './GraphViews'
import type { GraphKind } from './layout'
import { LazyPipelineGraph } from './LazyPipelineGraph'
import { nodeName } from './node-text'
import { WorkflowFacts } from './WorkflowFacts'

interface WorkflowPanelProps {
  graph: Graph<WorkflowNode>
  kind: GraphKind
  at: ApplicationParams
  /** Accessible name of the workflow. */
  label: string
  /** More switches. */
  children?: ReactNode
}

const offered = ['graph', 'list'] as const

/** A workflow as a graph or a list, with a panel about the selected node. Requires a nuqs adapter around it. */
export function WorkflowPanel({ graph, kind, at, label, children }: WorkflowPanelProps) {
  const [view, setView] = useGraphView(offered)
  const [selectedId, setSelectedId] = useSelectedNode()
  const select = (id: string | undefined) => void setSelectedId(id ?? null)
  const node = graph.nodes.find(({ id }) => id === selectedId)
  return (
    <>
      <GraphViews offered={offered} view={view} onView={setView}>
        {children}
      </GraphViews>
      <GraphDrawer
        selected={node?.id}
        onSelect={select}
        title={node ? nodeName(node) : ''}
        subtitle={node?.status && <StatusLabel status={node.status} verdict={node.verdict} />}
        panel={node && <WorkflowFacts node={node} at={at} />}
      >
        {(onSelect) => {
          const shown = { graph, selected: node?.id, onSelect, label }
          return view === 'list' ? <GraphList {...shown} /> : <LazyPipelineGraph {...shown} kind={kind} />
        }}
      </GraphDrawer>
    </>
  )
}
