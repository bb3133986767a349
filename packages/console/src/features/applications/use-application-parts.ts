import type { Release } from '@slipway/model/releases/release'
import type { ReleasePlan } from '@slipway/model/releases/release-plan'
import type { IntegrationTestScenario } from '@slipway/model/snapshots/integration-test-scenario'
import { useWholeViewWithArchive } from '../../api/archive/whole-view'
import { useList } from '../../api/source'
import { useWholeView } from '../../api/views/use-view'
import type { ApplicationParams } from '../../paths'
import { components } from '../../resources/components'
import { integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { releasePlans } from '../../resources/release-plans'
import { releases } from '../../resources/releases'

/** What an application consists of, from its components to its releases: the lists that its overview reads. */
export const useApplicationParts = ({ namespace, application }: ApplicationParams) => {
  const run = useWholeViewWithArchive(pipelineRuns.view({ namespace, application }), 'pipeline runs')
  return {
    // The actions of the page read the same list.
    component: useList(components.listed(namespace)),
    run,
    /** All runs of the application; `undefined` if there are, or may be, others than those that are known. */
    allRuns: run.missing.length > 0 || run.more ? undefined : run.rows,
    scenario: useWholeView<IntegrationTestScenario>(
      integrationTestScenarios.view(namespace, 'application', application),
      'integration tests',
    ),
    plan: useWholeView<ReleasePlan>(releasePlans.view(namespace, application), 'release plans'),
    release: useWholeView<Release>(releases.viewOfNamespace(namespace), 'releases'),
  }
}
export type ApplicationParts = ReturnType<typeof useApplicationParts>
