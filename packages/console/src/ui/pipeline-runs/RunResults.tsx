import { Content, Title } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { resultsOf } from '@slipway/model/runs/task-results'
import type { ParamValue, Run } from '@slipway/model/runs/tekton'
import { CopyButton } from '../actions/CopyButton'

interface RunResultsProps {
  run: Run
  isFailed: boolean
}

/** What a run or a task has put out; nothing for one without results that has not failed. */
export function RunResults({ run, isFailed }: RunResultsProps) {
  const results = resultsOf(run)
  if (results.length === 0 && !isFailed) return null
  return (
    <section aria-labelledby="run-results">
      <Title headingLevel="h2" id="run-results" className="slipway-section-title">
        Results
      </Title>
      {results.length === 0 ? (
        <Content component="p">No results available due to failure</Content>
      ) : (
        <Table variant="compact" aria-labelledby="run-results">
          <Thead>
            <Tr>
              <Th width={30}>Name</Th>
              <Th>Value</Th>
              <Th screenReaderText="Actions" />
            </Tr>
          </Thead>
          <Tbody>
            {results.map(({ name, value }) => (
              <Tr key={name}>
                <Td dataLabel="Name">{name}</Td>
                <Td dataLabel="Value" modifier="breakWord">
                  {textOf(value)}
                </Td>
                <Td isActionCell>
                  <CopyButton text={textOf(value)} noun={name} />
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      )}
    </section>
  )
}

const textOf = (value: ParamValue): string => (typeof value === 'string' ? value.trim() : JSON.stringify(value))
