import { createHash } from 'node:crypto'
import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { applicationType } from '@slipway/model/builds/application'
import { copiedPacKey, labels } from '@slipway/model/labels'
import { releaseType } from '@slipway/model/releases/release'
import { releasePlanType } from '@slipway/model/releases/release-plan'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { anApplication, aRelease, condition } from '@slipway/model/testing'
import { aReleasePlan, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { expect, expectAccessible, signIn, test } from './fixtures'

const application = 'checkout'
const releasePlan = 'checkout-to-production'

/** The search looks in all namespaces, so that each journey needs commits and names of its own. */
const commitsOf = (namespace: string) =>
  ['released', 'newer'].map((commit) => createHash('sha1').update(`${namespace} ${commit}`).digest('hex'))
const releaseOf = (namespace: string) => `${namespace}-r1`

/** A plan that has released the first of two snapshots; the tests of the second have failed. */
async function createReleased(system: KubeClient, namespace: string) {
  const [released = '', newer = ''] = commitsOf(namespace)
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  await system.create(releasePlanType, aReleasePlan({ metadata: { name: releasePlan, namespace } }))
  for (const [name, sha, passed] of [
    ['checkout-1', released, 'True'],
    ['checkout-2', newer, 'False'],
  ] as const) {
    const snapshot = aSnapshot({
      metadata: { name, namespace, labels: { [copiedPacKey(labels.commitSha)]: sha } },
      spec: {
        components: [
          {
            name: 'checkout-api',
            containerImage: `registry.test/checkout-api@sha256:${sha.slice(0, 32).repeat(2)}`,
            source: { git: { url: 'https://git.slipway.test/payments/checkout-api', revision: sha } },
          },
        ],
      },
    })
    const created = await system.create(snapshotType, snapshot)
    const conditions = [
      condition('AppStudioTestSucceeded', passed),
      condition('AppStudioIntegrationStatus', 'True', 'Finished'),
    ]
    await system.replaceStatus(snapshotType, { ...created, status: { conditions } })
  }
  const created = await system.create(
    releaseType,
    aRelease({ metadata: { name: releaseOf(namespace), namespace }, spec: { releasePlan, snapshot: 'checkout-1' } }),
  )
  await system.replaceStatus(releaseType, {
    ...created,
    status: {
      conditions: [condition('Released', 'True', 'Succeeded')],
      completionTime: new Date().toISOString(),
      artifacts: { images: [{ name: 'checkout-api', urls: ['registry.test/released/checkout-api:1'] }] },
    },
  })
  return { released, newer }
}

test('what is in production, and which commit, is one click from the overview', async ({ page, namespace, system }) => {
  const { released, newer } = await createReleased(system, namespace)
  await signIn(page, 'admin', paths.overview())
  const card = page.getByRole('region', { name: 'Last releases' })
  await card.getByRole('listitem').filter({ hasText: namespace }).getByRole('link', { name: releasePlan }).click()
  await expect(page).toHaveURL(paths.releasePlan({ namespace, releasePlan }))
  const components = page.getByRole('table', { name: 'Components' })
  await expect(components.getByRole('link', { name: released.slice(0, 7) })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Newer snapshots' })).toContainText('Required tests have not passed.')
  await expectAccessible(page, 'release-plan')

  await page.getByRole('tab', { name: 'Compare' }).click()
  const changes = page.getByRole('table', { name: 'Changes' })
  await expect(changes.getByRole('link', { name: newer.slice(0, 7) })).toBeVisible()
  await expectAccessible(page, 'release-plan-comparison')
})

test('the chain of anything that is pasted appears, with the keyboard alone', async ({ page, namespace, system }) => {
  const { released } = await createReleased(system, namespace)
  await signIn(page, 'admin', paths.search())
  const input = page.getByRole('textbox', { name: /^Commit, digest/ })
  for (const pasted of [releaseOf(namespace), released]) {
    await input.focus()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText(pasted)
    await page.keyboard.press('Enter')
    const chain = page.getByLabel(`Chain of ${released.slice(0, 12)}`)
    await expect(chain).toContainText('checkout-1')
    await expect(chain).toContainText(releaseOf(namespace))
    await expect(chain).toContainText('registry.test/released/checkout-api:1')
    await expect(chain).toContainText('No build of it is in the cluster.')
  }
  await expectAccessible(page, 'search-chain')
})
