import { describe, expect, it, test } from 'vitest'
import { annotations, labels } from '../labels'
import {
  hasScan,
  hasSecurityReport,
  imageOf,
  pipelineTextOf,
  sbomCommand,
  sbomUrl,
  snapshotCreationMessage,
} from './run-outputs'
import { aPipelineRun } from '../testing'
import type { PipelineRun } from './pipeline-run'

const digest = { name: 'IMAGE_DIGEST', value: 'sha256:aa' }
const blob = { name: 'SBOM_BLOB_URL', value: 'registry.test/api@sha256:bb' }
const image = { name: 'IMAGE_URL', value: 'registry.test/api:1' }
const withResults = (...results: { name: string; value: string }[]) => aPipelineRun({ status: { results } })
const buildFor = (platforms: string[]) =>
  aPipelineRun({
    spec: { params: [{ name: 'build-platforms', value: platforms }] },
    status: { results: [image, digest] },
  })

describe('the bill of materials', () => {
  it('RUN-35 is downloaded for the image of the annotation, or else of the results', () => {
    expect(imageOf(withResults(image))).toBe('registry.test/api:1')
    const noted = aPipelineRun({
      metadata: { annotations: { [annotations.image]: 'registry.test/noted:1' } },
      status: { results: [image] },
    })
    expect(imageOf(noted)).toBe('registry.test/noted:1')
    expect(imageOf(aPipelineRun())).toBeUndefined()
    // As in an archive with the older API.
    const old = aPipelineRun({ status: {} })
    Object.assign(old.status ?? {}, { results: undefined, pipelineResults: [image] })
    expect(imageOf(old)).toBe('registry.test/api:1')
  })

  it('RUN-35, RUN-44 has no trailing newline from the result', () => {
    expect(imageOf(withResults({ ...image, value: 'registry.test/api:1\n' }))).toBe('registry.test/api:1')
    const noted = aPipelineRun({
      metadata: { annotations: { [annotations.image]: ' ' } },
      status: { results: [image] },
    })
    expect(imageOf(noted)).toBe('registry.test/api:1')
  })

  test.each([
    ['x; rm -rf /', `'x; rm -rf /'`],
    ['$(id)', `'$(id)'`],
    [`it's`, String.raw`'it'\''s'`],
  ])('RUN-35 quotes the image as one shell word: %s', (called, word) =>
    expect(sbomCommand(withResults({ ...image, value: called }))).toBe(`cosign download sbom ${word}`),
  )

  test.each<[string, PipelineRun, string | undefined]>([
    ['tag, if that is all', withResults(image), 'registry.test/api:1'],
    ['digest, if it is known', withResults(image, digest), 'registry.test/api@sha256:aa'],
    [
      'digest of a registry with a port',
      withResults({ ...image, value: 'registry.test:5000/api' }, digest),
      'registry.test:5000/api@sha256:aa',
    ],
    [
      'digest that it already has',
      withResults({ ...image, value: 'registry.test/api@sha256:cc' }, digest),
      'registry.test/api@sha256:cc',
    ],
    ['tag, if the digest is none', withResults(image, { ...digest, value: 'x; id' }), 'registry.test/api:1'],
    [
      'platform of an index of images',
      buildFor(['linux/x86_64', 'linux/arm64']),
      '--platform linux/amd64 registry.test/api@sha256:aa',
    ],
    [
      'platform of a large machine',
      buildFor(['linux-mlarge/arm64']),
      '--platform linux/arm64 registry.test/api@sha256:aa',
    ],
    ['image alone for platforms that are none', buildFor(['local', '$(id)']), 'registry.test/api@sha256:aa'],
  ])('RUN-35 names the image by its %s', (_, run, words) =>
    expect(sbomCommand(run)).toBe(`cosign download sbom ${words}`),
  )

  it('RUN-35 takes the platforms that the pipeline has by default', () => {
    const params = [{ name: 'build-platforms', default: ['linux/s390x'] }]
    const run = aPipelineRun({ status: { results: [image], pipelineSpec: { tasks: [], params } } })
    expect(sbomCommand(run)).toBe('cosign download sbom --platform linux/s390x registry.test/api:1')
    expect(sbomCommand(aPipelineRun())).toBeUndefined()
  })

  const url = 'https://sbom.test/image/<PLACEHOLDER>'
  const sbomSha = 'https://sbom.test/sbom/<PLACEHOLDER>/view'
  test.each([
    [
      'RUN-37, SESS-17 the digest of the document goes into its template',
      [digest, blob],
      { url, sbomSha },
      `sbom/${blob.value}/view`,
    ],
    ['RUN-37 the digest of the image goes into the other template', [digest, blob], { url }, 'image/sha256:aa'],
    [
      'RUN-37 without a document digest, the digest of the image is used',
      [digest],
      { url, sbomSha },
      'image/sha256:aa',
    ],
    ['RUN-38 without a digest there is no URL', [blob], { url, sbomSha }, undefined],
    ['RUN-38 without a template there is no URL', [digest, blob], {}, undefined],
    ['RUN-38 an unsafe URL is ignored', [digest], { url: 'javascript:alert("<PLACEHOLDER>")' }, undefined],
  ])('%s', (_, results, server, expected) =>
    expect(sbomUrl(withResults(...results), server)).toBe(expected && `https://sbom.test/${expected}`),
  )
})

test.each([
  ['a message', '{"status":"success","message":"Snapshot made"}', 'Snapshot made'],
  ['no message', '{"status":"success"}', undefined],
  ['a list', '[]', undefined],
  ['null', 'null', undefined],
  ['no JSON', 'success', undefined],
  ['a number for a message', '{"message":3}', undefined],
])('RUN-31 parses the outcome of creating a snapshot: %s', (_, text, expected) => {
  const run = aPipelineRun({ metadata: { annotations: { [annotations.createSnapshotStatus]: text } } })
  expect(snapshotCreationMessage(run)).toBe(expected)
})

test.each([
  ['with the name of the snapshot', { [labels.snapshot]: 'checkout-1' }, 'Successfully created snapshot checkout-1'],
  ['without a name if it is unknown', {}, 'Successfully created snapshot'],
])('RUN-31 rewrites the message of the integration service %s', (_, marks, expected) => {
  const message = 'Sucessfully created snapshot. See annotation appstudio.openshift.io/snapshot for name'
  const status = { [annotations.createSnapshotStatus]: JSON.stringify({ message, status: 'success' }) }
  expect(snapshotCreationMessage(aPipelineRun({ metadata: { annotations: { ...status, ...marks } } }))).toBe(expected)
})

it('finds the name of a pipeline in the label, the reference or the parameters of a resolver', () => {
  expect(pipelineTextOf(aPipelineRun({ metadata: { labels: { [labels.pipeline]: 'docker-build' } } }))).toBe(
    'docker-build',
  )
  expect(pipelineTextOf(aPipelineRun({ spec: { pipelineRef: { name: 'docker-build' } } }))).toBe('docker-build')
  const resolved = { resolver: 'git', params: [{ name: 'pathInRepo', value: 'pipelines/test.yaml' }] }
  expect(pipelineTextOf(aPipelineRun({ spec: { pipelineRef: resolved } }))).toBe('pipelines/test.yaml')
  expect(pipelineTextOf(aPipelineRun())).toBeUndefined()
})

it('shows the display name of a pipeline before its name', () => {
  const pipelineSpec = { displayName: 'Nice pipeline', tasks: [] }
  const named = { labels: { [labels.pipeline]: 'docker-build' } }
  expect(pipelineTextOf(aPipelineRun({ metadata: named, status: { pipelineSpec } }))).toBe(
    'Nice pipeline (docker-build)',
  )
  expect(pipelineTextOf(aPipelineRun({ spec: { pipelineSpec } }))).toBe('Nice pipeline')
  expect(
    pipelineTextOf(aPipelineRun({ metadata: named, spec: { pipelineSpec: { ...pipelineSpec, displayName: '' } } })),
  ).toBe('docker-build')
})

it('RUN-06 only the Enterprise Contract pipeline has a security report', () => {
  expect(hasSecurityReport(aPipelineRun())).toBe(false)
  const labelled = { [labels.buildPipeline]: 'enterprise-contract' }
  expect(hasSecurityReport(aPipelineRun({ metadata: { labels: labelled } }))).toBe(true)
})

test.each<[string, NonNullable<PipelineRun['status']>, boolean]>([
  [
    'a run with a task that scans',
    { childReferences: [{ kind: 'TaskRun', name: 'build-scan', pipelineTaskName: 'clair-scan' }] },
    true,
  ],
  ['a run whose scan has not started', { pipelineSpec: { tasks: [{ name: 'roxctl-scan' }] } }, true],
  [
    'a run without a scan',
    { childReferences: [{ kind: 'TaskRun', name: 'clair-scan-1', pipelineTaskName: 'build' }] },
    false,
  ],
  ['a run without a status', {}, false],
])('%s: whether it has vulnerabilities to show', (_, status, expected) =>
  expect(hasScan(aPipelineRun({ status }))).toBe(expected),
)
