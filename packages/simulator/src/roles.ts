import { clusterRoleType, podType, type PolicyRule } from '@slipway/kube/core-types'
import type { ResourceType } from '@slipway/kube/resource-type'
import { integrationRunner, releaseResourceRole } from '@slipway/model/access/roles/service-accounts'
import type { WriteVerb } from './controller'
import { allControllers } from './controllers'
import { gitHostReads } from './git-host/git-host'
import { repositoryWrites } from './git-host/store'
import { platformVersions } from './platform-version'

/** Roles that are bound to the service accounts of pipelines. */
const boundRoles = [integrationRunner, releaseResourceRole]

/** What the permissions of `simulatorRules` consist of, each once: `{verb} {group}/{resource}`. */
function permissions(): Set<string> {
  const all = new Set<string>()
  const allow = ({ group, plural }: ResourceType, subresource: string, ...verbs: string[]) =>
    verbs.forEach((verb) => all.add(`${verb} ${group}/${plural}${subresource}`))
  const allowWrite = (type: ResourceType, verb: WriteVerb) =>
    verb === 'updateStatus' ? allow(type, '/status', 'update') : allow(type, '', verb)
  const controllers = platformVersions.flatMap((platform) =>
    allControllers({ consoleUrl: '', hasArchive: true, platform }),
  )
  for (const { reads, gets, writes } of controllers) {
    for (const type of reads) allow(type, '', 'list', 'watch')
    for (const type of gets) allow(type, '', 'get')
    for (const [type, ...verbs] of writes) for (const verb of verbs) allowWrite(type, verb)
  }
  for (const type of gitHostReads) allow(type, '', 'get', 'list')
  for (const [type, ...verbs] of repositoryWrites) for (const verb of verbs) allowWrite(type, verb)
  // Only the API server of this project supports writing logs.
  allow(podType, '/log', 'get', 'create')
  return all
}

/** The permissions that the simulator and its git host need, and no others, from what the controllers declare. */
export const simulatorRules: PolicyRule[] = [
  ...rulesOf(permissions()),
  // Binding a role requires all of its permissions, or the permission to bind that role.
  { apiGroups: [clusterRoleType.group], resources: ['clusterroles'], verbs: ['bind'], resourceNames: [...boundRoles] },
]

/** One rule for all resources of a group that have the same verbs. */
function rulesOf(allowed: Set<string>): PolicyRule[] {
  const verbsOf = new Map<string, string[]>()
  for (const permission of [...allowed].sort()) {
    const [verb = '', resource = ''] = permission.split(' ')
    verbsOf.set(resource, [...(verbsOf.get(resource) ?? []), verb])
  }
  const rules = new Map<string, PolicyRule & { resources: string[] }>()
  for (const [qualified, verbs] of [...verbsOf].sort()) {
    const [group = '', ...path] = qualified.split('/')
    const id = `${group} ${verbs.join()}`
    const rule = rules.get(id) ?? { apiGroups: [group], resources: [], verbs }
    rule.resources.push(path.join('/'))
    rules.set(id, rule)
  }
  return [...rules.values()]
}
