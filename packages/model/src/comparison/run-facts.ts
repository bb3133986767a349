import { isRecord, nameOf, specOf, uidOf } from '@slipway/kube/object'
import { asArray, asRecord, asText, parseJson } from '@slipway/kube/parse'
import { commitShaOf, shortSha } from '../git/git-facts'
import { withoutNoise } from '../logs/log-noise'
import type { PipelineRun } from '../runs/pipeline-run'
import { taskRunStatus } from '../runs/run-status'
import { resultsOf } from '../runs/task-results'
import { taskNameIn, type TaskRun } from '../runs/task-run'
import { isFinished, type Param, type PipelineTask } from '../runs/tekton'
import { componentsIn, imageIdOf, type Snapshot } from '../snapshots/snapshot'

/** What a fact is about, in the order in which equally suspicious differences are listed. */
export const factKinds = [
  'Parameter',
  'Task definition',
  'Task',
  'Pipeline',
  'Component',
  'Base image',
  'Commit',
  'Setting',
  'Tekton',
  'Step image',
  'Duration',
  'Result',
  'Outcome',
] as const
export type FactKind = (typeof factKinds)[number]

/** Something that is the same in two runs unless a change made it differ. */
export interface Fact {
  kind: FactKind
  /** The task in the pipeline; absent for a fact of the whole run. */
  task?: string
  /** Unique among the facts of this kind and task. */
  name: string
  /** For users. */
  text: string
  /** What is compared, if that is not the text. */
  compared?: string
}

/** A run with all of its task runs. */
export interface RunWithTasks {
  run: PipelineRun
  taskRuns: readonly TaskRun[]
}

/** All facts of a run but the durations of its tasks, which are compared as numbers. */
export function factsOf({ run, taskRuns }: RunWithTasks): Fact[] {
  const commit = commitShaOf(run)
  const facts: Fact[] = [
    ...(commit ? [{ kind: 'Commit' as const, name: 'Commit', text: commit }] : []),
    ...paramFacts(run),
    ...pipelineFacts(run),
    ...tasksOf(run).flatMap(definitionFacts),
    ...taskRuns.flatMap((taskRun) => taskRunFacts(taskRun, taskNameIn(run, taskRun))),
    ...resultsOf(run).flatMap((result) => resultFact(result)),
  ]
  return facts.map((fact) => ({ ...fact, compared: withoutIdentity(fact.compared ?? fact.text, run, fact) }))
}

/**
 * A value without what names the run itself: parameters that follow from the commit differ in every pair of runs, and say
 * no more than the commit does.
 */
function withoutIdentity(text: string, run: PipelineRun, { kind }: Fact): string {
  if (kind === 'Commit') return text
  const commit = commitShaOf(run)
  const secret = run.metadata.annotations?.[gitAuthSecret]
  const names = [commit, commit && shortSha(commit), uidOf(run), nameOf(run), secret]
  return names.reduce<string>((known, name) => (name ? known.replaceAll(name, '{run}') : known), text)
}

/** Annotation of a build: the secret that Pipelines as Code has created for it, under a generated name. */
const gitAuthSecret = 'pipelinesascode.tekton.dev/git-auth-secret'

/** Tests get the snapshot that they test as a parameter. */
const snapshotParam = 'SNAPSHOT'

const paramFacts = (run: PipelineRun): Fact[] =>
  paramsIn(specOf(run).params).flatMap(({ name, value }) =>
    name === snapshotParam && typeof value === 'string'
      ? componentFacts(value)
      : [{ kind: 'Parameter', name, text: textOf(value) }],
  )

const paramsIn = (params: unknown): Param[] =>
  asArray(params).filter((param): param is Param => typeof asRecord(param).name === 'string')

function componentFacts(snapshot: string): Fact[] {
  const spec = asRecord(parseJson(snapshot)) as Snapshot['spec']
  return componentsIn({ apiVersion: '', kind: '', metadata: {}, spec }).flatMap((component) => {
    const image = imageIdOf(component)
    return image ? [{ kind: 'Component', name: component.name, text: image } as const] : []
  })
}

/** Where the pipeline comes from, and what the run sets for all of its tasks. */
function pipelineFacts(run: PipelineRun): Fact[] {
  const { pipelineRef, timeouts, taskRunTemplate, taskRunSpecs, workspaces } = specOf(run)
  return [
    ...leavesOf(pipelineRef).map((leaf) => ({ kind: 'Pipeline' as const, ...leaf })),
    ...leavesOf({ timeouts, taskRunTemplate, taskRunSpecs, workspaces }).map((leaf) => ({
      kind: 'Setting' as const,
      ...leaf,
    })),
  ]
}

const tasksOf = (run: PipelineRun): PipelineTask[] => {
  const { tasks, finally: last } = run.status?.pipelineSpec ?? specOf(run).pipelineSpec ?? {}
  return [...asArray(tasks), ...asArray(last)].filter(
    (task): task is PipelineTask => typeof asRecord(task).name === 'string',
  )
}

/** What the pipeline says about a task. */
function definitionFacts({ name: task, params, ...definition }: PipelineTask): Fact[] {
  return [
    { kind: 'Task', task, name: 'In the pipeline', text: 'yes' },
    ...paramsIn(params).map(({ name, value }) => ({ kind: 'Parameter' as const, task, name, text: textOf(value) })),
    // What it is called changes nothing.
    ...leavesOf({ ...definition, displayName: undefined, description: undefined }).map((leaf) => ({
      kind: 'Task definition' as const,
      task,
      ...leaf,
    })),
  ]
}

/** Annotation that Tekton sets on runs: its version. */
export const tektonRelease = 'pipeline.tekton.dev/release'

function taskRunFacts(taskRun: TaskRun, task: string): Fact[] {
  const release = taskRun.metadata.annotations?.[tektonRelease]
  const results = resultsOf(taskRun)
  return [
    ...(release ? [{ kind: 'Tekton' as const, name: 'Release', text: release }] : []),
    ...asArray(taskRun.status?.steps).flatMap((each): Fact[] => {
      const { name, imageID } = asRecord(each)
      const [digest] = /sha\d+:[0-9a-f]+$/.exec(asText(imageID) ?? '') ?? []
      return digest && typeof name === 'string' ? [{ kind: 'Step image', task, name, text: digest }] : []
    }),
    ...results.flatMap((result) =>
      result.name === baseImagesResult ? baseImageFacts(result.value, task) : resultFact(result, task),
    ),
    ...(isFinished(taskRun) ? [{ kind: 'Outcome' as const, task, name: 'Status', text: taskRunStatus(taskRun) }] : []),
  ]
}

/** What a build writes about the images that its image is based on: `{name}:{tag}@{digest}` on a line each. */
const baseImagesResult = 'BASE_IMAGES_DIGESTS'

const baseImageFacts = (value: unknown, task: string): Fact[] =>
  (asText(value) ?? '').split(/\s+/).flatMap((image) => {
    const [name = '', digest] = image.split('@')
    return digest ? [{ kind: 'Base image' as const, task, name, text: digest }] : []
  })

/** Digests and times are others in every run. */
const resultFact = ({ name, value }: { name: string; value: unknown }, task?: string): Fact[] => {
  const text = textOf(value).trim()
  return [{ kind: 'Result', ...(task !== undefined && { task }), name, text, compared: withoutNoise(text) }]
}

/** The values in a definition by their paths: `taskSpec.steps[build].image`. A list of named entries is one by name. */
function leavesOf(value: unknown, path = ''): Pick<Fact, 'name' | 'text'>[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof asRecord(each).name === 'string')) {
    return value.map(asRecord).flatMap(({ name, ...rest }) => {
      const isParam = Object.keys(rest).join() === 'value'
      return leavesOf(isParam ? rest.value : rest, `${path}[${String(name)}]`)
    })
  }
  if (isRecord(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, each]) => leavesOf(each, path ? `${path}.${key}` : key))
  // A parameter of the resolver has a name that says enough.
  return [{ name: path.replace(/^(?:taskRef\.)?params\[(\w+)\]$/, '$1'), text: textOf(value) }]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
