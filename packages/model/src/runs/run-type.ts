import type { KubeObject } from '@slipway/kube/object'
import { eventTypeOf } from '../git/git-facts'
import { labels } from '../labels'
import type { Run } from './tekton'

/** Display text of a run's type; `undefined` without a type. Services may add their own types. */
export function pipelineTypeText({ metadata }: Run): string | undefined {
  const type = metadata.labels?.[labels.pipelineType]
  return type && type.charAt(0).toUpperCase() + type.slice(1)
}

const eventTypeTexts: Partial<Record<string, string>> = {
  push: 'Push',
  // GitLab's spelling.
  Push: 'Push',
  pull_request: 'Pull Request',
  incoming: 'Incoming',
  'retest-all-comment': 'Retest All Comment',
}

/** Display text of the event that triggered a run, its build or a snapshot; unknown events are unchanged. */
export function eventTypeText(object: KubeObject): string | undefined {
  const type = eventTypeOf(object)
  return type && (Object.hasOwn(eventTypeTexts, type) ? eventTypeTexts[type] : type)
}
