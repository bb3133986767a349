import { uidOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { makePipelineRun, makePod, makeTaskRun, namesOf, succeeded } from './objects'
import { namespace, otherNamespace, startWorld, type Answer, type World } from './world'

const q = (params: Record<string, string>) => `?${new URLSearchParams(params)}`
const uidOfRun = (run: PipelineRun | undefined): string => run?.metadata.uid ?? ''
const records = `${namespace}/results/-/records`

/** The data of the records as a client decodes it. */
function dataOf<T = PipelineRun>({ body }: Answer): T[] {
  const found = (body.records ?? []) as { data: { value: string } }[]
  return found.map(({ data }) => JSON.parse(Buffer.from(data.value, 'base64').toString()) as T)
}

describe('reading', () => {
  let world: World
  let runs: PipelineRun[]
  let task: TaskRun
  beforeAll(async () => {
    world = await startWorld()
    runs = []
    const facts: [name: string, more: object, status?: object][] = [
      ['checkout-on-push-1', { labels: { [labels.commitSha]: 'abc', number: '5', 'a.b/c': 'x' } }],
      ['checkout-on-push-2', { annotations: { 'build.appstudio.redhat.com/commit_sha': 'abc' } }],
      ['cart-on-pull-3', { labels: { 'pac.test.appstudio.openshift.io/sha': 'abc', number: '10' } }],
      ['cart-nightly-4', { labels: { number: 'many' } }, succeeded('False', 'PipelineRunTimeout')],
    ]
    for (const [name, metadata, status] of facts) {
      const more = { startTime: '2026-01-30T23:30:00Z', completionTime: '2026-01-31T00:10:00Z' }
      const run = await makePipelineRun(world, name, { metadata }, { ...succeeded(), ...more, ...status })
      runs.push(run)
      if (name === 'cart-on-pull-3') {
        task = await makeTaskRun(world, run, 'scan', {
          ...succeeded(),
          results: [{ name: 'SCAN_OUTPUT', type: 'string', value: '{"vulnerabilities":{"critical":1}}' }],
        })
        await makePod(world, task, { 'step-scan': 'found\n', 'step-report-json': '{"success":true}' })
      }
      await world.archive.idle()
      await world.clock.advance(60_000)
    }
    await makePipelineRun(world, 'elsewhere', { metadata: { namespace: otherNamespace } })
    await world.archive.idle()
  })
  afterAll(() => world.close())

  it('ARCH-27 returns records with their name in the result, and base64 JSON with its type', async () => {
    const answer = await world.results(`${records}${q({ filter: 'data_type == TASK_RUN' })}`)
    const [run] = runs.filter(({ metadata }) => metadata.name === 'cart-on-pull-3')
    const name = `${namespace}/results/${uidOfRun(run)}/records/${uidOf(task)}`
    expect(answer.body).toEqual({
      records: [
        {
          name,
          id: uidOf(task),
          uid: uidOf(task),
          created_time: '2026-01-31T09:02:00Z',
          create_time: '2026-01-31T09:02:00Z',
          updated_time: '2026-01-31T09:02:00Z',
          update_time: '2026-01-31T09:02:00Z',
          etag: expect.stringMatching(new RegExp(`^${uidOf(task)}-\\d+$`)),
          data: { type: 'tekton.dev/v1.TaskRun', value: expect.any(String) },
        },
      ],
    })
    expect(dataOf(answer)[0]).toMatchObject({ apiVersion: 'tekton.dev/v1', kind: 'TaskRun', status: succeeded() })
    const one = await world.results(name)
    expect(one.body).toEqual(answer.body.records[0])
  })

  const pipelineRuns = 'data_type in ["tekton.dev/v1.PipelineRun", "tekton.dev/v1beta1.PipelineRun"]'
  const taskRuns = 'data_type in ["tekton.dev/v1.TaskRun", "tekton.dev/v1beta1.TaskRun"]'
  const label = (key: string) => `data.metadata.labels["${key}"]`
  const all = ['cart-nightly-4', 'cart-on-pull-3', 'checkout-on-push-2', 'checkout-on-push-1']
  const commit = `(${label(labels.commitSha)} == "abc" || ${label('pac.test.appstudio.openshift.io/sha')} == "abc" || data.metadata.annotations["build.appstudio.redhat.com/commit_sha"] == "abc")`
  test.each<[string, string[]]>([
    [pipelineRuns, all],
    [taskRuns, ['cart-on-pull-3-scan']],
    ['data_type == "tekton.dev/v1.PipelineRun"', all],
    ['data_type == "tekton.dev/v1beta1.PipelineRun"', []],
    ['data_type == PIPELINE_RUN && data_type == TASK_RUN', []],
    [`${pipelineRuns} && ${label(labels.application)} == "checkout"`, all],
    [`${pipelineRuns} && ${label(labels.application)} == "none"`, []],
    [`${pipelineRuns} && ${label(labels.application)} == "checkout" && ${label('number')} == "10"`, ['cart-on-pull-3']],
    [`${pipelineRuns} && data.metadata.name.contains("on-pu")`, all.slice(1)],
    [`${pipelineRuns} && data.metadata.name == "cart-nightly-4"`, ['cart-nightly-4']],
    [`${pipelineRuns} && ${commit}`, all.slice(1)],
    [`${pipelineRuns} && data.metadata.creationTimestamp > "2026-01-31T09:01:00Z"`, all.slice(0, 2)],
    [`${pipelineRuns} && data.metadata.creationTimestamp >= "2026-01-31T09:01:00Z"`, all.slice(0, 3)],
    [`data.metadata.creationTimestamp > timestamp("2026-01-31T09:01:30Z") && ${pipelineRuns}`, all.slice(0, 2)],
    [`${pipelineRuns} && data.metadata.creationTimestamp < timestamp("2026-01-31T10:01:00+01:00")`, all.slice(3)],
    [`${pipelineRuns} && data.metadata.labels.contains("number")`, [all[0] ?? '', all[1] ?? '', all[3] ?? '']],
    [`${pipelineRuns} && !data.metadata.labels.contains("number")`, ['checkout-on-push-2']],
    [`${pipelineRuns} && ${label('number')} != "5" && ${label('number')} != "10"`, ['cart-nightly-4']],
    [`${pipelineRuns} && ${label('number')} in ["5", "10"]`, ['cart-on-pull-3', 'checkout-on-push-1']],
    [`${pipelineRuns} && ${label('number')} > 5`, ['cart-on-pull-3']],
    [`${pipelineRuns} && ${label('number')} < 10`, ['checkout-on-push-1']],
    [`${pipelineRuns} && ${label('a.b/c')} == "x"`, ['checkout-on-push-1']],
    [
      `${taskRuns} && (data.status.taskResults.contains("SCAN_OUTPUT") || data.status.results.contains("SCAN_OUTPUT"))`,
      ['cart-on-pull-3-scan'],
    ],
    [`${taskRuns} && ${label(labels.pipelineRun)} in ["cart-on-pull-3", "other"]`, ['cart-on-pull-3-scan']],
    ['data.metadata.namespace == "team-payments" && data_type == PIPELINE_RUN', all],
    ['data.metadata.namespace == "team-search"', []],
    ['parent == "team-payments" && data_type == TASK_RUN', ['cart-on-pull-3-scan']],
    ['data.status.conditions[0].reason == "PipelineRunTimeout"', ['cart-nightly-4']],
    ['data["status"].conditions[0]["status"] == "False"', ['cart-nightly-4']],
    ['data.metadata.name.startsWith("cart") && data.metadata.name.endsWith("4")', ['cart-nightly-4']],
    ['data.metadata.name.matches("^cart-.*[0-9]$") && !(data.metadata.name.matches("nightly"))', ['cart-on-pull-3']],
    ['data.metadata.name + "-x" == "cart-nightly-4-x"', ['cart-nightly-4']],
    [
      `${pipelineRuns} && data.status.completionTime.getDate() == 31 && data.status.startTime.getFullYear() == 2026`,
      all,
    ],
    [`${pipelineRuns} && data.status.completionTime.getDayOfMonth() == 29`, []],
    [`${taskRuns} && data.status.completionTime == null`, ['cart-on-pull-3-scan']],
    ['data.metadata.nothing.there[3].at == "all"', []],
    [`${pipelineRuns} && data.metadata.labels["it's \\"quoted\\""] == "x"`, []],
    [`${pipelineRuns} && data.metadata.name == "'; DROP TABLE objects; --"`, []],
    ['false', []],
    ['', ['cart-nightly-4', 'cart-on-pull-3-scan', ...all.slice(1)]],
  ])('filters by %s', async (filter, expected) => {
    const answer = await world.results(`${records}${q({ filter, order_by: 'create_time desc' })}`)
    expect([answer.code, answer.body.message]).toEqual([200, undefined])
    expect(namesOf(dataOf(answer)).sort()).toEqual([...expected].sort())
  })

  it('finds a record by its name', async () => {
    const [run] = runs
    const uid = uidOfRun(run)
    for (const filter of [`name == "${uid}"`, `result_name == "${uid}"`, `data.metadata.uid == "${uid}"`]) {
      expect(namesOf(dataOf(await world.results(`${records}${q({ filter })}`)))).toEqual(['checkout-on-push-1'])
    }
  })

  test.each([
    ['data_type ==', 'Unexpected token'],
    ['nothing == 1', 'nothing'],
    ['parent', 'expected boolean expression, but got string'],
    ['data.metadata.name.size() == 3', 'unsupported CEL `size` function statement'],
    ['data.metadata.labels.exists(k, k == "a")', 'unsupported CEL'],
    ['data.metadata.name.matches("(")', 'invalid regular expression'],
    ['data.status.startTime > timestamp("soon")', 'invalid timestamp: "soon"'],
    ['create_time > timestamp("2026-01-31T09:01:00Z")', 'create_time'],
    ['data.metadata[data.metadata.name] == "x"', 'unsupported CEL index statement'],
    ['data_type in data.metadata.labels', 'unsupported CEL in statement'],
    ['true ? true : false', 'unsupported CEL ?: statement'],
    [`${'('.repeat(300)}true${')'.repeat(300)}`, ''],
  ])('rejects the filter %s', async (filter, message) => {
    const { code, body } = await world.results(`${records}${q({ filter })}`)
    expect([code, body]).toEqual([400, { code: 3, message: expect.stringContaining(message) }])
  })

  it('sorts as requested, newest first by default', async () => {
    const filter = 'data_type == PIPELINE_RUN'
    const ordered = async (order_by: string) =>
      namesOf(dataOf(await world.results(`${records}${q({ filter, ...(order_by && { order_by }) })}`)))
    expect(await ordered('')).toEqual(all)
    expect(await ordered('create_time desc')).toEqual(all)
    expect(await ordered('create_time DESC')).toEqual(all)
    expect(await ordered('create_time')).toEqual([...all].reverse())
    expect(await ordered('update_time asc')).toEqual([...all].reverse())
  })

  test.each<[Record<string, string>, string]>([
    [{ page_size: '4' }, 'invalid page size (4): value must be greater than 5 and less than 10000'],
    [{ page_size: '10001' }, 'invalid page size (10001): value must be greater than 5 and less than 10000'],
    [{ page_size: 'x' }, 'parsing field "page_size": strconv.ParseInt: parsing "x": invalid syntax'],
    [{ order_by: 'name' }, 'name: field is unknown or cannot be used in the order by clause'],
    [{ order_by: 'create_time; DROP' }, 'invalid order by statement'],
    [{ page_token: 'x' }, 'invalid page token: it could not be decoded'],
  ])('rejects %j', async (params, message) => {
    const { code, body } = await world.results(`${records}${q(params)}`)
    expect([code, body.code, body.message]).toEqual([400, 3, expect.stringContaining(message)])
  })

  it('returns only the requested fields', async () => {
    const fields = [
      'records.name',
      'records.data.value.kind',
      'records.data.value.metadata.name',
      'records.data.value.status.conditions.reason',
      'next_page_token',
    ].join(',')
    const answer = await world.results(
      `${records}${q({ PartialResponse: 'true', fields, filter: 'data_type == PIPELINE_RUN' })}`,
    )
    expect(Object.keys(answer.body)).toEqual(['records'])
    expect(answer.body.records[0]).toEqual({
      name: expect.stringContaining('/records/'),
      data: { value: expect.any(String) },
    })
    expect(dataOf(answer)[0]).toEqual({
      kind: 'PipelineRun',
      metadata: { name: 'cart-nightly-4' },
      status: { conditions: { reason: null } },
    })
    const names = await world.results(`${records}${q({ fields: 'records.uid,records.create_time' })}`)
    expect(Object.keys(names.body)).toEqual(['records'])
    expect(Object.keys(names.body.records[0])).toEqual(['uid', 'create_time'])
    const whole = await world.results(
      `${records}${q({ fields: 'records.data.type,records.data.value.kind,records.data.value' })}`,
    )
    expect([dataOf(whole)[0]?.metadata.name, whole.body.records[0].data.type]).toEqual([
      'cart-nightly-4',
      'tekton.dev/v1.PipelineRun',
    ])
  })

  it('returns the records of one result, and those of all namespaces', async () => {
    const [, , run] = runs
    const ofRun = await world.results(`${namespace}/results/${uidOfRun(run)}/records`)
    expect(namesOf(dataOf(ofRun)).sort()).toEqual(['cart-on-pull-3', 'cart-on-pull-3-scan'])
    const everywhere = await world.results(`-/results/-/records${q({ filter: 'data_type == PIPELINE_RUN' })}`, 'admin')
    expect(namesOf(dataOf(everywhere))).toEqual(['elsewhere', ...all])
    const narrowed = await world.results(
      `-/results/-/records${q({ filter: 'data.metadata.namespace == "team-search"' })}`,
      'admin',
    )
    expect(namesOf(dataOf(narrowed))).toEqual(['elsewhere'])
  })

  it('returns results with the outcome of their runs', async () => {
    const { body } = await world.results(`${namespace}/results`)
    expect(body.results).toHaveLength(4)
    const [newest] = body.results
    expect(newest).toMatchObject({
      name: `${namespace}/results/${newest.uid}`,
      annotations: { 'object.metadata.name': 'cart-nightly-4' },
      summary: {
        record: `${namespace}/results/${newest.uid}/records/${newest.uid}`,
        type: 'tekton.dev/v1.PipelineRun',
        start_time: '2026-01-30T23:30:00Z',
        end_time: '2026-01-31T00:10:00Z',
        status: 'TIMEOUT',
      },
    })
    expect((await world.results(newest.name)).body).toEqual(newest)
    const filtered = async (filter: string) =>
      ((await world.results(`${namespace}/results${q({ filter })}`)).body.results ?? []).length
    expect(await filtered('summary.status == TIMEOUT || summary.status == CANCELLED')).toBe(1)
    expect(await filtered('summary.status == SUCCESS && summary.type == PIPELINE_RUN')).toBe(3)
    expect(await filtered('summary.annotations["commit"] == "x" || annotations["a"].startsWith("b")')).toBe(0)
    expect(await filtered('summary.end_time > timestamp("2026-01-31T00:00:00Z")')).toBe(4)
    expect(await filtered(`uid == "${newest.uid}"`)).toBe(1)
  })

  it('ARCH-31 returns the log of a task, each step after its name', async () => {
    const [, , run] = runs
    const path = `${namespace}/results/${uidOfRun(run)}/logs`
    const { code, text, headers } = await world.results(`${path}/${uidOf(task)}`)
    expect([code, text]).toEqual([200, '[scan] found\n\n[report-json] {"success":true}\n\n\n'])
    expect([headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
      'text/plain; charset=utf-8',
      'nosniff',
    ])
  })

  test.each([
    ['a run without pods', () => `${uidOfRun(runs[0])}/logs/${uidOfRun(runs[0])}`, "Log doesn't exist"],
    ['a missing record', () => `${uidOfRun(runs[0])}/logs/none`, 'record not found'],
    ['a record of another result', () => `-/logs/${uidOf(task)}`, 'record not found'],
  ])('ARCH-32 does not find the log of %s', async (_, path, message) => {
    const { code, body } = await world.results(`${namespace}/results/${path()}`, 'admin')
    // The service streams logs, and errors of streams look different.
    expect([code, body]).toEqual([404, { error: { code: 5, message } }])
  })

  it('ARCH-31 returns the log of all tasks of a run, each line after the names of its task and step', async () => {
    const [, , run] = runs
    const { code, text } = await world.results(`${namespace}/results/${uidOfRun(run)}/logs/${uidOfRun(run)}`)
    expect([code, text]).toEqual([200, '[scan : scan] found\n\n[scan : report-json] {"success":true}\n\n\n'])
  })

  test.each([
    ['a missing record', () => `${namespace}/results/-/records/none`, 'record not found'],
    ['a record of another result', () => `${namespace}/results/other/records/${uidOf(task)}`, 'record not found'],
    ['a record of another namespace', () => `${otherNamespace}/results/-/records/${uidOf(task)}`, 'record not found'],
    ['a missing result', () => `${namespace}/results/none`, 'record not found'],
    ['the result of a run’s task', () => `${namespace}/results/${uidOf(task)}`, 'record not found'],
    ['another path', () => `${namespace}/nothing`, 'Not Found'],
  ])('does not find %s', async (_, path, message) => {
    const { code, body } = await world.results(path(), 'admin')
    expect([code, body]).toEqual([404, { code: 5, message }])
  })

  it('rejects invalid names', async () => {
    const { code, body } = await world.results(`${namespace}/results/A%20B/records`, 'admin')
    expect([code, body.code]).toEqual([400, 3])
  })
})

describe('access', () => {
  let world: World
  beforeEach(async () => void (world = await startWorld()))
  afterEach(() => world.close())

  test.each<[string, string, Record<string, string>, string]>([
    ['a request without a token', '', {}, 'unable to find token'],
    ['an invalid token', 'forged', {}, 'permission denied'],
    ['a user without permission', 'stranger', {}, 'permission denied'],
    ['a group without a user', 'gateway', { 'impersonate-group': 'a' }, 'invalid impersonation data'],
    ['a user who may not impersonate', 'reader', { 'impersonate-user': 'x' }, 'permission denied: Unauthorized'],
    ['an impersonated user without permission', 'gateway', { 'impersonate-user': 'x' }, 'permission denied'],
  ])('is denied for %s as Unauthenticated', async (_, token, headers, message) => {
    const { code, body } = await world.results(records, token, headers)
    expect([code, body]).toEqual([401, { code: 16, message: expect.stringContaining(message) }])
  })

  it('is granted as the API server decides', async () => {
    const as = { 'impersonate-user': 'reader@slipway.test' }
    const codes = await Promise.all([
      world.results(records),
      world.results(records, 'gateway', as),
      world.results(`${otherNamespace}/results/-/records`),
      world.results('-/results/-/records'),
      world.results('-/results/-/records', 'admin'),
    ])
    expect(codes.map(({ code }) => code)).toEqual([200, 200, 401, 401, 200])
  })
})

it('ARCH-23, ARCH-28 pages are consistent during concurrent writes', async () => {
  const world = await startWorld()
  for (let index = 0; index < 23; index++) {
    await makePipelineRun(world, `run-${index}`, { metadata: { labels: { parity: String(index % 2) } } })
    if (index % 3 === 0) await world.clock.advance(1_000)
  }
  await world.archive.idle()
  const filters = ['', 'data.metadata.labels["parity"] == "1"', 'data.metadata.name.contains("1")']
  for (const [round, filter] of filters.entries()) {
    const params = { filter, order_by: 'create_time desc' }
    const whole = namesOf(dataOf(await world.results(`${records}${q({ ...params, page_size: '1000' })}`)))
    const paged: string[] = []
    let token = ''
    do {
      const answer = await world.results(`${records}${q({ ...params, page_size: '5', page_token: token })}`)
      paged.push(...namesOf(dataOf(answer)))
      token = answer.body.next_page_token
      await world.clock.advance(1_000)
      await makePipelineRun(world, `new-1-${round}-${paged.length}`, { metadata: { labels: { parity: '1' } } })
      await world.archive.idle()
    } while (token)
    expect(paged).toEqual(whole)
  }
  const { body } = await world.results(`${records}${q({ page_size: '5' })}`)
  const other = await world.results(
    `${records}${q({ page_size: '5', filter: 'true', page_token: body.next_page_token })}`,
  )
  expect([other.code, other.body.message]).toEqual([400, expect.stringContaining('the provided filter differs')])
  await world.close()
})

it('archives everything that the console reads of deleted runs', async () => {
  const world = await startWorld()
  const run = await makePipelineRun(world, 'run')
  const task = await makeTaskRun(world, run, 'build')
  await makePod(world, task, { 'step-build': 'text' })
  await world.archive.idle()
  await world.client.delete(pipelineRunType, 'run', { namespace })
  await world.client.delete(taskRunType, 'run-build', { namespace }).catch(() => undefined)
  await world.archive.idle()
  const log = await world.results(`${namespace}/results/${uidOf(run)}/logs/${uidOf(task)}`)
  const [archived] = dataOf(await world.results(`${records}${q({ filter: 'data_type == PIPELINE_RUN' })}`))
  expect([log.text, archived?.metadata.deletionTimestamp]).toEqual(['[build] text\n\n\n', expect.any(String)])
  await world.close()
})

it('has a separate result for a run whose owner is not a record', async () => {
  const world = await startWorld()
  const snapshot = await world.client.create(snapshotType, { metadata: { name: 's', namespace }, spec: {} })
  const owner = { apiVersion: 'appstudio.redhat.com/v1alpha1', kind: 'Snapshot', name: 's', uid: uidOf(snapshot) }
  const run = await makePipelineRun(world, 'test', { metadata: { ownerReferences: [owner] } })
  await world.archive.idle()
  const { body } = await world.results(`${namespace}/results/${uidOf(run)}`)
  expect(body.summary.record).toBe(`${namespace}/results/${uidOf(run)}/records/${uidOf(run)}`)
  await world.close()
})
