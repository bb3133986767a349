import { clusterRoleBindings } from './builtin/clusterrolebindings'
import { clusterRoles } from './builtin/clusterroles'
import { namespaces } from './builtin/namespaces'
import { defaultClusterRoleBindings, defaultClusterRoles } from './authorization/default-roles'
import { StatusError } from './errors'
import { serverWriteOptions, type Writer } from './registry/writer'

/** Creates the objects that every cluster starts with. Existing ones are left unchanged. */
export async function bootstrap(writer: Writer): Promise<void> {
  const initialObjects = [
    ...['default', 'kube-public', 'kube-system'].map((name) => [namespaces, { metadata: { name } }] as const),
    ...defaultClusterRoles.map((role) => [clusterRoles, role] as const),
    ...defaultClusterRoleBindings.map((binding) => [clusterRoleBindings, binding] as const),
  ]
  for (const [resource, object] of initialObjects) {
    const target = { resource, namespace: undefined, name: object.metadata.name ?? '' }
    await writer.write(target, { type: 'create', body: object }, serverWriteOptions).catch((error: unknown) => {
      if (!(error instanceof StatusError && error.status.reason === 'AlreadyExists')) throw error
    })
  }
}
