import { Content } from '@patternfly/react-core'
import { resultsOf } from '@slipway/model/runs/task-results'
import type { ParamValue, Run, RunResult } from '@slipway/model/runs/tekton'
import { type RowKind, useFixed } from '../../api/source'
import { CopyButton } from '../actions/CopyButton'
import { Section } from '../page/Section'
import { ResourceTable } from '../table/ResourceTable'
import type { Column } from '../table/rows'

interface RunResultsProps {
  run: Run
  isFailed: boolean
}

/** What a run or a task has put out; nothing for one without results that has not failed. */
export function RunResults({ run, isFailed }: RunResultsProps) {
  const results = resultsOf(run)
  const source = useFixed(results, resultRows)
  if (results.length === 0 && !isFailed) return null
  return (
    <Section title="Results">
      {results.length === 0 ? (
        <Content component="p">No results available due to failure</Content>
      ) : (
        <ResourceTable label="Results" source={source} columns={columns} urlKey="results" empty={null} />
      )}
    </Section>
  )
}

const textOf = (value: ParamValue): string => (typeof value === 'string' ? value.trim() : JSON.stringify(value))

const resultRows: RowKind<RunResult> = {
  idOf: ({ name }) => name,
  nameOf: ({ name }) => name,
  isBeingDeleted: () => false,
}

const columns: Column<RunResult>[] = [
  { id: 'name', label: 'Name', isRowHeader: true, width: 30, cell: resultRows.nameOf },
  { id: 'value', label: 'Value', cell: ({ value }) => textOf(value) },
  {
    id: 'copy',
    label: 'Copy',
    width: 10,
    cell: ({ name, value }) => <CopyButton text={textOf(value)} noun={name} />,
  },
]
