import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { isFinished, succeededCondition } from '@slipway/model/runs/tekton'
import { expect, it } from 'vitest'
import { startRun } from '../../test/runs'
import { namespace } from '../../test/tekton-kinds'
import { refusals, refusedRun, type Refusal } from '../../test/tekton-refusals'

async function play(refusal: Refusal): Promise<string | undefined> {
  const run = refusedRun(refusal)
  const { world } = await startRun(run)
  try {
    for (let seconds = 0; seconds < 7_200; seconds += 5) {
      const known = await world.client.get(pipelineRunType, run.metadata.name ?? '', { namespace })
      if (isFinished(known)) return succeededCondition(known)?.reason
      await world.advance(5_000)
    }
    throw new Error('The run never ends.')
  } finally {
    await world.close()
  }
}

it.each(Object.entries(refusals))(
  '%s, which Tekton’s webhook refuses: the simulated run ends',
  async (_name, refusal) => expect(await play(refusal)).toBe(refusal.simulated),
)
