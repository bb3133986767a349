import type { RouteObject } from 'react-router'
import { createRoutes } from './frame-routes'
import { defaultActivityTab } from './parts/activity/activity-tabs'
import { type ApplicationParams, paths, pattern } from './paths'
import { index, loadScreen, redirect, screen } from './screen-routes'

const activityTab = (tab: string) => (at: ApplicationParams) => paths.activityTab({ ...at, activityTab: tab })

/**
 * Where the address of an object leads without its name, if it is not itself the address of a list. In an application,
 * users also write the kind in the singular or the plural where its addresses do not.
 */
const shortenedAddresses: RouteObject[] = [
  ...['commit', 'commits'].map((kind) => inApplication(kind, activityTab('latest-commits'))),
  ...['pipelineruns', 'pipelinerun', 'taskruns', 'taskrun'].map((kind) =>
    inApplication(kind, activityTab('pipelineruns')),
  ),
  inApplication('component', paths.components),
  inApplication('integrationtest', paths.integrationTests),
  inApplication('snapshot', paths.snapshots),
  inApplication('release', paths.releases),
  shortened(paths.componentGroup, paths.componentGroups),
  shortened(paths.editComponentGroup, paths.componentGroups),
  shortened(paths.editSecret, paths.secrets),
  shortened(paths.editReleasePlan, paths.releasePlans),
  shortened(paths.releasePlan, paths.releasePlans),
  shortened(paths.editAccess, paths.access),
]

const integrationTestOverview = () => import('./features/integration-tests/IntegrationTestOverviewTab')

const policyLayout = () => import('./features/policy/PolicyLayout')
const policyResults = () => import('./features/policy/PolicyResultsTab')
const policyDates = () => import('./features/policy/PolicyDatesTab')

const vulnerabilities = () => import('./features/vulnerabilities/VulnerabilityTab')

/** The screens of a namespace. */
export const namespaceRoutes: RouteObject[] = [
  { index: true, ...redirect(paths.namespace, paths.applications) },
  screen(paths.applications, () => import('./features/applications/ApplicationListPage')),
  screen(paths.pipelineRuns, () => import('./features/pipeline-runs/PipelineRunListPage')),
  screen(paths.failurePatterns, () => import('./features/failure-patterns/FailurePatternListPage')),
  screen(paths.allComponents, () => import('./features/components/NamespaceComponentListPage')),
  screen(paths.componentGroups, () => import('./features/component-groups/ComponentGroupListPage')),
  screen(paths.createComponentGroup, () => import('./features/component-groups/CreateComponentGroupPage')),
  screen(paths.editComponentGroup, () => import('./features/component-groups/EditComponentGroupPage')),
  screen(paths.componentGroup, () => import('./features/component-groups/ComponentGroupLayout'), [
    index(paths.componentGroup, () => import('./features/component-groups/ComponentGroupOverviewTab')),
    screen(paths.componentGroupTests, () => import('./features/component-groups/ComponentGroupTestsTab')),
  ]),
  screen(paths.createApplication, () => import('./features/import/ImportPage')),
  screen(paths.application, () => import('./features/applications/ApplicationLayout'), [
    index(paths.application, () => import('./features/applications/ApplicationOverviewTab')),
    {
      path: pattern(paths.activity),
      ...redirect(paths.application, (at) => paths.activityTab({ ...at, activityTab: defaultActivityTab })),
    },
    screen(paths.activityTab, () => import('./features/applications/ActivityTab')),
    screen(paths.components, () => import('./features/components/ComponentListTab')),
    screen(paths.integrationTests, () => import('./features/integration-tests/IntegrationTestListTab')),
    screen(paths.snapshots, () => import('./features/snapshots/SnapshotListTab')),
    screen(paths.releases, () => import('./features/releases/ReleaseListTab')),
  ]),
  screen(paths.component, () => import('./features/components/ComponentLayout'), [
    index(paths.component, () => import('./features/components/ComponentDetailsTab')),
    screen(paths.componentActivity, () => import('./features/components/ComponentActivityRedirect')),
    screen(paths.componentActivityTab, () => import('./features/components/ComponentActivityTab')),
    screen(paths.dependencyUpdates, () => import('./features/components/DependencyUpdatesTab')),
    screen(paths.componentVulnerabilities, vulnerabilities),
  ]),
  screen(paths.linkedSecrets, () => import('./features/linked-secrets/LinkedSecretsPage')),
  screen(paths.addIntegrationTest, () => import('./features/integration-tests/AddIntegrationTestPage')),
  screen(paths.editIntegrationTest, () => import('./features/integration-tests/EditIntegrationTestPage')),
  screen(paths.integrationTest, () => import('./features/integration-tests/IntegrationTestLayout'), [
    index(paths.integrationTest, integrationTestOverview),
    screen(paths.integrationTestOverview, integrationTestOverview),
    screen(
      paths.integrationTestPipelineRuns,
      () => import('./features/integration-tests/IntegrationTestPipelineRunsTab'),
    ),
  ]),
  screen(paths.snapshot, () => import('./features/snapshots/SnapshotLayout'), [
    index(paths.snapshot, () => import('./features/snapshots/SnapshotOverviewTab')),
    screen(paths.snapshotPipelineRuns, () => import('./features/snapshots/SnapshotPipelineRunsTab')),
    screen(paths.snapshotChanges, () => import('./features/snapshots/SnapshotChangesTab')),
    screen(paths.snapshotVulnerabilities, vulnerabilities),
  ]),
  screen(paths.release, () => import('./features/releases/ReleaseLayout'), [
    index(paths.release, () => import('./features/releases/ReleaseOverviewTab')),
    screen(paths.releasePipelineRuns, () => import('./features/releases/ReleasePipelineRunsTab')),
    screen(paths.releaseArtifacts, () => import('./features/releases/ReleaseArtifactsTab')),
  ]),
  screen(paths.policy, policyLayout, [index(paths.policy, policyResults), screen(paths.policyDates, policyDates)]),
  screen(paths.applicationPolicy, policyLayout, [
    index(paths.applicationPolicy, policyResults),
    screen(paths.applicationPolicyDates, policyDates),
  ]),
  screen(paths.vulnerabilities, vulnerabilities),
  screen(paths.applicationVulnerabilities, vulnerabilities),
  screen(paths.deliveries, () => import('./features/deliveries/DeliveryListPage')),
  screen(paths.commit, () => import('./features/commits/CommitLayout'), [
    index(paths.commit, () => import('./features/commits/CommitDetailsTab')),
    screen(paths.commitPipelineRuns, () => import('./features/commits/CommitPipelineRunsTab')),
  ]),
  screen(paths.pipelineRun, () => import('./features/pipeline-runs/PipelineRunLayout'), [
    index(paths.pipelineRun, () => import('./features/pipeline-runs/PipelineRunDetailsTab')),
    screen(paths.pipelineRunTaskRuns, () => import('./features/pipeline-runs/PipelineRunTaskRunsTab')),
    screen(paths.pipelineRunLogs, () => import('./features/pipeline-runs/PipelineRunLogsTab')),
    screen(paths.pipelineRunSecurity, () => import('./features/pipeline-runs/PipelineRunSecurityTab')),
    screen(paths.pipelineRunChanges, () => import('./features/pipeline-runs/PipelineRunChangesTab')),
    screen(paths.pipelineRunVulnerabilities, vulnerabilities),
  ]),
  screen(paths.taskRun, () => import('./features/task-runs/TaskRunLayout'), [
    index(paths.taskRun, () => import('./features/task-runs/TaskRunRedirect')),
    screen(paths.taskRunDetails, () => import('./features/task-runs/TaskRunDetailsTab')),
    screen(paths.taskRunLogs, () => import('./features/task-runs/TaskRunLogsTab')),
    screen(paths.taskRunSecurity, () => import('./features/task-runs/TaskRunSecurityTab')),
  ]),
  screen(paths.releaseArea, () => import('./features/release-plans/ReleaseAreaLayout'), [
    index(paths.releaseArea, () => import('./features/release-plans/ReleasePlanListTab')),
    screen(paths.releasePlans, () => import('./features/release-plans/ReleasePlanListTab')),
    screen(paths.releasePlanAdmissions, () => import('./features/release-plans/ReleasePlanAdmissionListTab')),
  ]),
  screen(paths.createReleasePlan, () => import('./features/release-plans/CreateReleasePlanPage')),
  screen(paths.editReleasePlan, () => import('./features/release-plans/EditReleasePlanPage')),
  screen(paths.releasePlan, () => import('./features/release-plans/ReleasePlanLayout'), [
    index(paths.releasePlan, () => import('./features/release-plans/ReleasePlanOverviewTab')),
    screen(paths.releasePlanReleases, () => import('./features/release-plans/ReleasePlanReleasesTab')),
    screen(paths.releasePlanComparison, () => import('./features/release-plans/ReleasePlanComparisonTab')),
  ]),
  screen(paths.triggerRelease, () => import('./features/trigger-release/TriggerReleasePage')),
  screen(paths.secrets, () => import('./features/secrets/SecretListPage')),
  screen(paths.access, () => import('./features/access/AccessListPage')),
  screen(paths.grantAccess, () => import('./features/access/GrantAccessPage')),
  screen(paths.editAccess, () => import('./features/access/EditAccessPage')),
  screen(paths.createSecret, () => import('./features/secrets/CreateSecretPage')),
  screen(paths.editSecret, () => import('./features/secrets/EditSecretPage')),
  ...shortenedAddresses,
  ...[paths.anyPipelineRun, paths.anyPipelineRunSingular].map((path) => ({
    path: `${pattern(path)}/*`,
    lazy: loadScreen(() => import('./shell/PipelineRunRedirect')),
  })),
]

/**
 * The route tree: the only file that knows every screen. A browser has those of a namespace only once it has opened one
 * (`discoverRoutes`).
 */
export const routes: RouteObject[] = createRoutes(namespaceRoutes)

/** The route of an address without its last segment, a name. */
function shortened<C extends P, P extends object>(
  address: (params: C) => string,
  to: (params: P) => string,
): RouteObject {
  return { path: pattern(address).replace(/\/[^/]*$/, ''), ...redirect(to, to) }
}

/** The route of a kind below an application. */
function inApplication(kind: string, to: (params: ApplicationParams) => string): RouteObject {
  return { path: `${pattern(paths.application)}/${kind}`, ...redirect(paths.application, to) }
}
