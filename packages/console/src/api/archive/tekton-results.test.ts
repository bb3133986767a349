import type { SelectorOperator } from '@slipway/kube/selector'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import { aPipelineRun } from '@slipway/model/testing'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { configureApi } from '../client'
import type { ArchiveSelection } from './request'
import { listRecords, objectOf, recordsFilter } from './tekton-results'

const asked: URL[] = []
let answer: object = {}

beforeEach(() => {
  configureApi({
    baseUrl: '',
    fetch: (input) => {
      asked.push(new URL(String(input), 'https://console.test'))
      return Promise.resolve(Response.json(answer))
    },
  })
})
afterEach(() => {
  asked.length = 0
  answer = {}
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const record = (value: unknown, name = 'team-payments/results/1/records/1') => ({
  name,
  data: { value: encode(value) },
})

describe('the records of a namespace', () => {
  it('ARCH-03, ARCH-18, ARCH-19, ARCH-24 are read at one address, newest first', async () => {
    await listRecords(pipelineRunType, { namespace: 'team-payments' })
    expect(asked[0]?.pathname).toBe(
      '/api/k8s/plugins/tekton-results/apis/results.tekton.dev/v1alpha2/parents/team-payments/results/-/records',
    )
    expect(asked[0]?.searchParams.get('order_by')).toBe('create_time desc')
    expect(asked[0]?.searchParams.get('PartialResponse')).toBe('true')
    expect(asked[0]?.searchParams.has('page_token')).toBe(false)
  })

  test.each([
    ['ARCH-20', undefined, '30'],
    ['ARCH-21', 1, '5'],
    ['ARCH-21', 5, '5'],
    ['ARCH-20', 200, '200'],
    ['ARCH-22', 10_000, '10000'],
    ['ARCH-22', 99_999, '10000'],
  ])('%s a limit of %s is a page of %s', async (_, limit, size) => {
    await listRecords(pipelineRunType, { namespace: 'team-payments', limit })
    expect(asked[0]?.searchParams.get('page_size')).toBe(size)
  })

  it('ARCH-12 are cut to the limit, and then there is no next page', async () => {
    answer = {
      records: [1, 2, 3].map((n) => record(aPipelineRun({ metadata: { name: `run-${n}` } }))),
      nextPageToken: 'x',
    }
    const { items, next } = await listRecords(pipelineRunType, { namespace: 'team-payments', limit: 1 })
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['run-1'])
    expect(next).toBeUndefined()
  })

  it('ARCH-25 are asked for with the fields that are shown', async () => {
    await listRecords(pipelineRunType, { namespace: 'team-payments' })
    await listRecords(taskRunType, { namespace: 'team-payments' })
    const [ofRuns, ofTasks] = asked.map((url) => url.searchParams.get('fields')?.split(',') ?? [])
    const common = ['records.name', 'records.data.value.metadata.uid', 'records.data.value.status.conditions']
    expect(ofRuns).toEqual(
      expect.arrayContaining([...common, 'records.data.value.status.skippedTasks', 'next_page_token']),
    )
    expect(ofTasks).toEqual(expect.arrayContaining([...common, 'records.data.value.status.steps', 'next_page_token']))
  })

  it.each(['nextPageToken', 'next_page_token'])('ARCH-23, ARCH-28 lead to the next page by %s', async (key) => {
    answer = { records: [], [key]: 'abc' }
    expect((await listRecords(pipelineRunType, { namespace: 'a' })).next).toBe('abc')
    await listRecords(pipelineRunType, { namespace: 'a' }, { token: 'abc' })
    expect(asked[1]?.searchParams.get('page_token')).toBe('abc')
  })

  it.each([{}, { nextPageToken: '' }])('ARCH-28 have no further page after %j', async (page) => {
    answer = page
    expect(await listRecords(pipelineRunType, { namespace: 'a' })).toEqual({ items: [], next: undefined })
  })

  it('ARCH-27 hold an object as JSON in base64', async () => {
    const run = aPipelineRun({ metadata: { annotations: { title: 'Grüße 🚢' } } })
    answer = { records: [record(run)] }
    expect((await listRecords(pipelineRunType, { namespace: 'a' })).items).toEqual([run])
  })

  it('ARCH-27 are found among what is none', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const run = aPipelineRun()
    answer = { records: [null, 7, record({ ...run, status: { conditions: 'many', startTime: 'x' } })] }
    const { items } = await listRecords(pipelineRunType, { namespace: 'a' })
    expect(items).toEqual([{ ...run, status: { startTime: 'x' } }])
    warn.mockRestore()
    answer = { records: 'many' }
    expect(await listRecords(pipelineRunType, { namespace: 'a' })).toEqual({ items: [], next: undefined })
  })

  it.each([
    ['no base64', { name: 'x', data: { value: '!' } }],
    ['no JSON', { name: 'x', data: { value: Buffer.from('{').toString('base64') } }],
    ['no object', record(null)],
    ['an object without a name', record({ metadata: {} })],
    ['nothing', {}],
    ['nothing at all', null],
  ])('ARCH-27 that hold %s are left out and logged', (_, broken) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    expect(objectOf(broken)).toBeUndefined()
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })
})

describe('the filter of records', () => {
  const types = 'data_type in ["tekton.dev/v1.PipelineRun","tekton.dev/v1beta1.PipelineRun"]'
  const expression = (operator: SelectorOperator, ...values: string[]) => ({
    labels: { matchExpressions: [{ key: 'k', operator, values }] },
  })

  test.each<[string, Omit<ArchiveSelection, 'namespace'> & { exactName?: string }, string]>([
    ['nothing', {}, ''],
    ['a label', { labels: { matchLabels: { 'a/b': 'c' } } }, ' && data.metadata.labels["a/b"] == "c"'],
    ['a part of a name', { name: ' API ' }, ' && data.metadata.name.contains("api")'],
    ['a name', { exactName: 'x' }, ' && data.metadata.name == "x"'],
    ['blanks', { name: '  ' }, ''],
    [
      'a time',
      { createdAfter: '2026-01-31T09:00:00Z' },
      ' && data.metadata.creationTimestamp > "2026-01-31T09:00:00Z"',
    ],
    ['a time that is none', { createdAfter: 'yesterday' }, ''],
    [
      'a commit',
      { commit: 'abc' },
      ' && (data.metadata.labels["pipelinesascode.tekton.dev/sha"] == "abc"' +
        ' || data.metadata.labels["pac.test.appstudio.openshift.io/sha"] == "abc"' +
        ' || data.metadata.annotations["build.appstudio.redhat.com/commit_sha"] == "abc"' +
        ' || data.metadata.annotations["pipelinesascode.tekton.dev/sha"] == "abc")',
    ],
    ['Exists', expression('Exists'), ' && data.metadata.labels.contains("k")'],
    ['DoesNotExist', expression('DoesNotExist'), ' && !data.metadata.labels.contains("k")'],
    ['Equals', expression('Equals', 'a'), ' && data.metadata.labels["k"] == "a"'],
    ['NotEquals', expression('NotEquals', 'a'), ' && data.metadata.labels["k"] != "a"'],
    ['In', expression('In', 'a', 'b'), ' && data.metadata.labels["k"] in ["a","b"]'],
    [
      'NotIn',
      expression('NotIn', 'a', 'b'),
      ' && data.metadata.labels["k"] != "a" && data.metadata.labels["k"] != "b"',
    ],
    ['GreaterThan', expression('GreaterThan', '5'), ' && data.metadata.labels["k"] > 5'],
    ['LessThan', expression('LessThan', '5'), ' && data.metadata.labels["k"] < 5'],
    [
      'all of it, in this order',
      { labels: { matchLabels: { a: 'b' } }, name: 'n', commit: 'c', createdAfter: '2026-01-01' },
      ' && data.metadata.creationTimestamp > "2026-01-01" && data.metadata.name.contains("n")' +
        ' && (data.metadata.labels["pipelinesascode.tekton.dev/sha"] == "c"' +
        ' || data.metadata.labels["pac.test.appstudio.openshift.io/sha"] == "c"' +
        ' || data.metadata.annotations["build.appstudio.redhat.com/commit_sha"] == "c"' +
        ' || data.metadata.annotations["pipelinesascode.tekton.dev/sha"] == "c")' +
        ' && data.metadata.labels["a"] == "b"',
    ],
    [
      'text that would end the text',
      { name: 'x") || true || ("' },
      ' && data.metadata.name.contains("x\\") || true || (\\"")',
    ],
  ])('ARCH-26 %s', (_, selection, expected) => {
    expect(recordsFilter(pipelineRunType, selection)).toBe(types + expected)
  })

  it('ARCH-26 has one more condition where somebody wants one', () => {
    expect(recordsFilter(pipelineRunType, { name: 'n' }, '(a || b)')).toBe(
      types + ' && data.metadata.name.contains("n") && (a || b)',
    )
  })

  it('ARCH-26 names both versions of a kind', () => {
    expect(recordsFilter(taskRunType, {})).toBe('data_type in ["tekton.dev/v1.TaskRun","tekton.dev/v1beta1.TaskRun"]')
  })

  it('ARCH-29 has no words for an operator that it does not know', () => {
    // As it may come from a selector that somebody else has written.
    const operator = 'Matches' as SelectorOperator
    expect(() => recordsFilter(pipelineRunType, expression(operator, 'a'))).toThrow(
      'Tekton results operator Matches conversion not implemented.',
    )
  })
})
