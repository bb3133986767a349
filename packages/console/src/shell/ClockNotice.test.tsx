import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { configureApi, send } from '../api/client'
import { observeServerDate } from '../lib/server-clock'
import { ClockNotice } from './ClockNotice'
import { Duration } from '../parts/text/Duration'
import { RelativeTime } from '../ui/text/RelativeTime'

const minuteMs = 60_000
const now = () => new Date().toUTCString()
const after = (ms: number) => new Date(Date.now() + ms)

beforeEach(() => onTestFinished(() => observeServerDate(now(), Date.now())))

async function receive(path: string, date: Date) {
  const { fetch } = globalThis
  onTestFinished(() => configureApi({ fetch: (input, init) => fetch(input, init) }))
  configureApi({ fetch: () => Promise.resolve(new Response(null, { headers: { date: date.toUTCString() } })) })
  await act(() => send(path))
}

it.each([
  ['slow', 10 * minuteMs],
  ['fast', -10 * minuteMs],
])('TIME-04 ages and durations are right on a computer whose clock is %s, which is said once', async (word, byMs) => {
  const startedAt = after(byMs - 5.5 * minuteMs).toISOString()
  render(
    <>
      <ClockNotice />
      <RelativeTime time={startedAt} />
      <Duration from={startedAt} />
    </>,
  )
  expect(screen.queryByText('5m ago')).not.toBeInTheDocument()
  await receive('/api/k8s/apis/tekton.dev/v1/namespaces/team/pipelineruns', after(byMs))
  expect(screen.getByText('5m ago')).toBeVisible()
  expect(screen.getByText(/^5m \d+s$/)).toBeVisible()
  expect(screen.getByText(`The clock of this computer is 10 minutes ${word}`)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: /^Close/ }))
  await receive('/api/k8s/api/v1/namespaces', after(byMs - 2 * minuteMs))
  expect(screen.queryByText(/^The clock of this computer/)).not.toBeInTheDocument()
})

it('the clock of a plugin or of the gateway is not that of the cluster', async () => {
  render(<ClockNotice />)
  await receive('/api/k8s/plugins/tekton-results/workspaces', after(10 * minuteMs))
  await receive('/oauth2/userinfo', after(10 * minuteMs))
  expect(screen.queryByText(/^The clock of this computer/)).not.toBeInTheDocument()
})
