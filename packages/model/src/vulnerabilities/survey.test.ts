import { describe, expect, it, test } from 'vitest'
import { labels } from '../labels'
import { aTaskRun } from '../testing'
import type { FoundVulnerability, Scan } from './scans'
import {
  batchesWithin,
  type ComponentPlace,
  isNamed,
  spreadOf,
  surveyBatches,
  surveyProgress,
  type SurveyProgress,
} from './survey'

/** @param text `namespace/application/component` */
function place(text: string): ComponentPlace {
  const [namespace = '', application = '', component = ''] = text.split('/')
  return { namespace, application, component }
}
const nameOf = ({ namespace, application, component }: ComponentPlace) => `${namespace}/${application}/${component}`

describe('a survey', () => {
  const components = ['b/shop/web', 'a/shop/web', 'b/shop/api', 'c/shop/web', 'b/admin/web'].map(place)
  const batchesOf = (size: number, first?: string) =>
    surveyBatches(components, size, first).map((batch) => batch.components.map(nameOf))

  it.each<[string, number, string | undefined, string[][]]>([
    [
      'the namespaces by name',
      9,
      undefined,
      [['a/shop/web'], ['b/admin/web', 'b/shop/api', 'b/shop/web'], ['c/shop/web']],
    ],
    ['a namespace first', 9, 'c', [['c/shop/web'], ['a/shop/web'], ['b/admin/web', 'b/shop/api', 'b/shop/web']]],
    [
      'a large namespace in parts',
      2,
      'b',
      [['b/admin/web', 'b/shop/api'], ['b/shop/web'], ['a/shop/web'], ['c/shop/web']],
    ],
    ['a namespace that has none like the others', 9, 'z', batchesOf(9)],
  ])('looks at %s', (_, size, first, expected) => expect(batchesOf(size, first)).toEqual(expected))

  it.each([
    [0, 0],
    [1, 1],
    [2, 2],
    [4, 2],
    [5, 3],
    [99, 3],
  ])('looks at whole batches: for %i components at %i of them', (most, expected) =>
    expect(batchesWithin(surveyBatches(components, 9), most)).toHaveLength(expected),
  )
})

describe('the progress of a survey', () => {
  const taskRun = (text: string) => {
    const { namespace, application, component } = place(text)
    const own = { [labels.application]: application, [labels.component]: component }
    return aTaskRun({ metadata: { name: 'scan', namespace, labels: own } })
  }
  const scan = (text: string, gap?: string): Scan => ({
    ...place(text),
    image: undefined,
    commit: undefined,
    pipelineRun: 'build',
    taskRun: 'scan',
    scannedAt: '2026-01-01T00:00:00Z',
    vulnerabilities: [],
    gap,
  })
  const [web, api, other] = ['a/shop/web', 'a/shop/api', 'b/shop/web'] as const

  test.each<[string, { listed: string[]; taskRuns: string[]; scans: Scan[] }, Partial<SurveyProgress>]>([
    ['nothing was listed', { listed: [], taskRuns: [], scans: [] }, { readCount: 0, unscanned: [] }],
    ['a scan is being read', { listed: [web], taskRuns: [web], scans: [] }, { readCount: 0, unscanned: [] }],
    [
      'a scan was read',
      { listed: [web, api], taskRuns: [web], scans: [scan(web)] },
      { readCount: 1, readNamespaceCount: 1, unscanned: [place(api)] },
    ],
    [
      'one of two scans of a component was read',
      { listed: [web], taskRuns: [web, web], scans: [scan(web)] },
      { readCount: 0, unscanned: [] },
    ],
    ['a report is cut off', { listed: [web], taskRuns: [web], scans: [scan(web, 'cut off')] }, { readCount: 0 }],
    [
      'components of the same name are read',
      { listed: [web, other], taskRuns: [web, other], scans: [scan(web), scan(other)] },
      { readCount: 2, readNamespaceCount: 2 },
    ],
  ])('if %s', (_, { listed, taskRuns, scans }, expected) => {
    const components = [web, api, other].map(place)
    expect(
      surveyProgress({ components, listed: listed.map(place), taskRuns: taskRuns.map(taskRun), scans }),
    ).toMatchObject({ componentCount: 3, namespaceCount: 2, ...expected })
  })
})

test.each([
  ['CVE-2026-1001', true],
  ['cve-2026-1001', true],
  ['ghsa-abcd-1234-efgh', true],
  ['CVE-2026-100', false],
  ['CVE-2026-10011', false],
])('%s names a vulnerability: %s', (name, expected) =>
  expect(isNamed({ id: 'CVE-2026-1001', aliases: ['GHSA-abcd-1234-efgh'] }, name)).toBe(expected),
)

test('a vulnerability has spread to components, each of which counts once', () => {
  const found = (text: string, over: Partial<FoundVulnerability>): FoundVulnerability => ({
    id: 'CVE-2026-1001',
    aliases: [],
    severity: 'Medium',
    package: 'zlib',
    installed: '1.0',
    fixedIn: undefined,
    link: undefined,
    key: text,
    from: {
      ...place(text),
      image: undefined,
      commit: undefined,
      pipelineRun: 'build',
      taskRun: 'scan',
      scannedAt: '2026-01-01T00:00:00Z',
    },
    ...over,
  })
  expect(
    spreadOf([
      found('b/shop/web', { package: 'zlib-devel', fixedIn: '2.0' }),
      found('b/shop/web', { severity: 'High', fixedIn: '2.0' }),
      found('a/shop/web', { aliases: ['GHSA-abcd-1234-efgh'] }),
      found('a/shop/web', { id: 'CVE-2026-1002' }),
    ]),
  ).toEqual([
    {
      id: 'CVE-2026-1001',
      aliases: ['GHSA-abcd-1234-efgh'],
      severity: 'High',
      packages: ['zlib', 'zlib-devel'],
      componentCount: 2,
      fixableCount: 1,
      namespaces: ['a', 'b'],
    },
    expect.objectContaining({ id: 'CVE-2026-1002', componentCount: 1, fixableCount: 0 }),
  ])
})
