import { ApiError } from '@slipway/kube/status'
import { anApplication } from '@slipway/model/testing'
import { configure, screen } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { namespace } from '../../test/cluster'
import { renderRoute } from '../../test/render-route'
import { paths } from '../paths'
import { createQueryClient } from './query-client'

it('a server is not asked again before the time that its Retry-After names', async () => {
  vi.useFakeTimers()
  const read = vi.fn(() => Promise.resolve('rows'))
  read.mockRejectedValueOnce(new ApiError({ code: 429, message: 'too many requests', url: '/', retryAfter: '7' }))
  const reading = createQueryClient().fetchQuery({ queryKey: ['limited'], queryFn: read })
  await vi.advanceTimersByTimeAsync(6_999)
  expect(read).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await reading).toBe('rows')
})

it.each([
  ['the overview', paths.overview(), 'Overview'],
  ['a list', paths.applications({ namespace }), 'Applications'],
  ['an application', paths.application({ namespace, application: 'checkout' }), 'checkout'],
])("%s renders in React's strict mode, as it does on the development server", async (_, path, title) => {
  configure({ reactStrictMode: true })
  onTestFinished(() => configure({ reactStrictMode: false }))
  await renderRoute(path, { objects: [anApplication()] })
  expect(await screen.findByRole('heading', { level: 1, name: new RegExp(title) })).toBeVisible()
})
