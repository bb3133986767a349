import type { Controller } from './controller'
import { automaticReleases } from './controllers/automatic-releases'
import { buildReports } from './controllers/build-reports'
import { buildServiceAccounts } from './controllers/build-service-accounts'
import { buildSnapshots } from './controllers/build-snapshots'
import { componentDeletions } from './controllers/component-deletions'
import { componentGroups, parentSnapshots } from './controllers/component-groups'
import { componentOnboarding } from './controllers/component-onboarding'
import { componentOwners } from './controllers/component-owners'
import { groupSnapshots } from './controllers/group-snapshots'
import { imageRepositories } from './controllers/image-repositories'
import { namespacePullSecrets } from './controllers/namespace-pull-secrets'
import { nudgeReferences, nudging } from './controllers/nudging'
import { overrideSnapshots } from './controllers/override-snapshots'
import { pipelineRuns } from './controllers/pipeline-runs'
import { pipelinesAsCode } from './controllers/pipelines-as-code'
import { pruning } from './controllers/pruning'
import { repositoryQueues } from './controllers/repository-queues'
import { releasePlanAdmissions, releasePlans } from './controllers/release-plans'
import { releases } from './controllers/releases'
import { runAdmission } from './controllers/run-admission'
import { snapshotTests } from './controllers/snapshot-tests'
import { sourceControl } from './controllers/source-control'
import { taskRuns } from './controllers/task-runs'
import { tenantNamespaces } from './controllers/tenant-namespaces'
import { testScenarios } from './controllers/test-scenarios'
import type { PlatformVersion } from './platform-version'

interface ControllersOptions {
  /** URL of the console that shows runs, without a trailing slash. */
  consoleUrl: string
  /** If true, finished runs are deleted only after an archive has stored them. */
  hasArchive: boolean
  /** How long finished runs and snapshots are kept at least, in simulated time; default: 3 hours. */
  keepForMs?: number
  /** Default: `current`. */
  platform?: PlatformVersion
}

/** How many of each kind stay in the cluster whatever their age: enough for every list, and little enough to watch. */
const keep = 5
const defaultKeepForMs = 3 * 3_600_000

/** All controllers of the simulator. */
export const allControllers = ({
  consoleUrl,
  hasArchive,
  keepForMs = defaultKeepForMs,
  platform = 'current',
}: ControllersOptions): Controller[] => [
  componentOwners,
  componentOnboarding,
  imageRepositories,
  namespacePullSecrets,
  buildServiceAccounts,
  nudgeReferences(platform),
  sourceControl,
  pipelinesAsCode({ consoleUrl, platform }),
  repositoryQueues,
  ...(platform === 'current' ? [runAdmission] : []),
  pipelineRuns,
  taskRuns,
  buildReports(platform),
  nudging(platform),
  componentDeletions,
  buildSnapshots,
  groupSnapshots,
  ...(platform === 'current' ? [componentGroups, parentSnapshots] : []),
  overrideSnapshots,
  testScenarios(platform),
  snapshotTests(platform),
  automaticReleases,
  releasePlans,
  releasePlanAdmissions(platform),
  releases(platform),
  tenantNamespaces,
  ...pruning({ keep, olderThanMs: keepForMs, requiresArchive: hasArchive }),
]
