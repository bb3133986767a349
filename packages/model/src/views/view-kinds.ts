import type { ViewKind } from '@slipway/views/view-kind'
import { applicationView } from './applications'
import { commitView, componentCommitView } from './commits'
import { componentView } from './components'
import { integrationTestView } from './integration-tests'
import { pipelineRunView } from './pipeline-runs'
import { releasePlanAdmissionView } from './release-plan-admissions'
import { releasePlanView } from './release-plans'
import { releaseView } from './releases'
import { snapshotView } from './snapshots'

/** What list pages show, and all that a service of views reads. */
export const viewKinds: readonly ViewKind[] = [
  applicationView,
  commitView,
  componentCommitView,
  componentView,
  integrationTestView,
  pipelineRunView,
  releaseView,
  releasePlanView,
  releasePlanAdmissionView,
  snapshotView,
]
