import { createApiServer } from '@slipway/apiserver/api-server'
import { listen } from '@slipway/apiserver/node/listen'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { createKubeClient } from '@slipway/kube/client'
import {
  clusterRoleBindingType,
  clusterRoleType,
  customResourceDefinitionType,
  namespaceType,
  podType,
  serviceAccountType,
} from '@slipway/kube/core-types'
import { nameOf, uidOf } from '@slipway/kube/object'
import { resourcePath } from '@slipway/kube/path'
import { platformObjects } from '@slipway/model/platform-objects'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import { aNamespace, aPipelineRun } from '@slipway/model/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createArchive } from '../src/archive'
import { archiveRules } from '../src/permissions'
import { openArchiveStore } from '../src/store/store'
import { makePod, makeRunningPipelineRun, makeTaskRun, succeeded } from './objects'
import { kinds, namespace } from './world'

/** Starts everything over the network, and the archive with the token of an account with least privileges. */
async function startOverHttp() {
  const server = await createApiServer({
    storage: memoryStorage(),
    authenticate: (token) => (token === 'admin' ? { name: 'admin', groups: ['system:masters'] } : undefined),
  })
  const api = await listen(server, { host: '127.0.0.1', port: 0 })
  const clientOf = (token: string) =>
    createKubeClient({ baseUrl: api.url, headers: { authorization: `Bearer ${token}` } })
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
  const at = { host: '127.0.0.1', port: 0 }
  const kubeArchive = await listen({ fetch: (request) => archive.kubeArchive(request) }, at)
  const tektonResults = await listen({ fetch: (request) => archive.tektonResults(request) }, at)
  const read = async (url: string) => {
    const response = await fetch(url, { headers: { authorization: 'Bearer admin' } })
    return { code: response.status, text: await response.text() }
  }
  return {
    client: admin,
    store,
    warnings,
    ofKubeArchive: (path: string) => read(kubeArchive.url + path),
    ofTektonResults: (path: string) =>
      read(`${tektonResults.url}/apis/results.tekton.dev/v1alpha2/parents/${namespace}/results/${path}`),
    async close() {
      for (const listener of [kubeArchive, tektonResults]) await listener.close()
      await archive.close()
      store.close()
      await api.close()
      await server.close()
    },
  }
}

let world: Awaited<ReturnType<typeof startOverHttp>>
beforeEach(async () => void (world = await startOverHttp()))
afterEach(() => world.close())

it('archives a run and annotates it as stored', async () => {
  const run = await world.client.create(pipelineRunType, aPipelineRun())
  await world.client.replaceStatus(pipelineRunType, { ...run, status: succeeded() } as typeof run) // As the API accepts it.
  const path = `/apis/tekton.dev/v1/namespaces/${namespace}/pipelineruns/uid/${uidOf(run)}`
  await vi.waitFor(async () => {
    const { text } = await world.ofKubeArchive(path)
    const { metadata } = JSON.parse(text) as typeof run
    expect(metadata.annotations).toMatchObject({ 'results.tekton.dev/stored': 'true' })
  })
  expect(world.warnings).toEqual([])
})

it('archives the log of a timed-out task so that both APIs return it', async () => {
  const { client, store } = world
  const run = await makeRunningPipelineRun(world, 'run')
  const task = await makeTaskRun(world, run, 'build', succeeded('Unknown', 'Running'))
  const said = `${'compiling\n'.repeat(20_000)}still compiling\n`
  const pod = await makePod(world, task, { 'step-clone': 'cloned\n', 'step-build': said }, 'Running')
  const heard = () =>
    [...(store.logs.read(uidOf(pod), 'step-build') ?? [])].reduce((sum, { length }) => sum + length, 0)
  // It is written in chunks, and the last one is not full, so everything has arrived.
  await vi.waitFor(() => expect(heard()).toBeGreaterThan(said.length - 65_536))

  await client.delete(podType, nameOf(pod), { namespace })
  await client.replaceStatus(taskRunType, { ...task, status: succeeded('False', 'TaskRunTimeout') } as TaskRun) // As the API accepts it.
  await client.replaceStatus(pipelineRunType, {
    ...run,
    status: succeeded('False', 'PipelineRunTimeout'),
  } as PipelineRun)
  await vi.waitFor(async () => {
    const told = await client.get(pipelineRunType, 'run', { namespace })
    expect(told.metadata.annotations).toMatchObject({ 'results.tekton.dev/stored': 'true' })
  })
  const log = `/api/v1/namespaces/${namespace}/pods/${nameOf(pod)}/log`
  expect((await world.ofKubeArchive(`${log}?container=step-build`)).text === said).toBe(true)
  const whole = (await world.ofTektonResults(`${uidOf(run)}/logs/${uidOf(task)}`)).text
  expect(whole === `[clone] cloned\n\n${said.replace(/^(?=.)/gm, '[build] ')}\n\n`).toBe(true)
  expect(world.warnings).toEqual([])
})
