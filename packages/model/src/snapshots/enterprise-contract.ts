import { isRecord } from '@slipway/kube/object'
import { asArray, asRecord, asText, parseJson } from '@slipway/kube/parse'
import { labels } from '../labels'
import { endOfObject } from '../logs/json-in-log'
import type { TaskRun } from '../runs/task-run'

/** Enterprise Contract reports on the components of a snapshot. The data is untrusted. */

export const ruleOutcomes = ['Failed', 'Warning', 'Success'] as const
export type RuleOutcome = (typeof ruleOutcomes)[number]

/** The result of one rule for one component. */
export interface RuleResult {
  /** Title of the rule, or else its code or message. */
  rule: string
  /** By which policies and exceptions name the rule, such as `trusted_task.pinned`. */
  code?: string
  outcome: RuleOutcome
  component: string
  /** By tag or digest. */
  image?: string
  /** What the rule found fault with, such as the name of a task; exceptions may name it: `trusted_task.pinned:clone`. */
  terms?: string[]
  /** Set if the policy overrides what the rule itself says: `warning` never becomes a violation. */
  severity?: string
  /** Absent for a success. */
  message?: string
  description?: string
  collections: string[]
  /** Only for a violation. */
  solution?: string
  /** The same for a warning too, which may become a violation. */
  remedy?: string
  /** RFC 3339 time from which the rule is in effect. */
  effectiveOn?: string
}

/** The container whose log contains the report, and its step. */
export const reportStep = 'report-json'
const reportContainer = `step-${reportStep}`

/** Pipeline tasks that write a report: those of Enterprise Contract and of its successor. */
export const verifyTasks = ['verify', 'verify-conforma'] as const

/** Whether a task writes a report. Pipelines may give it any name: it then shows once its pod has steps. */
export const isVerification = ({ metadata, status }: TaskRun): boolean =>
  verifyTasks.some((name) => name === metadata.labels?.[labels.pipelineTask]) ||
  asArray(status?.steps).some((step) => asRecord(step).name === reportStep)

export const verifyTaskRunOf = (taskRuns: readonly TaskRun[]): TaskRun | undefined => taskRuns.find(isVerification)

/**
 * Finds the report in the log of its container, in an archived log of the whole task (`{container} :-` starts each
 * step), or in lines marked `[report-json]`, which older tasks wrote. Of several reports the first counts.
 * @returns `undefined` for a log without a report
 */
export function parseReport(log: string): RuleResult[] | undefined {
  const report = reportIn(log)
  if (!Array.isArray(report?.components)) return undefined
  return recordsIn(report.components).flatMap(rulesOf)
}

function reportIn(log: string): Record<string, unknown> | undefined {
  const marked = log
    .split('\n')
    .flatMap((line) => /^\[report-json\] ?(.*)$/.exec(line)?.[1] ?? [])
    .join('\n')
  const [, section] = log.split(`${reportContainer} :-`)
  for (const text of [log, marked, section ?? '']) {
    const found = firstObject(text)
    if (found && 'components' in found) return found
  }
  return undefined
}

/** The first JSON object in a text, whatever precedes and follows it. */
function firstObject(text: string): Record<string, unknown> | undefined {
  const start = text.indexOf('{')
  if (start < 0) return undefined
  const value = parseJson(text.slice(start, endOfObject(text, start) ?? text.length))
  return isRecord(value) ? value : undefined
}

function rulesOf(component: Record<string, unknown>): RuleResult[] {
  const violations = recordsIn(component.violations)
  if (violations.length === 1 && refersToMissingImage(violations[0])) return []
  const image = asText(component.containerImage)
  const about = { component: asText(component.name) ?? '-', ...(image !== undefined && { image }) }
  return [
    ...violations.map((rule) => resultOf('Failed', about, rule)),
    ...recordsIn(component.warnings).map((rule) => resultOf('Warning', about, rule)),
    ...recordsIn(component.successes).map((rule) => resultOf('Success', about, rule)),
  ]
}

/** The violation that reports a missing image: nothing else is known about that component. Its message decides. */
const refersToMissingImage = (violation: Record<string, unknown> | undefined): boolean =>
  asText(violation?.msg)?.includes('404 Not Found') ?? false

type Verified = Pick<RuleResult, 'component' | 'image'>

function resultOf(outcome: RuleOutcome, verified: Verified, { msg, metadata }: Record<string, unknown>): RuleResult {
  const about = asRecord(metadata)
  const message = asText(msg)
  const code = asText(about.code)
  const description = asText(about.description)
  const solution = asText(about.solution)
  const effectiveOn = asText(about.effective_on)
  const severity = asText(about.severity)
  const terms = [about.term].flat().flatMap((term) => asText(term) ?? [])
  return {
    rule: asText(about.title) ?? code ?? message ?? '-',
    ...(code !== undefined && { code }),
    outcome,
    ...verified,
    ...(terms.length > 0 && { terms }),
    ...(severity !== undefined && { severity }),
    ...(outcome !== 'Success' && message !== undefined && { message }),
    ...(description !== undefined && { description }),
    collections: asArray(about.collections).filter((each): each is string => typeof each === 'string'),
    ...(outcome === 'Failed' && solution !== undefined && { solution }),
    ...(solution !== undefined && { remedy: solution }),
    ...(outcome !== 'Success' && effectiveOn !== undefined && { effectiveOn }),
  }
}

const recordsIn = (value: unknown) => asArray(value).filter(isRecord)
