import { clusterRoleBindings } from '../builtin/clusterrolebindings'
import { clusterRoles } from '../builtin/clusterroles'
import { configMaps } from '../builtin/configmaps'
import { customResourceDefinitions } from '../builtin/customresourcedefinitions'
import { events, eventsV1 } from '../builtin/events'
import { leases } from '../builtin/leases'
import { limitRanges } from '../builtin/limitranges'
import { namespaces } from '../builtin/namespaces'
import { persistentVolumeClaims } from '../builtin/persistentvolumeclaims'
import { pods } from '../builtin/pods'
import { reviews } from '../builtin/reviews'
import { roleBindings } from '../builtin/rolebindings'
import { roles } from '../builtin/roles'
import { secrets } from '../builtin/secrets'
import { serviceAccounts } from '../builtin/serviceaccounts'
import type { ResourceInfo } from '../resource'

/** Resources served without a CustomResourceDefinition. */
export const builtins: readonly ResourceInfo[] = [
  configMaps,
  events,
  eventsV1,
  leases,
  limitRanges,
  namespaces,
  persistentVolumeClaims,
  pods,
  secrets,
  serviceAccounts,
  roles,
  roleBindings,
  clusterRoles,
  clusterRoleBindings,
  customResourceDefinitions,
  ...reviews,
]
