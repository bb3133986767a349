import {
  clusterRoleBindingType,
  clusterRoleType,
  namespaceType,
  roleBindingType,
  serviceAccountType,
  type RoleBinding,
} from '@slipway/kube/core-types'
import { nameOf, uidOf } from '@slipway/kube/object'
import type { UserInfo } from '@slipway/kube/user'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import {
  isFinished,
  succeededCondition,
  type PipelineSpec,
  type PipelineTask,
  type TaskSpec,
} from '@slipway/model/runs/tekton'
import { labels } from '@slipway/model/labels'
import { platformObjects } from '@slipway/model/platform-objects'
import { expect, vi } from 'vitest'
import { aRun, aTask } from '../runs'
import { startKubelet } from './kubelet'
import { resultsAccounts, startRealResults, type RealResults } from './real-results'
import { startRealTekton, type RealTekton } from './real-tekton'

/** Runs of several kinds, which Tekton has run and Tekton Results has stored, and which the cluster no longer has. */
export interface ArchivedRuns {
  tekton: RealTekton
  results: RealResults
  /** As they were before they were deleted. */
  pipelineRuns: PipelineRun[]
  taskRuns: TaskRun[]
  close(): Promise<void>
}

export const namespace = 'team-payments'
/** Has one run, which `reader` must not see. */
export const otherNamespace = 'team-search'

/** A role of Konflux, whose users may read runs and what is archived of them. */
const viewerRole = 'konflux-viewer-user-actions'

const user = (name: string): UserInfo => ({ name: `${name}@slipway.test`, groups: ['system:authenticated'] })

/** Users by token. `reader` may read what is archived of `team-payments`, `gateway` may impersonate all users. */
export const users: Record<'gateway' | 'reader' | 'stranger', UserInfo> = {
  gateway: user('gateway'),
  reader: user('reader'),
  stranger: user('stranger'),
}

const step = (name: string) => ({ name, image: 'registry.slipway.test/tools:1', script: `run ${name}` })
const withSpec = (name: string, taskSpec: TaskSpec, rest: Partial<PipelineTask> = {}): PipelineTask => ({
  name,
  taskSpec,
  ...rest,
})

interface Kind {
  pipeline: PipelineSpec
  outcomes?: Record<string, string>
  labels?: Record<string, string>
  isCancelled?: boolean
  namespace?: string
}

/** By the name of the run, which run one after the other. */
const kinds: Record<string, Kind> = {
  built: {
    pipeline: {
      tasks: [
        withSpec('build', {
          steps: [step('clone'), step('compile'), step('run-tool')],
          sidecars: [{ name: 'database', image: 'registry.slipway.test/database:1' }],
          results: [{ name: 'IMAGE_URL' }],
        }),
        aTask('deploy', { runAfter: ['build'] }, ['url']),
      ],
    },
    labels: { [labels.commitSha]: 'c0ffee', number: '7' },
  },
  broken: {
    pipeline: { tasks: [withSpec('build', { steps: [step('compile'), step('push')] })] },
    outcomes: { build: 'fail' },
  },
  flaky: { pipeline: { tasks: [aTask('test', { retries: 1 })] }, outcomes: { test: 'flaky' } },
  matrix: {
    pipeline: {
      tasks: [
        aTask('build', {
          matrix: { params: [{ name: 'PLATFORM', value: ['linux/amd64', 'linux/arm64', 'linux/s390x'] }] },
        }),
      ],
    },
    labels: { number: '12' },
  },
  cancelled: { pipeline: { tasks: [aTask('one')] }, outcomes: { one: 'timeout' }, isCancelled: true },
  elsewhere: { pipeline: { tasks: [aTask('one')] }, namespace: otherNamespace },
}

/** @param beforeDeletion called once all runs are stored, and still in the cluster */
export async function startArchivedRuns(
  beforeDeletion: (tekton: RealTekton) => Promise<void> = async () => {},
): Promise<ArchivedRuns> {
  const byToken = Object.fromEntries(Object.entries(users).map(([name, user]) => [`${name}-token`, user]))
  const tekton = await startRealTekton({ ...resultsAccounts, ...byToken })
  const results = await startRealResults(tekton)
  const { client, nopImage } = tekton
  const kubelet = startKubelet({ client, nopImage, isHeld: () => false, onError: (error) => console.error(error) })
  const run = async () => {
    for (const at of [namespace, otherNamespace]) {
      await client.create(namespaceType, { metadata: { name: at } })
      await client.create(serviceAccountType, { metadata: { name: 'build-pipeline-checkout-api', namespace: at } })
    }
    await grantAccess(tekton)
    for (const [name, kind] of Object.entries(kinds)) await play(tekton, name, kind)
    const pipelineRuns = (await client.list(pipelineRunType)).items
    const taskRuns = (await client.list(taskRunType)).items
    await untilStored(results, [...pipelineRuns, ...taskRuns])
    await beforeDeletion(tekton)
    for (const each of pipelineRuns) {
      await client.delete(pipelineRunType, nameOf(each), { namespace: each.metadata.namespace })
    }
    const isEmpty = async () => {
      expect((await client.list(pipelineRunType)).items).toEqual([])
      expect((await client.list(taskRunType)).items).toEqual([])
    }
    await vi.waitFor(isEmpty, { interval: 500 })
    return { pipelineRuns, taskRuns }
  }
  const close = async () => {
    kubelet.close()
    await results.close()
    await tekton.close()
  }
  try {
    return { tekton, results, close, ...(await Promise.race([run(), tekton.failed, results.failed])) }
  } catch (error) {
    await close()
    throw error
  }
}

async function grantAccess({ client }: RealTekton): Promise<void> {
  const apiGroup = clusterRoleType.group
  const to = ({ name }: UserInfo, role: string): Omit<RoleBinding, 'metadata'> => ({
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'User', apiGroup, name }],
  })
  const rules = [{ apiGroups: [''], resources: ['users', 'groups'], verbs: ['impersonate'] }]
  await client.create(clusterRoleType, { metadata: { name: 'gateway' }, rules })
  await client.create(clusterRoleBindingType, { metadata: { name: 'gateway' }, ...to(users.gateway, 'gateway') })
  // The viewer's consists of others.
  const roles = platformObjects().filter(({ kind }) => kind === clusterRoleType.kind)
  for (const role of roles) await client.create(clusterRoleType, role)
  const reader = { metadata: { name: 'reader', namespace }, ...to(users.reader, viewerRole) }
  await client.create(roleBindingType, reader)
}

/**
 * Returns once the run is finished and known to Tekton Results. Then the creation time of the next one is later in every
 * archive.
 */
async function play({ client }: RealTekton, name: string, kind: Kind): Promise<void> {
  const { pipeline, outcomes, namespace: at = namespace } = kind
  const run = aRun(pipeline, {}, outcomes)
  const { metadata } = run
  const created = await client.create(pipelineRunType, {
    ...run,
    metadata: { ...metadata, name, namespace: at, labels: { ...metadata.labels, ...kind.labels } },
  })
  if (kind.isCancelled) {
    const isRunning = async () => {
      const taskRun = await client.get(taskRunType, `${name}-one`, { namespace: at })
      expect(taskRun.status?.steps?.[0]?.running).toBeDefined()
    }
    await vi.waitFor(isRunning, { interval: 200 })
    await client.patch(pipelineRunType, name, [{ op: 'add', path: '/spec/status', value: 'Cancelled' }], {
      namespace: at,
    })
  }
  const hasFinished = async () => {
    const run = await client.get(pipelineRunType, name, { namespace: at })
    expect(isFinished(run)).toBe(true)
    expect(run.metadata.annotations).toHaveProperty(['results.tekton.dev/record'])
  }
  await vi.waitFor(hasFinished, { interval: 200 })
  const second = Date.parse(created.metadata.creationTimestamp ?? '')
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThanOrEqual(second + 1_000), { interval: 100 })
}

/** The watcher stores logs later than the runs, and no object of the cluster says when it has. */
async function untilStored({ request }: RealResults, runs: (PipelineRun | TaskRun)[]): Promise<void> {
  const parents = '/apis/results.tekton.dev/v1alpha2/parents'
  const headers = { authorization: 'Bearer admin-token' }
  for (const run of runs) {
    const uid = uidOf(run)
    const result = run.metadata.ownerReferences?.[0]?.uid ?? uid
    const path = `${parents}/${run.metadata.namespace}/results/${result}`
    const isStored = async () => {
      const record = await request(`${path}/records/${uid}`, headers)
      const { data } = (await record.json()) as { data?: { value: string } }
      const stored = JSON.parse(atob(data?.value ?? '')) as PipelineRun
      expect(isFinished(stored)).toBe(true)
      // Tekton deletes the pod of a task that it cancels, and with it the log.
      if (succeededCondition(run)?.reason?.includes('Cancelled')) return
      expect((await request(`${path}/logs/${uid}`, headers)).status).toBe(200)
    }
    await vi.waitFor(isStored, { interval: 500 })
  }
}
