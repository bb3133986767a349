import { podType } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { aPipelineRun, aTaskRun, condition, type Overrides } from '@slipway/model/testing'
import type { UserName } from '@slipway/slipway/users'
import { describe, expect, it, test } from 'vitest'
import { namespace, testCluster } from '../../../test/cluster'
import { realArchive } from '../../../test/real-archive'
import { startApi } from '../../../test/render-route'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { taskRuns } from '../../resources/task-runs'
import { archivePage } from './archive'
import { archivedTaskLog } from './archived-log'
import { setFlag } from '../flags/flags'
import { queryClient } from '../query-client'
import type { ArchiveName, ArchiveSelection } from './request'

const ended = { conditions: [condition('Succeeded', 'True', 'Succeeded')] }

/** A run created so many minutes ago, so that the archive still retains it. */
const run = (name: string, minutesAgo: number, { metadata, ...rest }: Overrides<PipelineRun> = {}) =>
  aPipelineRun({
    metadata: { name, uid: uidOf(name), creationTimestamp: ago(minutesAgo), ...metadata },
    status: ended,
    ...rest,
  })
const startMs = Math.floor(Date.now() / 1_000) * 1_000
const ago = (minutes: number) => new Date(startMs - minutes * 60_000).toISOString().replace('.000', '')
/** A valid UUID that depends only on the name. */
const uidOf = (name: string) =>
  `00000000-0000-4000-8000-${Buffer.from(name).toString('hex').slice(-12).padStart(12, '0')}`

const ofCheckout = { labels: { [labels.application]: 'checkout' } }
const ofLedger = { labels: { [labels.application]: 'ledger', [labels.pipelineType]: 'test' } }
const commits: Overrides<PipelineRun>['metadata'][] = [
  { labels: { [labels.commitSha]: 'c0ffee' } },
  { labels: { [copiedPacKey(labels.commitSha)]: 'c0ffee' } },
  { annotations: { [annotations.buildCommitSha]: 'c0ffee' } },
]

const task = aTaskRun({
  metadata: {
    name: 'newest-build',
    uid: uidOf('newest-build'),
    creationTimestamp: ago(10),
    ownerReferences: [{ apiVersion: 'tekton.dev/v1', kind: 'PipelineRun', name: 'newest', uid: uidOf('newest') }],
  },
  status: ended,
})
const pod: KubeObject & { status: object; spec: object } = {
  apiVersion: 'v1',
  kind: podType.kind,
  metadata: {
    name: 'newest-build-pod',
    namespace,
    uid: uidOf('newest-build-pod'),
    creationTimestamp: ago(10),
    labels: { [labels.taskRun]: 'newest-build', [labels.pipelineRun]: 'newest' },
    ownerReferences: [
      { apiVersion: 'tekton.dev/v1', kind: 'TaskRun', name: 'newest-build', uid: uidOf('newest-build') },
    ],
  },
  spec: { containers: ['step-clone', 'step-build'].map((name) => ({ name, image: 'registry.slipway.test/tools:1' })) },
  status: { phase: 'Succeeded' },
}

const archivedObjects: KubeObject[] = [
  run('newest', 10, { metadata: ofCheckout }),
  run('left-running', 15, { status: { conditions: [condition('Succeeded', 'Unknown', 'Running')] } }),
  run('ledger-on-push', 20, { metadata: ofLedger }),
  ...commits.map((metadata, index) => run(`commit-${index}`, 30 + index, { metadata })),
  run('twice', 40, { metadata: { uid: uidOf('twice-2') } }),
  run('twice', 50, { metadata: { uid: uidOf('twice-1') } }),
  run('oldest', 60, { metadata: ofCheckout }),
  run('elsewhere', 5, { metadata: { namespace: 'team-search' } }),
  task,
  pod,
]
const logs = {
  'newest-build-pod/step-clone': ['cloned'],
  'newest-build-pod/step-build': ['built', '', 'all :-', 'of it'],
}

const archiveNames: ArchiveName[] = ['KubeArchive', 'Tekton Results']

async function scene(
  archiveName: ArchiveName,
  { as = 'admin', objects = archivedObjects }: { as?: UserName; objects?: KubeObject[] } = {},
) {
  const cluster = await testCluster({ as, archives: realArchive({ objects, logs }, 'both') })
  startApi()
  for (const flag of ['pipelineruns-kubearchive', 'taskruns-kubearchive', 'kubearchive-logs'] as const) {
    setFlag(flag, archiveName === 'KubeArchive')
  }
  return cluster
}

/** Every page, one after another. */
async function pages(selection: ArchiveSelection): Promise<KubeObject[][]> {
  const found: KubeObject[][] = []
  let page = await archivePage(pipelineRunType, selection)
  found.push(page.items)
  while (page.next) {
    page = await archivePage(pipelineRunType, selection, { position: page.next })
    found.push(page.items)
  }
  return found
}
const uids = (items: KubeObject[]) => items.map(({ metadata }) => metadata.uid)

describe.each(archiveNames)('%s of the product itself', (archiveName) => {
  it('ARCH-12, ARCH-15, ARCH-26 returns archived runs by the same filters as the other, newest first', async () => {
    await scene(archiveName)
    const filters: [string, Omit<ArchiveSelection, 'namespace'>, string[]][] = [
      [
        'no filter',
        {},
        ['newest', 'ledger-on-push', 'commit-0', 'commit-1', 'commit-2', 'twice-2', 'twice-1', 'oldest'],
      ],
      ['a label', { labels: { matchLabels: { [labels.application]: 'ledger' } } }, ['ledger-on-push']],
      [
        'labels that exclude',
        { labels: { matchExpressions: [{ key: labels.pipelineType, operator: 'NotIn', values: ['build'] }] } },
        ['ledger-on-push'],
      ],
      [
        'a label of several values',
        { labels: { matchExpressions: [{ key: labels.pipelineType, operator: 'In', values: ['test', 'other'] }] } },
        ['ledger-on-push'],
      ],
      ['a part of a name', { name: ' OMMIT-' }, ['commit-0', 'commit-1', 'commit-2']],
      ['a name with a pattern in it', { name: 'c*t' }, []],
      ['a time', { createdAfter: ago(20) }, ['newest']],
      ['a commit', { commit: 'c0ffee' }, ['commit-0', 'commit-1', 'commit-2']],
      ['a limit', { limit: 2 }, ['newest', 'ledger-on-push']],
      ['a limit and a commit', { commit: 'c0ffee', limit: 2 }, ['commit-0', 'commit-1']],
      [
        'all filters',
        { name: 'commit', commit: 'c0ffee', createdAfter: ago(31.5), limit: 5 },
        ['commit-0', 'commit-1'],
      ],
      ['a name without a match', { name: 'nothing' }, []],
    ]
    for (const [name, selection, expected] of filters) {
      const [first] = await pages({ namespace, ...selection })
      expect(uids(first ?? []), name).toEqual(expected.map(uidOf))
    }
  })

  const many = Array.from({ length: 205 }, (_, n) => run(`run-${n}`, n + 1))

  it('ARCH-05, ARCH-23, ARCH-28 returns pages without gaps', async () => {
    await scene(archiveName, { objects: many })
    expect(uids((await pages({ namespace })).flat())).toEqual(many.map(({ metadata }) => metadata.uid))
  })

  it('ARCH-13, ARCH-20 returns pages of its own size', async () => {
    await scene(archiveName, { objects: many })
    const found = await pages({ namespace })
    const size = archiveName === 'KubeArchive' ? 200 : 30
    expect(found.map(({ length }) => length)).toEqual(
      Array.from({ length: Math.ceil(205 / size) }, (_, n) => Math.min(size, 205 - n * size)),
    )
  })

  it('ARCH-06, ARCH-16 returns what the cluster no longer has by its name, and the newer one of two', async () => {
    await scene(archiveName)
    const twice = await queryClient.fetchQuery(pipelineRuns.get(namespace, 'twice'))
    expect(twice.metadata.uid).toBe(uidOf('twice-2'))
    expect(twice.status).toEqual(ended)
    expect((await queryClient.fetchQuery(taskRuns.get(namespace, 'newest-build'))).metadata.uid).toBe(
      uidOf('newest-build'),
    )
    await expect(queryClient.fetchQuery(pipelineRuns.get(namespace, 'never'))).rejects.toMatchObject({
      code: 404,
      message: 'pipelineruns.tekton.dev "never" not found',
    })
  })

  const log = {
    namespace,
    task: 'build',
    pod: 'newest-build-pod',
    containers: ['step-clone', 'step-build'],
    pipelineRunUid: uidOf('newest'),
    taskRunUid: uidOf('newest-build'),
  }

  test.each<[string, string[]]>([
    ['named by the task', log.containers],
    ['named only by its pod or its log', []],
  ])('ARCH-09, ARCH-31 returns the logs of steps %s', async (_, containers) => {
    await scene(archiveName)
    expect(await archivedTaskLog({ ...log, containers })).toEqual([
      { container: 'step-clone', text: 'cloned\n' },
      { container: 'step-build', text: 'built\n\nall :-\nof it\n' },
    ])
  })

  it('ARCH-32 has no log of a task that was never archived', async () => {
    await scene(archiveName)
    const never = { ...log, pod: 'never', taskRunUid: uidOf('never') }
    await expect(archivedTaskLog(never)).rejects.toMatchObject({
      code: 404,
      message: 'Logs are no longer accessible for build task',
    })
  })

  it('reveals nothing to a user who may not read the namespace', async () => {
    await scene(archiveName, { as: 'outsider' })
    await expect(archivePage(pipelineRunType, { namespace })).rejects.toMatchObject({ code: 403 })
    await expect(archivedTaskLog(log)).rejects.toMatchObject({ code: 404 })
    await expect(queryClient.fetchQuery(pipelineRuns.get(namespace, 'newest'))).rejects.toMatchObject({ code: 403 })
  })
})
