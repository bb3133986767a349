import { labels } from '@slipway/model/labels'
import { type PipelineRun, pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { aPipelineRun } from '@slipway/model/testing'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { renderElement } from '../../../test/render-element'
import { useCounts, useWholeView } from './use-view'

const query = { kind: pipelineRunType.plural, namespaces: [namespace] }
const runs = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    aPipelineRun({
      metadata: {
        name: `run-${at}`,
        namespace,
        labels: { [labels.application]: at % 3 === 0 ? 'checkout' : 'ledger' },
      },
    }),
  )

function Whole() {
  const { rows, more } = useWholeView<PipelineRun>(query, 'pipeline runs')
  return `${rows?.length ?? 'no'} rows${more ? ', and more' : ''}`
}

function Counted() {
  const { counts, error } = useCounts(query, 'application')
  const words = counts && Object.entries(counts).map(([value, count]) => `${count} of ${value}`)
  return words?.sort().join(', ') ?? error?.message ?? 'nothing yet'
}

it('a whole view has all rows, also when there are more than one window can have', async () => {
  const { cluster } = await renderElement(<Whole />, { objects: runs(503) })
  expect(await screen.findByText('503 rows')).toBeVisible()
  await cluster.system.delete(pipelineRunType, 'run-0', { namespace })
  expect(await screen.findByText('502 rows')).toBeVisible()
})

it('the rows of a view are counted by the values of a field, without being sent', async () => {
  const { cluster } = await renderElement(<Counted />, { objects: runs(4) })
  expect(await screen.findByText('2 of checkout, 2 of ledger')).toBeVisible()
  await cluster.system.delete(pipelineRunType, 'run-0', { namespace })
  expect(await screen.findByText('1 of checkout, 2 of ledger')).toBeVisible()
})

it('nothing is counted that may not be listed', async () => {
  await renderElement(<Counted />, { as: 'outsider', objects: [...runs(4), ...grantTo()] })
  expect(await screen.findByText(/You don't have access to this list/)).toBeVisible()
})
