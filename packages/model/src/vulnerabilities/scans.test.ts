import { describe, expect, it, test } from 'vitest'
import { labels } from '../labels'
import type { TaskRun } from '../runs/task-run'
import { aTaskRun, condition } from '../testing'
import type { ScanLog } from './scan-reports'
import { fixableFirst, foundIn, isScan, reportStepsOf, type Scan, scanOf, scansByBuild } from './scans'
import type { Vulnerability } from './vulnerability'

interface ScanFacts {
  run?: string
  day?: number
  component?: string
  task?: string
  event?: string
  isDone?: boolean
  results?: Record<string, unknown>
}

function aScan({
  run = 'build',
  day = 1,
  component = 'api',
  task = 'clair-scan',
  event,
  isDone = true,
  results = {},
}: ScanFacts = {}): TaskRun {
  const time = `2026-01-0${day}T09:00:00Z`
  return aTaskRun({
    metadata: {
      name: `${run}-${task}`,
      labels: {
        [labels.application]: 'checkout',
        [labels.component]: component,
        [labels.pipelineRun]: run,
        [labels.pipelineTask]: task,
        [labels.commitSha]: 'c'.repeat(40),
        ...(event && { [labels.eventType]: event }),
      },
    },
    spec: { params: [{ name: 'image-url', value: 'quay.io/team/api:1' }] },
    status: {
      startTime: time,
      ...(isDone && { completionTime: time, conditions: [condition('Succeeded', 'True')] }),
      results: Object.entries(results).map(([name, value]) => ({ name, value: JSON.stringify(value) })),
    },
  })
}

const vulnerability = (over: Partial<Vulnerability> = {}): Vulnerability => ({
  id: 'CVE-2026-1',
  aliases: [],
  severity: 'High',
  package: 'zlib',
  installed: '1.0',
  fixedIn: undefined,
  link: undefined,
  ...over,
})

const log = (over: Partial<ScanLog> = {}): ScanLog => ({
  vulnerabilities: [],
  reportCount: 1,
  brokenReportCount: 0,
  unreadableCount: 0,
  ...over,
})

test.each<[string, TaskRun, boolean]>([
  ['a scan by its name, before it has a result', aScan(), true],
  ['a scan by another name, by its result', aScan({ task: 'images', results: { SCAN_OUTPUT: {} } }), true],
  ['another task', aScan({ task: 'clamav-scan', results: { TEST_OUTPUT: {} } }), false],
])('%s', (_, taskRun, expected) => expect(isScan(taskRun)).toBe(expected))

test.each<[string, string[], string[]]>([
  [
    'the step that is known',
    ['get-image-manifests', 'get-vulnerabilities', 'conftest-vulnerabilities'],
    ['get-vulnerabilities'],
  ],
  ['all of them otherwise', ['prepare', 'scan'], ['prepare', 'scan']],
])('reads %s', (_, names, expected) => {
  const scan = aScan()
  expect(reportStepsOf({ ...scan, status: { ...scan.status, steps: names.map((name) => ({ name })) } })).toEqual(
    expected,
  )
})

describe('what is missing in a scan', () => {
  const counted = { SCAN_OUTPUT: { vulnerabilities: { critical: 2, low: 1 } } }
  test.each<[string, Partial<ScanLog>, object, string | undefined]>([
    ['nothing', {}, {}, undefined],
    ['the report', { reportCount: 0 }, {}, 'Its log has no report.'],
    [
      'a report that is cut off',
      { reportCount: 0, brokenReportCount: 1 },
      {},
      'The report in its log is cut off or invalid.',
    ],
    ['one of several reports', { brokenReportCount: 1 }, {}, '1 of 2 reports in its log are cut off or invalid.'],
    ['some entries', { unreadableCount: 3 }, {}, '3 entries of its report could not be read.'],
    ['what its result counts', {}, counted, 'Its result counts 3 vulnerabilities, and its report has none.'],
  ])('%s', (_, over, results, gap) => {
    expect(scanOf(aScan({ results: { ...results } }), log(over)).gap).toBe(gap)
  })
})

test.each<[string, object, string]>([
  ['its parameter', {}, 'quay.io/team/api:1'],
  [
    'its result',
    { IMAGES_PROCESSED: { image: { pullspec: 'quay.io/team/api:2', digests: ['sha256:aa'] } } },
    'quay.io/team/api:2@sha256:aa',
  ],
  [
    'its result without a digest for an index',
    { IMAGES_PROCESSED: { image: { pullspec: 'quay.io/team/api:2', digests: ['sha256:aa', 'sha256:bb'] } } },
    'quay.io/team/api:2',
  ],
])('a scan is of the image in %s', (_, results, image) => {
  expect(scanOf(aScan({ results: { ...results } }), log())).toMatchObject({
    image,
    commit: 'c'.repeat(40),
    component: 'api',
  })
})

it('the scans of the newest builds of each component count, without those of pull requests', () => {
  const names = (most: number) =>
    scansByBuild(
      [
        aScan({ run: 'old', day: 1 }),
        aScan({ run: 'new', day: 3 }),
        aScan({ run: 'new', day: 3, task: 'roxctl-scan' }),
        aScan({ run: 'web', day: 2, component: 'web' }),
        aScan({ run: 'request', day: 4, event: 'pull_request' }),
        aScan({ run: 'running', day: 5, isDone: false }),
      ],
      most,
    ).map(({ metadata }) => metadata.name)
  expect(names(1)).toEqual(['new-roxctl-scan', 'new-clair-scan', 'web-clair-scan'])
  expect(names(2)).toEqual(['new-roxctl-scan', 'new-clair-scan', 'web-clair-scan', 'old-clair-scan'])
})

it('what several scans of a component find is one vulnerability, with the fix that one of them knows', () => {
  const scan = (taskRun: TaskRun, ...vulnerabilities: Vulnerability[]): Scan =>
    scanOf(taskRun, log({ vulnerabilities }))
  const found = foundIn([
    scan(aScan(), vulnerability(), vulnerability({ package: 'expat' })),
    scan(aScan({ task: 'roxctl-scan' }), vulnerability({ fixedIn: '1.1' })),
    scan(aScan({ component: 'web', run: 'web' }), vulnerability()),
  ])
  expect(found.map(({ from, package: name, fixedIn }) => [from.component, name, fixedIn])).toEqual([
    ['api', 'zlib', '1.1'],
    ['api', 'expat', undefined],
    ['web', 'zlib', undefined],
  ])
})

it('what can be fixed comes first, the worst of it before the rest', () => {
  const all = [
    vulnerability({ severity: 'Critical' }),
    vulnerability({ severity: 'Low', fixedIn: '2' }),
    vulnerability({ severity: 'Unknown', fixedIn: '2' }),
    vulnerability({ severity: 'Critical', fixedIn: '2' }),
  ]
  expect(
    all.sort((a, b) => fixableFirst(a) - fixableFirst(b)).map(({ severity, fixedIn }) => [severity, fixedIn]),
  ).toEqual([
    ['Critical', '2'],
    ['Low', '2'],
    ['Unknown', '2'],
    ['Critical', undefined],
  ])
})
