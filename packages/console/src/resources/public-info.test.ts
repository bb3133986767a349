import { configMapType } from '@slipway/kube/core-types'
import { publicInfoLocation } from '@slipway/model/platform/public-info'
import { QueryObserver } from '@tanstack/react-query'
import { expect, it, onTestFinished, vi } from 'vitest'
import { testCluster } from '../../test/cluster'
import { startApi } from '../../test/render-route'
import { queryClient } from '../api/query-client'
import { publicInfo } from './public-info'

async function read() {
  const observer = new QueryObserver(queryClient, publicInfo.get())
  onTestFinished(observer.subscribe(() => {}))
  return vi.waitFor(() => {
    const { data, error, isPending } = observer.getCurrentResult()
    if (isPending) throw new Error('still pending')
    return { data, error }
  })
}

it('SESS-10 every user may read the public info of the platform', async () => {
  const { calls } = await testCluster({ as: 'outsider' })
  startApi()
  const { data } = await read()
  expect(data?.visibility).toBe('public')
  expect(calls.map(({ path }) => path)).toEqual([
    '/api/k8s/api/v1/namespaces/konflux-info/configmaps/konflux-public-info',
  ])
})

it('SESS-11 reports public info without its entry as an error', async () => {
  const { system } = await testCluster({ as: 'admin' })
  startApi()
  const configMap = await system.get(configMapType, publicInfoLocation.name, {
    namespace: publicInfoLocation.namespace,
  })
  await system.replace(configMapType, { ...configMap, data: {} })
  expect((await read()).error?.message).toBe('info.json not found in konflux-public-info ConfigMap')
})
