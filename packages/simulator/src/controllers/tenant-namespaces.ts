import {
  clusterRoleType,
  namespaceType,
  roleBindingType,
  serviceAccountType,
  type Namespace,
} from '@slipway/kube/core-types'
import { nameOf, namespaceOf, type KubeObject } from '@slipway/kube/object'
import { ignoreExisting } from '@slipway/kube/status'
import { labels } from '@slipway/model/labels'
import { releasePlanAdmissionType, releasePlanType } from '@slipway/model/releases/release-plan'
import { integrationRunner, releaseResourceRole } from '@slipway/model/access/roles/service-accounts'
import { defineController, on, type ControllerContext } from '../controller'
import { isLive } from '../release/matching'
import { phaseNames, phases } from '../release/phases'

interface Account {
  name: string
  binding: string
  role: string
}

const namespaceKeyOf = (object: KubeObject) => [{ name: namespaceOf(object) ?? '' }]

/** Creates the service accounts of the pipelines in each namespace of a team, and their role bindings. */
export const tenantNamespaces = defineController<Namespace>({
  name: 'tenant-namespaces',
  type: namespaceType,
  filter: ({ metadata }) => metadata.labels?.[labels.namespaceType] === 'tenant',
  wakes: [
    on(serviceAccountType, namespaceKeyOf),
    on(roleBindingType, namespaceKeyOf),
    on(releasePlanType, namespaceKeyOf),
    on(releasePlanAdmissionType, namespaceKeyOf),
  ],
  writes: [
    [serviceAccountType, 'create'],
    [roleBindingType, 'create'],
  ],
  async reconcile(object, context) {
    if (object.metadata.deletionTimestamp) return
    const namespace = nameOf(object)
    const runner = { name: integrationRunner, binding: integrationRunner, role: integrationRunner }
    for (const account of [runner, ...releaseAccounts(namespace, context)]) {
      await ensureAccount(namespace, account, context)
    }
  },
})

/** The accounts that plans and admissions of the namespace name, for pipelines that run in it. */
function releaseAccounts(namespace: string, { informer }: ControllerContext): Account[] {
  const plans = informer(releasePlanType).list(namespace).filter(isLive)
  const admissions = informer(releasePlanAdmissionType).list(namespace).filter(isLive)
  const ofPlans = plans.flatMap((plan) =>
    phaseNames
      .filter((phase) => phases[phase].runsIn === 'plan')
      .map((phase) => phases[phase].pipelineOf(plan, undefined)?.serviceAccountName),
  )
  const ofAdmissions = admissions.flatMap(({ spec }) => [
    spec.pipeline?.serviceAccountName,
    spec.collectors?.serviceAccountName,
  ])
  const names = [...ofPlans, ...ofAdmissions].filter((name) => name !== undefined && name !== 'default')
  return [...new Set(names)].sort().map((name = '') => ({
    name,
    binding: `${name}-resource-role-binding`,
    role: releaseResourceRole,
  }))
}

async function ensureAccount(
  namespace: string,
  { name, binding, role }: Account,
  { client, informer }: ControllerContext,
) {
  if (!informer(serviceAccountType).get(namespace, name)) {
    await client.create(serviceAccountType, { metadata: { name, namespace } }).catch(ignoreExisting)
  }
  if (informer(roleBindingType).get(namespace, binding)) return
  await client
    .create(roleBindingType, {
      metadata: { name: binding, namespace },
      roleRef: { apiGroup: clusterRoleType.group, kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    })
    .catch(ignoreExisting)
}
