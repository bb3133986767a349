import { createApiServer } from '@slipway/apiserver/api-server'
import { listen } from '@slipway/apiserver/node'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { createKubeClient } from '@slipway/kube/client'
import {
  clusterRoleBindingType,
  clusterRoleType,
  customResourceDefinitionType,
  namespaceType,
  serviceAccountType,
} from '@slipway/kube/core-types'
import { uidOf } from '@slipway/kube/object'
import { resourcePath } from '@slipway/kube/path'
import { platformObjects } from '@slipway/model/platform'
import { pipelineRunType } from '@slipway/model/pipeline-run'
import { aNamespace, aPipelineRun } from '@slipway/model/testing'
import { expect, it, vi } from 'vitest'
import { createArchive } from '../src/archive'
import { archiveRules } from '../src/permissions'
import { openArchiveStore } from '../src/store/store'
import { succeeded } from './objects'
import { kinds, namespace } from './world'

it('works over HTTP with the token of a service account that may do no more than it needs', async () => {
  const server = await createApiServer({
    storage: memoryStorage(),
    authenticate: (token) => (token === 'admin' ? { name: 'admin', groups: ['system:masters'] } : undefined),
  })
  const listener = await listen(server, { host: '127.0.0.1', port: 0 })
  const clientOf = (token: string) =>
    createKubeClient({ baseUrl: listener.url, headers: { authorization: `Bearer ${token}` } })
  const admin = clientOf('admin')
  for (const object of platformObjects()) {
    if (object.kind === customResourceDefinitionType.kind) await admin.create(customResourceDefinitionType, object)
  }
  await admin.create(namespaceType, aNamespace())
  await admin.create(serviceAccountType, { metadata: { name: 'archive', namespace } })
  await admin.create(clusterRoleType, { metadata: { name: 'archive' }, rules: archiveRules(kinds) })
  await admin.create(clusterRoleBindingType, {
    metadata: { name: 'archive' },
    roleRef: { apiGroup: clusterRoleType.group, kind: 'ClusterRole', name: 'archive' },
    subjects: [{ kind: 'ServiceAccount', name: 'archive', namespace }],
  })
  const tokenPath = resourcePath(serviceAccountType, { namespace, name: 'archive', subresource: 'token' })
  const { status } = await admin.request<{ status: { token: string } }>(tokenPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  const store = openArchiveStore(':memory:')
  const warnings: string[] = []
  const archive = createArchive({
    client: clientOf(status.token),
    store,
    kinds,
    warn: (message) => warnings.push(message),
  })
  await archive.idle()
  const run = await admin.create(pipelineRunType, aPipelineRun())
  await admin.replaceStatus(pipelineRunType, { ...run, status: succeeded() } as typeof run)
  const path = `/apis/tekton.dev/v1/namespaces/${namespace}/pipelineruns/uid/${uidOf(run)}`
  const read = () =>
    archive.kubeArchive(new Request(`http://archive.test${path}`, { headers: { authorization: 'Bearer admin' } }))
  await vi.waitFor(async () => {
    const { metadata } = (await (await read()).json()) as typeof run
    expect(metadata.annotations).toMatchObject({ 'results.tekton.dev/stored': 'true' })
  })
  expect(warnings).toEqual([])
  await archive.close()
  store.close()
  await listener.close()
  await server.close()
})
