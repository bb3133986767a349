import { type KubeList, type KubeObject, nameOf, uidOf } from '@slipway/kube/object'
import { failureStatus } from '@slipway/kube/status'
import { labels } from '@slipway/model/labels'
import { type PipelineRun, pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { visibilityGroup } from '@slipway/model/runs/queue-position'
import { anApplication, aPipelineRun, condition } from '@slipway/model/testing'
import { konfluxRules } from '@slipway/model/testing/konflux-roles'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Faults, namespace } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { aRun, name, page, params } from '../../../test/run-page'
import { client } from '../../api/client'
import { startDiscovery } from '../../api/served-types'
import { paths } from '../../paths'

const queue = 'builds'
const group = '/api/k8s/apis/visibility.kueue.x-k8s.io'
const queued = aRun({
  metadata: { labels: { [labels.queueName]: queue } },
  spec: { status: 'PipelineRunPending' },
  status: { startTime: undefined, conditions: undefined },
})

const failure = (code: number, message: string) =>
  Response.json(failureStatus(code, code === 404 ? 'NotFound' : '', message), { status: code })

/** A cluster with Kueue, which says for how many others the run waits; `undefined` if it does not list the run. */
interface Kueue {
  versions: string[]
  ahead: [inCluster: number, inQueue: number] | undefined
  failDiscovery?: (() => Response) | undefined
  /** Whether its queue has more runs than a page of a list. */
  isLong?: boolean
  /** Instead of a position. */
  failWith?: (() => Response) | undefined
}

function installKueue({ intercept, pass }: Faults, kueue: Kueue): void {
  const runPath = `/api/k8s/apis/tekton.dev/v1/namespaces/${namespace}/pipelineruns/${name}`
  intercept((path, init) => {
    if (path === group && kueue.failDiscovery) return kueue.failDiscovery()
    if (path === group)
      return kueue.versions.length > 0
        ? Response.json({ kind: 'APIGroup', versions: kueue.versions.map((version) => ({ version })) })
        : failure(404, 'the server could not find the requested resource')
    if (kueue.isLong && isOfWaits(path))
      return pass(path, init)
        .then((response) => response.json() as Promise<KubeList>)
        .then((list) => Response.json({ ...list, metadata: { ...list.metadata, continue: 'more' } }))
    if (!path.startsWith(`${group}/`)) return undefined
    if (kueue.failWith) return kueue.failWith()
    return pass(runPath, {})
      .then((response) => response.json() as Promise<PipelineRun>)
      .then((run) => Response.json({ kind: 'PendingWorkloadsSummary', items: itemsOf(kueue, run) }))
  })
}

/** Whether a request is for when the runs of the queue started. */
const isOfWaits = (path: string) => path.includes('/pipelineruns?') && path.includes(encodeURIComponent(`=${queue}`))

const itemsOf = ({ ahead }: Kueue, run: PipelineRun) =>
  ahead
    ? [
        {
          metadata: {
            name: `pipelinerun-${nameOf(run)}-0a1b2`,
            ownerReferences: [{ kind: 'PipelineRun', name: nameOf(run), uid: uidOf(run) }],
          },
          priority: 0,
          localQueueName: queue,
          positionInClusterQueue: ahead[0],
          positionInLocalQueue: ahead[1],
        },
      ]
    : []

async function scene(
  over: Partial<Kueue> = {},
  { run = queued, others = [] as KubeObject[], as = 'admin' as 'admin' | 'outsider' } = {},
) {
  const kueue: Kueue = { versions: ['v1beta1'], ahead: [6, 1], ...over }
  onTestFinished(startDiscovery(client.request))
  const view = await renderRoute(page, {
    as,
    objects: [anApplication(), run, ...others],
    prepare: (faults) => installKueue(faults, kueue),
  })
  const calls = (part: string) => view.cluster.calls.filter(({ path }) => path.includes(part)).length
  const note = await screen.findByRole('heading', { name: /This pipeline run is waiting/ })
  const alert = within(note.closest('.pf-v6-c-alert') as HTMLElement) // The alert of the heading.
  return { ...view, kueue, alert, groupReads: () => calls(group), reads: () => calls('/pendingworkloads') }
}

const position = '7th in the cluster, 2nd of ours'

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout', 'Date'],
    shouldAdvanceTime: true,
  })
})

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

describe('a run that waits for admission', () => {
  it('says where it is in its queue', async () => {
    const { alert, cluster } = await scene()
    expect(await alert.findByText(position)).toBeVisible()
    expect(alert.getByText('Too little is known yet to estimate when it starts.')).toBeVisible()
    const paths = cluster.calls.map(({ path }) => path).filter((path) => path.startsWith(group))
    expect(paths).toEqual([group, `${group}/v1beta1/namespaces/${namespace}/localqueues/${queue}/pendingworkloads`])
  })

  it('reads the newest version that is known', async () => {
    const { alert, cluster } = await scene({ versions: ['v1', 'v1beta1', 'v1beta2'] })
    expect(await alert.findByText(position)).toBeVisible()
    expect(cluster.calls.some(({ path }) => path.startsWith(`${group}/v1beta2/`))).toBe(true)
  })

  /** Four runs of the queue that start two minutes after one another, and one of another queue. */
  const earlier = () =>
    [2, 4, 6, 8, 60].map((minutes) =>
      aPipelineRun({
        metadata: {
          name: `earlier-${minutes}`,
          namespace,
          labels: { [labels.queueName]: minutes === 60 ? 'another' : queue },
        },
        status: {
          startTime: new Date(Date.now() + minutes * 60_000).toISOString(),
          conditions: [condition('Succeeded', 'True')],
        },
      }),
    )

  it('says when it starts by how long earlier runs of its queue waited', async () => {
    const { alert } = await scene({}, { others: earlier() })
    expect(await alert.findByText(`${position}, starts in about 4 min`)).toBeVisible()
    expect(alert.getByText(/^A guess: judging by how long earlier runs waited/)).toBeVisible()
    // It takes a moment until they are created.
    expect(alert.getByText(/^The last 4 runs of the queue builds waited \d to \d min/)).toBeVisible()
  })

  it('does not judge by earlier runs if its queue has more than are read', async () => {
    const { alert, cluster } = await scene({ isLong: true }, { others: earlier() })
    await waitFor(() => expect(cluster.calls.some(({ path }) => isOfWaits(path))).toBe(true))
    await pass(5_000)
    expect(await alert.findByText(position)).toBeVisible()
    expect(alert.queryByText(/earlier runs/)).not.toBeInTheDocument()
  })

  it('follows its position every ten seconds, and says when it starts by how it moved', async () => {
    const { alert, kueue, reads } = await scene({ ahead: [20, 1] })
    expect(await alert.findByText('21st in the cluster, 2nd of ours')).toBeVisible()
    const [before, shownMs] = [reads(), Date.now()]
    for (const ahead of [18, 16, 14, 12, 10, 8]) {
      kueue.ahead = [ahead, 1]
      await pass(10_000)
      expect(await alert.findByText(new RegExp(`^${ahead + 1}th in the cluster`))).toBeVisible()
    }
    expect(alert.getByText(/^9th in the cluster, 2nd of ours, starts (in about \d|within a) min/)).toBeVisible()
    expect(alert.getByText(/^It went from 21st to 9th in the cluster in (\d+|less than a) min/)).toBeVisible()
    expect(reads() - before).toBeGreaterThanOrEqual(6)
    // Real time passes as well.
    expect(reads() - before).toBeLessThanOrEqual((Date.now() - shownMs) / 10_000 + 1)
  })

  it('is not followed while the page is hidden', async () => {
    const { alert, kueue, reads } = await scene()
    expect(await alert.findByText(position)).toBeVisible()
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    const before = reads()
    kueue.ahead = [3, 0]
    await pass(60_000)
    expect(reads()).toBe(before)
    visibility.mockRestore()
    act(() => void window.dispatchEvent(new Event('visibilitychange')))
    expect(await alert.findByText(/^4th in the cluster, 1st of ours/)).toBeVisible()
  })

  it('is not followed once it is admitted', async () => {
    const { alert, cluster, reads } = await scene()
    expect(await alert.findByText(position)).toBeVisible()
    await cluster.system.patch(pipelineRunType, name, [{ op: 'remove', path: '/spec/status' }], { namespace })
    await waitFor(() => expect(screen.queryByText(position)).not.toBeInTheDocument())
    const before = reads()
    await pass(60_000)
    expect(reads()).toBe(before)
  })
})

describe('without a position', () => {
  it('a run that its queue does not list says so', async () => {
    const { alert } = await scene({ ahead: undefined })
    expect(await alert.findByText(/^It is not in the queue builds now/)).toBeVisible()
  })

  it('a user without the right reads so, and nothing is requested of the queue', async () => {
    const others = konfluxRules.viewer.filter(({ apiGroups }) => !apiGroups?.includes(visibilityGroup))
    const { alert, reads } = await scene({}, { as: 'outsider', others: grantTo(...others) })
    expect(await alert.findByText(/^You don't have access to its position in the queue builds/)).toHaveTextContent(
      'permission to get localqueues/pendingworkloads.visibility.kueue.x-k8s.io.',
    )
    expect(reads()).toBe(0)
  })

  it('a user whom Kueue itself denies it reads so, and it is not requested again', async () => {
    const { alert, reads } = await scene({ failWith: () => failure(403, 'no') })
    expect(await alert.findByText(/^You don't have access to its position/)).toBeVisible()
    const before = reads()
    await pass(60_000)
    expect(reads()).toBe(before)
  })

  it.each<[string, Partial<Kueue>]>([
    ['on a cluster without Kueue', { versions: [] }],
    ['on a cluster with an unknown version', { versions: ['v3'] }],
    ['on a cluster that denies discovery', { failDiscovery: () => failure(403, 'no') }],
  ])('%s, nothing is shown, and its API is discovered once', async (_, over) => {
    const { alert, router, groupReads } = await scene(over)
    await waitFor(() => expect(groupReads()).toBe(1))
    await pass(60_000)
    await router.navigate(paths.pipelineRunLogs(params))
    await router.navigate(page)
    await pass(60_000)
    expect(groupReads()).toBe(1)
    expect(alert.queryByText(/queue builds/)).not.toBeInTheDocument()
    expect(alert.queryByText(/position/)).not.toBeInTheDocument()
  })

  it('of a run without a queue, nothing is requested', async () => {
    const { alert, groupReads } = await scene({}, { run: { ...queued, metadata: { ...queued.metadata, labels: {} } } })
    expect(alert.getByText(/^It is on hold/)).toBeVisible()
    await pass(20_000)
    expect(groupReads()).toBe(0)
  })

  it('a failure is shown, and ends the requests if it would repeat itself', async () => {
    const { alert, reads } = await scene({ failWith: () => failure(404, 'localqueue "builds" not found') })
    expect(await alert.findByText(/could not be read: localqueue "builds" not found\./)).toBeVisible()
    const before = reads()
    await pass(60_000)
    expect(reads()).toBe(before)
  })

  it('a failure of the discovery is shown, and ends by itself', async () => {
    const failDiscovery = () => failure(503, 'the aggregator is starting')
    const { alert, kueue } = await scene({ failDiscovery })
    await pass(20_000)
    expect(await alert.findByText(/could not be read: the aggregator is starting\./)).toBeVisible()
    kueue.failDiscovery = undefined
    await pass(90_000)
    expect(await alert.findByText(new RegExp(position))).toBeVisible()
  })

  it('the last one is shown with its age while it cannot be read, and the next one after that', async () => {
    const { alert, kueue } = await scene()
    expect(await alert.findByText(position)).toBeVisible()
    kueue.failWith = () => failure(500, 'the queue manager is starting')
    await pass(30_000)
    expect(await alert.findByText(/could not be read: the queue manager is starting\. Last read:/)).toBeVisible()
    expect(alert.getByText(new RegExp(position))).toBeVisible()
    kueue.failWith = undefined
    await pass(10_000)
    await waitFor(() => expect(alert.queryByText(/could not be read/)).not.toBeInTheDocument())
  })
})
