import { eventType } from '@slipway/kube/core-types'
import { labels } from '@slipway/model/labels'
import { pipelineRunType, pipelineType } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import { succeededCondition } from '@slipway/model/runs/tekton'
import { afterEach, expect, it } from 'vitest'
import { aRun, aTask, counts, runName, startRun } from '../../test/runs'

const namespace = 'team-payments'
const minuteMs = 60_000
type StartedRun = Awaited<ReturnType<typeof startRun>>
let world: StartedRun['world']
let runs: StartedRun['runs']
afterEach(() => world.close())

async function start(...given: Parameters<typeof startRun>): Promise<string[]> {
  const started = await startRun(...given)
  world = started.world
  runs = started.runs
  return started.seen
}

const chain = {
  tasks: [aTask('clone'), aTask('build', { runAfter: ['clone'] }), aTask('scan', { runAfter: ['build'] })],
  finally: [aTask('summary')],
}

it('runs tasks in order, then those of finally, and reports its progress', async () => {
  const seen = await start(aRun(chain))
  await world.advance(3 * minuteMs)
  expect(seen).toEqual(
    [
      '',
      ' Unknown Started',
      ...[0, 1, 2, 3].map((done) => ` Unknown Running ${counts(done, { incomplete: 4 - done })}`),
      ` True Succeeded ${counts(4)}`,
    ].map((line) => `${runName}${line}`),
  )
  const { status, metadata } = await runs.run()
  expect(metadata.labels?.[labels.pipeline]).toBe(runName)
  expect(status?.childReferences?.map(({ name }) => name)).toEqual(
    ['clone', 'build', 'scan', 'summary'].map((task) => `${runName}-${task}`),
  )
  const { clone, summary } = await runs.taskRuns()
  expect(status?.startTime).toBe(clone?.metadata.creationTimestamp)
  expect(status?.finallyStartTime).toBe(summary?.metadata.creationTimestamp)
  expect(status?.completionTime).toBe(summary?.status?.completionTime)
})

it('ignores a run that another controller manages', async () => {
  await start(aRun(chain, { managedBy: 'builds.example.test/controller' }))
  await world.advance(90 * minuteMs)
  expect((await runs.run()).status).toBeUndefined()
  expect(await runs.taskRuns()).toEqual({})
})

it('runs a run with managedBy set to the controller of Tekton', async () => {
  await start(aRun(chain, { managedBy: 'tekton.dev/pipeline' }))
  await world.advance(3 * minuteMs)
  expect(succeededCondition(await runs.run())?.reason).toBe('Succeeded')
})

it('passes labels, annotations and the service account to its tasks', async () => {
  await start(aRun(chain))
  const { metadata, spec } = await runs.taskRun('clone')
  expect(metadata.labels).toMatchObject({
    [labels.application]: 'checkout',
    [labels.pipelineType]: 'build',
    [labels.pipelineRun]: runName,
    [labels.pipelineRunUid]: (await runs.run()).metadata.uid,
    [labels.pipelineTask]: 'clone',
    [labels.memberOf]: 'tasks',
    [labels.pipeline]: runName,
  })
  expect(metadata.annotations).toHaveProperty(['simulator.slipway.dev/outcome'])
  expect(metadata.ownerReferences).toMatchObject([{ kind: 'PipelineRun', name: runName, controller: true }])
  expect(spec).toMatchObject({ serviceAccountName: 'build-pipeline-checkout-api', timeout: '1h0m0s' })
})

it('does not start a pending run until its status is removed', async () => {
  const seen = await start(aRun({ tasks: [aTask('build')] }, { status: 'PipelineRunPending' }))
  await world.advance(minuteMs)
  expect(seen.at(-1)).toBe(`${runName} Unknown PipelineRunPending PipelineRun "${runName}" is pending`)
  expect((await runs.run()).status).not.toHaveProperty('startTime')
  await world.client.patch(pipelineRunType, runName, [{ op: 'remove', path: '/spec/status' }], { namespace })
  await world.simulator.idle()
  expect((await runs.run()).status?.startTime).toBe('2026-01-31T09:01:00Z')
  await world.advance(minuteMs)
  expect(seen.slice(2)).toEqual([
    `${runName} Unknown Started`,
    `${runName} Unknown Running ${counts(0, { incomplete: 1 })}`,
    `${runName} True Succeeded ${counts(1)}`,
  ])
})

it('runs a complete build with a pipeline from a resolver', async () => {
  const params = {
    'git-url': 'https://git.slipway.test/payments/api',
    revision: 'main',
    'output-image': 'registry/api',
  }
  const run = aRun({ tasks: [] }, {}, { '*': 'success' })
  run.spec = {
    pipelineRef: {
      resolver: 'bundles',
      params: [
        { name: 'name', value: 'docker-build-oci-ta' },
        { name: 'bundle', value: 'registry.slipway.test/catalog/pipeline-docker-build-oci-ta:1' },
        { name: 'kind', value: 'pipeline' },
      ],
    },
    params: Object.entries(params).map(([name, value]) => ({ name, value })),
    timeouts: { pipeline: '1h0m0s' },
  }
  const seen = await start(run)
  expect(seen.at(-1)).toBe(
    `${runName} Unknown ResolvingPipelineRef PipelineRun ${namespace}/${runName} awaiting remote resource`,
  )
  await world.advance(55 * minuteMs)
  const { status, metadata } = await runs.run()
  expect(metadata.labels?.[labels.pipeline]).toBe('docker-build-oci-ta')
  expect(status?.conditions).toMatchObject([{ status: 'True', reason: 'Completed' }])
  expect(
    seen.map((line) => line.split(' ').slice(1, 3).join(' ')).filter((line, i, all) => line !== all[i - 1]),
  ).toEqual(['', 'Unknown Started', 'Unknown ResolvingPipelineRef', 'Unknown Running', 'True Completed'])
  const tasks = [...(status?.pipelineSpec?.tasks ?? []), ...(status?.pipelineSpec?.finally ?? [])]
  const reported = [...(status?.childReferences ?? []).map((child) => child.pipelineTaskName)]
  reported.push(...(status?.skippedTasks ?? []).map(({ name }) => name))
  expect(reported.sort()).toEqual(tasks.map(({ name }) => name).sort())
  expect(status?.results?.map(({ name }) => name)).toEqual(expect.arrayContaining(['IMAGE_URL', 'IMAGE_DIGEST']))
})

it.each([
  ['test', 'ci/our-own-tests.yaml', 'True Succeeded', '{"result":"SUCCESS"'],
  ['test', 'ci/missing.yaml', 'False CouldntGetPipeline', undefined],
  ['test', 'ci/tests-missing-for-now.yaml', 'False CouldntGetPipeline', undefined],
  ['tenant', 'ci/our-own-release.yaml', 'True Succeeded', undefined],
  ['managed', 'ci/our-own-release.yaml', 'True Succeeded', undefined],
  ['final', 'ci/our-own-release.yaml', 'True Succeeded', undefined],
  ['tenant', 'ci/missing-release.yaml', 'False CouldntGetPipeline', undefined],
  ['build', 'ci/our-own-build.yaml', 'False CouldntGetPipeline', undefined],
])(
  'a run of type %s with the pipeline %s, which is not in the catalog, ends as %s',
  async (type, pathInRepo, end, output) => {
    const run = aRun({ tasks: [] }, { params: [{ name: 'SNAPSHOT', value: '{}' }] })
    run.metadata.labels = { ...run.metadata.labels, [labels.pipelineType]: type }
    delete run.spec.pipelineSpec
    run.spec.pipelineRef = { resolver: 'git', params: [{ name: 'pathInRepo', value: pathInRepo }] }
    const seen = await start(run)
    await world.advance(10 * minuteMs)
    expect(seen.at(-1)).toContain(end)
    const { status } = await runs.run()
    const [result] = status?.results ?? []
    expect(result?.name).toBe(output && 'TEST_OUTPUT')
    if (output) expect(result?.value).toContain(output)
  },
)

it('runs a pipeline from the namespace by its name', async () => {
  const pipeline = { metadata: { name: 'release', namespace }, spec: { tasks: [aTask('copy')] } }
  const run = aRun({ tasks: [] }, { pipelineRef: { name: 'release' } })
  delete run.spec.pipelineSpec
  await start(run, [[pipelineType, pipeline]])
  await world.advance(minuteMs)
  expect(await runs.state()).toEqual({ run: 'Succeeded', copy: 'Succeeded' })
  expect((await runs.taskRun('copy')).metadata.labels?.[labels.pipeline]).toBe('release')
})

it('fans out a matrix and joins its results', async () => {
  const build = aTask(
    'build',
    {
      displayName: 'Build the image',
      matrix: { params: [{ name: 'PLATFORM', value: ['linux/x86_64', 'linux/arm64'] }] },
    },
    ['IMAGE'],
  )
  const index = aTask('index', { params: [{ name: 'IMAGES', value: ['$(tasks.build.results.IMAGE[*])'] }] })
  await start(aRun({ tasks: [build, index] }))
  await world.advance(minuteMs)
  expect(await runs.state()).toMatchObject({ 'build-0': expect.any(String), 'build-1': expect.any(String) })
  await world.advance(3 * minuteMs)
  const { 'build-0': first, 'build-1': second, index: joined } = await runs.taskRuns()
  expect([first, second].map((each) => each?.metadata.labels?.[labels.targetPlatform])).toEqual([
    'linux-x86_64',
    'linux-arm64',
  ])
  expect(joined?.spec.params?.[0]?.value).toHaveLength(2)
  expect((await runs.run()).status?.childReferences).toMatchObject([
    { pipelineTaskName: 'build', displayName: 'Build the image' },
    { pipelineTaskName: 'build' },
    { pipelineTaskName: 'index' },
  ])
  expect(succeededCondition(await runs.run())?.message).toBe(counts(2))
})

it('creates the missing task runs of a partially started matrix', async () => {
  const matrix = { params: [{ name: 'PLATFORM', value: ['linux/x86_64', 'linux/arm64'] }] }
  await start(aRun({ tasks: [aTask('build', { matrix })] }))
  await world.client.delete(taskRunType, `${runName}-build-1`, { namespace })
  await world.simulator.idle()
  expect(Object.keys(await runs.taskRuns())).toEqual(['build-0', 'build-1'])
})

it('skips tasks whose when expressions are false, and ends as Completed', async () => {
  const when = (value: string) => [{ input: '$(params.skip)', operator: 'in' as const, values: [value] }]
  await start(
    aRun(
      {
        params: [{ name: 'skip', default: 'false' }],
        tasks: [aTask('scan', { when: when('false') }), aTask('source', { when: when('true') })],
      },
      {},
    ),
  )
  await world.advance(3 * minuteMs)
  expect(await runs.state()).toEqual({ run: 'Completed', scan: 'Succeeded' })
  const { status } = await runs.run()
  expect(status?.skippedTasks).toEqual([
    {
      name: 'source',
      reason: 'When Expressions evaluated to false',
      whenExpressions: [{ input: 'false', operator: 'in', values: ['true'] }],
    },
  ])
  expect(status?.childReferences).toMatchObject([
    { name: `${runName}-scan`, whenExpressions: [{ input: 'false', operator: 'in', values: ['false'] }] },
  ])
})

it('passes the status and results of tasks to finally and to its own results', async () => {
  await start(
    aRun({
      tasks: [aTask('clone', {}, ['commit'])],
      finally: [
        aTask('summary', {
          params: [
            { name: 'status', value: '$(tasks.clone.status) $(tasks.status)' },
            { name: 'commit', value: '$(tasks.clone.results.commit)' },
          ],
        }),
      ],
      results: [{ name: 'CHAINS-GIT_COMMIT', value: '$(tasks.clone.results.commit)' }],
    }),
  )
  await world.advance(3 * minuteMs)
  const [{ value: commit = '' } = {}] = (await runs.taskRun('clone')).status?.results ?? []
  expect((await runs.taskRun('summary')).spec.params).toEqual([
    { name: 'status', value: 'Succeeded Succeeded' },
    { name: 'commit', value: commit },
  ])
  expect((await runs.run()).status?.results).toEqual([{ name: 'CHAINS-GIT_COMMIT', value: commit }])
})

it('ignores a run that is being deleted, whose tasks are deleted with it', async () => {
  const run = aRun(chain)
  await start({ ...run, metadata: { ...run.metadata, finalizers: ['example.test/hold'] } })
  await world.client.delete(pipelineRunType, runName, { namespace })
  const before = await runs.run()
  await world.advance(3 * minuteMs)
  expect((await runs.run()).status).toEqual(before.status)
  await world.client.patch(pipelineRunType, runName, [{ op: 'remove', path: '/metadata/finalizers' }], { namespace })
  await world.server.settled()
  expect([await runs.taskRuns(), await runs.pods()]).toEqual([{}, []])
})

it('records events', async () => {
  await start(aRun({ tasks: [aTask('build')] }))
  await world.advance(3 * minuteMs)
  const { items } = await world.client.list(eventType, { namespace, fields: { 'involvedObject.name': runName } })
  const recorded = items.map(({ type = '', reason = '', message = '' }) => [type, reason, message].join(' ').trim())
  expect(recorded.sort()).toEqual([
    'Normal Running Tasks Completed: 0 (Failed: 0, Cancelled 0), Incomplete: 1, Skipped: 0',
    'Normal Started',
    'Normal Succeeded Tasks Completed: 1 (Failed: 0, Cancelled 0), Skipped: 0',
  ])
})
