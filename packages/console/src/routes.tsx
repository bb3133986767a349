import { type LazyRouteFunction, type Params, replace, type RouteObject } from 'react-router'
import { queryClient } from './api/query-client'
import { userQuery } from './api/session/session'
import { Component as OverviewPage, loader as overviewLoader } from './features/overview/OverviewPage'
import { paths, pattern } from './paths'
import { banners } from './resources/banners'
import { AppLayout } from './shell/AppLayout'
import { ChunkLoadError } from './shell/errors/ChunkLoadErrorPage'
import { NotFoundPage } from './shell/errors/NotFoundPage'
import { RouteErrorPage } from './shell/errors/RouteErrorPage'
import { namespaceLoader } from './shell/namespace-loader'
import { defaultActivityTab } from './ui/activity/activity-tabs'
import { paramsOf } from './ui/page/route-params'

/** Where the address of an object leads without its name, if it is not itself the address of a list. */
const shortenedAddresses: RouteObject[] = [
  ...(
    [
      [pattern(paths.commit), 'latest-commits'],
      [pattern(paths.pipelineRun), 'pipelineruns'],
      [pattern(paths.taskRun), 'pipelineruns'],
    ] as const
  ).map(([address, activityTab]) =>
    shortened(address, (p) => paths.activityTab({ ...paramsOf(p, 'namespace', 'application'), activityTab })),
  ),
  shortened(pattern(paths.editSecret), (p) => paths.secrets(paramsOf(p, 'namespace'))),
  shortened(pattern(paths.editReleasePlan), (p) => paths.releasePlans(paramsOf(p, 'namespace'))),
  shortened(pattern(paths.editAccess), (p) => paths.access(paramsOf(p, 'namespace'))),
]

const integrationTestOverview = screen(() => import('./features/integration-tests/IntegrationTestOverviewTab'))

/** The route tree: the only file that knows every screen. */
export const routes: RouteObject[] = [
  {
    // No screen is shown before the gateway has identified the user.
    loader: () => {
      void queryClient.prefetchQuery(banners.list())
      return queryClient.ensureQueryData(userQuery)
    },
    Component: AppLayout,
    HydrateFallback: AppLayout,
    ErrorBoundary: RouteErrorPage,
    children: [
      {
        ErrorBoundary: RouteErrorPage,
        children: [
          // Loaded with the frame, which contains what most pages need.
          { path: paths.overview(), loader: overviewLoader, Component: OverviewPage },
          { path: paths.signedIn(), lazy: screen(() => import('./features/session/SignedInPage')) },
          { path: paths.namespaces(), lazy: screen(() => import('./features/namespaces/NamespaceListPage')) },
          { path: paths.releaseMonitor(), lazy: screen(() => import('./features/releases/ReleaseMonitorPage')) },
          {
            path: pattern(paths.namespace),
            loader: namespaceLoader,
            ErrorBoundary: RouteErrorPage,
            children: [
              {
                index: true,
                loader: ({ params }) => replace(paths.applications(paramsOf(params, 'namespace'))),
                element: null,
              },
              {
                path: pattern(paths.applications),
                lazy: screen(() => import('./features/applications/ApplicationListPage')),
              },
              {
                path: pattern(paths.pipelineRuns),
                lazy: screen(() => import('./features/pipeline-runs/PipelineRunListPage')),
              },
              {
                path: pattern(paths.createApplication),
                lazy: screen(() => import('./features/import/ImportPage')),
              },
              {
                path: pattern(paths.application),
                lazy: screen(() => import('./features/applications/ApplicationLayout')),
                children: [
                  { index: true, lazy: screen(() => import('./features/applications/ApplicationOverviewTab')) },
                  {
                    path: pattern(paths.activity),
                    loader: ({ params }) =>
                      replace(
                        paths.activityTab({
                          ...paramsOf(params, 'namespace', 'application'),
                          activityTab: defaultActivityTab,
                        }),
                      ),
                    element: null,
                  },
                  {
                    path: pattern(paths.activityTab),
                    lazy: screen(() => import('./features/applications/ActivityTab')),
                  },
                  {
                    path: pattern(paths.components),
                    lazy: screen(() => import('./features/components/ComponentListTab')),
                  },
                  {
                    path: pattern(paths.integrationTests),
                    lazy: screen(() => import('./features/integration-tests/IntegrationTestListTab')),
                  },
                  {
                    path: pattern(paths.snapshots),
                    lazy: screen(() => import('./features/snapshots/SnapshotListTab')),
                  },
                  {
                    path: pattern(paths.releases),
                    lazy: screen(() => import('./features/releases/ReleaseListTab')),
                  },
                ],
              },
              {
                path: pattern(paths.component),
                lazy: screen(() => import('./features/components/ComponentLayout')),
                children: [
                  { index: true, lazy: screen(() => import('./features/components/ComponentDetailsTab')) },
                  {
                    path: pattern(paths.componentActivity),
                    lazy: screen(() => import('./features/components/ComponentActivityRedirect')),
                  },
                  {
                    path: pattern(paths.componentActivityTab),
                    lazy: screen(() => import('./features/components/ComponentActivityTab')),
                  },
                ],
              },
              {
                path: pattern(paths.linkedSecrets),
                lazy: screen(() => import('./features/linked-secrets/LinkedSecretsPage')),
              },
              {
                path: pattern(paths.addIntegrationTest),
                lazy: screen(() => import('./features/integration-tests/AddIntegrationTestPage')),
              },
              {
                path: pattern(paths.editIntegrationTest),
                lazy: screen(() => import('./features/integration-tests/EditIntegrationTestPage')),
              },
              {
                path: pattern(paths.integrationTest),
                lazy: screen(() => import('./features/integration-tests/IntegrationTestLayout')),
                children: [
                  { index: true, lazy: integrationTestOverview },
                  { path: pattern(paths.integrationTestOverview), lazy: integrationTestOverview },
                  {
                    path: pattern(paths.integrationTestPipelineRuns),
                    lazy: screen(() => import('./features/integration-tests/IntegrationTestPipelineRunsTab')),
                  },
                ],
              },
              {
                path: pattern(paths.snapshot),
                lazy: screen(() => import('./features/snapshots/SnapshotLayout')),
                children: [
                  { index: true, lazy: screen(() => import('./features/snapshots/SnapshotOverviewTab')) },
                  {
                    path: pattern(paths.snapshotPipelineRuns),
                    lazy: screen(() => import('./features/snapshots/SnapshotPipelineRunsTab')),
                  },
                  {
                    path: pattern(paths.snapshotChanges),
                    lazy: screen(() => import('./features/snapshots/SnapshotChangesTab')),
                  },
                ],
              },
              {
                path: pattern(paths.release),
                lazy: screen(() => import('./features/releases/ReleaseLayout')),
                children: [
                  { index: true, lazy: screen(() => import('./features/releases/ReleaseOverviewTab')) },
                  {
                    path: pattern(paths.releasePipelineRuns),
                    lazy: screen(() => import('./features/releases/ReleasePipelineRunsTab')),
                  },
                  {
                    path: pattern(paths.releaseArtifacts),
                    lazy: screen(() => import('./features/releases/ReleaseArtifactsTab')),
                  },
                ],
              },
              {
                path: pattern(paths.commit),
                lazy: screen(() => import('./features/commits/CommitLayout')),
                children: [
                  { index: true, lazy: screen(() => import('./features/commits/CommitDetailsTab')) },
                  {
                    path: pattern(paths.commitPipelineRuns),
                    lazy: screen(() => import('./features/commits/CommitPipelineRunsTab')),
                  },
                ],
              },
              {
                path: pattern(paths.pipelineRun),
                lazy: screen(() => import('./features/pipeline-runs/PipelineRunLayout')),
                children: [
                  { index: true, lazy: screen(() => import('./features/pipeline-runs/PipelineRunDetailsTab')) },
                  {
                    path: pattern(paths.pipelineRunTaskRuns),
                    lazy: screen(() => import('./features/pipeline-runs/PipelineRunTaskRunsTab')),
                  },
                  {
                    path: pattern(paths.pipelineRunLogs),
                    lazy: screen(() => import('./features/pipeline-runs/PipelineRunLogsTab')),
                  },
                  {
                    path: pattern(paths.pipelineRunSecurity),
                    lazy: screen(() => import('./features/pipeline-runs/PipelineRunSecurityTab')),
                  },
                ],
              },
              {
                path: pattern(paths.taskRun),
                lazy: screen(() => import('./features/task-runs/TaskRunLayout')),
                children: [
                  { index: true, lazy: screen(() => import('./features/task-runs/TaskRunRedirect')) },
                  {
                    path: pattern(paths.taskRunDetails),
                    lazy: screen(() => import('./features/task-runs/TaskRunDetailsTab')),
                  },
                  {
                    path: pattern(paths.taskRunLogs),
                    lazy: screen(() => import('./features/task-runs/TaskRunLogsTab')),
                  },
                  {
                    path: pattern(paths.taskRunSecurity),
                    lazy: screen(() => import('./features/task-runs/TaskRunSecurityTab')),
                  },
                ],
              },
              {
                path: pattern(paths.releaseArea),
                lazy: screen(() => import('./features/release-plans/ReleaseAreaLayout')),
                children: [
                  { index: true, lazy: screen(() => import('./features/release-plans/ReleasePlanListTab')) },
                  {
                    path: pattern(paths.releasePlans),
                    lazy: screen(() => import('./features/release-plans/ReleasePlanListTab')),
                  },
                  {
                    path: pattern(paths.releasePlanAdmissions),
                    lazy: screen(() => import('./features/release-plans/ReleasePlanAdmissionListTab')),
                  },
                ],
              },
              {
                path: pattern(paths.createReleasePlan),
                lazy: screen(() => import('./features/release-plans/CreateReleasePlanPage')),
              },
              {
                path: pattern(paths.editReleasePlan),
                lazy: screen(() => import('./features/release-plans/EditReleasePlanPage')),
              },
              {
                path: pattern(paths.triggerRelease),
                lazy: screen(() => import('./features/trigger-release/TriggerReleasePage')),
              },
              { path: pattern(paths.secrets), lazy: screen(() => import('./features/secrets/SecretListPage')) },
              { path: pattern(paths.access), lazy: screen(() => import('./features/access/AccessListPage')) },
              { path: pattern(paths.grantAccess), lazy: screen(() => import('./features/access/GrantAccessPage')) },
              { path: pattern(paths.editAccess), lazy: screen(() => import('./features/access/EditAccessPage')) },
              { path: pattern(paths.createSecret), lazy: screen(() => import('./features/secrets/CreateSecretPage')) },
              { path: pattern(paths.editSecret), lazy: screen(() => import('./features/secrets/EditSecretPage')) },
              ...shortenedAddresses,
              ...[paths.anyPipelineRun, paths.anyPipelineRunSingular].map((path) => ({
                path: `${pattern(path)}/*`,
                lazy: screen(() => import('./shell/PipelineRunRedirect')),
              })),
            ],
          },
          { path: '*', Component: NotFoundPage },
        ],
      },
    ],
  },
]

/** The route of an address whose last segment, a name, is missing. */
function shortened(address: string, to: (params: Params) => string): RouteObject {
  return {
    path: address.slice(0, address.lastIndexOf('/')),
    loader: ({ params }) => replace(to(params)),
    element: null,
  }
}

type Screen = Pick<RouteObject, 'Component' | 'loader' | 'handle' | 'ErrorBoundary'>

/** A screen that is loaded on the first visit. */
function screen(load: () => Promise<Screen>): LazyRouteFunction<RouteObject> {
  return async () => {
    const { Component, loader, handle, ErrorBoundary } = await load().catch((cause: unknown) => {
      throw new ChunkLoadError('A part of the console could not be loaded.', { cause })
    })
    return { Component, loader, handle, ErrorBoundary }
  }
}
