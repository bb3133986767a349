import { QueryObserver } from '@tanstack/react-query'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startApi } from '../../test/render-route'
import { configureApi } from '../api/client'
import { queryClient } from '../api/query-client'
import { banners } from './banners'
import { notifications } from './notifications'

const minuteMs = 60_000

/** How many requests a query on screen sends in half an hour, if every response has this status. */
async function callsInHalfAnHour(
  query: ReturnType<typeof banners.list> | ReturnType<typeof notifications.list>,
  status: number,
) {
  vi.useFakeTimers()
  let calls = 0
  configureApi({
    baseUrl: '',
    fetch: () => {
      calls++
      return Promise.resolve(Response.json({ metadata: {}, items: [] }, { status }))
    },
  })
  startApi()
  // The observer does not depend on the type of the data.
  const observer = new QueryObserver(queryClient, query as ReturnType<typeof banners.list>)
  onTestFinished(observer.subscribe(() => {}))
  await vi.advanceTimersByTimeAsync(30 * minuteMs)
  return calls
}

it('the banner is read again every five minutes', async () =>
  expect(await callsInHalfAnHour(banners.list(), 200)).toBe(7))

it('notifications are read again every minute', async () =>
  expect(await callsInHalfAnHour(notifications.list(), 200)).toBe(31))

it('NOTE-19 notifications that the user may not read are not requested again', async () =>
  expect(await callsInHalfAnHour(notifications.list(), 403)).toBe(1))
