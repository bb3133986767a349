import { describe, expect, it, test } from 'vitest'
import { labels } from '../labels'
import type { PipelineRun } from '../runs/pipeline-run'
import type { Vulnerabilities } from '../runs/task-results'
import { aPipelineRun } from '../testing'
import { aSnapshot } from '../testing/tests-and-releases'
import type { Snapshot, SnapshotComponent } from './snapshot'
import { buildsOfImages, commitsOfImages, snapshotVulnerabilities } from './snapshot-vulnerabilities'

const digest = (digit: string) => `sha256:${digit.repeat(64)}`
const image = (digit: string) => `registry.slipway.test/payments/image@${digest(digit)}`
const component = (name: string, digit: string): SnapshotComponent => ({ name, containerImage: image(digit) })
const snapshotOf = (components: unknown, marks: Record<string, string | undefined> = {}): Snapshot =>
  // Marks that are `undefined` are removed; archives validate nothing.
  aSnapshot({
    metadata: { labels: marks as Record<string, string> },
    spec: { components: components as SnapshotComponent[] },
  })
const unmarked = { [labels.component]: undefined, [labels.buildPipelineRun]: undefined }
const build = (name: string, digit: string, { of = 'api', minute = 1 } = {}): PipelineRun =>
  aPipelineRun({
    metadata: { name, labels: { [labels.component]: of } },
    status: {
      startTime: `2026-01-31T09:0${minute}:00Z`,
      results: [{ name: 'IMAGE_DIGEST', value: `${digest(digit)}\n` }],
    },
  })
const found = (critical: number, low = 0): Vulnerabilities => ({ critical, high: 0, medium: 0, low, unknown: 0 })

describe('the builds of the images of a snapshot', () => {
  test.each<[string, Snapshot, PipelineRun[], Record<string, string>]>([
    ['no components', snapshotOf(undefined), [build('a', '1')], {}],
    ['nonsense as components', snapshotOf([null, 'x', { name: 7 }, { name: 'api' }], unmarked), [build('a', '1')], {}],
    [
      'the same digest',
      snapshotOf([component('api', '1')], unmarked),
      [build('a', '1'), build('b', '2')],
      { api: 'a' },
    ],
    ['another digest only', snapshotOf([component('api', '1')], unmarked), [build('b', '2')], {}],
    [
      'an image by tag',
      snapshotOf([{ name: 'api', containerImage: 'registry.slipway.test/api:latest' }], unmarked),
      [build('a', '1')],
      {},
    ],
    [
      'two builds of the same image: the newer one',
      snapshotOf([component('api', '1')], unmarked),
      [build('old', '1', { minute: 1 }), build('new', '1', { minute: 2 }), build('older', '1', { minute: 0 })],
      { api: 'new' },
    ],
    [
      'two components with the same image: their own builds',
      snapshotOf([component('api', '1'), component('web', '1')], unmarked),
      [build('of-api', '1'), build('of-web', '1', { of: 'web', minute: 2 })],
      { api: 'of-api', web: 'of-web' },
    ],
    [
      'a build that is only named by the snapshot',
      snapshotOf([component('api', '1'), component('web', '2')], {
        [labels.component]: 'api',
        [labels.buildPipelineRun]: 'api-on-push',
      }),
      [],
      { api: 'api-on-push' },
    ],
  ])('SNAP-09 with %s', (_, snapshot, builds, expected) => {
    const found = [...buildsOfImages(snapshot, builds)].map(([{ name }, build]) => [name, build])
    expect(Object.fromEntries(found)).toEqual(expected)
  })

  it('differ between the versions of a component', () => {
    const versions = ['1', '2'].map((digit) => ({ ...component('api', digit), version: `v${digit}` }))
    const found = buildsOfImages(snapshotOf(versions, unmarked), [build('of-v1', '1'), build('of-v2', '2')])
    expect(versions.map((version) => found.get(version))).toEqual(['of-v1', 'of-v2'])
  })

  it.each([undefined, 7, ['sha256:1'], { digest: 'sha256:1' }, '', 'latest'])(
    'ignore %j as the digest of a build',
    (value) => {
      const run = aPipelineRun({ status: { results: [{ name: 'IMAGE_DIGEST', value: value as string }] } })
      expect(buildsOfImages(snapshotOf([component('api', '1')], unmarked), [run])).toEqual(new Map())
    },
  )
})

test.each<[string, unknown[], string[]]>([
  ['no source', [undefined, {}, { git: {} }, { git: null }], []],
  ['branches and nonsense', ['main', 'HEAD~1', '', 7, null].map((revision) => ({ git: { revision } })), []],
  [
    'the same commit twice',
    ['c0ffee0', 'bad1dea', 'c0ffee0'].map((revision) => ({ git: { revision } })),
    ['bad1dea', 'c0ffee0'],
  ],
])('the commits of components with %s', (_, sources, expected) =>
  expect(commitsOfImages(sources.map((source) => ({ ...component('api', '1'), source }) as SnapshotComponent))).toEqual(
    expected,
  ),
)

describe('the vulnerabilities of a snapshot', () => {
  const of = (components: SnapshotComponent[], scans: Record<string, Vulnerabilities>) =>
    snapshotVulnerabilities(snapshotOf(components), ({ name }) => scans[name])

  it('SNAP-09 are summed over its images', () => {
    const web = component('web', '2')
    const { byComponent, ...sum } = of([component('api', '1'), web], { api: found(1), web: found(2, 5) })
    expect(sum).toEqual({ total: found(3, 5), imageCount: 2, scannedCount: 2 })
    expect(byComponent.get(web)).toEqual(found(2, 5))
  })

  it('SNAP-09 of an image without a scan are unknown and not zero', () => {
    const web = component('web', '2')
    const { byComponent, ...sum } = of([component('api', '1'), web], { api: found(0) })
    expect(sum).toEqual({ total: found(0), imageCount: 2, scannedCount: 1 })
    expect(byComponent.get(web)).toBeUndefined()
  })

  it('count an image that two components share once, whichever of them was scanned', () => {
    const api = component('api', '1')
    const shared = [api, component('web', '1')]
    expect(of(shared, { api: found(2), web: found(2) })).toMatchObject({
      total: found(2),
      imageCount: 1,
      scannedCount: 1,
    })
    const { byComponent, ...sum } = of(shared, { web: found(2) })
    expect(sum).toMatchObject({ total: found(2), scannedCount: 1 })
    expect(byComponent.get(api)).toEqual(found(2))
  })

  it('are unknown without any scan or component', () => {
    expect(of([component('api', '1')], {})).toMatchObject({ total: undefined, imageCount: 1, scannedCount: 0 })
    expect(of([], {})).toMatchObject({ total: undefined, imageCount: 0, scannedCount: 0 })
  })
})
