import { roleBindingType } from '@slipway/kube/core-types'
import { applicationType } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { configureApi, send } from '../client'
import { DisconnectedError, offlineSince, onConnectivity, startConnectivity } from './connectivity'
import { inOrder } from '../writes/perform-writes'
import { create, remove } from '../writes/writes'

const goOffline = () => void dispatchEvent(new Event('offline'))
const goOnline = () => void dispatchEvent(new Event('online'))

beforeEach(() => void vi.useFakeTimers({ now: new Date(2026, 0, 31, 9, 5) }))

function start(probe: () => Promise<unknown> = () => Promise.reject(new Error('no network'))) {
  onTestFinished(startConnectivity(probe))
}

it('the console is offline from the browser offline event until the online event', () => {
  start()
  const listener = vi.fn()
  onTestFinished(onConnectivity(listener))
  expect(offlineSince()).toBeUndefined()
  goOffline()
  expect(offlineSince()).toEqual(new Date(2026, 0, 31, 9, 5))
  vi.setSystemTime(new Date(2026, 0, 31, 9, 6))
  goOffline()
  expect(offlineSince()).toEqual(new Date(2026, 0, 31, 9, 5))
  goOnline()
  expect(offlineSince()).toBeUndefined()
  expect(listener).toHaveBeenCalledTimes(2)
})

it('the console is online again when the server responds although the browser says offline', async () => {
  configureApi({ fetch: () => Promise.resolve(new Response(null, { status: 500 })) })
  start(() => send('/oauth2/userinfo'))
  goOffline()
  expect(offlineSince()).toBeDefined()
  await vi.waitFor(() => expect(offlineSince()).toBeUndefined())
})

it('a response to a request from before the network was lost does not mean online', async () => {
  let respond = (_: Response) => {}
  configureApi({ fetch: () => new Promise((resolve) => (respond = resolve)) })
  start()
  const early = send('/api/k8s/version')
  goOffline()
  respond(new Response())
  await early
  expect(offlineSince()).toBeDefined()
  const late = send('/api/k8s/version')
  respond(new Response())
  await late
  expect(offlineSince()).toBeUndefined()
})

it('writes are rejected while offline, and never queued for later', async () => {
  const fetch = vi.fn()
  configureApi({ fetch })
  start()
  goOffline()
  const writes = [
    create(applicationType, anApplication({ metadata: { name: 'checkout' } })),
    remove(roleBindingType, { namespace: 'a', name: 'b' }),
  ]
  await expect(inOrder(writes)).rejects.toThrow(
    new DisconnectedError('You have been offline since 9:05 AM. You can make changes once the network is back.'),
  )
  goOnline()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(fetch).not.toHaveBeenCalled()
})
