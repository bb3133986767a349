import { labels } from '@slipway/model/labels'
import type { Release } from '@slipway/model/releases/release'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { anApplication, aRelease, condition } from '@slipway/model/testing'
import { aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { renderElement } from '../../../test/render-element'
import { paths } from '../../paths'
import { ReleaseContents } from './ReleaseContents'

const at = { namespace, application: 'checkout' }

const snapshot = (name: string, digit: string): Snapshot =>
  aSnapshot({
    metadata: { name },
    spec: {
      components: [{ name: 'checkout-api', containerImage: `registry.slipway.test/api@sha256:${digit.repeat(64)}` }],
    },
  })
const earlier = aRelease({
  metadata: { name: 'first' },
  spec: { snapshot: 'shop-1' },
  status: { conditions: [condition('Released', 'True', 'Succeeded')] },
})
/** Later than everything that the cluster of a test has created. */
const release = (of: string): Release =>
  aRelease({
    metadata: {
      name: 'second',
      creationTimestamp: '2100-01-01T00:00:00Z',
      labels: { [labels.application]: 'checkout' },
    },
    spec: { snapshot: of },
  })

describe('the contents of a release', () => {
  it('are compared with the previous successful release of the plan', async () => {
    await renderElement(<ReleaseContents release={release('shop-2')} at={at} />, {
      objects: [anApplication(), snapshot('shop-1', 'a'), snapshot('shop-2', 'b'), earlier],
    })
    expect(await screen.findByRole('link', { name: 'first' })).toHaveAttribute(
      'href',
      paths.release({ ...at, release: 'first' }),
    )
    expect(await screen.findByRole('rowheader', { name: /checkout-api/ })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Copy as Markdown' })).toBeVisible()
    const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it('are those of the previous release if the snapshot is the same', async () => {
    await renderElement(<ReleaseContents release={release('shop-1')} at={at} />, {
      objects: [anApplication(), snapshot('shop-1', 'a'), earlier],
    })
    expect(await screen.findByText(/^It contains the same snapshot as/)).toBeVisible()
  })

  it('are not compared if no earlier release has succeeded', async () => {
    await renderElement(<ReleaseContents release={release('shop-1')} at={at} />, {
      objects: [anApplication(), snapshot('shop-1', 'a')],
    })
    expect(await screen.findByText(/^No earlier release of checkout-to-production has succeeded/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'shop-1' })).toHaveAttribute(
      'href',
      paths.snapshot({ ...at, snapshot: 'shop-1' }),
    )
  })

  it('are compared with an archived release if the cluster has none that succeeded', async () => {
    const archive = await fakeArchive([
      {
        ...earlier,
        metadata: { ...earlier.metadata, uid: 'first', namespace, creationTimestamp: '2026-01-31T09:00:00Z' },
      },
    ])
    await renderElement(<ReleaseContents release={release('shop-1')} at={at} />, {
      objects: [anApplication(), snapshot('shop-1', 'a')],
      archives: { kubeArchive: archive.plugin },
    })
    expect(await screen.findByRole('link', { name: 'first' })).toBeVisible()
  })

  it('are not said to be the first if the archive cannot be read', async () => {
    const archive = await fakeArchive()
    archive.failure = 422
    await renderElement(<ReleaseContents release={release('shop-1')} at={at} />, {
      objects: [anApplication(), snapshot('shop-1', 'a')],
      archives: { kubeArchive: archive.plugin },
    })
    expect(await screen.findByText(/^No earlier release of checkout-to-production is known to have/)).toBeVisible()
  })

  it('are reported as missing if the earlier snapshot has been deleted', async () => {
    await renderElement(<ReleaseContents release={release('shop-2')} at={at} />, {
      objects: [anApplication(), snapshot('shop-2', 'b'), earlier],
    })
    expect(await screen.findByText('404: Not Found')).toBeVisible()
    expect(screen.getByText(/shop-1/)).toBeVisible()
  })

  it('are not reported as new if the earlier releases cannot be read', async () => {
    await renderElement(<ReleaseContents release={release('shop-1')} at={at} />, { as: 'outsider' })
    expect(await screen.findByText('Restricted Access')).toBeVisible()
  })
})
