import { eventTypeOf } from '../supply-chain/commit'
import { labels } from '../labels'
import type { Run } from './tekton'

/** What a run is for, in words; `undefined` without a type. Services add types of their own. */
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
export function eventTypeText(run: Run): string | undefined {
  const type = eventTypeOf(run)
  return type && (Object.hasOwn(eventTypeTexts, type) ? eventTypeTexts[type] : type)
}
