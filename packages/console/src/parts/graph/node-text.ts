import { msBetween } from '@slipway/model/duration'
import type { GraphNode } from '@slipway/model/graphs/graph'
import type { TaskNode } from '@slipway/model/graphs/pipeline-graph'
import type { RelatedComponent } from '@slipway/model/builds/component'
import type { Vulnerabilities } from '@slipway/model/runs/task-results'
import type { WhenExpression } from '@slipway/model/runs/tekton'
import { formatDurationLong } from '../../lib/dates'
import { nameControls } from '../../ui/text/UserText'
import { statusText } from '../status/StatusLabel'

/** `build-images linux/arm64`: the full name of a node. */
export const nodeName = ({ label, note }: GraphNode): string => nameControls(note ? `${note} ${label}` : label)

/** All that a node shows, for screen readers, except a growing duration, which would be announced every second. */
export function describeNode(node: GraphNode): string {
  const {
    status,
    verdict,
    detail,
    commit,
    startTime,
    endTime,
    testFailCount = 0,
    testWarnCount = 0,
    vulnerabilities,
  } = node
  const durationMs = msBetween(startTime, endTime)
  return [
    nodeName(node),
    status && statusText(status, verdict),
    detail && nameControls(detail),
    commit && `commit ${commit}`,
    durationMs !== undefined && formatDurationLong(durationMs),
    testFailCount > 0 && plural(testFailCount, 'test failure'),
    testWarnCount > 0 && plural(testWarnCount, 'test warning'),
    vulnerabilities && vulnerabilityText(vulnerabilities),
    isTaskNode(node) && node.when?.outcome && `conditions ${outcomeText(node)}`,
    nudgesText(node),
  ]
    .filter(Boolean)
    .join(', ')
}

/** `nudges web, cli; nudged by base`; empty for a node without relations. */
export function nudgesText({ nudges = [], nudgedBy = [] }: Pick<GraphNode, 'nudges' | 'nudgedBy'>): string {
  const named = (components: readonly RelatedComponent[]) => components.map(({ name }) => name).join(', ')
  return [nudges.length > 0 && `nudges ${named(nudges)}`, nudgedBy.length > 0 && `nudged by ${named(nudgedBy)}`]
    .filter(Boolean)
    .join('; ')
}

/** How many components a node nudges and is nudged by: `nudges 2, nudged by 1`. */
export const nudgeCounts = ({ nudges = [], nudgedBy = [] }: Pick<GraphNode, 'nudges' | 'nudgedBy'>): string =>
  [nudges.length > 0 && `nudges ${nudges.length}`, nudgedBy.length > 0 && `nudged by ${nudgedBy.length}`]
    .filter(Boolean)
    .join(', ')

export const severities = ['critical', 'high', 'medium', 'low', 'unknown'] as const

/** `1 critical and 2 high vulnerabilities`; `no vulnerabilities` where a scan found none. */
export function vulnerabilityText(found: Vulnerabilities): string {
  const counted = severities
    .filter((severity) => found[severity] > 0)
    .map((severity) => `${found[severity]} ${severity}`)
  const total = severities.reduce((sum, severity) => sum + found[severity], 0)
  if (total === 0) return 'no vulnerabilities'
  const [last = '', ...others] = counted.reverse()
  const list = others.length > 0 ? `${others.reverse().join(', ')} and ${last}` : last
  return `${list} ${total === 1 ? 'vulnerability' : 'vulnerabilities'}`
}

/**
 * `event is "push" and must be one of "push", "incoming"`; a CEL expression as it is written.
 * @param written the input as the pipeline writes it, if `input` is its value
 */
export function whenText({ input, operator, values, cel }: WhenExpression, written = input): string {
  if (cel) return cel
  const listed = Array.isArray(values) ? values.map((value) => `"${value}"`).join(', ') : ''
  const isNegated = operator === 'notin'
  const choice = `${isNegated ? 'none' : 'one'} of ${listed || 'nothing'}`
  const variable = variableName(written)
  if (!variable) return `"${input}" is ${choice}`
  const required =
    Array.isArray(values) && values.length === 1 ? `must ${isNegated ? 'not ' : ''}be ${listed}` : `must be ${choice}`
  return written === input ? `${variable} ${required}` : `${variable} is "${input}" and ${required}`
}

/** `url` for `$(params.url)`, `digest of build` for `$(tasks.build.results.digest)`; `undefined` for other texts. */
function variableName(input: unknown): string | undefined {
  const match = /^\$\((?:params|tasks\.([^.)]+)(?:\.results)?)(?:\.|\[['"])([^'"\])]+)(?:['"]\])?\)$/.exec(
    String(input),
  )
  return match?.[1] ? `${match[2]} of ${match[1]}` : match?.[2]
}

/** All conditions of a task. */
export const whenTexts = ({ expressions, inputs }: NonNullable<TaskNode['when']>): string[] =>
  expressions.map((expression, index) => whenText(expression, inputs?.[index]))

/**
 * The outcome of a task's conditions. If the task has not run they count as unmet, which only a skipped task proves.
 */
export function outcomeText({ when, status, hasNotRun }: TaskNode): string {
  if (hasNotRun) return 'not evaluated'
  if (!when?.outcome) return 'not evaluated yet'
  return isOnlyCounted({ when, status }) ? 'not evaluated yet' : when.outcome
}

/** Whether conditions only count as unmet, because they have not been evaluated yet. */
export const isOnlyCounted = ({ when, status }: Pick<TaskNode, 'when' | 'status'>): boolean =>
  when?.outcome === 'unmet' && status !== 'Skipped'

export const isTaskNode = (node: GraphNode): node is TaskNode => node.kind === 'task' || node.kind === 'finally'

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
