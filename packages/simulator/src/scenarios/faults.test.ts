import { nameOf, namespaceOf, uidOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { componentType } from '@slipway/model/builds/component'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { releaseType } from '@slipway/model/releases/release'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { taskRunType } from '@slipway/model/runs/task-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { afterEach, expect, it } from 'vitest'
import { startMs, worldOf } from '../../test/tekton'
import { startWorld, type World } from '../../test/world'
import { allControllers } from '../controllers'
import { createScenario } from '../create-scenario'
import { timestamp } from '../tekton/task-run-status'
import { faults } from './faults'

const options = {
  users: { admin: 'admin', maintainer: 'maintainer', contributor: 'contributor', outsider: 'outsider' },
  gitHostUrl: 'http://127.0.0.1:8083',
  consoleUrl: 'https://console.slipway.test',
}
const context = { ...options, nowMs: startMs, world: worldOf('faults') }

let world: World | undefined
afterEach(async () => {
  await world?.close()
  world = undefined
})

const builds = (): PipelineRun[] => {
  const live = [...faults.seeds(context)].map(({ object }) => object)
  const archived = [...(faults.archived?.(context) ?? [])].flatMap(({ objects }) => objects)
  return [...live, ...archived].filter(
    (object): object is PipelineRun => object.kind === pipelineRunType.kind && nameOf(object) !== 'without-labels',
  )
}
const buildsIn = (namespace: string) => builds().filter((build) => namespaceOf(build) === namespace)

it.each(['faults-runs', 'faults-lost', 'faults-nonsense'])(
  'builds in %s have the labels and annotations of their events',
  (namespace) => {
    expect(buildsIn(namespace).length).toBeGreaterThan(3)
    for (const build of buildsIn(namespace)) {
      const name = nameOf(build)
      const { labels: known = {}, annotations: marks = {} } = build.metadata
      expect(known[labels.eventType], name).toBe('push')
      expect(known[labels.commitSha], name).toMatch(/^[0-9a-f]{40}$/)
      expect(marks[annotations.pacShaUrl], name).toMatch(
        new RegExp(`^${options.gitHostUrl}/github.com/.+/commit/${known[labels.commitSha]}$`),
      )
      expect(marks[annotations.pacShaTitle], name).toMatch(/./)
      expect(marks[annotations.pacSender], name).toMatch(/./)
      expect(marks[annotations.pacLogUrl], name).toBe(
        `${options.consoleUrl}/ns/${namespaceOf(build) ?? ''}/pipelinerun/${name}`,
      )
      const state = isFinished(build) ? 'completed' : name === 'waits' ? 'queued' : 'started'
      expect(known[labels.runState], name).toBe(state)
    }
  },
)

it('the git host has the commits of all builds, including archived ones', () => {
  const repositories = [...faults.seeds(context)]
    .filter(({ object }) => namespaceOf(object) === 'simulator-git-host')
    .map(({ object }) => JSON.stringify(object))
    .join()
  const shas = builds().flatMap(({ metadata }) => metadata.labels?.[labels.commitSha] ?? [])
  expect(shas.length).toBeGreaterThan(20)
  for (const sha of shas) expect(repositories).toContain(sha)
})

type Stated = KubeObject & { status?: unknown }
const described: ResourceType<Stated>[] = [pipelineRunType, taskRunType, componentType, snapshotType, releaseType]

/** Objects that controllers change. */
const changing = ['cannot-be-onboarded', 'of-a-missing-plan', 'of-a-missing-snapshot']

it('objects stay as described while time passes', async () => {
  const controllers = allControllers({ consoleUrl: options.consoleUrl, hasArchive: false })
  const { client, clock, simulator } = (world = await startWorld({ controllers }))
  const list = async () => (await Promise.all(described.map((type) => client.list(type)))).flatMap(({ items }) => items)
  await simulator.close()
  await createScenario('faults', { ...options, client, now: clock.now })
  const before = await list()
  await world.restart()
  await world.advance(6 * 3_600_000)
  const after = new Map((await list()).map((object) => [uidOf(object), object]))
  expect(before.length).toBeGreaterThan(100)
  for (const object of before) {
    if (changing.includes(nameOf(object))) continue
    const { status, metadata } = object
    const id = `${object.kind} ${metadata.namespace}/${metadata.name}`
    const now = after.get(uidOf(object))
    if (status) expect.soft(now?.status, id).toMatchObject(status)
    if (metadata.annotations) expect.soft(now?.metadata.annotations, id).toMatchObject(metadata.annotations)
  }
  const runs = [...after.values()].filter(({ metadata }) => metadata.name === 'without-conditions')
  expect(runs).toMatchObject([{ status: { startTime: timestamp(startMs - 3_600_000) } }])
  expect(runs[0]?.status).not.toHaveProperty('conditions')
})
