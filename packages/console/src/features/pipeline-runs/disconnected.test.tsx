import { anApplication, aPipelineRun, condition } from '@slipway/model/testing'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout' }
const runsPath = paths.activityTab({ ...at, activityTab: 'pipelineruns' })
const runPath = paths.pipelineRun({ ...at, pipelineRun: 'going-on' })
const reason = 'The cluster is not responding. You can make changes once it responds again.'

const run = () =>
  aPipelineRun({
    metadata: { name: 'going-on' },
    status: {
      startTime: new Date(Date.now() - 30_000).toISOString(),
      completionTime: undefined,
      conditions: [condition('Succeeded', 'Unknown', 'Running')],
    },
  })

/** A page with an unfinished run, in front of a cluster that can be disconnected and reconnected. */
async function scene(path: string) {
  const { cluster, user, router } = await renderRoute(path, { objects: [anApplication(), run()] })
  await waitFor(() => expect(screen.getByRole('button', { name: 'Live' })).toBeVisible())
  const { faults } = cluster
  let heal = () => {}
  return {
    cluster,
    user,
    router,
    disconnect() {
      heal = faults.intercept((call) =>
        call.startsWith('/api/k8s')
          ? Response.json({ message: 'The cluster is not responding.' }, { status: 503 })
          : undefined,
      )
      faults.areSocketsBlocked = true
      faults.cutSockets()
    },
    reconnect() {
      faults.areSocketsBlocked = false
      heal()
    },
  }
}

const actions = async (name: string) => {
  fireEvent.click(screen.getByRole('button', { name: `Actions for ${name}` }))
  const items = await screen.findAllByRole('menuitem')
  return Object.fromEntries(items.map((item) => [item.firstElementChild?.textContent ?? '', item]))
}

it('an unfinished run appears frozen while the cluster does not respond, and continues afterwards', async () => {
  const { disconnect, reconnect } = await scene(runsPath)
  const row = await screen.findByRole('row', { name: /going-on/ })
  const status = () => within(row).getByText(/^Running/)
  expect(status()).toHaveAttribute('data-spinning', 'true')
  disconnect()
  await waitFor(() => expect(status()).not.toHaveAttribute('data-spinning'))
  expect(status()).toHaveTextContent('Running as last known')
  expect(row).toHaveTextContent(/seconds? as last known/)
  expect(await screen.findByRole('button', { name: /^Updated \d+ s ago$/ })).toBeVisible()
  reconnect()
  await waitFor(() => expect(status()).toHaveAttribute('data-spinning', 'true'))
  expect(row).not.toHaveTextContent('as last known')
  expect(await screen.findByRole('button', { name: 'Live' })).toBeVisible()
})

it.each([runsPath, runPath])(
  'Rerun, Stop and Cancel on %s are disabled while the cluster does not respond, and say why',
  async (path) => {
    const { disconnect, reconnect, user } = await scene(path)
    const found = await actions('going-on')
    const items = ['Rerun', 'Stop', 'Cancel'].map((label) => found[label])
    disconnect()
    await waitFor(() => {
      for (const item of items) expect(item).toHaveAttribute('aria-disabled', 'true')
    })
    await seeTooltip(user, found['Stop'] ?? expect.fail('Stop is not offered'), reason)
    reconnect()
    await waitFor(() => expect(found['Stop']).not.toHaveAttribute('aria-disabled', 'true'))
  },
)

it('a navigation that waits for a response is announced with its destination, and the page opens when it arrives', async () => {
  const { cluster, router } = await scene(runsPath)
  let release = () => {}
  const isHealed = new Promise<void>((resolve) => (release = resolve))
  const held = (path: string, init: RequestInit) => isHealed.then(() => faults.pass(path, init))
  const { faults } = cluster
  const heal = faults.intercept((path, init) => (path.includes('review') ? held(path, init) : undefined))
  act(() => void router.navigate(paths.releasePlans({ namespace })))
  expect(await screen.findByText('Opening release / release plans…')).toBeInTheDocument()
  // A name is shown as it is, even if it is that of a member of every object.
  act(() => void router.navigate(paths.application({ namespace, application: 'constructor' })))
  expect(await screen.findByText('Opening applications / constructor…')).toBeInTheDocument()
  act(() => void router.navigate(paths.access({ namespace })))
  expect(await screen.findByRole('progressbar', { name: 'Loading page' })).toBeInTheDocument()
  expect(await screen.findByText('Opening team-payments / access…')).toHaveRole('status')
  expect(screen.getByRole('main')).toHaveAttribute('aria-busy', 'true')
  expect(await screen.findByText('Still waiting for team-payments / access')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
  heal()
  release()
  expect(await screen.findByRole('heading', { level: 1, name: 'User access' })).toBeVisible()
  expect(screen.queryByText(/Still waiting/)).not.toBeInTheDocument()
})
