import { specOf } from '@slipway/kube/object'
import { labels } from '../labels'
import type { TaskRun } from './task-run'
import type { Param, ParamValue, PipelineTask } from './tekton'

/**
 * Distinct labels for the runs of a matrix: the names that the pipeline gives them, else the values of the params of the
 * matrix, else their platform, else `Instance 2`. The display name of the task, which Tekton gives to each of them, does
 * not tell them apart.
 * @param runs runs of one task, in the order of their numbers
 * @param given the display name of each run, as far as there is one
 */
export function instanceNames(
  task: Pick<PipelineTask, 'matrix'>,
  runs: readonly TaskRun[],
  given: readonly (string | undefined)[] = [],
): string[] {
  const wanted = matrixParams(task) ?? differingParams(runs)
  const names = runs.map((run, index) => {
    const values = wanted.flatMap((name) => textOf(paramsOf(run).find((param) => param.name === name)?.value))
    const own = given.indexOf(given[index]) === given.lastIndexOf(given[index]) ? given[index] : undefined
    return own || values.join(', ') || run.metadata.labels?.[labels.targetPlatform] || `Instance ${index + 1}`
  })
  return names.map((name, index) => (names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${index + 1})`))
}

/** Names of a matrix's params; `undefined` if the matrix is unknown. */
function matrixParams({ matrix }: Pick<PipelineTask, 'matrix'>): string[] | undefined {
  if (typeof matrix !== 'object' || matrix === null) return undefined
  const included = listOf(matrix.include).flatMap(({ params }) => listOf(params))
  const names = [...listOf(matrix.params), ...included].map(({ name }) => name)
  return names.length > 0 ? [...new Set(names)] : undefined
}

/** Params whose value differs between runs. */
function differingParams(runs: readonly TaskRun[]): string[] {
  const values = new Map<string, Set<string>>()
  for (const run of runs) {
    for (const { name, value } of paramsOf(run)) {
      values.set(name, (values.get(name) ?? new Set()).add(JSON.stringify(value)))
    }
  }
  return [...values].filter(([, different]) => different.size > 1).map(([name]) => name)
}

const paramsOf = (run: TaskRun): Param[] => listOf(specOf(run).params)

function textOf(value: ParamValue | undefined): string[] {
  if (typeof value === 'string') return value ? [value] : []
  return value === undefined || value === null ? [] : [JSON.stringify(value)]
}

const listOf = <T>(value: readonly T[] | undefined): T[] =>
  Array.isArray(value) ? (value as T[]).filter((each) => typeof each === 'object' && each !== null) : []
