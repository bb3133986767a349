import { clusterRoleType, configMapType, namespaceType, type ConfigMap, type Namespace } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { applications } from './crds/applications'
import { componentGroups } from './crds/component-groups'
import { components } from './crds/components'
import { customRuns } from './crds/custom-runs'
import { enterpriseContractPolicies } from './crds/enterprise-contract-policies'
import { externalSecrets } from './crds/external-secrets'
import { imageRepositories } from './crds/image-repositories'
import { integrationTestScenarios } from './crds/integration-test-scenarios'
import { nudgeConfigs } from './crds/nudge-configs'
import { pipelineRuns } from './crds/pipeline-runs'
import { pipelines } from './crds/pipelines'
import { releasePlanAdmissions } from './crds/release-plan-admissions'
import { releasePlans } from './crds/release-plans'
import { releases } from './crds/releases'
import { repositories } from './crds/repositories'
import { snapshots } from './crds/snapshots'
import { taskRuns } from './crds/task-runs'
import { tasks } from './crds/tasks'
import type { CustomResourceDefinition } from './crds/define-crd'
import { definitionsIn, type GroupLayout } from './group-layout'
import { bannerEntry, bannerLocation, publicInfoLocation } from './platform/public-info'
import { authenticatedClusterRoles, publicInfoRoles } from './access/roles/authenticated'
import { serviceAccountRoles } from './access/roles/service-accounts'
import {
  addOnRoles,
  clusterRoleName,
  queueVisibilityRole,
  userActionRoles,
  type UserRole,
} from './access/roles/user-actions'

export const customResourceDefinitions: CustomResourceDefinition[] = [
  applications,
  components,
  componentGroups,
  snapshots,
  integrationTestScenarios,
  releasePlans,
  releasePlanAdmissions,
  releases,
  imageRepositories,
  nudgeConfigs,
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

/** The roles that users can have, the most privileged first. */
const grantableRoles: { role: UserRole; description: string }[] = [
  { role: 'admin', description: 'Full access, including secrets and user access' },
  { role: 'maintainer', description: 'Can edit applications, tests and releases; cannot see secrets' },
  { role: 'contributor', description: 'Can view everything except secrets' },
]

/** The public info before any configuration by operators. */
export const defaultPublicInfo = {
  environment: 'staging',
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
 * The objects of a new platform, in an order in which they can be applied one by one.
 */
export const platformObjects = (layout: GroupLayout = 'old'): KubeObject[] => [
  ...definitionsIn(layout, customResourceDefinitions),
  ...userActionRoles,
  ...addOnRoles,
  queueVisibilityRole,
  ...serviceAccountRoles,
  ...authenticatedClusterRoles,
  infoNamespace,
  infoConfigMap(publicInfoLocation.name, { 'info.json': JSON.stringify(defaultPublicInfo, null, 2) }),
  infoConfigMap(bannerLocation.name, { [bannerEntry]: '[]\n' }),
  ...publicInfoRoles,
]
