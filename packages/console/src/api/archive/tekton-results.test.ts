import type { SelectorOperator } from '@slipway/kube/selector'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import { aPipelineRun } from '@slipway/model/testing'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { configureApi } from '../client'
import { queryClient } from '../query-client'
import type { ArchiveSelection } from './request'
import { listRecords, objectOf, recordsFilter } from './tekton-results'

const requests: URL[] = []
let response: object = {}
/** Status code of requests for a single record. */
let recordStatus = 404

beforeEach(() => {
  configureApi({
    baseUrl: '',
    fetch: (input) => {
      const url = new URL(String(input), 'https://console.test')
      if (url.pathname.endsWith('/records/-')) return Promise.resolve(Response.json({}, { status: recordStatus }))
      requests.push(url)
      return Promise.resolve(Response.json(response))
    },
  })
})
afterEach(() => {
  requests.length = 0
  response = {}
  recordStatus = 404
  queryClient.clear()
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const record = (value: unknown, name = 'team-payments/results/1/records/1') => ({
  name,
  data: { value: encode(value) },
})

describe('the records of a namespace', () => {
  it('ARCH-03, ARCH-18, ARCH-19, ARCH-24 are read from one URL, newest first', async () => {
    await listRecords(pipelineRunType, { namespace: 'team-payments' })
    expect(requests[0]?.pathname).toBe(
      '/api/k8s/plugins/tekton-results/apis/results.tekton.dev/v1alpha2/parents/team-payments/results/-/records',
    )
    expect(requests[0]?.searchParams.get('order_by')).toBe('create_time desc')
    expect(requests[0]?.searchParams.get('PartialResponse')).toBe('true')
    expect(requests[0]?.searchParams.has('page_token')).toBe(false)
  })

  test.each([
    ['ARCH-20', undefined, '30'],
    ['ARCH-21', 1, '5'],
    ['ARCH-21', 5, '5'],
    ['ARCH-20', 200, '200'],
    ['ARCH-22', 10_000, '10000'],
    ['ARCH-22', 99_999, '10000'],
  ])('%s a limit of %s requests a page of %s', async (_, limit, size) => {
    await listRecords(pipelineRunType, { namespace: 'team-payments', limit })
    expect(requests[0]?.searchParams.get('page_size')).toBe(size)
  })

  it('ARCH-12 are cut to the limit, without a next page', async () => {
    response = {
      records: [1, 2, 3].map((n) => record(aPipelineRun({ metadata: { name: `run-${n}` } }))),
      nextPageToken: 'x',
    }
    const { items, next } = await listRecords(pipelineRunType, { namespace: 'team-payments', limit: 1 })
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['run-1'])
    expect(next).toBeUndefined()
  })

  it('ARCH-25 are requested with the fields that are shown', async () => {
    await listRecords(pipelineRunType, { namespace: 'team-payments' })
    await listRecords(taskRunType, { namespace: 'team-payments' })
    const [ofRuns, ofTasks] = requests.map((url) => url.searchParams.get('fields')?.split(',') ?? [])
    const common = ['records.name', 'records.data.value.metadata.uid', 'records.data.value.status.conditions']
    expect(ofRuns).toEqual(
      expect.arrayContaining([...common, 'records.data.value.status.skippedTasks', 'next_page_token']),
    )
    expect(ofTasks).toEqual(expect.arrayContaining([...common, 'records.data.value.status.steps', 'next_page_token']))
  })

  it('ARCH-25 are requested as a whole for the page of one object', async () => {
    await listRecords(taskRunType, { namespace: 'team-payments', exactName: 'run-1-build' })
    expect(requests[0]?.searchParams.get('fields')).toBe('records.name,records.data.value')
  })

  it.each(['nextPageToken', 'next_page_token'])(
    'ARCH-23, ARCH-28 have the token of the next page in %s',
    async (key) => {
      response = { records: [], [key]: 'abc' }
      expect((await listRecords(pipelineRunType, { namespace: 'a' })).next).toBe('abc')
      await listRecords(pipelineRunType, { namespace: 'a' }, { token: 'abc' })
      expect(requests[1]?.searchParams.get('page_token')).toBe('abc')
    },
  )

  it.each([{}, { nextPageToken: '' }])('ARCH-28 have no next page after %j', async (page) => {
    response = page
    expect(await listRecords(pipelineRunType, { namespace: 'a' })).toEqual({ items: [], next: undefined })
  })

  it.each([401, 403, 404])('are none if the service has none, and responds with %s to a single one', async (status) => {
    recordStatus = status
    expect(await listRecords(pipelineRunType, { namespace: 'a' })).toEqual({ items: [], next: undefined })
  })

  it('are an error if an empty page means that the database of the service fails', async () => {
    recordStatus = 500
    await expect(listRecords(pipelineRunType, { namespace: 'a' })).rejects.toMatchObject({ code: 500 })
    response = { records: [record(aPipelineRun())] }
    expect((await listRecords(pipelineRunType, { namespace: 'a' })).items).toHaveLength(1)
  })

  it('ARCH-27 contain an object as JSON in base64', async () => {
    const run = aPipelineRun({ metadata: { annotations: { title: 'Grüße 🚢' } } })
    response = { records: [record(run)] }
    expect((await listRecords(pipelineRunType, { namespace: 'a' })).items).toEqual([run])
  })

  it('ARCH-25 have no fields that were requested and are missing', async () => {
    const run = aPipelineRun()
    const { metadata } = run
    response = {
      records: [record({ ...run, metadata: { ...metadata, ownerReferences: null }, status: { results: null } })],
    }
    expect((await listRecords(pipelineRunType, { namespace: 'a' })).items).toEqual([{ ...run, metadata, status: {} }])
  })

  it('ARCH-27 are found among invalid ones', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const run = aPipelineRun()
    response = { records: [null, 7, record({ ...run, status: { conditions: 'many', startTime: 'x' } })] }
    const { items } = await listRecords(pipelineRunType, { namespace: 'a' })
    expect(items).toEqual([{ ...run, status: { startTime: 'x' } }])
    warn.mockRestore()
    response = { records: 'many' }
    expect(await listRecords(pipelineRunType, { namespace: 'a' })).toEqual({ items: [], next: undefined })
  })

  it.each([
    ['invalid base64', { name: 'x', data: { value: '!' } }],
    ['invalid JSON', { name: 'x', data: { value: Buffer.from('{').toString('base64') } }],
    ['null for an object', record(null)],
    ['an object without a name', record({ metadata: {} })],
    ['no data', {}],
    ['nothing', null],
  ])('ARCH-27 that contain %s are ignored and logged', (_, broken) => {
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
    ['part of a name', { name: ' API ' }, ' && data.metadata.name.contains("api")'],
    ['a name', { exactName: 'x' }, ' && data.metadata.name == "x"'],
    ['blanks', { name: '  ' }, ''],
    [
      'a time',
      { createdAfter: '2026-01-31T09:00:00Z' },
      ' && data.metadata.creationTimestamp > "2026-01-31T09:00:00Z"',
    ],
    ['an invalid time', { createdAfter: 'yesterday' }, ''],
    [
      'a commit',
      { commit: 'abc' },
      ' && (data.metadata.labels["pipelinesascode.tekton.dev/sha"] == "abc"' +
        ' || data.metadata.labels["pac.test.appstudio.openshift.io/sha"] == "abc"' +
        ' || data.metadata.annotations["build.appstudio.redhat.com/commit_sha"] == "abc"' +
        ' || data.metadata.annotations["pipelinesascode.tekton.dev/sha"] == "abc"' +
        ' || data.metadata.annotations["pac.test.appstudio.openshift.io/sha"] == "abc")',
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
      'all conditions, in this order',
      { labels: { matchLabels: { a: 'b' } }, name: 'n', commit: 'c', createdAfter: '2026-01-01' },
      ' && data.metadata.creationTimestamp > "2026-01-01" && data.metadata.name.contains("n")' +
        ' && (data.metadata.labels["pipelinesascode.tekton.dev/sha"] == "c"' +
        ' || data.metadata.labels["pac.test.appstudio.openshift.io/sha"] == "c"' +
        ' || data.metadata.annotations["build.appstudio.redhat.com/commit_sha"] == "c"' +
        ' || data.metadata.annotations["pipelinesascode.tekton.dev/sha"] == "c"' +
        ' || data.metadata.annotations["pac.test.appstudio.openshift.io/sha"] == "c")' +
        ' && data.metadata.labels["a"] == "b"',
    ],
    [
      'text that would end the string',
      { name: 'x") || true || ("' },
      ' && data.metadata.name.contains("x\\") || true || (\\"")',
    ],
  ])('ARCH-26 %s', (_, selection, expected) => {
    expect(recordsFilter(pipelineRunType, selection)).toBe(types + expected)
  })

  it('ARCH-26 includes an additional condition', () => {
    expect(recordsFilter(pipelineRunType, { name: 'n' }, '(a || b)')).toBe(
      types + ' && data.metadata.name.contains("n") && (a || b)',
    )
  })

  it('ARCH-26 names both versions of a kind', () => {
    expect(recordsFilter(taskRunType, {})).toBe('data_type in ["tekton.dev/v1.TaskRun","tekton.dev/v1beta1.TaskRun"]')
  })

  it('ARCH-29 throws for an unknown operator', () => {
    // As in a selector of unknown origin.
    const operator = 'Matches' as SelectorOperator
    expect(() => recordsFilter(pipelineRunType, expression(operator, 'a'))).toThrow(
      'Tekton results operator Matches conversion not implemented.',
    )
  })
})
