import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { isFinished, succeededCondition } from '@slipway/model/runs/tekton'
import { expect, it } from 'vitest'
import { factsOf, kinds, namespace, runOf, type Facts, type Kind } from '../../test/tekton-kinds'
import { runName, startRun } from '../../test/runs'

async function play(kind: Kind): Promise<Facts> {
  const { objects = [], requests = [], untilReason } = kind
  const { runs, until, world } = await startRun(runOf(kind), objects)
  try {
    if (requests.length > 0) await until(({ one }) => one === 'Running')
    for (const request of requests) {
      await runs.setSpecStatus(request)
      await world.simulator.idle()
    }
    for (let seconds = 0; ; seconds += 5) {
      const known = await world.client.get(pipelineRunType, runName, { namespace })
      if (untilReason === undefined ? isFinished(known) : succeededCondition(known)?.reason === untilReason) break
      if (seconds > 7_200) throw new Error(`It never ends: ${JSON.stringify(await factsOf(world.client, namespace))}`)
      await world.advance(5_000)
    }
    return await factsOf(world.client, namespace)
  } finally {
    await world.close()
  }
}

it.each(Object.entries(kinds))('%s ends as in Tekton 1.15', async (_name, kind) =>
  expect(await play(kind)).toEqual(kind.expected),
)
