import type { ParamValue } from '@slipway/model/runs/tekton'
import { expect, it } from 'vitest'
import { resultReferences, substitute } from './substitution'

const known: Record<string, ParamValue> = {
  'params.revision': 'main',
  'params.platforms': ['linux/amd64', 'linux/arm64'],
  'params.none': [],
  'params.git': { url: 'https://git.slipway.test/a', commit: 'abc' },
  'tasks.build.results.IMAGE_URL': 'registry.slipway.test/a',
}
const variables = (name: string) => known[name]

it.each<[string, unknown, unknown]>([
  ['a variable in a string', 'at $(params.revision)!', 'at main!'],
  ['two variables in a string', '$(params.revision)-$(tasks.build.results.IMAGE_URL)', 'main-registry.slipway.test/a'],
  ['a name in brackets', `$(params["revision"]) $(params['revision'])`, 'main main'],
  ['a list in a list', ['x', '$(params.platforms[*])'], ['x', 'linux/amd64', 'linux/arm64']],
  ['an empty list in a list', ['$(params.none[*])'], []],
  ['a list as a value', { value: '$(params.platforms[*])' }, { value: ['linux/amd64', 'linux/arm64'] }],
  ['an element of a list', '$(params.platforms[1])', 'linux/arm64'],
  ['no element beyond the end of a list', '$(params.platforms[7])', '$(params.platforms[7])'],
  ['a field of an object', '$(params.git.commit)', 'abc'],
  ['no unknown variables', '$(params.other) $(workspaces.source.path)', '$(params.other) $(workspaces.source.path)'],
  ['nothing in other values', { retries: 2, flag: true, none: null }, { retries: 2, flag: true, none: null }],
])('substitute replaces %s', (_, value, expected) => expect(substitute(value, variables)).toEqual(expected))

it('resultReferences finds the results that a task needs', () => {
  const task = {
    params: [
      { name: 'A', value: '$(tasks.build.results.IMAGE_URL)@$(tasks.build.results.IMAGE_DIGEST)' },
      { name: 'B', value: ['$(tasks.scan.results.REPORTS[*])', `$(tasks.clone.results['commit'])`] },
      { name: 'C', value: '$(tasks.build.status) $(params.revision)' },
    ],
  }
  expect(resultReferences(task)).toEqual([
    { task: 'build', result: 'IMAGE_URL' },
    { task: 'build', result: 'IMAGE_DIGEST' },
    { task: 'scan', result: 'REPORTS' },
    { task: 'clone', result: 'commit' },
  ])
})
