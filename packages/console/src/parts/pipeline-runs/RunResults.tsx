import { Content } from '@patternfly/react-core'
import { pinnedImageOf } from '@slipway/model/runs/run-outputs'
import { parseScan, parseTestOutput, reportNames, resultsOf } from '@slipway/model/runs/task-results'
import type { ParamValue, Run, RunResult } from '@slipway/model/runs/tekton'
import { type RowKind, useFixed } from '../../api/source'
import { capitalize } from '../../lib/capitalize'
import type { NamespaceParams } from '../../paths'
import { CopyButton } from '../../ui/actions/CopyButton'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { plural, vulnerabilityText } from '../graph/node-text'
import { showImageCommands } from '../images/actions'
import { Section } from '../../ui/page/Section'
import { ListTable } from '../../ui/table/ListTable'
import type { Column } from '../../ui/table/rows'

interface RunResultsProps {
  run: Run
  isFailed: boolean
}

/** The results of a pipeline run or task run; nothing for one without results that has not failed. */
export function RunResults({ run, isFailed }: RunResultsProps) {
  const results = resultsOf(run)
  const source = useFixed(results, resultRows)
  if (results.length === 0 && !isFailed) return null
  return (
    <Section title="Results">
      {results.length === 0 ? (
        <Content component="p">No results available due to failure</Content>
      ) : (
        <ListTable
          label="Results"
          at={{ namespace: run.metadata.namespace ?? '', image: pinnedImageOf(run) }}
          source={source}
          columns={columns}
          urlKey="results"
          empty={null}
        />
      )}
    </Section>
  )
}

const textOf = (value: ParamValue): string => (typeof value === 'string' ? value.trim() : JSON.stringify(value))

/** The outcome that a test or a scan reports as JSON; `undefined` for other results, and for an invalid report. */
function reportText({ name, value }: RunResult): string | undefined {
  if (typeof value !== 'string' || !reportNames.includes(name)) return undefined
  const test = parseTestOutput(value)
  const found = parseScan(value)
  if (!test) return found && capitalize(vulnerabilityText(found))
  const counts = [
    plural(test.successes, 'success', 'successes'),
    plural(test.failures, 'failure'),
    plural(test.warnings, 'warning'),
  ]
  return `${capitalize(test.result.toLowerCase())}: ${counts.join(', ')}${test.note ? `. ${test.note}` : ''}`
}

/** The raw value is at hand: in the tooltip, and to copy. */
function ResultValue({ result }: { result: RunResult }) {
  const report = reportText(result)
  return report ? <span title={textOf(result.value)}>{report}</span> : textOf(result.value)
}

function ResultActions({ result: { name, value }, at: { image, ...at } }: { result: RunResult; at: CellParams }) {
  return (
    <>
      {name === 'IMAGE_URL' && image && (
        <DefinedButton action={showImageCommands} at={at} subject={image} variant="link" isInline />
      )}{' '}
      <CopyButton text={textOf(value)} noun={name} />
    </>
  )
}

const resultRows: RowKind<RunResult> = {
  idOf: ({ name }) => name,
  nameOf: ({ name }) => name,
  isBeingDeleted: () => false,
}

interface CellParams extends NamespaceParams {
  /** The image that the run built, by its digest if it is known. */
  image: string | undefined
}

const columns: Column<RunResult, CellParams>[] = [
  { id: 'name', label: 'Name', isRowHeader: true, width: 30, cell: resultRows.nameOf },
  { id: 'value', label: 'Value', cell: (result) => <ResultValue result={result} /> },
  {
    id: 'copy',
    label: 'Copy',
    width: 15,
    cell: (result, at) => <ResultActions result={result} at={at} />,
  },
]
