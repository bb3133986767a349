import { Content, Skeleton } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import type { NumberedLine } from '@slipway/model/comparison/log-difference'
import type { RunWithTasks } from '@slipway/model/comparison/run-facts'
import { failureOf } from '@slipway/model/runs/run-failure'
import { taskNameIn, type TaskRun } from '@slipway/model/runs/task-run'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { failureText } from '../../api/messages'
import { paths, type PipelineRunParams } from '../../paths'
import { plural } from '../../parts/graph/node-text'
import { logLink } from '../../parts/logs/log-link'
import { LogSnippetLines } from '../../parts/pipeline-runs/LogSnippetLines'
import { Section } from '../../ui/page/Section'
import { logDifferenceQuery } from './log-difference-query'

interface LogDifferenceSectionProps {
  before: RunWithTasks
  after: RunWithTasks
  at: PipelineRunParams
}

/** What the log of the step that failed says in one run only; nothing if no step of either run has failed. */
export function LogDifferenceSection({ before, after, at }: LogDifferenceSectionProps) {
  const failure = [after, before].flatMap(({ run, taskRuns }) => failureOf(run, taskRuns) ?? [])[0]
  if (!failure?.task || !failure.step) return null
  const { task, step } = failure
  const runOf = ({ run, taskRuns }: RunWithTasks) => taskRuns.find((taskRun) => taskNameIn(run, taskRun) === task)
  const [earlier, later] = [runOf(before), runOf(after)]
  const logsIn = ({ run }: RunWithTasks, line?: number) =>
    paths.pipelineRunLogs({ ...at, pipelineRun: nameOf(run) }) + logLink({ task, step, line })
  return (
    <Section title={`Log of step ${step} of task ${task}`}>
      {earlier && later ? (
        <DifferingLines
          before={earlier}
          after={later}
          step={step}
          names={[nameOf(before.run), nameOf(after.run)]}
          linkTo={[(line) => logsIn(before, line), (line) => logsIn(after, line)]}
        />
      ) : (
        <Content component="p">The task has run only in {nameOf((later ? after : before).run)}.</Content>
      )}
    </Section>
  )
}

interface DifferingLinesProps {
  before: TaskRun
  after: TaskRun
  step: string
  /** Of the runs. */
  names: readonly [string, string]
  linkTo: readonly [LinkToLine, LinkToLine]
}

type LinkToLine = (line: number | undefined) => string

function DifferingLines({ before, after, step, names, linkTo }: DifferingLinesProps) {
  const { data, error } = useQuery(logDifferenceQuery(before, after, step))
  if (error) return <Content component="p">{failureText(error)}</Content>
  if (!data) return <Skeleton height="10rem" screenreaderText="Comparing the logs" />
  return (
    <>
      <Content component="small">Times, identifiers, digests and the order of the lines do not count.</Content>
      <div className="slipway-snippets">
        <div>
          <OnlyIn run={names[0]} lines={data.before} count={data.beforeCount} step={step} linkTo={linkTo[0]} />
        </div>
        <div>
          <OnlyIn run={names[1]} lines={data.after} count={data.afterCount} step={step} linkTo={linkTo[1]} />
        </div>
      </div>
    </>
  )
}

interface OnlyInProps {
  run: string
  lines: readonly NumberedLine[]
  count: number
  step: string
  linkTo: LinkToLine
}

function OnlyIn({ run, lines, count, step, linkTo }: OnlyInProps) {
  const left = count - lines.length
  return (
    <>
      <Content component="h3">Only in {run}</Content>
      {lines.length > 0 ? (
        <LogSnippetLines
          snippet={{ lines: [...lines], errorLine: undefined, step }}
          label={`Lines that only ${run} has written`}
        />
      ) : (
        <Content component="p">No lines.</Content>
      )}
      {left > 0 && `${plural(left, 'more line')}. `}
      <Link to={linkTo(lines[0]?.number)}>See logs</Link>
    </>
  )
}
