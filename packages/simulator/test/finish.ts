import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { RunResult } from '@slipway/model/runs/tekton'
import type { World } from './world'

interface Ending {
  succeeds?: boolean
  message?: string
  results?: RunResult[]
}

/** Finishes a run as its pipeline would, in a world without controllers that run pipelines. */
export async function finish(world: World, run: PipelineRun, ending: Ending = {}): Promise<void> {
  const { succeeds = true, message = '', results = [] } = ending
  const { name = '', namespace } = run.metadata
  const current = await world.client.get(pipelineRunType, name, { namespace })
  const time = new Date(world.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z')
  const reason = succeeds ? 'Succeeded' : 'Failed'
  await world.client.replaceStatus(pipelineRunType, {
    ...current,
    status: {
      startTime: current.metadata.creationTimestamp,
      completionTime: time,
      conditions: [
        { type: 'Succeeded', status: succeeds ? 'True' : 'False', reason, message, lastTransitionTime: time },
      ],
      results,
    },
  })
  await world.simulator.idle()
}

export const digestOf = (character: string) => `sha256:${character.repeat(64)}`

/** The results of a build that pushed an image. */
export const imageResults = (image: string, digest = digestOf('a')): RunResult[] => [
  { name: 'IMAGE_URL', value: image },
  { name: 'IMAGE_DIGEST', value: digest },
]
