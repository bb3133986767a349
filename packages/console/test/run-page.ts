import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { aPipelineRun, condition } from '@slipway/model/testing'
import { screen, within } from '@testing-library/react'
import { paths } from '../src/paths'
import { namespace } from './cluster'

/** Helpers for tests of the page of a run. */

export const name = 'checkout-api-on-push-x4k2p'
export const params = { namespace, application: 'checkout', pipelineRun: name }
export const page = paths.pipelineRun(params)
export const running = [condition('Succeeded', 'Unknown', 'Running')]
export const started = '2026-01-31T09:00:00Z'

const push = { [labels.eventType]: 'push', [labels.commitSha]: 'a'.repeat(40) }

/** A running build of a push. */
export const aRun = (over: Parameters<typeof aPipelineRun>[0] = {}): PipelineRun =>
  aPipelineRun({
    ...over,
    metadata: { name, ...over.metadata, labels: { ...push, ...over.metadata?.labels } },
    status: { startTime: started, conditions: running, ...over.status },
  })

/** The value of a term in the details. */
export async function detail(term: string): Promise<HTMLElement> {
  const found = await screen.findByText(term, { selector: 'dt *' })
  return within(found.closest('div') as HTMLElement).getByRole('definition') // Each term has a group of its own.
}
