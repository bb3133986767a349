import { labels } from '@slipway/model/labels'
import { type PipelineRun, pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { aPipelineRun } from '@slipway/model/testing'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderElement } from '../../../test/render-element'
import { useWholeView } from './use-view'

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

it('a whole view has all rows, also when there are more than one window can have', async () => {
  const { cluster } = await renderElement(<Whole />, { objects: runs(503) })
  expect(await screen.findByText('503 rows')).toBeVisible()
  await cluster.system.delete(pipelineRunType, 'run-0', { namespace })
  expect(await screen.findByText('502 rows')).toBeVisible()
})
