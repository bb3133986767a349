import { annotations, labels } from '@slipway/model/labels'
import { aComponent } from '@slipway/model/testing'
import { describe, expect, it } from 'vitest'
import { keyedRandom } from '../keyed-random'
import { outcomeAnnotation } from '../tekton/outcome'
import { buildRunFor, affects, parsePipelineChoice } from './build-run'
import type { Delivery, GitRepository } from './repository'

const repository: Pick<GitRepository, 'url' | 'provider' | 'organization' | 'name' | 'defaultBranch'> = {
  url: 'https://github.com/payments/checkout-api',
  provider: 'github',
  organization: 'payments',
  name: 'checkout-api',
  defaultBranch: 'main',
}
const commit = { sha: 'a'.repeat(40), title: 'Round amounts', author: 'mei-tanaka', time: '2026-01-31T09:00:00Z' }
const pushed: Delivery = { id: 'push main', event: 'push', branch: 'main', commit, sender: 'mei-tanaka' }
const proposed: Delivery = { ...pushed, id: 'pull 7', event: 'pull_request', pullRequest: 7 }
const random = (key: string) => keyedRandom('test', key)
const consoleUrl = 'https://console.slipway.test'
const run = (event: Delivery, more: Partial<Parameters<typeof buildRunFor>[0]> = {}) =>
  buildRunFor({ component: aComponent(), repository, event, sourceBranch: 'rounding', random, consoleUrl, ...more })

/** The labels that Pipelines as Code and the platform set on the builds of a real cluster. */
const labelKeys = [
  'app.kubernetes.io/managed-by',
  'app.kubernetes.io/version',
  'appstudio.openshift.io/application',
  'appstudio.openshift.io/component',
  'pipelines.appstudio.openshift.io/type',
  'pipelinesascode.tekton.dev/cancel-in-progress',
  'pipelinesascode.tekton.dev/check-run-id',
  'pipelinesascode.tekton.dev/event-type',
  'pipelinesascode.tekton.dev/original-prname',
  'pipelinesascode.tekton.dev/pull-request',
  'pipelinesascode.tekton.dev/repository',
  'pipelinesascode.tekton.dev/sha',
  'pipelinesascode.tekton.dev/state',
  'pipelinesascode.tekton.dev/url-org',
  'pipelinesascode.tekton.dev/url-repository',
]
const annotationKeys = [
  'build.appstudio.openshift.io/repo',
  'build.appstudio.redhat.com/commit_sha',
  'build.appstudio.redhat.com/pull_request_number',
  'build.appstudio.redhat.com/target_branch',
  ...[
    ...['branch', 'cancel-in-progress', 'check-run-id', 'controller-info', 'event-type', 'git-auth-secret'],
    ...['git-provider', 'installation-id', 'log-url', 'max-keep-runs', 'on-cel-expression', 'original-prname'],
    ...['pull-request', 'repo-url', 'repository', 'scm-reporting-plr-started', 'sender', 'sha', 'sha-title'],
    ...['sha-url', 'source-branch', 'source-repo-url', 'state', 'url-org', 'url-repository'],
  ].map((key) => `pipelinesascode.tekton.dev/${key}`),
  'results.tekton.dev/recordSummaryAnnotations',
]

describe('the build of a pull request', () => {
  const { metadata, spec } = run(proposed)

  it('has all labels and annotations of Pipelines as Code', () => {
    expect(Object.keys(metadata.labels ?? {}).sort()).toEqual(labelKeys)
    expect(Object.keys(metadata.annotations ?? {}).sort()).toEqual(annotationKeys.sort())
    expect(metadata.name).toMatch(/^checkout-api-on-pull-request-[a-z0-9]{5}$/)
    expect(metadata.labels).toMatchObject({ [labels.eventType]: 'pull_request', [labels.pullRequestNumber]: '7' })
    expect(metadata.annotations).toMatchObject({
      [annotations.pacShaUrl]: `https://github.com/payments/checkout-api/commit/${commit.sha}`,
      [annotations.pacSourceBranch]: 'rounding',
      [annotations.pacLogUrl]: `https://console.slipway.test/ns/team-payments/pipelinerun/${metadata.name}`,
      [annotations.repository]: `https://github.com/payments/checkout-api?rev=${commit.sha}`,
      'pipelinesascode.tekton.dev/on-cel-expression': 'event == "pull_request" && target_branch == "main"',
    })
  })

  it('builds an image that expires', () =>
    expect(spec.params).toEqual([
      { name: 'git-url', value: repository.url },
      { name: 'revision', value: commit.sha },
      { name: 'output-image', value: `registry.slipway.test/payments/checkout-api:on-pr-${commit.sha}` },
      { name: 'image-expires-after', value: '5d' },
      { name: 'dockerfile', value: 'Dockerfile' },
    ]))

  it('runs as the account of the component', () => {
    expect(spec.taskRunTemplate).toEqual({ serviceAccountName: 'build-pipeline-checkout-api' })
    expect(spec.workspaces).toEqual([
      {
        name: 'git-auth',
        secret: { secretName: metadata.annotations?.['pipelinesascode.tekton.dev/git-auth-secret'] },
      },
    ])
  })
})

it('the build has the same name for the same event, and a different one for another event', () => {
  expect(run(pushed)).toEqual(run(pushed))
  expect(run({ ...pushed, id: 'again' }).metadata.name).not.toBe(run(pushed).metadata.name)
})

it.each<[Delivery['event'], GitRepository['provider'], string, string]>([
  ['push', 'github', 'push', 'on-push'],
  ['push', 'gitlab', 'Push', 'on-push'],
  ['push', 'bitbucket', 'push', 'on-push'],
  ['incoming', 'github', 'incoming', 'on-push'],
  ['pull_request', 'gitlab', 'Merge_Request', 'on-pull-request'],
  ['pull_request', 'bitbucket', 'pull_request', 'on-pull-request'],
  ['retest', 'github', 'retest-all-comment', 'on-pull-request'],
])('the event %s on %s has the type %s and starts %s', (event, provider, eventType, trigger) => {
  const { metadata } = run({ ...proposed, event }, { repository: { ...repository, provider } })
  expect(metadata.labels?.[labels.eventType]).toBe(eventType)
  expect(metadata.generateName).toBe(`checkout-api-${trigger}-`)
})

it('a build copies the outcome annotation of its component', () => {
  const outcomes = { [outcomeAnnotation]: '{"*":"fail"}' }
  const component = aComponent({ metadata: { annotations: outcomes } })
  expect(run(pushed, { component }).metadata.annotations).toMatchObject(outcomes)
})

it('a build uses the pipeline that its component selects', () => {
  const choose = (value: string) => aComponent({ metadata: { annotations: { [annotations.buildPipeline]: value } } })
  const ref = (value: string) => run(pushed, { component: choose(value) }).spec.pipelineRef?.params
  expect(ref('{"name":"fbc-builder","bundle":"latest"}')).toEqual([
    { name: 'name', value: 'fbc-builder' },
    { name: 'bundle', value: 'quay.io/konflux-ci/tekton-catalog/pipeline-fbc-builder:latest' },
    { name: 'kind', value: 'pipeline' },
  ])
  expect(ref('{"name":"x","bundle":"quay.io/a/b@sha256:1"}')).toContainEqual({
    name: 'bundle',
    value: 'quay.io/a/b@sha256:1',
  })
})

it.each([
  ['nonsense', undefined],
  ['null', undefined],
  ['{"name":3}', undefined],
  ['{"name":"x"}', { name: 'x' }],
  [undefined, { name: 'docker-build-oci-ta', bundle: 'latest' }],
])('parsePipelineChoice parses %j as %j', (value, expected) => expect(parsePipelineChoice(value)).toEqual(expected))

it.each<[string, string | undefined, string | undefined, boolean]>([
  ['all of the repository', undefined, 'web', true],
  ['its own directory', 'api', 'api', true],
  ['a directory in its own', './api/', 'api/handlers', true],
  ['the directory of another', 'api', 'api-docs', false],
  ['everything', 'api', undefined, true],
  ['its own pipelines', 'api', '.tekton/checkout-api', true],
  ['the pipelines of another', 'api', '.tekton/checkout-web', false],
])('affects checks whether a change affects a component: %s', (_, directory, changed, expected) => {
  const component = aComponent({ spec: { source: { git: { context: directory } } } })
  expect(affects({ ...pushed, commit: { ...commit, context: changed } }, component)).toBe(expected)
})

it('a long run name is truncated as by Kubernetes', () => {
  const component = aComponent({ metadata: { name: 'a'.repeat(60) } })
  expect(run(pushed, { component }).metadata.name).toHaveLength(63)
})

it('labels of a run are valid if the component has a name of the maximum length', () => {
  const name = 'a'.repeat(63)
  const { metadata } = run(pushed, { component: aComponent({ metadata: { name } }) })
  for (const value of Object.values(metadata.labels ?? {})) expect(value.length).toBeLessThanOrEqual(63)
  expect(metadata.annotations?.[labels.originalPipelineRunName]).toBe(`${name}-on-push`)
})

it('a run with a given name has no generateName', () => {
  const { metadata } = run(pushed, { name: 'ends-oom' })
  expect(metadata).toMatchObject({ name: 'ends-oom' })
  expect(metadata).not.toHaveProperty('generateName')
  expect(metadata.annotations?.[annotations.pacLogUrl]).toBe(`${consoleUrl}/ns/team-payments/pipelinerun/ends-oom`)
})
