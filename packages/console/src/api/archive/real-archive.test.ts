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
import { archivedTaskLog, archivePage, type ArchiveName } from './archive'
import { setFlag } from '../flags/flags'
import { queryClient } from '../query-client'
import type { ArchiveSelection } from './request'

const ended = { conditions: [condition('Succeeded', 'True', 'Succeeded')] }

/** A run of so many minutes ago, so that the archive has not forgotten it. */
const run = (name: string, minutesAgo: number, { metadata, ...rest }: Overrides<PipelineRun> = {}) =>
  aPipelineRun({
    metadata: { name, uid: uidOf(name), creationTimestamp: ago(minutesAgo), ...metadata },
    status: ended,
    ...rest,
  })
const startMs = Math.floor(Date.now() / 1_000) * 1_000
const ago = (minutes: number) => new Date(startMs - minutes * 60_000).toISOString().replace('.000', '')
/** As the archive wants one: the same for the same name. */
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

const past: KubeObject[] = [
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

const faces: ArchiveName[] = ['KubeArchive', 'Tekton Results']

async function scene(
  face: ArchiveName,
  { as = 'admin', objects = past }: { as?: UserName; objects?: KubeObject[] } = {},
) {
  const cluster = await testCluster({ as, archives: realArchive({ objects, logs }) })
  startApi()
  for (const flag of ['pipelineruns-kubearchive', 'taskruns-kubearchive', 'kubearchive-logs'] as const) {
    setFlag(flag, face === 'KubeArchive')
  }
  return cluster
}

/** The pages of the past one after the other. */
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

describe.each(faces)('%s, as the product has it', (face) => {
  it('ARCH-12, ARCH-15, ARCH-26 tells of the past by the same choices as the other, newest first', async () => {
    await scene(face)
    const choices: [string, Omit<ArchiveSelection, 'namespace'>, string[]][] = [
      [
        'no choice',
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
      ['all of it', { name: 'commit', commit: 'c0ffee', createdAfter: ago(31.5), limit: 5 }, ['commit-0', 'commit-1']],
      ['what nothing is', { name: 'nothing' }, []],
    ]
    for (const [name, selection, expected] of choices) {
      const [first] = await pages({ namespace, ...selection })
      expect(uids(first ?? []), name).toEqual(expected.map(uidOf))
    }
  })

  const many = Array.from({ length: 205 }, (_, n) => run(`run-${n}`, n + 1))

  it('ARCH-05, ARCH-23, ARCH-28 has pages that follow each other without a gap', async () => {
    await scene(face, { objects: many })
    expect(uids((await pages({ namespace })).flat())).toEqual(many.map(({ metadata }) => metadata.uid))
  })

  it('ARCH-13, ARCH-20 has pages of its own size', async () => {
    await scene(face, { objects: many })
    const found = await pages({ namespace })
    const size = face === 'KubeArchive' ? 200 : 30
    expect(found.map(({ length }) => length)).toEqual(
      Array.from({ length: Math.ceil(205 / size) }, (_, n) => Math.min(size, 205 - n * size)),
    )
  })

  it('ARCH-06, ARCH-16 has what the cluster no longer has, by its name: of two the newer one', async () => {
    await scene(face)
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
    ['that the task names', log.containers],
    ['that only its pod or its log knows', []],
  ])('ARCH-09, ARCH-31 has the logs of the steps %s', async (_, containers) => {
    await scene(face)
    expect(await archivedTaskLog({ ...log, containers })).toEqual([
      { container: 'step-clone', text: 'cloned\n' },
      { container: 'step-build', text: 'built\n\nall :-\nof it\n' },
    ])
  })

  it('ARCH-32 has no log of a task that it never kept', async () => {
    await scene(face)
    const never = { ...log, pod: 'never', taskRunUid: uidOf('never') }
    await expect(archivedTaskLog(never)).rejects.toMatchObject({
      code: 404,
      message: 'Logs are no longer accessible for build task',
    })
  })

  it('tells nothing to somebody who may not read the namespace', async () => {
    await scene(face, { as: 'outsider' })
    await expect(archivePage(pipelineRunType, { namespace })).rejects.toMatchObject({ code: 403 })
    await expect(archivedTaskLog(log)).rejects.toMatchObject({ code: 404 })
    await expect(queryClient.fetchQuery(pipelineRuns.get(namespace, 'newest'))).rejects.toMatchObject({ code: 403 })
  })
})
