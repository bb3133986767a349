import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryState } from 'nuqs'
import { useMediaQuery } from '../../ui/page/media-query'

/** Screens that are too narrow for a graph. */
export const narrow = '(width < 48rem)'

export const graphViews = ['graph', 'list', 'timeline'] as const
export type GraphView = (typeof graphViews)[number]

/** The view of a graph, kept in the URL as `view=list`; by default a graph, or a list on a narrow screen. */
export function useGraphView(offered: readonly GraphView[]): [GraphView, (view: GraphView) => void] {
  const fallback = useMediaQuery(narrow) ? 'list' : 'graph'
  const [value, setValue] = useQueryState('view', parseAsStringLiteral(offered))
  return [value ?? fallback, (view) => void setValue(view === fallback ? null : view)]
}

/** The selected node, kept in the URL as `selected=…`, by its id or the name of its task run; `null` for none. */
export const useSelectedNode = () => useQueryState('selected', parseAsString)

const workflowForms = ['collapsed', 'expanded'] as const
type WorkflowForm = (typeof workflowForms)[number]

/** So many nodes can be read without moving the graph around. */
const mostExpanded = 40

/**
 * How much of a workflow is shown, kept in the URL as `workflow=collapsed`; by default everything, unless that is too
 * much to read.
 */
export function useWorkflowForm(nodeCount: number): [WorkflowForm, (form: WorkflowForm) => void] {
  const fallback = nodeCount > mostExpanded ? 'collapsed' : 'expanded'
  const [value, setValue] = useQueryState('workflow', parseAsStringLiteral(workflowForms))
  return [value ?? fallback, (form) => void setValue(form === fallback ? null : form)]
}

/** Tab of the panel next to a graph, kept in the URL as `panel=logs`. */
export const usePanelTab = () =>
  useQueryState('panel', parseAsStringLiteral(['details', 'logs'] as const).withDefault('details'))

/** Whether the conditions of tasks are shown, kept in the URL as `when=false`. */
export const useShownWhen = () => useQueryState('when', parseAsBoolean.withDefault(true))
