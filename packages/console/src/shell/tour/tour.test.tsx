import { configMapType } from '@slipway/kube/core-types'
import { publicInfoLocation } from '@slipway/model/platform/public-info'
import type { TourStep } from '@slipway/model/platform/tour'
import { aConfigMap } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { queryClient } from '../../api/query-client'
import { tourQuery } from '../../parts/tour/tour'
import { tourProgress } from '../../parts/tour/tour-progress'
import { paths } from '../../paths'

const tour: TourStep[] = [
  { title: 'Applications', text: 'What a team ships.', path: paths.applications({ namespace }) },
  { title: 'Builds', text: 'What failed.', path: `${paths.pipelineRuns({ namespace })}?status=Failed` },
  { title: 'Secrets', text: 'What builds use.', path: paths.secrets({ namespace }) },
]

/** Renders the overview of a platform with a tour. */
async function overviewWithTour(options: Parameters<typeof renderRoute>[1] & { steps?: TourStep[] } = {}) {
  const { steps = tour, ...others } = options
  const info = aConfigMap({ metadata: publicInfoLocation, data: { 'info.json': JSON.stringify({ tour: steps }) } })
  const view = await renderRoute(paths.overview(), {
    ...others,
    prepare: (faults) =>
      void faults.intercept((path) =>
        path.endsWith(`/${configMapType.plural}/${publicInfoLocation.name}`) ? Response.json(info) : undefined,
      ),
  })
  await screen.findByRole('heading', { name: 'Overview', level: 1 })
  return view
}

const panel = () => screen.findByRole('complementary', { name: 'Tour' })
const offer = () => screen.queryByRole('heading', { name: 'New here? Take the tour' })

it('the overview offers a tour, which leads from page to page and is not offered again once it has ended', async () => {
  const { user, router } = await overviewWithTour()
  await user.click(await screen.findByRole('button', { name: 'Start the tour' }))
  expect(await panel()).toHaveTextContent(/Applications.*What a team ships\..*Step 1 of 3/)
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.applications({ namespace })))
  await waitFor(async () => expect(await panel()).toHaveFocus())
  expect(screen.getByRole('button', { name: 'Back' })).toHaveAttribute('aria-disabled', 'true')

  await user.click(screen.getByRole('button', { name: 'Next' }))
  expect(await screen.findByRole('heading', { name: 'Builds', level: 2 })).toBeVisible()
  await waitFor(() => expect(router.state.location.search).toBe('?status=Failed'))
  // The next step is one key away.
  expect(screen.getByRole('button', { name: 'Next' })).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(await within(await panel()).findByRole('heading', { name: 'Secrets' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'End tour' })).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Back' }))
  expect(await screen.findByRole('heading', { name: 'Builds', level: 2 })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Next' }))
  await user.click(await screen.findByRole('button', { name: 'Finish' }))
  expect(screen.queryByRole('complementary', { name: 'Tour' })).not.toBeInTheDocument()
  expect(tourProgress.get()).toBe('ended')

  await router.navigate(paths.overview())
  await screen.findByRole('heading', { name: 'Overview', level: 1 })
  expect(offer()).not.toBeInTheDocument()
})

it('declining the tour moves the focus to the heading, and the Help menu still has the tour', async () => {
  const { user, router } = await overviewWithTour()
  await user.click(await screen.findByRole('button', { name: 'No, thanks' }))
  expect(offer()).not.toBeInTheDocument()
  expect(screen.getByRole('heading', { name: 'Overview', level: 1 })).toHaveFocus()
  await user.click(await screen.findByRole('button', { name: 'Help' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Take the tour' }))
  expect(await panel()).toHaveTextContent('Step 1 of 3')
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.applications({ namespace })))
})

it('ending the tour early moves the focus to the heading of the page', async () => {
  const { user } = await overviewWithTour()
  await user.click(await screen.findByRole('button', { name: 'Start the tour' }))
  await screen.findByRole('heading', { name: 'Applications', level: 1 })
  await user.click(await screen.findByRole('button', { name: 'End tour' }))
  expect(screen.getByRole('heading', { name: 'Applications', level: 1 })).toHaveFocus()
  expect(tourProgress.get()).toBe('ended')
})

it.each<[string, Parameters<typeof overviewWithTour>[0]]>([
  ['on a platform without one', { steps: [] }],
  ['to a user who may not see what it shows', { as: 'outsider' }],
])('no tour is offered %s', async (_, options) => {
  const { user } = await overviewWithTour(options)
  await user.click(await screen.findByRole('button', { name: 'Help' }))
  expect(await screen.findByRole('menuitem', { name: 'Keyboard shortcuts' })).toBeVisible()
  await waitFor(() => expect(queryClient.getQueryData(tourQuery.queryKey)).toEqual([]))
  expect(offer()).not.toBeInTheDocument()
  expect(screen.queryByRole('menuitem', { name: 'Take the tour' })).not.toBeInTheDocument()
})

it('the Help menu opens the keyboard shortcuts', async () => {
  const { user } = await renderRoute(paths.overview())
  await user.click(await screen.findByRole('button', { name: 'Help' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Keyboard shortcuts' }))
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})

it.each([[-1], [0.5], ['other'], [{}]])('a stored progress of %j counts as none', (value) => {
  localStorage.setItem('slipway-tour', JSON.stringify(value))
  expect(tourProgress.get()).toBeUndefined()
})
