import { copiedPacKey, labels } from './labels'
import type { Run } from './tekton'

/** What a pipeline run is for; services invent more of them. */
export const pipelineTypes = ['build', 'test', 'tenant', 'managed', 'release', 'final'] as const
export type PipelineType = (typeof pipelineTypes)[number]

/** `undefined` for a run without a type and for one whose type is not known here. */
export const pipelineTypeOf = ({ metadata }: Run): PipelineType | undefined =>
  pipelineTypes.find((type) => type === metadata.labels?.[labels.pipelineType])

/** What a run is for, in words; a type that is not known here as it is, `undefined` without one. */
export function pipelineTypeText({ metadata }: Run): string | undefined {
  const type = metadata.labels?.[labels.pipelineType]
  return type && type.charAt(0).toUpperCase() + type.slice(1)
}

const eventTypeTexts: Partial<Record<string, string>> = {
  push: 'Push',
  // As GitLab spells it.
  Push: 'Push',
  pull_request: 'Pull Request',
  incoming: 'Incoming',
  'retest-all-comment': 'Retest All Comment',
}

/** What has set off a run, or the build before it, in words; an event that is not known here as it is. */
export function eventTypeText({ metadata }: Run): string | undefined {
  const type = metadata.labels?.[labels.eventType] ?? metadata.labels?.[copiedPacKey(labels.eventType)]
  return type && (Object.hasOwn(eventTypeTexts, type) ? eventTypeTexts[type] : type)
}
