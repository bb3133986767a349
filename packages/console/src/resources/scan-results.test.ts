import { labels } from '@slipway/model/labels'
import { aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { namespace, testCluster } from '../../test/cluster'
import { fakeArchive } from '../../test/fake-archive'
import { startApi } from '../../test/render-route'
import { inBatches } from '../api/batches'
import { queryClient } from '../api/query-client'
import { scanResults } from './scan-results'

const run = (n: number) =>
  aPipelineRun({
    metadata: { name: `run-${n}`, namespace },
    status: { conditions: [condition('Succeeded', 'True')] },
  })
const scan = (pipelineRun: string, critical: number, uid: string) =>
  aTaskRun({
    metadata: { name: uid, uid, labels: { [labels.pipelineRun]: pipelineRun } },
    status: { results: [{ name: 'SCAN_OUTPUT', value: JSON.stringify({ vulnerabilities: { critical } }) }] },
  })

it.each(['kubeArchive', 'tektonResults'])('ARCH-33 scans of runs are requested in batches of 30 (%s)', async (name) => {
  const archive = await fakeArchive()
  const cluster = await testCluster({
    as: 'admin',
    objects: [scan('run-1', 2, 'live-scan')],
    archives: { [name]: archive.plugin },
  })
  startApi()
  const runs = Array.from({ length: 31 }, (_, n) => run(n))
  const found = await Promise.all(runs.map((each) => queryClient.fetchQuery(scanResults.of(each))))
  expect(found[1]?.vulnerabilities).toMatchObject({ critical: 2 })
  expect(found[2]).toEqual({ vulnerabilities: null, testResult: null })
  // Both requests are sent at once, and either may arrive first.
  const filters = archive.requests.map(
    ({ searchParams }) => searchParams.get('filter') ?? searchParams.get('labelSelector') ?? '',
  )
  const [first, second] = filters.sort((a, b) => b.length - a.length)
  expect(archive.requests).toHaveLength(2)
  expect(first?.match(/\brun-\d+/g)).toHaveLength(30)
  expect(second?.match(/\brun-\d+/g)).toEqual(['run-30'])
  if (name === 'tektonResults') expect(first).toContain('data.status.taskResults.contains("CLAIR_SCAN_RESULT")')
  expect(
    cluster.calls.filter(({ path }) => path.startsWith('/api/k8s/apis/') && path.includes('/taskruns')),
  ).toHaveLength(2)
})

it('STAT-54, ARCH-14 a scan in both the cluster and the archive counts once', async () => {
  const archive = await fakeArchive([scan('run-1', 1, 'old-scan')])
  await testCluster({ as: 'admin', archives: { kubeArchive: archive.plugin } })
  startApi()
  expect(await queryClient.fetchQuery(scanResults.of(run(1)))).toMatchObject({ vulnerabilities: { critical: 1 } })
  expect(scanResults.of(aPipelineRun()).enabled).toBe(false)
})

it('resolves each key with its own value, and rejects a failed batch with its error', async () => {
  const asked: number[][] = []
  const ask = inBatches(2, (keys: number[]) => {
    asked.push(keys)
    return keys.includes(3) ? Promise.reject(new Error('no three')) : Promise.resolve(keys.map((key) => key * 10))
  })
  const answers = await Promise.allSettled([ask(1), ask(2), ask(3)])
  expect(answers).toMatchObject([{ value: 10 }, { value: 20 }, { reason: { message: 'no three' } }])
  expect(await ask(4)).toBe(40)
  expect(asked).toEqual([[1, 2], [3], [4]])
})
