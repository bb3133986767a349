import { describe, expect, it, test } from 'vitest'
import { labels } from '../labels'
import type { PipelineTask } from '../runs/tekton'
import { randomNumbers } from '../testing/random-numbers'
import { aRunPair, type RunPair } from '../testing/run-pairs'
import type { FactKind } from './run-facts'
import { compareRuns, type Difference } from './run-comparison'

const digest = (character: string) => `sha256:${character.repeat(64)}`

const tasksOf = ({ red }: RunPair): PipelineTask[] => red.run.status?.pipelineSpec?.tasks ?? []
/** A task that the failed one depends on, or the failed one itself. */
function taskOnTheWay(pair: RunPair, seed: number): PipelineTask {
  const byName = new Map(tasksOf(pair).map((task) => [task.name, task]))
  const chain: PipelineTask[] = []
  for (let task = byName.get(pair.failed); task; task = byName.get(task.runAfter?.[0] ?? '')) chain.push(task)
  return chain[Math.floor(randomNumbers(seed)() * chain.length)] ?? expect.fail('no task')
}
const ranBefore = (pair: RunPair) => pair.red.taskRuns.filter(({ metadata }) => !metadata.name?.endsWith(pair.failed))

/** One change to the failed run, and the difference that is to be found. */
const changes: [name: string, change: (pair: RunPair, seed: number) => Partial<Difference>][] = [
  [
    'a parameter of the run',
    ({ red }) => {
      red.run.spec.params?.push({ name: 'build-args', value: 'DEBUG=1' })
      return { kind: 'Parameter', name: 'build-args', before: undefined, after: 'DEBUG=1' }
    },
  ],
  [
    'a parameter of a task',
    (pair, seed) => {
      const task = taskOnTheWay(pair, seed)
      task.params = [{ name: 'MODE', value: 'strict' }]
      return { kind: 'Parameter', task: task.name, name: 'MODE', after: 'strict' }
    },
  ],
  [
    'the digest of a task bundle',
    (pair, seed) => {
      const task = taskOnTheWay(pair, seed)
      task.taskRef?.params?.splice(0, 1, { name: 'bundle', value: `registry.test/other:0.1@${digest('e')}` })
      return { kind: 'Task definition', task: task.name, name: 'bundle' }
    },
  ],
  [
    'the environment of a step',
    (pair, seed) => {
      const task = taskOnTheWay(pair, seed)
      const other = pair.green.run.status?.pipelineSpec?.tasks.find(({ name }) => name === task.name)
      const step = { name: 'work', image: 'registry.test/tool' }
      const specWith = (value: string) => ({ steps: [{ ...step, env: [{ name: 'GOFLAGS', value }] }] })
      Object.assign(task, { taskSpec: specWith('-race'), taskRef: undefined })
      Object.assign(other ?? {}, { taskSpec: specWith('-v'), taskRef: undefined })
      const name = 'taskSpec.steps[work].env[GOFLAGS]'
      return { kind: 'Task definition', task: task.name, name, before: '-v', after: '-race' }
    },
  ],
  [
    'the pipeline',
    ({ red }) => {
      red.run.spec.pipelineRef = { name: 'docker-build-oci-ta' }
      return { kind: 'Pipeline', name: 'name', before: 'docker-build', after: 'docker-build-oci-ta' }
    },
  ],
  [
    'the commit',
    ({ red }) => {
      const commit = 'c'.repeat(40)
      Object.assign(red.run.metadata.labels ?? {}, { [labels.commitSha]: commit })
      red.run.spec.params?.splice(
        0,
        2,
        { name: 'revision', value: commit },
        { name: 'output-image', value: `registry.test/image:${commit}` },
      )
      return { kind: 'Commit', after: commit }
    },
  ],
  [
    'a base image',
    (pair) => {
      const result = ranBefore(pair)[0]?.status?.results?.[1]
      if (result) result.value = `registry.test/base:9@${digest('f')}\n`
      return { kind: 'Base image', name: 'registry.test/base:9', before: digest('b'), after: digest('f') }
    },
  ],
  [
    'the image of a step',
    (pair) => {
      const step = pair.red.taskRuns[0]?.status?.steps?.[0]
      if (step) step.imageID = `registry.test/tool@${digest('f')}`
      return { kind: 'Step image', task: 'task-0', name: 'work', after: digest('f') }
    },
  ],
  [
    'a new task',
    (pair) => {
      tasksOf(pair).unshift({ name: 'lint', taskRef: { name: 'lint' } })
      return { kind: 'Task', task: 'lint', before: undefined, after: 'yes' }
    },
  ],
  [
    'the service account',
    ({ red }) => {
      red.run.spec.taskRunTemplate = { serviceAccountName: 'other' }
      return { kind: 'Setting', name: 'taskRunTemplate.serviceAccountName', after: 'other' }
    },
  ],
  [
    'a task that takes longer',
    (pair) => {
      const [first] = ranBefore(pair)
      if (first?.status) first.status.completionTime = '2026-01-31T10:30:00Z'
      return { kind: 'Duration', task: 'task-0', after: '5400 s' }
    },
  ],
]

describe('the differences of a failed run', () => {
  it.each(changes)('begin with what was changed alone: %s, in at least 95 of 100 runs', (_, change) => {
    const first = Array.from({ length: 100 }, (_, seed) => {
      const pair = aRunPair(seed)
      const expected = change(pair, seed)
      return { found: compareRuns(pair.green, pair.red).differences[0], expected }
    }).filter(({ found, expected }) => found && isLike(found, expected))
    expect(first.length).toBeGreaterThanOrEqual(95)
  })

  it.each(changes.slice(0, 5))('begin with a rarer change than that of the commit: %s', (_, change) => {
    const first = Array.from({ length: 100 }, (_, seed) => {
      const pair = aRunPair(seed, { hasOtherCommit: true })
      const expected = change(pair, seed)
      const { differences } = compareRuns(pair.green, pair.red)
      expect(differences.map(({ kind }) => kind)).toContain<FactKind>('Commit')
      return { found: differences[0], expected }
    }).filter(({ found, expected }) => found && isLike(found, expected))
    expect(first.length).toBeGreaterThanOrEqual(95)
  })

  it.each(changes)('are mirrored if the runs are swapped: %s', (_, change) => {
    for (let seed = 0; seed < 20; seed++) {
      const pair = aRunPair(seed, { hasOtherCommit: seed % 2 === 0 })
      change(pair, seed)
      const there = compareRuns(pair.green, pair.red).differences
      const back = compareRuns(pair.red, pair.green).differences
      expect(back).toEqual(there.map((each) => ({ ...each, before: each.after, after: each.before })))
    }
  })

  it('are none between a run and itself, or another one that only has other names, times and digests', () => {
    const { green } = aRunPair(1)
    expect(compareRuns(green, green).differences).toEqual([])
    const [{ green: a }, { green: b }] = [aRunPair(2), aRunPair(2)]
    b.run.metadata = { ...b.run.metadata, name: 'other', uid: 'other' }
    for (const { status } of b.taskRuns) status?.results?.splice(0, 1, { name: 'IMAGE_DIGEST', value: digest('9') })
    expect(compareRuns(a, b).differences).toEqual([])
  })
})

const isLike = (found: Difference, expected: Partial<Difference>): boolean =>
  Object.entries(expected).every(([key, value]) => found[key as keyof Difference] === value)

test('a change of a task that the failed one does not depend on is less suspicious than the commit', () => {
  const pair = aRunPair(3, { hasOtherCommit: true })
  const tasks = tasksOf(pair)
  tasks.push({ name: 'aside', taskRef: { name: 'new' } })
  pair.green.run.status?.pipelineSpec?.tasks.push({ name: 'aside', taskRef: { name: 'old' } })
  const found = compareRuns(pair.green, pair.red).differences
  expect(found.map(({ kind, task }) => [kind, task])).toEqual([
    ['Commit', undefined],
    ['Task definition', 'aside'],
    ['Outcome', pair.failed],
  ])
})

test('a parameter of the run is not repeated for the tasks that Tekton passes it to', () => {
  const pair = aRunPair(4)
  for (const { run } of [pair.green, pair.red]) {
    const value = run === pair.red.run ? 'true' : 'false'
    run.spec.params?.splice(2, 1, { name: 'hermetic', value })
    run.status?.pipelineSpec?.tasks.forEach((task) => task.params?.push({ name: 'HERMETIC', value }))
  }
  const found = compareRuns(pair.green, pair.red).differences.filter(({ kind }) => kind === 'Parameter')
  expect(found).toEqual([{ kind: 'Parameter', name: 'hermetic', before: 'false', after: 'true' }])
})

test('the secret that Pipelines as Code creates for each build is no difference', () => {
  const { green } = aRunPair(8)
  const { green: again } = aRunPair(8)
  for (const [{ run }, name] of [[green, 'pac-gitauth-abcdef'] as const, [again, 'pac-gitauth-uvwxyz'] as const]) {
    run.metadata.annotations = { 'pipelinesascode.tekton.dev/git-auth-secret': name }
    run.spec.workspaces = [{ name: 'git-auth', secret: { secretName: name } }]
  }
  expect(compareRuns(green, again).differences).toEqual([])
})

test('the snapshot of a test differs by its components', () => {
  const pair = aRunPair(5)
  const snapshotWith = (character: string) =>
    JSON.stringify({
      application: 'checkout',
      components: [
        { name: 'api', containerImage: `registry.test/api@${digest(character)}` },
        { name: 'web', containerImage: `registry.test/web@${digest('a')}` },
      ],
    })
  pair.green.run.spec.params?.push({ name: 'SNAPSHOT', value: snapshotWith('1') })
  pair.red.run.spec.params?.push({ name: 'SNAPSHOT', value: snapshotWith('2') })
  const [first] = compareRuns(pair.green, pair.red).differences
  expect(first).toEqual({ kind: 'Component', name: 'api', before: digest('1'), after: digest('2') })
})

test('tasks are compared by name, with their durations, also if one run does not have them', () => {
  const pair = aRunPair(6)
  tasksOf(pair).push({ name: 'new' })
  const { tasks } = compareRuns(pair.green, pair.red)
  const failed = tasks.find(({ name }) => name === pair.failed)
  expect([failed?.before?.status, failed?.after?.status]).toEqual(['Succeeded', 'Failed'])
  expect(failed?.before?.durationMs).toBeGreaterThan(0)
  expect(tasks.find(({ name }) => name === 'new')).toMatchObject({ before: undefined, after: { status: 'Idle' } })
})

test('the task runs of a matrix are compared as a set', () => {
  const pair = aRunPair(7)
  for (const { taskRuns } of [pair.green, pair.red]) {
    const [first] = taskRuns
    if (first) taskRuns.push({ ...first, metadata: { ...first.metadata, name: `${first.metadata.name ?? ''}-arm` } })
  }
  pair.red.taskRuns.reverse()
  expect(compareRuns(pair.green, pair.red).differences.map(({ kind }) => kind)).toEqual(['Outcome'])
})
