import type { DefinitionRef, PipelineTask } from '@slipway/model/runs/tekton'
import { aPipelineRun, aTaskRun } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { pipelineNames, pipelineSpecOf, taskDefinitionOf, taskSpecOf } from './catalog'
import { bundleRef } from './catalog/pipeline-parts'
import { parentsOf } from './pipeline-nodes'
import { resultReferences } from './substitution'

const specOf = (pipelineRef: DefinitionRef) =>
  pipelineSpecOf(aPipelineRun({ spec: { pipelineRef, pipelineSpec: undefined } }))
const fromGit = (pathInRepo: string): DefinitionRef => ({
  resolver: 'git',
  params: [
    { name: 'url', value: 'https://git.slipway.test/platform/pipelines' },
    { name: 'revision', value: 'main' },
    { name: 'pathInRepo', value: pathInRepo },
  ],
})

it.each<[string, DefinitionRef, string | undefined]>([
  ['by name', { name: 'docker-build' }, 'clone-repository'],
  ['by bundle', bundleRef('pipeline', 'docker-build-oci-ta', 'latest'), 'clone-repository'],
  ['by file', fromGit('pipelines/enterprise-contract.yaml'), 'verify'],
  ['by file in a folder', fromGit('pipelines/managed/rh-advisories/rh-advisories.yaml'), 'verify-conforma'],
  ['that is not in the catalog', fromGit('pipelines/unknown.yaml'), undefined],
  ['without a name', { resolver: 'bundles' }, undefined],
])('finds a pipeline %s', (_, ref, task) => {
  const names = specOf(ref)?.tasks.map(({ name }) => name)
  if (task) expect(names).toContain(task)
  else expect(names).toBeUndefined()
})

it('uses the embedded pipeline of a run', () => {
  expect(pipelineSpecOf(aPipelineRun())?.tasks.map(({ name }) => name)).toEqual(['build'])
})

const taskRunOf = ({ taskRef }: PipelineTask) => aTaskRun({ spec: { taskRef, taskSpec: undefined } })

it.each(pipelineNames)('%s only refers to existing tasks, params and results', (name) => {
  const spec = specOf({ name })
  if (!spec) throw new Error('no spec')
  const tasks = new Map([...spec.tasks, ...(spec.finally ?? [])].map((task) => [task.name, task]))
  const text = JSON.stringify([spec.tasks, spec.finally, spec.results])
  for (const [, param] of text.matchAll(/\$\(params\.([^)[]+)/g)) {
    expect(spec.params?.map((each) => each.name)).toContain(param)
  }
  for (const task of tasks.values()) {
    for (const parent of parentsOf(task)) expect([...tasks.keys()]).toContain(parent)
    const known = taskSpecOf(taskRunOf(task)).params?.map((param) => param.name)
    for (const param of [...(task.params ?? []), ...(task.matrix?.params ?? [])]) expect(known).toContain(param.name)
    // The task is from the catalog, not a generic one for an unknown name.
    expect(taskDefinitionOf(taskRunOf(task)).description).not.toBe('')
  }
  for (const { task, result } of resultReferences([spec.tasks, spec.finally, spec.results])) {
    const referred = tasks.get(task)
    expect(Object.keys(referred ? taskDefinitionOf(taskRunOf(referred)).results : {})).toContain(result)
  }
})

it('the multi-platform build has a default list of platforms', () => {
  const spec = specOf({ name: 'docker-build-multi-platform-oci-ta' })
  expect(spec?.params?.find(({ name }) => name === 'build-platforms')?.default).toEqual([
    'linux/x86_64',
    'linux/arm64',
    'linux/s390x',
    'linux/ppc64le',
  ])
})
