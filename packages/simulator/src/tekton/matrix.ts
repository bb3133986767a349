import type { Param, PipelineTask } from '@slipway/model/runs/tekton'

/**
 * The params of each TaskRun of a matrix: every combination of the values of `params`. Each `include` then adds its
 * params to the combinations that it matches, or becomes a separate combination. Source: Tekton, docs/matrix.md.
 */
export function combinationsOf({ params = [], include = [] }: NonNullable<PipelineTask['matrix']>): Param[][] {
  let combinations: Param[][] = params.length > 0 ? [[]] : []
  for (const { name, value } of params) {
    combinations = combinations.flatMap((combination) => value.map((each) => [...combination, { name, value: each }]))
  }
  const ofMatrix = new Set(params.map(({ name }) => name))
  const own: Param[][] = []
  for (const { params: included = [] } of include) {
    const known = included.filter(({ name }) => ofMatrix.has(name))
    const added = included.filter(({ name }) => !ofMatrix.has(name))
    const matches = (combination: Param[]) =>
      known.every(({ name, value }) => combination.some((param) => param.name === name && param.value === value))
    if (combinations.some(matches)) {
      combinations = combinations.map((combination) =>
        matches(combination) ? [...combination, ...added] : combination,
      )
    } else {
      own.push(included)
    }
  }
  return [...combinations, ...own]
}
