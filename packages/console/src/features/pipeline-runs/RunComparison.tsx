import { nameOf } from '@slipway/kube/object'
import { compareRuns } from '@slipway/model/comparison/run-comparison'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { useMemo } from 'react'
import { useJoined } from '../../api/source'
import type { PipelineRunParams } from '../../paths'
import { type TaskRunsOfRun, useTaskRuns } from '../../parts/pipeline-runs/use-task-runs'
import { Section } from '../../ui/page/Section'
import { comparedTaskRows, ComparedTaskTable } from './ComparedTaskTable'
import { LogDifferenceSection } from './LogDifferenceSection'
import { differenceRows, RunDifferenceTable } from './RunDifferenceTable'

interface RunComparisonProps {
  before: PipelineRun
  after: PipelineRun
  /** Where the later run is; the other one is in the same namespace. */
  at: PipelineRunParams
}

/** What changed between two runs: the differences, the most suspicious first; their tasks; and the log of the failure. */
export function RunComparison({ before, after, at }: RunComparisonProps) {
  const [earlier, later] = [useNamedTaskRuns(before), useNamedTaskRuns(after)]
  const [ofBefore, ofAfter] = [earlier.rows, later.rows]
  const comparison = useMemo(
    () => ofBefore && ofAfter && compareRuns({ run: before, taskRuns: ofBefore }, { run: after, taskRuns: ofAfter }),
    [before, after, ofBefore, ofAfter],
  )
  const differences = useMemo(
    () => comparison?.differences.map((difference, index) => ({ ...difference, rank: index + 1 })),
    [comparison],
  )
  const state = useJoined([earlier, later], () => comparison?.tasks, comparedTaskRows)
  return (
    <>
      <Section title="What changed">
        <RunDifferenceTable
          source={{ ...state, rows: differences, kind: differenceRows }}
          tasks={comparison?.tasks}
          before={before}
          after={after}
          at={at}
        />
      </Section>
      {ofBefore && ofAfter && (
        <LogDifferenceSection
          before={{ run: before, taskRuns: ofBefore }}
          after={{ run: after, taskRuns: ofAfter }}
          at={at}
        />
      )}
      {(comparison || !state.error) && (
        <Section title="Tasks">
          <ComparedTaskTable source={state} at={at} />
        </Section>
      )}
    </>
  )
}

/** The task runs of a run, as a source that says which run that is. */
function useNamedTaskRuns(run: PipelineRun): TaskRunsOfRun {
  const source = useTaskRuns(run)
  const name = `the task runs of ${nameOf(run)}`
  return { ...source, name, missing: source.missing.map((part) => ({ ...part, name: `${part.name} (${name})` })) }
}
