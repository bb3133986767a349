import type { Param, PipelineTask } from '@slipway/model/runs/tekton'

type Matrix = NonNullable<PipelineTask['matrix']>
type Combination = Map<string, Param['value']>

/**
 * The params of each TaskRun of a matrix: every combination of the values of `params`, where the values of the first
 * change fastest. Each `include` then adds its params to the combinations that it matches, or becomes a separate
 * combination if it has no value in common with any. Source: tektoncd/pipeline, matrix_types.go, FanOut.
 */
export function combinationsOf({ params = [], include = [] }: Matrix): Param[][] {
  const included = include.map(
    ({ params: own = [] }): Combination => new Map(own.map(({ name, value }) => [name, value])),
  )
  if (params.length === 0) return included.map(paramsOf)
  let combinations: Combination[] = [new Map()]
  for (const { name, value } of params) {
    // A value that is not a list refers to one that is not known yet.
    const values = Array.isArray(value) ? value : [value]
    combinations = values.flatMap((each) => combinations.map((combination) => new Map(combination).set(name, each)))
  }
  for (const combination of combinations) {
    for (const own of included) {
      if (![...own].every(([name, value]) => !combination.has(name) || combination.get(name) === value)) continue
      for (const [name, value] of own) combination.set(name, value)
    }
  }
  for (const own of included) {
    const hasCommonValue = combinations.some((combination) =>
      [...own].some(([name, value]) => combination.get(name) === value),
    )
    if (own.size > 0 && !hasCommonValue) combinations.push(own)
  }
  return combinations.map(paramsOf)
}

const paramsOf = (combination: Combination): Param[] =>
  [...combination].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => ({ name, value }))

/**
 * The names of the includes that a combination matches, which Tekton shows instead of the name of its task; `undefined`
 * without such a name. Source: tektoncd/pipeline, pipelinerunstate.go, getDisplayName.
 */
export function includeNamesOf({ include = [] }: Matrix, params: Param[] = []): string | undefined {
  const values = new Map(params.map(({ name, value }) => [name, value]))
  const names = include
    .filter(({ params: own = [] }) => own.every(({ name, value }) => values.get(name) === value))
    .flatMap(({ name }) => name || [])
  return names.length > 0 ? names.join(' ') : undefined
}
