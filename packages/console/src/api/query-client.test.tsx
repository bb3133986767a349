import { anApplication } from '@slipway/model/testing'
import { configure, screen } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import { namespace } from '../../test/cluster'
import { renderRoute } from '../../test/render-route'
import { paths } from '../paths'

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
