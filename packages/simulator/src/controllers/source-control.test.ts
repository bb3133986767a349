import { configMapType, namespaceType } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { repositoryType } from '@slipway/model/builds/repository'
import { aComponent, anApplication, aNamespace } from '@slipway/model/testing'
import { aRepository } from '@slipway/model/testing/build-services'
import { afterEach, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../../test/world'
import { defineController } from '../controller'
import { parseRepositoryUrl } from '../git-host/git-url'
import {
  newRepository,
  openPullRequest,
  push,
  updatePullRequest,
  commentOn,
  type GitRepository,
} from '../git-host/repository'
import {
  gitHostNamespace,
  readRepository,
  repositoryConfigMap,
  repositoryConfigMapName,
  saveRepository,
  settings,
} from '../git-host/store'
import { pipelinesAsCode } from './pipelines-as-code'
import { sourceControl } from './source-control'

const namespace = 'team-payments'
const url = 'https://github.com/payments/checkout-api'
const time = '2026-01-31T08:00:00Z'
const author = 'mei-tanaka'

/** Finishes every run after five minutes; about half of them fail. */
const builds = defineController<PipelineRun>({
  name: 'builds',
  type: pipelineRunType,
  writes: [[pipelineRunType, 'updateStatus']],
  async reconcile(run, { client, now, random, timestamp, scale }) {
    if (run.status?.completionTime) return
    const ageMs = now() - Date.parse(run.metadata.creationTimestamp ?? '')
    const isCancelled = run.spec.status !== undefined
    if (!isCancelled && ageMs < scale(300_000)) return { afterMs: scale(300_000) - ageMs }
    const succeeds = !isCancelled && random(`outcome ${run.metadata.name}`)() < 0.5
    await client.replaceStatus(pipelineRunType, {
      ...run,
      status: {
        completionTime: timestamp(),
        conditions: [
          {
            type: 'Succeeded',
            status: succeeds ? 'True' : 'False',
            reason: isCancelled ? 'Cancelled' : succeeds ? 'Completed' : 'Failed',
          },
        ],
      },
    })
  },
})

let world: World
afterEach(() => world.close())

const component = (name: string, context?: string) =>
  aComponent({ metadata: { name }, spec: { source: { git: { url, context, revision: undefined } } } })

async function start(
  edit: (draft: GitRepository) => void = () => {},
  { marks = { [settings.activity]: 'off' } as Record<string, string>, names = ['checkout-api'], seed = 'test' } = {},
) {
  const location = parseRepositoryUrl(url)
  if (!location) throw new Error(url)
  const repository = newRepository(location, 'github', [{ title: 'Initial commit', author, time }])
  repository.branches[0]?.pipelines.push(...names.map((name) => `${namespace}/${name}`))
  edit(repository)
  const objects: [ResourceType, KubeObject][] = [
    [namespaceType, aNamespace()],
    [namespaceType, { metadata: { name: gitHostNamespace } }],
    [applicationType, anApplication()],
    [repositoryType, aRepository()],
    ...names.map((name): [ResourceType, KubeObject] => [
      componentType,
      component(name, names.length > 1 ? name : undefined),
    ]),
    [configMapType, repositoryConfigMap(repository, marks)],
  ]
  const controllers = [sourceControl, pipelinesAsCode({ consoleUrl: 'https://console.slipway.test' }), builds]
  world = await startWorld({ controllers, objects, seed })
}

const stored = async () => {
  const name = repositoryConfigMapName({ host: 'github.com', organization: 'payments', name: 'checkout-api' })
  const configMap = await world.client.get(configMapType, name, { namespace: gitHostNamespace })
  const repository = readRepository(configMap)
  if (!repository) throw new Error('unreadable')
  return { configMap, repository }
}
const change = async (edit: (draft: GitRepository) => void) => {
  const { configMap, repository } = await stored()
  edit(repository)
  await saveRepository(world.client, configMap, repository)
  await world.simulator.idle()
}
const runs = async () => (await world.client.list(pipelineRunType, { namespace })).items
const eventTypes = async () => (await runs()).map(({ metadata }) => metadata.labels?.[labels.eventType]).sort()

const pull = { title: 'Round', body: '', source: 'round', target: 'main', author, time }

describe('an event', () => {
  it('starts the build of each component that it affects', async () => {
    await start((draft) => void push(draft, 'main', { title: 'x', author, time, context: 'checkout-api' }), {
      names: ['checkout-api', 'checkout-web'],
    })
    expect((await runs()).map(({ metadata }) => metadata.labels?.[labels.component])).toEqual(['checkout-api'])
    expect((await stored()).repository.deliveries).toEqual([])
    await change((draft) => void push(draft, 'main', { title: 'y', author, time }))
    expect(await runs()).toHaveLength(3)
    await change((draft) => void push(draft, 'other', { title: 'z', author, time }))
    expect(await runs()).toHaveLength(3)
  })

  it('that is delivered again after an interruption starts no second build', async () => {
    let delivered: GitRepository['deliveries'] = []
    await start((draft) => {
      push(draft, 'main', { title: 'x', author, time })
      delivered = structuredClone(draft.deliveries)
    })
    const [before] = await runs()
    await change((draft) => void draft.deliveries.push(...delivered))
    expect((await runs()).map(({ metadata }) => metadata.uid)).toEqual([before?.metadata.uid])
  })

  it('of a pull request replaces its running build', async () => {
    await start((draft) => void openPullRequest(draft, pull))
    await world.advance(60_000)
    await change((draft) => {
      const [first] = draft.pullRequests
      if (first) updatePullRequest(draft, first, { title: 'more', author, time })
    })
    const requested = (await runs()).map(({ spec, metadata }) => [
      metadata.labels?.[labels.commitSha]?.slice(0, 7),
      spec.status,
    ])
    const [newest, oldest] = (await stored()).repository.pullRequests[0]?.commits ?? []
    expect(requested).toContainEqual([oldest?.sha.slice(0, 7), 'CancelledRunFinally'])
    expect(requested).toContainEqual([newest?.sha.slice(0, 7), undefined])
  })

  it('of a comment with /retest builds the pull request again', async () => {
    await start((draft) => void openPullRequest(draft, pull))
    await world.advance(600_000)
    await change((draft) => {
      const [first] = draft.pullRequests
      if (first) commentOn(draft, first, { author, text: '/retest', time })
    })
    expect(await eventTypes()).toEqual(['pull_request', 'retest-all-comment'])
  })

  it('of a closed pull request cancels its builds', async () => {
    await start((draft) => void openPullRequest(draft, pull))
    await change((draft) => {
      const [first] = draft.pullRequests
      if (first) Object.assign(first, { state: 'closed' })
      const [commit] = first?.commits ?? []
      if (commit) {
        draft.deliveries.push({ id: 'closed', event: 'closed', branch: 'main', commit, sender: author, pullRequest: 1 })
      }
    })
    expect((await runs()).map(({ spec }) => spec.status)).toEqual(['CancelledRunFinally'])
  })
})

describe('people', () => {
  const workday = async (hours: number, seed = 'test') => {
    await start(undefined, { marks: {}, seed })
    await world.advance(hours * 3_600_000)
    return stored()
  }

  it('push, and open, update, merge and close pull requests', async () => {
    const { repository } = await workday(8)
    const states = repository.pullRequests.map(({ state }) => state)
    expect(states).toContain('merged')
    expect(states.filter((state) => state === 'open').length).toBeLessThanOrEqual(3)
    const senders = (await runs()).map(({ metadata }) => metadata.annotations?.[annotations.pacSender])
    expect(new Set(senders).size).toBeGreaterThan(1)
    expect(new Set(await eventTypes())).toEqual(new Set(['push', 'pull_request', 'retest-all-comment']))
    // A few per hour: enough to watch, but not too many.
    expect(repository.counts.deeds).toBeGreaterThan(8 * 3)
    expect(repository.counts.deeds).toBeLessThan(8 * 13)
  })

  it('do something about once an hour after a first workday, so that a cluster that runs for weeks stays small', async () => {
    const firstDeeds = 24
    const { repository } = await workday(4 + 24)
    expect(repository.counts.deeds).toBeGreaterThan(firstDeeds + 24 / 2)
    expect(repository.counts.deeds).toBeLessThan(firstDeeds + 24 * 2)
  })

  it('do the same with the same seed', async () => {
    const first = (await workday(2)).configMap.data
    await world.close()
    expect((await workday(2)).configMap.data).toEqual(first)
    await world.close()
    expect((await workday(2, 'another')).configMap.data).not.toEqual(first)
  })

  it('do nothing after the application of all components is deleted', async () => {
    await start(undefined, { marks: {} })
    await world.client.delete(applicationType, 'checkout', { namespace })
    await change((draft) => push(draft, 'main', { title: 'Round', author, time }))
    await world.advance(3_600_000)
    const { repository } = await stored()
    expect(repository.branches[0]?.commits).toHaveLength(2)
    expect(repository.nextDeedAt).toBeUndefined()
    expect(await runs()).toEqual([])
  })

  it('do nothing if activity is off or nothing is built', async () => {
    await start()
    await world.advance(2 * 3_600_000)
    expect((await stored()).repository.counts.deeds).toBe(0)
    await world.close()
    await start((draft) => draft.branches.forEach((branch) => (branch.pipelines = [])), { marks: {} })
    await world.advance(2 * 3_600_000)
    expect((await stored()).repository.counts.deeds).toBe(0)
  })

  it('ignore a ConfigMap that does not contain a repository', async () => {
    await start()
    const { configMap } = await stored()
    await world.client.replace(configMapType, { ...configMap, data: { 'repository.json': '{"branches":7}' } })
    await world.advance(3_600_000)
    expect(await runs()).toEqual([])
  })
})
