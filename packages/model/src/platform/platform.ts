import { clusterRoleType, configMapType, namespaceType, type ConfigMap, type Namespace } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { applications } from '../crds/applications'
import { components } from '../crds/components'
import { customRuns } from '../crds/custom-runs'
import { enterpriseContractPolicies } from '../crds/enterprise-contract-policies'
import { externalSecrets } from '../crds/external-secrets'
import { imageRepositories } from '../crds/image-repositories'
import { integrationTestScenarios } from '../crds/integration-test-scenarios'
import { pipelineRuns } from '../crds/pipeline-runs'
import { pipelines } from '../crds/pipelines'
import { releasePlanAdmissions } from '../crds/release-plan-admissions'
import { releasePlans } from '../crds/release-plans'
import { releases } from '../crds/releases'
import { repositories } from '../crds/repositories'
import { snapshots } from '../crds/snapshots'
import { taskRuns } from '../crds/task-runs'
import { tasks } from '../crds/tasks'
import type { CustomResourceDefinition } from '../crds/define-crd'
import { bannerEntry, bannerLocation, publicInfoLocation } from './public-info'
import { authenticatedClusterRoles, publicInfoRoles } from '../access/roles/authenticated'
import { serviceAccountRoles } from '../access/roles/service-accounts'
import { clusterRoleName, userActionRoles, type UserRole } from '../access/roles/user-actions'

export const customResourceDefinitions: CustomResourceDefinition[] = [
  applications,
  components,
  snapshots,
  integrationTestScenarios,
  releasePlans,
  releasePlanAdmissions,
  releases,
  imageRepositories,
  enterpriseContractPolicies,
  pipelineRuns,
  taskRuns,
  customRuns,
  pipelines,
  tasks,
  repositories,
  externalSecrets,
]

const infoNamespace: Namespace = {
  apiVersion: apiVersionOf(namespaceType),
  kind: namespaceType.kind,
  metadata: { name: publicInfoLocation.namespace },
}

/** The roles that people can be given, the most privileged first. */
const grantableRoles: { role: UserRole; description: string }[] = [
  { role: 'admin', description: 'Everything in the namespace, with its secrets and who has access to it' },
  { role: 'maintainer', description: 'Works on applications, tests and releases; sees no secrets' },
  { role: 'contributor', description: 'Reads everything but secrets' },
]

/** What an operator publishes before anybody has configured more. */
export const defaultPublicInfo = {
  environment: 'development',
  visibility: 'public',
  integrations: { image_controller: { enabled: false, notifications: [] } },
  rbac: grantableRoles.map(({ role, description }) => ({
    displayName: role,
    description,
    roleRef: { apiGroup: clusterRoleType.group, kind: clusterRoleType.kind, name: clusterRoleName(role) },
  })),
}

const infoConfigMap = (name: string, data: Record<string, string>): ConfigMap => ({
  apiVersion: apiVersionOf(configMapType),
  kind: configMapType.kind,
  metadata: { name, namespace: publicInfoLocation.namespace },
  data,
})

/**
 * What a cluster holds before anybody uses the platform, in an order in which it can be applied one after another.
 */
export const platformObjects = (): KubeObject[] => [
  ...customResourceDefinitions,
  ...userActionRoles,
  ...serviceAccountRoles,
  ...authenticatedClusterRoles,
  infoNamespace,
  infoConfigMap(publicInfoLocation.name, { 'info.json': JSON.stringify(defaultPublicInfo, null, 2) }),
  infoConfigMap(bannerLocation.name, { [bannerEntry]: '[]\n' }),
  ...publicInfoRoles,
]
