import type { DeliveryStage } from '@slipway/model/releases/delivery'

/** What each stage is called, and what is waited for in it. */
export const stageTexts: Record<DeliveryStage, { label: string; wait: string }> = {
  build: { label: 'Build', wait: 'for the build to start' },
  snapshot: { label: 'Snapshot', wait: 'for the snapshot' },
  tests: { label: 'Tests', wait: 'for tests to start' },
  request: { label: 'Release request', wait: 'for a release to be requested' },
  release: { label: 'Release', wait: 'for release pipelines to start' },
}
