import type { RelatedComponent } from '../builds/component'
import type { DirectedGraph, Edge } from '../directed-graph'
import type { IgnoredFailure, RunStatusWord } from '../runs/run-status'
import type { Vulnerabilities } from '../runs/task-results'

/** A directed acyclic graph: the tasks of a run, or the workflow of an application. */
export interface Graph<N extends GraphNode = GraphNode> extends DirectedGraph<N> {
  /** Nodes that nudge each other. Nothing flows there, so these do not affect the layout, and may have any direction. */
  nudges?: Edge[]
}

export interface GraphNode {
  /** Unique in the graph, and stable as long as the represented object exists. */
  id: string
  kind: NodeKind
  label: string
  /** Small text next to the label: the group or kind of the node. */
  note?: string
  /** Absent for nodes without a status, such as a commit. */
  status?: RunStatusWord
  /** What it comes to where the status alone misleads. */
  verdict?: RunStatusWord | IgnoredFailure
  /** Short text next to the status. */
  detail?: string
  /** Short SHA of the commit that it built or tested. */
  commit?: string
  startTime?: string | undefined
  endTime?: string | undefined
  /** It has ended at an unknown time, so no duration is counted. */
  isEndUnknown?: boolean
  testFailCount?: number
  testWarnCount?: number
  vulnerabilities?: Vulnerabilities
  /** Components that it nudges, and that nudge it; absent if there are none. */
  nudges?: RelatedComponent[]
  nudgedBy?: RelatedComponent[]
}

export type NodeKind = 'task' | 'finally' | 'commit' | 'component' | 'build' | 'test' | 'release' | 'stage'
