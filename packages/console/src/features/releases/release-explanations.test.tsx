import { labels } from '@slipway/model/labels'
import { releaseType } from '@slipway/model/releases/release'
import { anApplication, aRelease, condition } from '@slipway/model/testing'
import { aReleasePlan, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout', release: 'checkout-x4k2p' }

it('a release says which stage holds it up while it goes on, and what is in it', async () => {
  const progressing = [condition('Released', 'False', 'Progressing'), condition('Validated', 'True', 'Succeeded')]
  const { cluster } = await renderRoute(paths.release(at), {
    objects: [
      anApplication(),
      aSnapshot({ metadata: { name: 'checkout-snapshot' } }),
      aReleasePlan(),
      aRelease({
        metadata: { labels: { [labels.application]: 'checkout' } },
        status: { conditions: [...progressing, condition('ManagedPipelineProcessed', 'False', 'Progressing')] },
      }),
    ],
  })
  const stages = within(await screen.findByRole('region', { name: 'Stages' }))
  expect(await stages.findByText('The managed pipeline is running.')).toBeVisible()
  const contents = within(screen.getByRole('region', { name: 'Contents' }))
  expect(await contents.findByText(/^No earlier release of checkout-to-production has succeeded/)).toBeVisible()
  const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } })
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])

  const stored = await cluster.system.get(releaseType, at.release, { namespace })
  const released = [
    condition('Released', 'True', 'Succeeded'),
    condition('ManagedPipelineProcessed', 'True', 'Succeeded'),
  ]
  await cluster.system.replaceStatus(releaseType, { ...stored, status: { conditions: released } })
  expect(await stages.findByText('The release succeeded: it passed validation and the managed pipeline.')).toBeVisible()
})
