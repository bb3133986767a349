import { roleBindingType } from '@slipway/kube/core-types'
import { type Clock, systemClock } from '@slipway/kube/clock'
import { nameOf } from '@slipway/kube/object'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { aPipelineRun } from '@slipway/model/testing'
import type { ViewQuery } from '@slipway/views/frame'
import { startViews as startService, type RunningViews } from '@slipway/slipway/views'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { namespace, testCluster, type TestCluster } from '../../../test/cluster'
import { startApi } from '../../../test/render-route'
import { inOrder } from '../writes/perform-writes'
import { patch } from '../writes/writes'
import { openView, startViews } from './open-view'

const query: ViewQuery = { kind: pipelineRunType.plural, namespaces: [namespace], limit: 50, sort: 'name' }
const run = (name: string) => aPipelineRun({ metadata: { name, namespace, annotations: { other: 'yes' } } })

interface Scene {
  clock?: Clock
  /** Called before the view is opened. */
  prepare?: (cluster: TestCluster) => void
}

/** A view of some runs. @param hasService whether the cluster has a service for views */
async function scene(hasService: boolean, { clock = systemClock, prepare }: Scene = {}) {
  let service: RunningViews | undefined
  let restart = async (): Promise<void> => {}
  const cluster = await testCluster({
    as: 'admin',
    objects: [run('a'), run('b')],
    archives: async (apiUrl, system) => {
      if (!hasService) return {}
      service = await startService({ apiUrl, system, host: '127.0.0.1' })
      const { plugin } = service
      restart = async () => {
        service = await startService({ apiUrl, system, host: '127.0.0.1', port: Number(new URL(plugin.url).port) })
      }
      return { views: { ...plugin, token: () => service?.readerToken() ?? '' } }
    },
  })
  startApi(systemClock)
  prepare?.(cluster)
  onTestFinished(startViews(clock))
  onTestFinished(async () => service?.close())
  const view = openView(query, () => {})
  onTestFinished(() => view.close())
  const names = () => view.state.view.rows.map(nameOf)
  await vi.waitFor(() => expect(names()).toEqual(['a', 'b']))
  return { ...cluster, view, names, kill: () => service?.close(), restart: () => restart() }
}

const runsRead = ({ calls }: Pick<TestCluster, 'calls'>) => calls.filter(({ path }) => path.includes('/pipelineruns'))

async function takeRights({ system }: Pick<TestCluster, 'system'>) {
  const { items } = await system.list(roleBindingType, { namespace })
  const own = items.filter(({ subjects }) => subjects?.some(({ name }) => name?.startsWith('admin')))
  for (const binding of own) await system.delete(roleBindingType, nameOf(binding), { namespace })
}

describe.each([
  ['a service', true, 'service'],
  ['a worker', false, 'worker'],
] as const)('views of %s', (_, hasService, host) => {
  it('show a thousand changes of another client, over one socket', async () => {
    const { view, names, system, openSockets } = await scene(hasService)
    expect(view.state.host).toBe(host)
    const socket = hasService
      ? '/wss/k8s/plugins/views/v1/socket'
      : `/wss/k8s/apis/tekton.dev/v1/namespaces/${namespace}/pipelineruns`
    await vi.waitFor(() => expect(openSockets()).toEqual([socket]))
    for (let change = 0; change < 500; change++) {
      const { metadata } = await system.create(pipelineRunType, run(`c${change}`))
      if (change !== 499) await system.delete(pipelineRunType, metadata.name ?? '', { namespace })
    }
    await vi.waitFor(() => expect(names()).toEqual(['a', 'b', 'c499']))
    expect(view.state.view.total).toBe(3)
    expect(openSockets()).toHaveLength(1)
  }, 60_000)

  it('have seen what this tab has written, even if no row shows it', async () => {
    const { view, system } = await scene(hasService)
    const path = '/metadata/annotations/unseen'
    await inOrder([patch(pipelineRunType, { namespace, name: 'a' }, [{ op: 'add', path, value: 'yes' }])])
    const { metadata } = await system.get(pipelineRunType, 'a', { namespace })
    // Nothing else than a version that was required is sent for it.
    await vi.waitFor(() => expect(view.state.view.floors).toEqual({ [namespace]: metadata.resourceVersion }))
  }, 60_000)

  it('show other rows when their query changes', async () => {
    const { view, names } = await scene(hasService)
    view.change({ ...query, sort: '-name', text: 'B' })
    await vi.waitFor(() => expect(names()).toEqual(['b']))
    expect(view.state).toMatchObject({ isChanging: false, view: { total: 1 } })
  }, 60_000)

  it('are empty once the right is taken, and come back with it', async () => {
    const { view, names, system } = await scene(hasService)
    const { items } = await system.list(roleBindingType, { namespace })
    await takeRights({ system })
    // A watch that goes on is no right: on a plain cluster, the end of the watch or another list shows it.
    await vi.waitFor(() => {
      if (!hasService) window.dispatchEvent(new Event('online'))
      expect(view.state.view.denied).toEqual([namespace])
    })
    expect(names()).toEqual([])
    for (const { metadata, ...binding } of items) {
      await system.create(roleBindingType, { ...binding, metadata: { name: metadata.name, namespace } }).catch(() => {})
    }
    await vi.waitFor(() => expect(names()).toEqual(['a', 'b']))
  }, 90_000)

  it('are right again after their connection was cut', async () => {
    const { names, system, faults } = await scene(hasService)
    faults.areSocketsBlocked = true
    faults.cutSockets()
    await system.create(pipelineRunType, run('c'))
    await system.delete(pipelineRunType, 'a', { namespace })
    faults.areSocketsBlocked = false
    await vi.waitFor(() => expect(names()).toEqual(['b', 'c']))
  }, 60_000)
})

describe('while a view is open', () => {
  it('a service that is killed is replaced by the worker, and used again once it is back', async () => {
    const { view, names, system, kill, restart } = await scene(true)
    await kill()
    await system.create(pipelineRunType, run('c'))
    await vi.waitFor(() => expect(names()).toEqual(['a', 'b', 'c']))
    expect(view.state).toMatchObject({ host: 'worker', lost: undefined })
    await restart()
    await system.create(pipelineRunType, run('d'))
    await vi.waitFor(() => {
      window.dispatchEvent(new Event('focus'))
      expect(view.state.host).toBe('service')
    })
    await vi.waitFor(() => expect(names()).toEqual(['a', 'b', 'c', 'd']))
  }, 90_000)

  it('a service that is installed is found when the user comes back, and takes over from the worker', async () => {
    let laterMs = 0
    const clock: Clock = { ...systemClock, now: () => systemClock.now() + laterMs }
    let install = () => {}
    const prepare = ({ faults }: TestCluster) => {
      install = faults.intercept((path) =>
        path.includes('/plugins/views/') ? new Response('', { status: 404 }) : undefined,
      )
    }
    const { view, names, system } = await scene(true, { clock, prepare })
    expect(view.state.host).toBe('worker')
    install()
    laterMs = 60_000
    window.dispatchEvent(new Event('focus'))
    await vi.waitFor(() => expect(view.state.host).toBe('service'))
    expect(names()).toEqual(['a', 'b'])
    await system.create(pipelineRunType, run('c'))
    await vi.waitFor(() => expect(names()).toEqual(['a', 'b', 'c']))
  }, 60_000)

  it('a service that hangs is noticed within 15 s, and its connection is opened again', async () => {
    const { view, names, system, faults } = await scene(true)
    const mutedMs = performance.now()
    faults.muteSockets()
    await system.create(pipelineRunType, run('c'))
    await vi.waitFor(() => expect(view.state.lost).toBeDefined())
    expect(performance.now() - mutedMs).toBeLessThan(20_000)
    expect(names()).toEqual(['a', 'b'])
    await vi.waitFor(() => expect(names()).toEqual(['a', 'b', 'c']))
    expect(view.state).toMatchObject({ host: 'service', lost: undefined })
  }, 90_000)
})

it('a cluster without the service is asked once, and lists are read with the fields of rows only', async () => {
  const { calls } = await scene(false)
  expect(calls.filter(({ path }) => path.includes('/plugins/views'))).toHaveLength(1)
  const [list] = runsRead({ calls })
  expect(list?.path).toContain('fieldMask=')
})
