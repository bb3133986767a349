import { clusterRoleType, roleBindingType } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { ignoreExisting, ignoreMissing } from '@slipway/kube/status'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { Release, ReleaseProcessing } from '@slipway/model/releases/release'
import type { ReleasePlanAdmission } from '@slipway/model/releases/release-plan'
import { releaseResourceRole } from '@slipway/model/access/roles/service-accounts'
import type { ControllerContext, Writes } from '../controller'
import { nameSuffix } from '../keyed-random'
import type { ReleasePhase } from '../release/phases'

/** What this module writes. */
export const releaseBindingWrites: Writes = [[roleBindingType, 'create', 'delete']]

interface RoleBindingsInput {
  release: Release
  phase: ReleasePhase
  run: PipelineRun
  admission: ReleasePlanAdmission
}

/** Gives the account of a managed run access to the namespaces of the release and the admission while it runs. */
export async function createRoleBindings(
  { release, phase, run, admission }: RoleBindingsInput,
  { client, random }: ControllerContext,
): Promise<ReleaseProcessing['roleBindings']> {
  const account = run.spec.taskRunTemplate?.serviceAccountName
  if (!account || account === 'default') return undefined
  const bind = async (place: string, namespace: string) => {
    const suffix = nameSuffix(
      random(`${place} binding of ${phase} of ${namespaceOf(release) ?? ''}/${nameOf(release)}`),
    )
    const name = `${nameOf(release)}-rolebinding-${suffix}`
    const binding = {
      metadata: { name, namespace },
      roleRef: { apiGroup: clusterRoleType.group, kind: 'ClusterRole' as const, name: releaseResourceRole },
      subjects: [{ kind: 'ServiceAccount' as const, name: account, namespace: namespaceOf(run) }],
    }
    await client.create(roleBindingType, binding).catch(ignoreExisting)
    return `${namespace}/${name}`
  }
  return {
    tenantRoleBinding: await bind('tenant', namespaceOf(release) ?? ''),
    managedRoleBinding: await bind('managed', namespaceOf(admission) ?? ''),
  }
}

export async function deleteRoleBindings(
  roleBindings: ReleaseProcessing['roleBindings'],
  { client, informer }: ControllerContext,
): Promise<void> {
  for (const qualifiedName of Object.values(roleBindings ?? {})) {
    const [namespace, name = ''] = qualifiedName.split('/')
    if (!informer(roleBindingType).get(namespace, name)) continue
    await client.delete(roleBindingType, name, { namespace }).catch(ignoreMissing)
  }
}
