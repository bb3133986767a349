import {
  definitionsIn,
  explainTrigger,
  type GitEvent,
  type PipelineDefinition,
  type TriggerVerdict,
} from '@slipway/model/builds/build-trigger'

export interface TriggerRequest {
  /** Those of earlier builds, or files of a repository in YAML. */
  pipelines: readonly PipelineDefinition[] | string
  event: GitEvent
}

export type TriggerAnswer = { verdicts: readonly TriggerVerdict[] } | { error: string }

/** What an event does with some pipelines. Their conditions may take long, so that a worker runs this. */
export function answerOf({ pipelines, event }: TriggerRequest): TriggerAnswer {
  try {
    const definitions = typeof pipelines === 'string' ? definitionsIn(pipelines) : pipelines
    return { verdicts: definitions.map((definition) => explainTrigger(definition, event)) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
