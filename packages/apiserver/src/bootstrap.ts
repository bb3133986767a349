import { clusterRoleBindings } from './builtin/clusterrolebindings'
import { clusterRoles } from './builtin/clusterroles'
import { namespaces } from './builtin/namespaces'
import { defaultClusterRoleBindings, defaultClusterRoles } from './authorization/default-roles'
import { StatusError } from './errors'
import { serverWriteOptions, type Writer } from './registry/writer'

/** What every cluster starts with; what is there already is left as it is. */
export async function bootstrap(writer: Writer): Promise<void> {
  const first = [
    ...['default', 'kube-public', 'kube-system'].map((name) => [namespaces, { metadata: { name } }] as const),
    ...defaultClusterRoles.map((role) => [clusterRoles, role] as const),
    ...defaultClusterRoleBindings.map((binding) => [clusterRoleBindings, binding] as const),
  ]
  for (const [info, object] of first) {
    await writer.create(info, undefined, object, serverWriteOptions).catch((error: unknown) => {
      if (!(error instanceof StatusError && error.status.reason === 'AlreadyExists')) throw error
    })
  }
}
