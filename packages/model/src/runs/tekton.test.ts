import { expect, it } from 'vitest'
import { aTaskRun } from '../testing'
import { byStartTime } from './tekton'

it('LOG-20 takes tasks in the order in which they began', () => {
  const at = (name: string, startTime?: string) =>
    aTaskRun({ metadata: { name }, status: startTime ? { startTime } : {} })
  const order = byStartTime([at('never'), at('second', '2026-01-31T09:02:00Z'), at('first', '2026-01-31T09:01:00Z')])
  expect(order.map(({ metadata }) => metadata.name)).toEqual(['first', 'second', 'never'])
})
