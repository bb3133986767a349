import { podType } from '@slipway/kube/core-types'
import { isRecord, nameOf, uidOf } from '@slipway/kube/object'
import { parseJson } from '@slipway/kube/parse'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  namespace,
  otherNamespace,
  startArchivedRuns,
  type ArchivedRuns,
} from '../../../simulator/test/platform/archived-runs'
import { createArchive, type Archive } from '../../src/archive'
import { openArchiveStore } from '../../src/store/store'
import { kinds } from '../world'

/**
 * Our Tekton Results API answers as the real one does, about the same runs of the same cluster, which both have archived.
 * The README lists the differences.
 */

let runs: ArchivedRuns
let archive: Archive
const store = openArchiveStore(':memory:')

beforeAll(async () => {
  const archived = [pipelineRunType, taskRunType, podType].map(({ plural }) => plural)
  runs = await startArchivedRuns(async ({ client }) => {
    archive = createArchive({ client, store, kinds: kinds.filter(({ type }) => archived.includes(type.plural)) })
    await archive.idle()
  })
  await archive.idle()
})
afterAll(async () => {
  await archive.close()
  store.close()
  await runs.close()
})

/** A request of both, as `reader` unless it says otherwise. `{run}` in its path stands for the uid of that run. */
interface Asked {
  path: string
  query?: Record<string, string>
  headers?: Record<string, string>
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function ask({ path, query = {}, headers = bearer('reader-token') }: Asked) {
  const known = new Map([...runs.pipelineRuns, ...runs.taskRuns].map((run) => [nameOf(run), uidOf(run)]))
  const withUids = (text: string) => text.replace(/\{([a-z0-9-]+)\}/g, (_, name: string) => known.get(name) ?? '')
  const filled = Object.entries(query).map(([name, value]): [string, string] => [name, withUids(value)])
  const url = `/apis/results.tekton.dev/v1alpha2/parents/${withUids(path)}?${new URLSearchParams(filled)}`
  const real = await runs.results.request(url, headers)
  const ours = await archive.tektonResults(new Request(`http://archive.test${url}`, { headers }))
  return { real: await answerOf(real), ours: await answerOf(ours) }
}

interface Answer {
  status: number
  text: string
  body: Record<string, unknown>
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text()
  const body = parseJson(text)
  return { status: response.status, text, body: isRecord(body) ? body : {} }
}

type Message = Record<string, unknown>
const messagesOf = ({ body }: Answer): Message[] => (body['records'] ?? body['results'] ?? []) as Message[]
const documentOf = ({ data }: Message): Message | undefined => {
  const { value } = (data ?? {}) as { value?: string }
  return value === undefined ? undefined : (JSON.parse(Buffer.from(value, 'base64').toString()) as Message)
}
/** The watcher stores a record of each log beside it. Ours does not. */
const isLog = (message: Message) => documentOf(message)?.['kind'] === 'Log'

/**
 * The lines of a log that both have: that of ours has no init containers. The watcher may send a log twice, since it does
 * not wait for the one before when the run changes again; then both are in it.
 */
function logOf(text: string): string[] {
  const lines = text
    .replace(/^\[(\S+ : )?(prepare|place-scripts)\] .*\n\n/gm, '')
    .split('\n')
    .slice(0, -2)
  const half = lines.slice(lines.length / 2)
  return lines.join() === [...half, ...half].join() ? half : lines
}

/** What must be the same. Records have times and uids of their own in both. */
function factsOf(answer: Answer) {
  const { status, text, body } = answer
  if (!text.startsWith('{')) return { status, log: logOf(text) }
  if (status !== 200) return { status, body }
  const { next_page_token: next, records: _, results: __, ...single } = body
  const messages = messagesOf(answer).filter((message) => !isLog(message))
  return { status, hasNext: next !== undefined, single: factsOfMessage(single), messages: messages.map(factsOfMessage) }
}

const ownFields = new Set(['id', 'uid', 'etag', 'create_time', 'created_time', 'update_time', 'updated_time'])
/** What is written to objects while they are archived or deleted. */
const laterFields = new Set([
  'annotations',
  'resourceVersion',
  'managedFields',
  'finalizers',
  'generation',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
])
function factsOfMessage(message: Message): Message {
  const facts = Object.fromEntries(
    Object.entries(message).map(([name, value]) => [name, ownFields.has(name) ? typeof value : value]),
  )
  const document = documentOf(message)
  if (!document) return facts
  const { metadata } = document
  const atArchival = isRecord(metadata)
    ? Object.fromEntries(Object.entries(metadata).filter(([name]) => !laterFields.has(name)))
    : metadata
  return { ...facts, data: { ...(facts['data'] as Message), value: { ...document, metadata: atArchival } } }
}

const byName = ({ name: a }: Message, { name: b }: Message) => (String(a) < String(b) ? -1 : 1)
const inAnyOrder = (facts: ReturnType<typeof factsOf>) =>
  'messages' in facts ? { ...facts, messages: facts.messages?.toSorted(byName) } : facts

const records = `${namespace}/results/-/records`
const pipelineRuns = 'data_type in ["tekton.dev/v1.PipelineRun", "tekton.dev/v1beta1.PipelineRun"]'
const label = (key: string) => `data.metadata.labels["${key}"]`
const filtered = (filter: string): Asked => ({ path: records, query: { filter } })
const withFields = (fields: string): Asked => ({
  path: records,
  query: { fields, filter: pipelineRuns, order_by: 'create_time desc' },
})

describe('as the real service', () => {
  it.each(
    Object.entries<Asked>({
      'all records': { path: records },
      'those of one result': { path: `${namespace}/results/{built}/records` },
      'those of a result that is missing': { path: `${namespace}/results/nothing/records` },
      'pipeline runs': filtered('data_type == PIPELINE_RUN'),
      'task runs': filtered('parent == "team-payments" && data_type == TASK_RUN'),
      'a version without records': filtered('data_type == "tekton.dev/v1beta1.PipelineRun"'),
      'a name': filtered(`${pipelineRuns} && data.metadata.name == "built"`),
      'a part of a name': filtered(`${pipelineRuns} && data.metadata.name.contains("at")`),
      'a quote in a name': filtered(`${pipelineRuns} && data.metadata.name.contains("it's")`),
      'the start of a name': filtered(`${pipelineRuns} && data.metadata.name.startsWith("b")`),
      'the end of a name': filtered('data.metadata.name.endsWith("n")'),
      'a pattern of names': filtered('data.metadata.name.matches("^b.*n$")'),
      'a sum of texts': filtered('data.metadata.name + "-x" == "built-x"'),
      'a uid': filtered('data.metadata.uid == "{built}"'),
      'the name of a record': filtered('name == "{built}"'),
      'a result': filtered(`result_name == "{built}" && ${pipelineRuns}`),
      'a label': filtered(`${pipelineRuns} && ${label('number')} == "7"`),
      'another value of a label': filtered(`${pipelineRuns} && ${label('number')} != "7"`),
      'several values of a label': filtered(`${pipelineRuns} && ${label('number')} in ["7", "12"]`),
      'runs with a label': filtered(`${pipelineRuns} && data.metadata.labels.contains("number")`),
      'runs without a label': filtered(`${pipelineRuns} && !data.metadata.labels.contains("number")`),
      'a commit': filtered(`${pipelineRuns} && ${label('pipelinesascode.tekton.dev/sha')} == "c0ffee"`),
      'a creation time as text': filtered(
        `${pipelineRuns} && data.metadata.creationTimestamp > "2020-01-31T09:01:00Z"`,
      ),
      'a creation time': filtered(
        `${pipelineRuns} && data.metadata.creationTimestamp < timestamp("2020-01-31T09:01:00Z")`,
      ),
      'a part of a time': filtered('data.status.completionTime.getFullYear() > 2000'),
      'a reason': filtered('data.status.conditions[0].reason == "StepFailed"'),
      'a result of a task': filtered(
        'data.status.taskResults.contains("IMAGE_URL") || data.status.results.contains("IMAGE_URL")',
      ),
      'what no object has': filtered('data.metadata.nothing.there[3].at == "all"'),
      null: filtered(`${pipelineRuns} && data.status.completionTime == null`),
      nothing: filtered('false'),
      'the namespace of others': filtered('data.metadata.namespace == "team-search"'),
      fields: withFields('records.name,records.data.value.kind,records.data.value.metadata.name,next_page_token'),
      'fields that are missing': withFields(
        'records.name,records.data.value.metadata.nothing,records.data.value.nothing.there',
      ),
      'fields of items': withFields('records.name,records.data.value.status.conditions.reason'),
      'lists as fields': withFields('records.name,records.data.value.status.conditions'),
      'a field and what is in it': withFields(
        'records.data.type,records.data.value.spec.params,records.data.value.spec',
      ),
      'fields of records': withFields('records.uid,records.create_time'),
      'fields in the spelling of JSON': withFields('records.createTime,nextPageToken'),
      'unknown fields': withFields('nothing'),
      'unknown fields of records': withFields('records.nothing'),
      'no fields': withFields(''),
      'a record': { path: `${namespace}/results/{built}/records/{built-build}` },
      'fields of a record': {
        path: `${namespace}/results/{built}/records/{built}`,
        query: { fields: 'name,data.value.metadata.name' },
      },
      'a record of any result': { path: `${namespace}/results/-/records/{built}` },
      'a record that is missing': { path: `${namespace}/results/{built}/records/nothing` },
      'all results': { path: `${namespace}/results` },
      'fields of results': { path: `${namespace}/results`, query: { fields: 'results.name,results.summary.status' } },
      'failed results': {
        path: `${namespace}/results`,
        query: { filter: 'summary.status == FAILURE || summary.status == CANCELLED' },
      },
      'results of a type': {
        path: `${namespace}/results`,
        query: { filter: 'summary.type == PIPELINE_RUN && summary.status != SUCCESS' },
      },
      'results of an object': {
        path: `${namespace}/results`,
        query: { filter: 'annotations["object.metadata.name"] == "built"' },
      },
      'results by their annotations': {
        path: `${namespace}/results`,
        query: { filter: 'annotations["tekton.dev/pipeline"].startsWith("b")' },
      },
      'results by their end': {
        path: `${namespace}/results`,
        query: { filter: 'summary.end_time > timestamp("2020-01-31T00:00:00Z")' },
      },
      'a result by its name': { path: `${namespace}/results/{built}` },
      'a result that is missing': { path: `${namespace}/results/nothing` },
      'the result of a task': { path: `${namespace}/results/{built-build}` },
      'the log of a task': { path: `${namespace}/results/{built}/logs/{built-build}` },
      'the log of a run': { path: `${namespace}/results/{built}/logs/{built}` },
      'the log of two attempts': { path: `${namespace}/results/{flaky}/logs/{flaky-test}` },
      'the log of a cancelled task': { path: `${namespace}/results/{cancelled}/logs/{cancelled-one}` },
      'the log of a missing record': { path: `${namespace}/results/{built}/logs/nothing` },
      'a log of any result': { path: `${namespace}/results/-/logs/{built-build}` },
      'another path': { path: `${namespace}/nothing` },
      'a page that is too small': { path: records, query: { page_size: '4' } },
      'a page that is too large': { path: records, query: { page_size: '10001' } },
      'a negative page': { path: records, query: { page_size: '-1' } },
      'a page of no number': { path: records, query: { page_size: 'x' } },
      'an unknown order': { path: records, query: { order_by: 'name' } },
      'an order that is not valid': { path: records, query: { order_by: 'create_time; DROP' } },
      'a filter without a result': filtered('parent'),
      'another namespace': { path: `${otherNamespace}/results/-/records` },
      'a record of another namespace': { path: `${otherNamespace}/results/{elsewhere}/records/{elsewhere}` },
      'a log of another namespace': { path: `${otherNamespace}/results/{elsewhere}/logs/{elsewhere-one}` },
      'all namespaces': { path: '-/results/-/records' },
      'all namespaces, for an administrator': {
        path: '-/results/-/records',
        query: { filter: pipelineRuns },
        headers: bearer('admin-token'),
      },
      'no token': { path: records, headers: {} },
      'an unknown token': { path: records, headers: bearer('forged') },
      'another kind of token': { path: records, headers: { authorization: 'Basic abc' } },
      'a user without permission': { path: records, headers: bearer('stranger-token') },
      'an impersonated user': {
        path: records,
        headers: { ...bearer('gateway-token'), 'impersonate-user': 'reader@slipway.test' },
      },
      'an impersonated user without permission': {
        path: records,
        headers: { ...bearer('gateway-token'), 'impersonate-user': 'stranger@slipway.test' },
      },
      'an impersonated group': { path: records, headers: { ...bearer('gateway-token'), 'impersonate-group': 'a' } },
    }),
  )('responds to %s', async (_, asked) => {
    const { real, ours } = await ask(asked)
    expect(inAnyOrder(factsOf(ours))).toEqual(inAnyOrder(factsOf(real)))
  })

  it.each(['create_time', 'create_time asc', 'create_time desc', 'create_time DESC'])(
    'sorts by %s',
    async (order_by) => {
      const { real, ours } = await ask({
        path: records,
        query: { order_by, filter: pipelineRuns, fields: 'records.data.value.metadata.name' },
      })
      expect(factsOf(ours)).toEqual(factsOf(real))
      expect(messagesOf(real)).toHaveLength(5)
    },
  )

  it('returns pages of the same sizes, and refuses the token of another query with the same words', async () => {
    const query = {
      order_by: 'create_time desc',
      filter: 'data_type == TASK_RUN',
      page_size: '5',
      fields: 'records.name,next_page_token',
    }
    const first = await ask({ path: records, query })
    const tokens = {
      real: String(first.real.body['next_page_token']),
      ours: String(first.ours.body['next_page_token']),
    }
    const withTokens = async (path: string, changes: Record<string, string> = {}) => {
      const asked = (page_token: string) => ask({ path, query: { ...query, ...changes, page_token } })
      return { real: (await asked(tokens.real)).real, ours: (await asked(tokens.ours)).ours }
    }
    const second = await withTokens(records)
    const sizes = [first, second].map(({ real, ours }) => [messagesOf(real).length, messagesOf(ours).length])
    expect(sizes).toEqual([
      [5, 5],
      [3, 3],
    ])
    expect(second.real.body).not.toHaveProperty('next_page_token')
    expect(second.ours.body).not.toHaveProperty('next_page_token')
    for (const [path, changes] of [
      [records, { filter: 'data_type == PIPELINE_RUN' }],
      [records, { order_by: 'create_time' }],
      [`${namespace}/results/{built}/records`, {}],
    ] as const) {
      const { real, ours } = await withTokens(path, changes)
      expect(factsOf(ours)).toEqual(factsOf(real))
      expect(real.status).toBe(400)
    }
  })
})

describe('unlike the real service', () => {
  /** The status, and the names of the objects or the first lines of the log. */
  const summaryOf = (answer: Answer) => {
    const names = messagesOf(answer).map((message) => {
      const { metadata } = documentOf(message) ?? {}
      return isRecord(metadata) ? String(metadata['name']) : 'result'
    })
    const { status, text } = answer
    return [status, ...(text.startsWith('{') ? names.sort() : text.split(/\n+/).filter(Boolean))]
  }
  const ofRun = `${namespace}/results/{built}`

  it.each<[string, Asked, real: unknown[], ours: unknown[]]>([
    [
      'has no records of logs',
      filtered('result_name == "{built}" && data_type == "results.tekton.dev/v1alpha3.Log"'),
      [200, 'built-build-log', 'built-deploy-log', 'built-log'],
      [200],
    ],
    ['lists no logs', { path: `${ofRun}/logs` }, [200, 'built-build-log', 'built-deploy-log', 'built-log'], [501]],
    ['compares with numbers', filtered(`${pipelineRuns} && ${label('number')} > 7`), [200], [200, 'matrix']],
    ['rejects an invalid pattern', filtered('data.metadata.name.matches("(")'), [200], [400]],
    ['finds a member by its index', filtered('data["metadata"]["name"] == "built"'), [200], [200, 'built']],
    [
      'does not sort results by the times of their runs',
      { path: `${namespace}/results`, query: { order_by: 'summary.end_time desc' } },
      [200, ...Array.from({ length: 5 }, () => 'result')],
      [400],
    ],
    [
      'allows impersonation to groups',
      { path: ofRun, headers: { ...bearer('admin-token'), 'impersonate-user': 'reader@slipway.test' } },
      [401],
      [200],
    ],
    [
      'has the logs of all steps but of no init containers',
      { path: `${namespace}/results/{broken}/logs/{broken-build}` },
      [
        200,
        '[prepare] Entrypoint initialization',
        '[place-scripts] Entrypoint initialization',
        '[compile] output of step-compile',
      ],
      [200, '[compile] output of step-compile', '[push] output of step-push'],
    ],
  ])('ours %s', async (_, asked, expectedReal, expectedOurs) => {
    const { real, ours } = await ask(asked)
    expect([...new Set(summaryOf(real))]).toEqual([...new Set(expectedReal)])
    expect(summaryOf(ours)).toEqual(expectedOurs)
  })
})
