import { expect, it, test } from 'vitest'
import { annotations, labels } from '../labels'
import { aComponent, aPipelineRun } from '../testing'
import type { BuildPipelineSource, ComponentVersion } from './component'
import { buildsByVersion, versionFacts, versionOfBuild, versionsIn } from './component-versions'

const version = (name: string, rest: Partial<ComponentVersion> = {}): ComponentVersion => ({
  name,
  revision: name,
  ...rest,
})
const build = (name: string, branch: string, marks: { label?: string; annotation?: string; context?: string } = {}) =>
  aPipelineRun({
    metadata: {
      name,
      ...(marks.label && { labels: { [labels.version]: marks.label } }),
      annotations: {
        [annotations.branch]: branch,
        ...(marks.annotation && { [labels.version]: marks.annotation }),
        ...(marks.context !== undefined && { [annotations.context]: marks.context }),
      },
    },
  })

const versions = [
  version('main'),
  version('Release 1', { revision: 'release-1' }),
  version('one', { revision: 'mono', context: 'one/' }),
  version('two', { revision: 'mono', context: '/two' }),
]

test.each<[string, ReturnType<typeof build>, [string, boolean] | undefined]>([
  [
    'the one that its label names, whatever its branch is',
    build('a', 'main', { label: 'Release 1' }),
    ['Release 1', false],
  ],
  ['the one that its label names in a simpler form', build('a', 'main', { label: 'release-1' }), ['Release 1', false]],
  ['the one that its annotation names', build('a', 'main', { annotation: 'two' }), ['two', false]],
  ['the one with its branch', build('a', 'refs/heads/release-1'), ['Release 1', true]],
  ['the one with its branch and context', build('a', 'mono', { context: 'two' }), ['two', true]],
  ['none of several with its branch', build('a', 'mono'), undefined],
  ['none with its branch in another directory', build('a', 'main', { context: 'docs' }), undefined],
  ['none if it names another one', build('a', 'main', { label: 'gone' }), undefined],
  ['none with another branch', build('a', 'feature'), undefined],
])('a build is of %s', (_, run, expected) => {
  const found = versionOfBuild(run, versions)
  expect(found && [found.version.name, found.isByBranch]).toEqual(expected)
})

it('each version has its builds in their order, and says how the first one was found', () => {
  const found = buildsByVersion(versions, [
    build('a', 'main', { label: 'main' }),
    build('b', 'release-1'),
    build('c', 'main'),
    build('d', 'mono'),
  ])
  expect(
    [...found].map(([name, { builds, isByBranch }]) => [
      name,
      builds.map((run) => run.metadata.name).join(),
      isByBranch,
    ]),
  ).toEqual([
    ['main', 'a,c', false],
    ['Release 1', 'b', true],
    ['one', '', false],
    ['two', '', false],
  ])
})

it('a component without versions has none, not even in a list that masks them', () => {
  expect(versionFacts(aComponent())).toEqual([])
  expect(versionsIn({ metadata: { name: 'masked' } } as never)).toEqual([])
})

const bundle = { name: 'docker-build', bundle: 'latest' }
const component = aComponent({
  spec: {
    source: {
      url: 'https://github.com/payments/api',
      dockerfileUri: 'Containerfile',
      versions: [
        version('main'),
        version('v1', {
          context: 'api',
          dockerfileUri: 'docker/Dockerfile',
          'skip-builds': true,
          'build-pipeline': { push: { 'pipelineref-by-name': 'fast' } },
        }),
        version('v2', { 'build-pipeline': null }),
      ],
    },
    'default-build-pipeline': { 'pull-and-push': { 'pipelinespec-from-bundle': bundle } },
  },
  status: {
    versions: [
      {
        name: 'main',
        'onboarding-status': 'succeeded',
        'configuration-merge-url': 'https://github.com/payments/api/pull/1',
      },
      {
        name: 'v1',
        'onboarding-status': 'failed',
        message: 'no such branch',
        'configuration-merge-url': 'javascript:1',
      },
    ],
  },
})
const inherited = [{ events: 'Pull requests and pushes', source: 'docker-build, newest of the platform' }]

it('versions have what they set, or else what the component or the platform sets', () => {
  expect(versionFacts(component)).toEqual([
    {
      name: 'main',
      branch: 'main',
      context: undefined,
      dockerfile: 'Containerfile',
      isBuilt: true,
      pipelines: inherited,
      hasDefaultPipelines: true,
      onboarding: { hasFailed: false, message: undefined, mergeUrl: 'https://github.com/payments/api/pull/1' },
    },
    {
      name: 'v1',
      branch: 'v1',
      context: 'api',
      dockerfile: 'docker/Dockerfile',
      isBuilt: false,
      pipelines: [{ events: 'Pushes', source: 'fast in .tekton' }],
      hasDefaultPipelines: false,
      onboarding: { hasFailed: true, message: 'no such branch', mergeUrl: undefined },
    },
    expect.objectContaining({ name: 'v2', pipelines: inherited, hasDefaultPipelines: true, onboarding: undefined }),
  ])
  const bare = aComponent({ spec: { source: { versions: [version('main')] } } })
  expect(versionFacts(bare)).toMatchObject([{ dockerfile: 'Dockerfile', pipelines: [] }])
})

test.each<[string, BuildPipelineSource, string | undefined]>([
  [
    'a git repository',
    { 'pipelineref-by-git-resolver': { url: 'https://github.com/it/p', revision: 'v2', pathInRepo: 'push.yaml' } },
    'push.yaml of https://github.com/it/p at v2',
  ],
  ['a bundle', { 'pipelinespec-from-bundle': { name: 'fbc', bundle: 'quay.io/it/fbc:1' } }, 'fbc of quay.io/it/fbc:1'],
  ['nothing', { 'pipelineref-by-git-resolver': null }, undefined],
])('a pipeline from %s', (_, source, expected) => {
  const one = aComponent({ spec: { source: { versions: [version('main', { 'build-pipeline': { pull: source } })] } } })
  expect(versionFacts(one)[0]?.pipelines.map((each) => each.source)).toEqual(expected ? [expected] : [])
})
