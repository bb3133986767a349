import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { anApplication } from '@slipway/model/testing'
import { paths } from '../src/paths'
import { namespace } from './cluster'
import { renderRoute } from './render-route'

it('renders a screen of the console against a new cluster', async () => {
  const { router } = await renderRoute(paths.applications({ namespace }), {
    objects: [anApplication({ metadata: { name: 'checkout', namespace } })],
  })
  expect(await screen.findByText('checkout')).toBeVisible()
  expect(router.state.location.pathname).toBe(paths.applications({ namespace }))
})
