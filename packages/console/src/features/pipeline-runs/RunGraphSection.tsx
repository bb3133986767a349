import { Alert, Title } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/pipeline-run'
import type { TaskRun } from '@slipway/model/task-run'
import { Link } from 'react-router'
import type { HistoryView } from '../../api/history'
import { failureText } from '../../api/messages'
import { paths, type PipelineRunParams } from '../../paths'
import { RunGraphPanel } from '../../ui/graph/RunGraphPanel'
import { TaskLog } from '../../ui/logs/TaskLog'
import { TaskRunSummary } from '../../ui/task-runs/TaskRunSummary'

interface RunGraphSectionProps {
  run: PipelineRun
  taskRuns: HistoryView<TaskRun>
  params: PipelineRunParams
}

/** The tasks of a run. Where they cannot be read the graph shows what the pipeline has, and it is said why. */
export function RunGraphSection({ run, taskRuns: { items, error }, params }: RunGraphSectionProps) {
  return (
    <section aria-labelledby="run-graph">
      <Title headingLevel="h2" id="run-graph" className="slipway-section-title">
        Tasks
      </Title>
      {!items && error && (
        <Alert isInline variant="warning" component="p" title="Unable to load task runs">
          {failureText(error)} What the pipeline says of its tasks is shown.
        </Alert>
      )}
      <RunGraphPanel
        run={run}
        taskRuns={items}
        renderDetails={(taskRun) =>
          taskRun && (
            <>
              <TaskRunSummary taskRun={taskRun} />
              <Link to={paths.taskRun({ ...params, taskRun: nameOf(taskRun) })}>Open task run</Link>
            </>
          )
        }
        renderLogs={(taskRun) => <TaskLog taskRun={taskRun} isCompact />}
      />
    </section>
  )
}
