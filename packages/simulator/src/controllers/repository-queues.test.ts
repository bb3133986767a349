import { configMapType, namespaceType } from '@slipway/kube/core-types'
import { nameOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { repositoryType } from '@slipway/model/builds/repository'
import { annotations, labels } from '@slipway/model/labels'
import { pacQueueNameOf, pacQueueOf, pacQueueText } from '@slipway/model/runs/pac-queue'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import { aComponent, anApplication, aNamespace } from '@slipway/model/testing'
import { aRepository } from '@slipway/model/testing/build-services'
import { afterEach, expect, it } from 'vitest'
import { finish } from '../../test/finish'
import { startWorld, type World } from '../../test/world'
import type { Controller } from '../controller'
import { parseRepositoryUrl } from '../git-host/git-url'
import { closePullRequest, newRepository, openPullRequest, push, type GitRepository } from '../git-host/repository'
import {
  gitHostNamespace,
  readRepository,
  repositoryConfigMap,
  repositoryConfigMapName,
  saveRepository,
} from '../git-host/store'
import { buildReports } from './build-reports'
import { pipelineRuns } from './pipeline-runs'
import { pipelinesAsCode } from './pipelines-as-code'
import { repositoryQueues } from './repository-queues'
import { taskRuns } from './task-runs'

const namespace = 'team-payments'
const url = 'https://github.com/payments/checkout-api'
const by = { author: 'mei-tanaka', time: '2026-01-31T08:00:00Z' }
const names = ['checkout-api', 'checkout-web']
const location = parseRepositoryUrl(url) ?? { host: '', organization: '', name: '', url }

let world: World
afterEach(() => world.close())

async function start(limit: number | undefined, edit: (draft: GitRepository) => void, others: Controller[] = []) {
  const repository = newRepository(location, 'github', [{ title: 'Initial commit', ...by }])
  repository.branches[0]?.pipelines.push(...names.map((name) => `${namespace}/${name}`))
  edit(repository)
  const objects: [ResourceType, KubeObject][] = [
    [namespaceType, aNamespace()],
    [namespaceType, { metadata: { name: gitHostNamespace } }],
    [applicationType, anApplication()],
    [repositoryType, aRepository({ spec: { concurrency_limit: limit } })],
    ...names.map((name): [ResourceType, KubeObject] => [
      componentType,
      aComponent({ metadata: { name }, spec: { source: { git: { url, revision: undefined } } } }),
    ]),
    [configMapType, repositoryConfigMap(repository)],
  ]
  const controllers: Controller[] = [
    pipelinesAsCode({ consoleUrl: 'https://console.slipway.test' }),
    repositoryQueues,
    pipelineRuns,
    buildReports('current'),
    ...others,
  ]
  world = await startWorld({ controllers, objects })
}

const runs = async () => (await world.client.list(pipelineRunType, { namespace })).items
/** Of the runs in the order in which they are to start. */
async function states() {
  const all = await runs()
  const order = all[0]?.metadata.annotations?.[annotations.executionOrder]?.split(',') ?? []
  const sorted = all.sort(
    (a, b) => order.indexOf(`${namespace}/${a.metadata.name}`) - order.indexOf(`${namespace}/${b.metadata.name}`),
  )
  return sorted.map(({ metadata, spec }) => [
    metadata.labels?.[labels.component],
    metadata.labels?.[labels.runState],
    metadata.annotations?.[labels.runState],
    spec.status,
  ])
}
const held = (component: string) => [component, 'queued', 'queued', 'PipelineRunPending']
const started = (component: string) => [component, 'started', 'started', undefined]
const completed = (component: string) => [component, 'completed', 'completed', undefined]

const pushed = (draft: GitRepository) => void push(draft, 'main', { title: 'Round', ...by })

it('a repository that allows one run at a time holds the second build of a push until the first has ended', async () => {
  await start(1, pushed)
  expect(await states()).toEqual([started('checkout-api'), held('checkout-web')])
  const [first, second] = await runs()
  const waiting = [first, second].find((run) => run && pacQueueNameOf(run) === 'checkout-api')
  if (!first || !second || !waiting) throw new Error('no held run')
  expect(pacQueueText(pacQueueOf(waiting, [first, second]))).toBe(
    'Waits for 1 of 1 runs of this repository to end: 1 is running, none is queued before it.',
  )
  expect(waiting.status?.startTime).toBeUndefined()
  const running = first === waiting ? second : first
  await finish(world, running, {})
  expect(await states()).toEqual([completed('checkout-api'), started('checkout-web')])
})

it('a repository without a limit holds no build', async () => {
  await start(undefined, pushed)
  expect((await states()).sort()).toEqual([started('checkout-api'), started('checkout-web')])
})

it('held builds start when the limit of their repository is removed', async () => {
  await start(1, pushed)
  const repository = await world.client.get(repositoryType, 'checkout-api', { namespace })
  await world.client.replace(repositoryType, { ...repository, spec: { url } })
  await world.simulator.idle()
  expect(await states()).toEqual([started('checkout-api'), started('checkout-web')])
})

it('a held build of a pull request that is closed is cancelled, and runs no task but the last ones', async () => {
  const open = (draft: GitRepository) =>
    void openPullRequest(draft, { title: 'Round', body: '', source: 'round', target: 'main', ...by })
  await start(1, open, [taskRuns])
  const held = (await runs()).find((run) => pacQueueNameOf(run) !== undefined)
  const configMap = await world.client.get(configMapType, repositoryConfigMapName(location), {
    namespace: gitHostNamespace,
  })
  const draft = readRepository(configMap)
  if (!held || !draft?.pullRequests[0]) throw new Error('no held run of a pull request')
  closePullRequest(draft, draft.pullRequests[0], by)
  await saveRepository(world.client, configMap, draft)
  await world.advance(1_200_000)
  expect((await states()).map(([, state]) => state)).toEqual(['completed', 'completed'])
  const { items } = await world.client.list(taskRunType, {
    namespace,
    labels: { matchLabels: { [labels.pipelineRun]: nameOf(held) } },
  })
  expect(new Set(items.map(({ metadata }) => metadata.labels?.[labels.memberOf]))).toEqual(new Set(['finally']))
})
