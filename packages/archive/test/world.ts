import { createApiServer } from '@slipway/apiserver/api-server'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import {
  clusterRoleBindingType,
  clusterRoleType,
  configMapType,
  customResourceDefinitionType,
  namespaceType,
  podType,
  roleBindingType,
  roleType,
  type ClusterRole,
  type RoleBinding,
} from '@slipway/kube/core-types'
import { apiVersionOf, type ResourceType } from '@slipway/kube/resource-type'
import { manualClock, type ManualClock } from '@slipway/kube/testing'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { platformObjects } from '@slipway/model/platform-objects'
import { releaseType } from '@slipway/model/releases/release'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { taskRunType } from '@slipway/model/runs/task-run'
import { aNamespace } from '@slipway/model/testing'
import { createArchive, type Archive, type ArchiveOptions } from '../src/archive'
import { archivedKind, hasEnded, isDecided } from '../src/kinds'
import { archiveRules } from '../src/permissions'
import { openArchiveStore, type ArchiveStore } from '../src/store/store'

export const namespace = 'team-payments'
export const otherNamespace = 'team-search'

export const kinds = [
  archivedKind({ type: pipelineRunType, isFinished: isDecided('Succeeded'), isRecord: true }),
  archivedKind({ type: taskRunType, isFinished: isDecided('Succeeded'), isRecord: true }),
  archivedKind({
    type: podType,
    labels: { matchExpressions: [{ key: labels.taskRun, operator: 'Exists' }] },
    isFinished: hasEnded,
    hasLogs: true,
  }),
  archivedKind({ type: snapshotType, isFinished: () => true }),
  archivedKind({ type: releaseType, isFinished: isDecided('Released') }),
]

/** Users by token. `reader` may read `team-payments`, `gateway` may impersonate anyone, `stranger` has no permissions. */
const users: Record<string, { name: string; groups: string[] }> = {
  admin: { name: 'system:admin', groups: ['system:masters'] },
  archive: {
    name: 'system:serviceaccount:slipway:archive',
    groups: ['system:serviceaccounts', 'system:authenticated'],
  },
  gateway: { name: 'system:serviceaccount:slipway:gateway', groups: ['system:authenticated'] },
  reader: { name: 'reader@slipway.test', groups: ['system:authenticated'] },
  stranger: { name: 'stranger@slipway.test', groups: ['system:authenticated'] },
}

const rbac = roleBindingType.group
const clusterRole = (name: string, rules: ClusterRole['rules']): ClusterRole => ({ metadata: { name }, rules })
const binding = (role: string, user: string, at?: string): RoleBinding => ({
  metadata: { name: `${role}-${user}`, ...(at && { namespace: at }) },
  roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'User', apiGroup: rbac, name: users[user]?.name ?? user }],
})

const platformTypes: ResourceType[] = [
  customResourceDefinitionType,
  clusterRoleType,
  clusterRoleBindingType,
  roleType,
  roleBindingType,
  namespaceType,
  configMapType,
]

export interface World {
  /** Calls as the cluster administrator. */
  client: KubeClient
  clock: ManualClock
  store: ArchiveStore
  archive: Archive
  warnings: string[]
  /** Number of calls from the archive to the API server, by method and path. */
  calls: string[]
  restart(between?: () => Promise<void>): Promise<void>
  kubeArchive(path: string, token?: string, headers?: Record<string, string>): Promise<Answer>
  results(path: string, token?: string, headers?: Record<string, string>): Promise<Answer>
  close(): Promise<void>
}

export interface Answer {
  code: number
  headers: Headers
  text: string
  /** Parsed JSON; `undefined` for other text. The tests know its shape. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any
}

export async function startWorld(
  options: Partial<ArchiveOptions> & { path?: string; fail?: (request: Request) => Response | undefined } = {},
): Promise<World> {
  const clock = manualClock()
  const server = await createApiServer({
    storage: memoryStorage(),
    clock,
    authenticate: (token) => users[token],
  })
  const calls: string[] = []
  const clientOf = (token: string) =>
    createKubeClient({
      baseUrl: 'http://cluster.test',
      headers: { authorization: `Bearer ${token}` },
      fetch: (input, init) => {
        const request = new Request(input, init)
        if (token === 'archive') {
          calls.push(`${request.method} ${new URL(request.url).pathname}`)
          const failure = options.fail?.(request)
          if (failure) return Promise.resolve(failure)
        }
        return server.fetch(request)
      },
    })
  const client = clientOf('admin')
  for (const object of platformObjects()) {
    const type = platformTypes.find((each) => each.kind === object.kind && apiVersionOf(each) === object.apiVersion)
    if (!type) throw new Error(`No resource type for ${object.apiVersion} ${object.kind}.`)
    await client.create(type, object)
  }
  for (const name of [namespace, otherNamespace]) await client.create(namespaceType, aNamespace({ metadata: { name } }))
  await client.create(clusterRoleType, clusterRole('archive', archiveRules(kinds)))
  await client.create(clusterRoleBindingType, binding('archive', 'archive'))
  const impersonators = [{ apiGroups: [''], resources: ['users', 'groups'], verbs: ['impersonate'] }]
  await client.create(clusterRoleType, clusterRole('gateway', impersonators))
  await client.create(clusterRoleBindingType, binding('gateway', 'gateway'))
  await client.create(roleBindingType, binding('konflux-viewer-user-actions', 'reader', namespace))
  await server.settled()

  const warnings: string[] = []
  const store = openArchiveStore(options.path ?? ':memory:', () => clock.now())
  const begin = () =>
    createArchive({
      client: clientOf('archive'),
      store,
      kinds,
      clock,
      warn: (message) => warnings.push(message),
      ...options,
    })
  let archive = begin()
  await archive.idle()
  const ask = async (response: Response): Promise<Answer> => {
    const text = await response.text()
    return { code: response.status, headers: response.headers, text, body: parsed(text) }
  }
  const requestFor = (path: string, token: string, headers: Record<string, string> = {}) =>
    new Request(`http://archive.test${path}`, {
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    })
  return {
    client,
    clock,
    store,
    warnings,
    calls,
    get archive() {
      return archive
    },
    async restart(between = async () => {}) {
      await archive.close()
      await between()
      archive = begin()
      await archive.idle()
    },
    kubeArchive: async (path, token = 'reader', headers) =>
      ask(await archive.kubeArchive(requestFor(path, token, headers))),
    results: async (path, token = 'reader', headers) =>
      ask(await archive.tektonResults(requestFor(`/apis/results.tekton.dev/v1alpha2/parents/${path}`, token, headers))),
    async close() {
      await archive.close()
      store.close()
      await server.close()
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
