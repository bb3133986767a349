import { roleBindingType } from '@slipway/kube/core-types'
import { applicationType } from '@slipway/model/supply-chain/application'
import { anApplication } from '@slipway/model/testing'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { configureApi, send } from '../client'
import { DisconnectedError, offlineSince, onConnectivity, startConnectivity } from './connectivity'
import { performWrites } from '../writes/perform-writes'
import { create, remove } from '../writes/writes'

const lost = () => void dispatchEvent(new Event('offline'))
const regained = () => void dispatchEvent(new Event('online'))

beforeEach(() => void vi.useFakeTimers({ now: new Date(2026, 0, 31, 9, 5) }))
afterEach(() => void vi.useRealTimers())

function start(probe: () => Promise<unknown> = () => Promise.reject(new Error('no network'))) {
  onTestFinished(startConnectivity(probe))
}

it('is offline from the moment the browser says so until it says otherwise', () => {
  start()
  const heard = vi.fn()
  onTestFinished(onConnectivity(heard))
  expect(offlineSince()).toBeUndefined()
  lost()
  expect(offlineSince()).toEqual(new Date(2026, 0, 31, 9, 5))
  vi.setSystemTime(new Date(2026, 0, 31, 9, 6))
  lost()
  expect(offlineSince()).toEqual(new Date(2026, 0, 31, 9, 5))
  regained()
  expect(offlineSince()).toBeUndefined()
  expect(heard).toHaveBeenCalledTimes(2)
})

it('does not believe a browser when the server answers all the same', async () => {
  configureApi({ fetch: () => Promise.resolve(new Response(null, { status: 500 })) })
  start(() => send('/oauth2/userinfo'))
  lost()
  expect(offlineSince()).toBeDefined()
  await vi.waitFor(() => expect(offlineSince()).toBeUndefined())
})

it('does not take an answer that was on its way for a network', async () => {
  let answer = (_: Response) => {}
  configureApi({ fetch: () => new Promise((resolve) => (answer = resolve)) })
  start()
  const early = send('/api/k8s/version')
  lost()
  answer(new Response())
  await early
  expect(offlineSince()).toBeDefined()
  const late = send('/api/k8s/version')
  answer(new Response())
  await late
  expect(offlineSince()).toBeUndefined()
})

it('sends no write while offline, and keeps none for later', async () => {
  const fetch = vi.fn()
  configureApi({ fetch })
  start()
  lost()
  const writes = [
    create(applicationType, anApplication({ metadata: { name: 'checkout' } })),
    remove(roleBindingType, { namespace: 'a', name: 'b' }),
  ]
  await expect(performWrites(writes)).rejects.toThrow(
    new DisconnectedError('You are offline since 9:05 AM. Nothing can be changed until the network is back.'),
  )
  regained()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(fetch).not.toHaveBeenCalled()
})
