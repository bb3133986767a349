import { useHistory } from '../../api/archive/history'
import { useList } from '../../api/source'
import type { ApplicationParams } from '../../paths'
import { components } from '../../resources/components'
import { integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { releasePlans } from '../../resources/release-plans'
import { releases } from '../../resources/releases'

/** What an application consists of, from its components to its releases: the lists that its overview reads. */
export const useApplicationParts = ({ namespace, application }: ApplicationParams) => {
  const run = useHistory(pipelineRuns.ofApplication(namespace, application))
  return {
    component: useList(components.listed(namespace)),
    run,
    /** All runs of the application; `undefined` if there are, or may be, others than those that are known. */
    allRuns: run.missing.length > 0 || run.more ? undefined : run.rows,
    scenario: useList(integrationTestScenarios.contexts(namespace)),
    plan: useList(releasePlans.prospects(namespace)),
    release: useList(releases.progress(namespace)),
  }
}
export type ApplicationParts = ReturnType<typeof useApplicationParts>
