import type { DefinitionRef, ParamValue, PipelineSpec, PipelineTask, WhenExpression } from '@slipway/model/runs/tekton'
import { keyedRandom } from '../../keyed-random'
import { imageRegistry, sha256 } from './definition'

/** Builders for pipelines. */

/** Reference to a task or pipeline in the catalog, pinned by digest. */
export const bundleRef = (kind: 'task' | 'pipeline', name: string, version: string): DefinitionRef => ({
  resolver: 'bundles',
  params: [
    { name: 'name', value: name },
    {
      name: 'bundle',
      value: `${imageRegistry}/${kind}-${name}:${version}@${sha256(keyedRandom('bundle', `${kind} ${name} ${version}`))}`,
    },
    { name: 'kind', value: kind },
  ],
})

type Details = Omit<PipelineTask, 'name' | 'taskRef' | 'params'> & { params?: Record<string, ParamValue> }

/** @param definition of the task in the catalog, such as `buildah-oci-ta:0.9` */
export function task(name: string, definition: string, { params = {}, ...details }: Details = {}): PipelineTask {
  const [definitionName = '', version = '0.1'] = definition.split(':')
  return {
    name,
    ...(Object.keys(params).length > 0 && { params: paramList(params) }),
    ...details,
    taskRef: bundleRef('task', definitionName, version),
  }
}

export const paramList = <V extends ParamValue>(params: Record<string, V>): { name: string; value: V }[] =>
  Object.entries(params).map(([name, value]) => ({ name, value }))

/** Reference to a pipeline of the release service's catalog. */
export const releaseCatalogRef = (pathInRepo: string) => ({
  resolver: 'git',
  params: paramList({
    url: 'https://github.com/konflux-ci/release-service-catalog.git',
    revision: 'production',
    pathInRepo,
  }),
})

export const when = (input: string, operator: WhenExpression['operator'], ...values: string[]): WhenExpression => ({
  input,
  operator,
  values,
})

export const pipelineParam = (name: string, description: string, value?: ParamValue) => ({
  name,
  type: Array.isArray(value) ? 'array' : 'string',
  description,
  ...(value !== undefined && { default: value }),
})

export const resultsOfTasks = (results: Record<string, string>): PipelineSpec['results'] =>
  Object.entries(results).map(([name, value]) => ({ name, description: '', value: `$(tasks.${value})` }))
