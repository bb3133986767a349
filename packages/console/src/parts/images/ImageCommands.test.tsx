import { publicInfoLocation } from '@slipway/model/platform/public-info'
import { aConfigMap, aComponent, anApplication, aPipelineRun, condition } from '@slipway/model/testing'
import { aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { namespace, type Faults } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout' }
const digest = `sha256:${'a'.repeat(64)}`
const image = `registry.slipway.test/payments/api:1@${digest}`
const objects = [
  anApplication(),
  aComponent({
    metadata: { name: 'api' },
    spec: { containerImage: 'registry.slipway.test/payments/api' },
    status: { lastPromotedImage: image },
  }),
]
const page = paths.component({ ...at, component: 'api' })

/** The platform's public info; an error without one. */
const withInfo = (info?: object) => (faults: Faults) =>
  void faults.intercept((path) => {
    if (!path.endsWith(publicInfoLocation.name)) return undefined
    const map = aConfigMap({ metadata: publicInfoLocation, data: { 'info.json': JSON.stringify(info) } })
    return info ? Response.json(map) : Response.json({ message: 'no such map' }, { status: 404 })
  })
const imageProxy = { url: 'https://images.slipway.test', oauthPath: '/oauth' }

type Actor = Awaited<ReturnType<typeof renderRoute>>['user']
async function open(user: Actor) {
  await user.click(await screen.findByRole('button', { name: 'Pull image' }))
  return within(await screen.findByRole('dialog', { name: 'Pull image' }))
}
type Opened = Awaited<ReturnType<typeof open>>
const commandsIn = (dialog: Opened, section: string) =>
  within(dialog.getByRole('region', { name: section }))
    .getAllByRole('definition')
    .map((each) => each.textContent.trim())

describe('the commands for the image of a component', () => {
  it('log in to its registry, pull it by its digest and show what is attached to it, each to be copied', async () => {
    const { user } = await renderRoute(page, { objects, prepare: withInfo({}) })
    const dialog = await open(user)
    const pinned = `registry.slipway.test/payments/api@${digest}`
    expect(commandsIn(dialog, 'From the registry')).toEqual([
      pinned,
      'podman login registry.slipway.test',
      'docker login registry.slipway.test',
      `podman pull ${pinned}`,
      `skopeo inspect docker://${pinned}`,
      `cosign tree ${pinned}`,
      `cosign download attestation ${pinned}`,
    ])
    expect(dialog.queryByRole('region', { name: 'Through the image proxy' })).not.toBeInTheDocument()
    await user.click(dialog.getByRole('button', { name: 'Copy command: Pull' }))
    expect(await navigator.clipboard.readText()).toBe(`podman pull ${pinned}`)
  })

  it('use the image proxy of the platform if it has one, with a link to its tokens', async () => {
    const { user } = await renderRoute(page, { objects, prepare: withInfo({ imageProxy }) })
    const dialog = await open(user)
    await dialog.findByRole('region', { name: 'Through the image proxy' })
    const proxied = `images.slipway.test/payments/api@${digest}`
    expect(commandsIn(dialog, 'Through the image proxy').slice(0, 4)).toEqual([
      proxied,
      'podman login -u unused images.slipway.test',
      'docker login -u unused images.slipway.test',
      `podman pull ${proxied}`,
    ])
    expect(dialog.getByRole('link', { name: /token of the proxy/ })).toHaveAttribute(
      'href',
      'https://images.slipway.test/oauth',
    )
  })

  it('are those of the registry if the public info cannot be read, which the dialog says', async () => {
    const { user } = await renderRoute(page, { objects, prepare: withInfo() })
    const dialog = await open(user)
    expect(await dialog.findByRole('heading', { name: 'Unable to load the image proxy' })).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Try again' })).toBeVisible()
    expect(commandsIn(dialog, 'From the registry')).toContain('podman login registry.slipway.test')
  })
})

it('the image of a component of a snapshot has commands, unless it is not the address of an image', async () => {
  const snapshot = aSnapshot({
    metadata: { name: 'shop-1' },
    spec: {
      components: [
        { name: 'api', containerImage: image },
        { name: 'web', containerImage: '$(reboot).test/web' },
      ],
    },
  })
  const { user } = await renderRoute(paths.snapshot({ ...at, snapshot: 'shop-1' }), {
    objects: [anApplication(), snapshot],
    prepare: withInfo({}),
  })
  const openMenu = async (name: string) => {
    await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
    await user.click(await screen.findByRole('menuitem', { name: 'Pull image' }))
    return within(await screen.findByRole('dialog', { name: 'Pull image' }))
  }
  expect(commandsIn(await openMenu('api'), 'From the registry')).toContain('podman login registry.slipway.test')
  await user.keyboard('{Escape}')
  const dialog = await openMenu('web')
  expect(dialog.getByText(/this is not the address of an image/)).toHaveTextContent('$(reboot).test/web')
  expect(dialog.queryByText(/podman/)).not.toBeInTheDocument()
})

it('the result of a run that is an image has commands for the image by its digest', async () => {
  const run = aPipelineRun({
    metadata: { name: 'api-on-push', namespace },
    status: {
      conditions: [condition('Succeeded', 'True')],
      results: [
        { name: 'IMAGE_URL', value: 'registry.slipway.test/payments/api:1' },
        { name: 'IMAGE_DIGEST', value: digest },
      ],
    },
  })
  const { user } = await renderRoute(paths.pipelineRun({ ...at, pipelineRun: 'api-on-push' }), {
    objects: [anApplication(), run],
    prepare: withInfo({}),
  })
  const dialog = await open(user)
  expect(commandsIn(dialog, 'From the registry')).toContain(`podman pull registry.slipway.test/payments/api@${digest}`)
})
