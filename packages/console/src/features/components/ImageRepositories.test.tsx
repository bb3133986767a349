import { imageRepositoryType } from '@slipway/model/builds/image-repository'
import { labels } from '@slipway/model/labels'
import { aComponent, anApplication } from '@slipway/model/testing'
import { anImageRepository } from '@slipway/model/testing/build-services'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { isDryRun, namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { paths } from '../../paths'

const page = paths.component({ namespace, application: 'checkout', component: 'checkout-api' })
const repository = (over: Parameters<typeof anImageRepository>[0] = {}) =>
  anImageRepository({
    ...over,
    metadata: { name: 'images', labels: { [labels.imageComponent]: 'checkout-api' } },
  })
const open = (images: ReturnType<typeof repository>[], options: Parameters<typeof renderRoute>[1] = {}) =>
  renderRoute(page, { objects: [anApplication(), aComponent(), ...images], ...options })
const fact = async () => {
  const term = await screen.findByText('Who can pull', { selector: 'dt *' })
  return within(term.closest('div') as HTMLElement).getByRole('definition') // Each term has a group of its own.
}

it('makes the images of a component private, and follows until the registry has done it', async () => {
  const isPublic = { image: { name: 'team/checkout-api', visibility: 'public' as const } }
  const { user, cluster } = await open([repository({ spec: isPublic, status: isPublic })])
  await waitFor(async () => expect(await fact()).toHaveTextContent('Public: everyone can pull'))
  await user.click(await screen.findByRole('button', { name: 'Make private' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Make the images private?' }))
  expect(dialog.getByText(/Only clients with credentials will be able to pull/)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Make private' }))
  await waitFor(async () => expect(await fact()).toHaveTextContent('Public: everyone can pull, becomes private'))
  const writes = cluster.calls.filter(({ method, path }) => method === 'PATCH' && path.includes('imagerepositories'))
  expect(writes.map(isDryRun)).toEqual([true, false])
  const stored = await cluster.system.get(imageRepositoryType, 'images', { namespace })
  expect(stored.spec.image).toEqual({ name: 'team/checkout-api', visibility: 'private' })
  await cluster.system.replaceStatus(imageRepositoryType, { ...stored, status: { image: stored.spec.image } })
  await waitFor(async () => expect(await fact()).toHaveTextContent(/^Private: pulled with credentials/))
  expect(await screen.findByRole('button', { name: 'Make public' })).toBeVisible()
})

it('shows why the registry refuses a change', async () => {
  await open([
    repository({
      spec: { image: { visibility: 'private' } },
      status: { image: { visibility: 'public' }, message: 'the plan has no private repositories' },
    }),
  ])
  await waitFor(async () =>
    expect(await fact()).toHaveTextContent(/becomes private.*the plan has no private repositories/),
  )
})

it('cannot be changed without permission, and says why', async () => {
  const { user } = await open([repository()], { as: 'contributor' })
  const button = await screen.findByRole('button', { name: 'Make private' })
  await waitFor(() => expect(button).toHaveAttribute('aria-disabled', 'true'))
  await seeTooltip(user, button, "You don't have access to change who can pull these images")
})

it('says that the images of a component without a repository are not managed', async () => {
  await open([])
  await waitFor(async () => expect(await fact()).toHaveTextContent('Not managed by the platform'))
})

it.each([
  [403, 'Unknown: you may not read image repositories'],
  [422, 'Unknown: confused'],
])('says that it is not known after a response with %d', async (status, text) => {
  await open([repository()], {
    prepare: (faults) =>
      void faults.intercept((path) =>
        path.includes('/imagerepositories') ? Response.json({ message: 'confused' }, { status }) : undefined,
      ),
  })
  await waitFor(async () => expect(await fact()).toHaveTextContent(text))
})
