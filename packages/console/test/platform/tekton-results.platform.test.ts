import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGateway } from '@slipway/gateway/app'
import type { GatewayConfig } from '@slipway/gateway/config'
import { nameOf, type KubeObject } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { pipelineRunStatus } from '@slipway/model/runs/run-status'
import { runSidecars, runSteps } from '@slipway/model/runs/run-steps'
import { earlierAttemptsOf, taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { createElement, type PropsWithChildren } from 'react'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  namespace,
  otherNamespace,
  startArchivedRuns,
  users,
  type ArchivedRuns,
} from '../../../simulator/test/platform/archived-runs'
import { archivePage } from '../../src/api/archive/archive'
import { useHistory } from '../../src/api/archive/history'
import { originOf } from '../../src/api/archive/origin'
import type { ArchiveSelection } from '../../src/api/archive/request'
import { configureApi } from '../../src/api/client'
import { setFlag } from '../../src/api/flags/flags'
import { archivedLogLoader, fetchStepLog } from '../../src/api/logs/step-log'
import { queryClient } from '../../src/api/query-client'
import { pipelineRuns } from '../../src/resources/pipeline-runs'
import { taskRuns } from '../../src/resources/task-runs'
import { startApi } from '../render-route'
import { sessionCookie } from '../session-cookie'

/** What the gateway and the console make of runs that the real Tekton Results has stored, and the cluster no longer has. */

let runs: ArchivedRuns
let gateway: Awaited<ReturnType<typeof createGateway>>
let origin: string
let config: GatewayConfig

beforeAll(async () => {
  runs = await startArchivedRuns()
  const { url, authority } = runs.tekton
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'))
  const caFile = join(folder, 'ca.crt')
  writeFileSync(caFile, authority)
  config = {
    host: '127.0.0.1',
    port: 0,
    kubernetes: { access: { url, caFile, token: 'gateway-token' }, as: 'impersonate' },
    tektonResults: { url: runs.results.url, caFile: runs.results.caFile, token: () => 'gateway-token' },
    session: { keys: [new Uint8Array(32).fill(1)] },
    // Never called: sessions are started without signing in.
    signIn: { oidc: { issuer: 'http://127.0.0.1:1', clientId: 'slipway' } },
  }
  gateway = await createGateway(config)
  origin = await gateway.listen({ host: '127.0.0.1', port: 0 })
  rmSync(folder, { recursive: true })
})
afterAll(async () => {
  await gateway.close()
  await runs.close()
})

/** The console, signed in as this user. */
async function consoleAs(user: keyof typeof users) {
  const cookie = await sessionCookie(config, users[user].name)
  configureApi({
    baseUrl: origin,
    fetch: (input, init = {}) =>
      fetch(input, { ...init, headers: { ...(init.headers as Record<string, string>), cookie, origin } }),
  })
  startApi()
  for (const flag of ['pipelineruns-kubearchive', 'taskruns-kubearchive', 'kubearchive-logs'] as const)
    setFlag(flag, false)
}

const names = (items: readonly KubeObject[]) => items.map(nameOf)

describe('the gateway in front of Tekton Results', () => {
  const records = (of: string) => `results.tekton.dev/v1alpha2/parents/${of}/results/-/records`

  async function call(user: keyof typeof users, path: string, init: RequestInit = {}) {
    const headers = { cookie: await sessionCookie(config, users[user].name), origin, 'x-requested-with': 'slipway' }
    const response = await fetch(`${origin}/api/k8s/plugins/tekton-results/apis/${path}`, { ...init, headers })
    // The tests know its shape.
    return { code: response.status, body: (await response.json()) as { records?: unknown[]; message?: string } }
  }

  it('passes what a user with a role binding may read', async () => {
    const { code, body } = await call('reader', `${records(namespace)}?page_size=5`)
    expect([code, body.records]).toEqual([200, expect.any(Array)])
    expect(body.records).toHaveLength(5)
  })

  it.each<[keyof typeof users, string]>([
    ['reader', otherNamespace],
    ['reader', '-'],
    ['stranger', namespace],
  ])('refuses %s what is in %s', async (user, of) => {
    expect(await call(user, records(of))).toMatchObject({
      code: 403,
      body: { message: 'tekton-results does not allow this user to see that.' },
    })
  })

  it('passes errors of the service', async () => {
    const { code, body } = await call('reader', `${records(namespace)}?page_size=4`)
    expect([code, body.message]).toEqual([400, expect.stringContaining('invalid page size (4)')])
  })

  it('writes nothing', async () => {
    expect((await call('reader', records(namespace), { method: 'POST' })).code).toBe(405)
  })
})

describe('the console with Tekton Results', () => {
  const newestFirst = ['cancelled', 'matrix', 'flaky', 'broken', 'built']

  it.each<[string, Omit<ArchiveSelection, 'namespace'>, string[]]>([
    ['nothing', {}, newestFirst],
    ['a part of a name', { name: ' BRO' }, ['broken']],
    ['a name with a quote', { name: "o'" }, []],
    ['a label', { labels: { matchLabels: { number: '7' } } }, ['built']],
    [
      'values of a label',
      { labels: { matchExpressions: [{ key: 'number', operator: 'In', values: ['7', '12'] }] } },
      ['matrix', 'built'],
    ],
    [
      'the absence of a label',
      { labels: { matchExpressions: [{ key: 'number', operator: 'DoesNotExist' }] } },
      ['cancelled', 'flaky', 'broken'],
    ],
    ['a commit', { commit: 'c0ffee' }, ['built']],
    ['a time', { createdAfter: '2000-01-01T00:00:00Z' }, newestFirst],
    ['a limit', { limit: 2 }, newestFirst.slice(0, 2)],
  ])('finds archived runs by %s', async (_, selection, expected) => {
    await consoleAs('reader')
    const { items, archive } = await archivePage(pipelineRunType, { namespace, ...selection })
    expect([names(items), archive]).toEqual([expected, 'Tekton Results'])
  })

  it('reads page after page', async () => {
    await consoleAs('reader')
    const first = await archivePage(taskRunType, { namespace }, { pageSize: 5 })
    const second = await archivePage(taskRunType, { namespace }, { pageSize: 5, position: first.next })
    expect([first.items.length, second.items.length, second.next]).toEqual([5, 3, undefined])
    const all = runs.taskRuns.filter(({ metadata }) => metadata.namespace === namespace)
    expect(names([...first.items, ...second.items]).sort()).toEqual(names(all).sort())
  })

  it('shows the history of runs, with the fields of its columns', async () => {
    await consoleAs('reader')
    const wrapper = ({ children }: PropsWithChildren) =>
      createElement(QueryClientProvider, { client: queryClient }, children)
    const { result } = renderHook(() => useHistory(pipelineRuns.history({ namespace })), { wrapper })
    await vi.waitFor(() => expect(result.current.rows).toHaveLength(5))
    const rows = result.current.rows ?? []
    expect(rows.map((run) => [nameOf(run), pipelineRunStatus(run), originOf(run)])).toEqual([
      ['cancelled', 'Cancelled', 'archive'],
      ['matrix', 'Succeeded', 'archive'],
      ['flaky', 'Succeeded', 'archive'],
      ['broken', 'Failed', 'archive'],
      ['built', 'Succeeded', 'archive'],
    ])
    expect([result.current.missing, result.current.archive]).toEqual([[], 'Tekton Results'])
  })

  it('reads a run and its tasks as they were in the cluster', async () => {
    await consoleAs('reader')
    const found = await queryClient.fetchQuery(pipelineRuns.get(namespace, 'built'))
    const before = runs.pipelineRuns.find((run) => nameOf(run) === 'built')
    // Tekton writes a few nulls itself.
    const withoutNull = JSON.stringify([before?.spec, before?.status], (_, value: unknown) => value ?? undefined)
    expect([found.spec, found.status]).toEqual(JSON.parse(withoutNull))
    const { items } = await archivePage(taskRunType, {
      namespace,
      labels: { matchLabels: { [labels.pipelineRun]: 'built' } },
    })
    expect(names(items).sort()).toEqual(['built-build', 'built-deploy'])
  })

  const stepLog = (taskRun: TaskRun, step: string) => fetchStepLog(taskRun, step, new AbortController().signal)
  const archivedTask = (name: string) => queryClient.fetchQuery(taskRuns.get(namespace, name))

  it('reads the log of each step and sidecar, without those of init containers', async () => {
    await consoleAs('reader')
    const task = await archivedTask('built-build')
    expect([runSteps(task), runSidecars(task)].map((each) => each.map(({ name }) => name))).toEqual([
      ['clone', 'compile', 'run-tool'],
      ['database'],
    ])
    const containers = ['step-clone', 'step-compile', 'step-run-tool', 'sidecar-database']
    expect(await archivedLogLoader(task, new AbortController().signal)()).toEqual(
      containers.map((container) => ({ container, text: `output of ${container}\n` })),
    )
    expect(await stepLog(task, 'run-tool')).toBe('output of step-run-tool\n')
  })

  it('reads the logs of all attempts of a task', async () => {
    await consoleAs('reader')
    const task = await archivedTask('flaky-test')
    const [first, ...others] = earlierAttemptsOf(task)
    expect([first && (await stepLog(first, 'main')), others]).toEqual(['output of step-main\n', []])
    expect(await stepLog(task, 'main')).toBe('output of step-main in retry 1\n')
  })

  it('reads the log of a failed step, and none of those after it', async () => {
    await consoleAs('reader')
    const task = await archivedTask('broken-build')
    expect([await stepLog(task, 'compile'), await stepLog(task, 'push')]).toEqual(['output of step-compile\n', ''])
  })

  it('says that there is no log of a task that was cancelled', async () => {
    await consoleAs('reader')
    await expect(stepLog(await archivedTask('cancelled-one'), 'main')).rejects.toMatchObject({
      code: 404,
      message: 'Logs are no longer accessible for one task',
    })
  })

  it('says that a run was never there', async () => {
    await consoleAs('reader')
    await expect(queryClient.fetchQuery(pipelineRuns.get(namespace, 'never'))).rejects.toMatchObject({ code: 404 })
  })

  it('says that a user may not read the archive', async () => {
    await consoleAs('stranger')
    await expect(archivePage(pipelineRunType, { namespace })).rejects.toMatchObject({
      code: 403,
      message: 'tekton-results does not allow this user to see that.',
    })
  })

  it('says that the archive fails, instead of showing none of its runs, while its database is down', async () => {
    await consoleAs('reader')
    const task = runs.taskRuns.find((run) => nameOf(run) === 'built-build')
    await runs.results.endDatabase()
    await expect(archivePage(pipelineRunType, { namespace })).rejects.toMatchObject({ code: 500 })
    await expect(queryClient.fetchQuery(pipelineRuns.get(namespace, 'built'))).rejects.toMatchObject({ code: 500 })
    await expect(task && stepLog(task, 'clone')).rejects.toMatchObject({ code: 500 })
  })
})
