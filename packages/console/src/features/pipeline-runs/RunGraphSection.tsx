import { Alert, AlertActionLink } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import { childNamesOf } from '@slipway/model/graphs/pipeline-graph'
import { isCustomRun } from '@slipway/model/runs/custom-run'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { Link } from 'react-router'
import { asSentence, failureText } from '../../api/messages'
import { paths, type PipelineRunParams } from '../../paths'
import { RunGraphPanel } from '../../parts/graph/RunGraphPanel'
import { TaskLog } from '../../parts/logs/TaskLog'
import { Section } from '../../ui/page/Section'
import type { TaskRunsOfRun } from '../../parts/pipeline-runs/use-task-runs'
import { TaskRunSummary } from '../../parts/task-runs/TaskRunSummary'

interface RunGraphSectionProps {
  run: PipelineRun
  taskRuns: TaskRunsOfRun
  params: PipelineRunParams
}

/** The tasks of a run. If task runs cannot be read, says why and shows the tasks that the pipeline defines. */
export function RunGraphSection({ run, taskRuns, params }: RunGraphSectionProps) {
  const { rows, isComplete, error, missing, retry } = taskRuns
  const failure = rows ? isAnyUnread(run, rows) && missing[0]?.error : error
  return (
    <Section title="Tasks">
      {failure && (
        <Alert
          isInline
          variant="warning"
          component="p"
          title="Unable to load task runs"
          actionLinks={<AlertActionLink onClick={retry}>Try again</AlertActionLink>}
        >
          {asSentence(failureText(failure))} The graph shows the tasks that the pipeline defines.
        </Alert>
      )}
      <RunGraphPanel
        run={run}
        taskRuns={rows}
        isComplete={isComplete}
        renderDetails={(taskRun) =>
          taskRun && (
            <>
              <TaskRunSummary taskRun={taskRun} />
              {!isCustomRun(taskRun) && (
                <Link to={paths.taskRun({ ...params, taskRun: nameOf(taskRun) })}>Open task run</Link>
              )}
            </>
          )
        }
        renderLogs={(taskRun) => <TaskLog taskRun={taskRun} isCompact />}
      />
    </Section>
  )
}

/** Whether the run refers to a task run that was not read: otherwise a missing source makes no difference. */
function isAnyUnread(run: PipelineRun, taskRuns: readonly TaskRun[]): boolean {
  const names = new Set(taskRuns.map(nameOf))
  return childNamesOf(run).some((name) => !names.has(name))
}
