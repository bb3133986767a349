import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { componentType } from '@slipway/model/builds/component'
import { releaseType } from '@slipway/model/releases/release'
import { releasePlanType } from '@slipway/model/releases/release-plan'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { aComponent, aPipelineRun, aRelease, condition } from '@slipway/model/testing'
import { aReleasePlan, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { activity, application, createApplication, detail, rowOf } from './builds'
import { expect, signIn, test } from './fixtures'

const component = 'checkout-api'
const plan = 'by-hand'
const title = 'Round half up, as the tax office does'

/** Creates a snapshot of one image, the build of that image, and a release that has succeeded. */
async function createReleased(
  system: KubeClient,
  namespace: string,
  name: string,
  digit: string,
  completionTime: string,
): Promise<void> {
  const revision = digit.repeat(40)
  const image = `registry.slipway.test/payments/${component}@sha256:${digit.repeat(64)}`
  const commit = { [labels.commitSha]: revision }
  await system.create(
    snapshotType,
    aSnapshot({
      metadata: {
        name,
        namespace,
        labels: { [copiedPacKey(labels.commitSha)]: revision, [labels.application]: application },
      },
      spec: {
        application,
        components: [
          {
            name: component,
            containerImage: image,
            source: { git: { url: `https://github.com/payments/${component}`, revision } },
          },
        ],
      },
    }),
  )
  await system.create(
    pipelineRunType,
    aPipelineRun({
      metadata: {
        name: `build-of-${name}`,
        namespace,
        labels: commit,
        annotations: { [labels.snapshot]: name, [annotations.pacShaTitle]: `${title} (${name})` },
      },
    }),
  )
  const created = await system.create(
    releaseType,
    aRelease({
      metadata: { name: `release-of-${name}`, namespace, labels: { [labels.application]: application } },
      spec: { releasePlan: plan, snapshot: name },
    }),
  )
  await system.replaceStatus(releaseType, {
    ...created,
    status: { completionTime, conditions: [condition('Released', 'True', 'Succeeded')] },
  })
}

test(
  'a commit leads to its snapshot, that to what has changed since the last release, and to its own release',
  { tag: '@cluster' },
  async ({ page, namespace, system }) => {
    await createApplication(system, namespace)
    await system.create(componentType, aComponent({ metadata: { name: component, namespace } }))
    await system.create(
      releasePlanType,
      aReleasePlan({ metadata: { name: plan, namespace }, spec: { application, target: namespace } }),
    )
    await createReleased(system, namespace, 'first', 'a', '2026-01-01T09:00:00Z')
    await createReleased(system, namespace, 'second', 'b', '2026-01-02T09:00:00Z')

    await signIn(page, 'contributor', activity(namespace, 'latest-commits'))
    await rowOf(page, 'Commits', `${title} (second)`)
      .getByRole('link', { name: `${title} (second)` })
      .click()
    await detail(page, 'Snapshots').getByRole('link', { name: 'second' }).click()
    await expect(page.getByRole('link', { name: 'View release release-of-second' })).toBeVisible()

    await page.getByRole('tab', { name: 'Changes' }).click()
    await expect(page.getByText('Released last')).toBeVisible()
    await expect(detail(page, 'Components')).toHaveText('1 changed')
    const row = rowOf(page, 'Changes', component)
    await expect(row).toContainText(/aaaaaaa →.* bbbbbbb/)
    await expect(row.getByRole('link', { name: /^Compare/ })).toHaveAttribute(
      'href',
      `https://github.com/payments/${component}/compare/${'a'.repeat(40)}...${'b'.repeat(40)}`,
    )

    await page.getByRole('tab', { name: 'Overview' }).click()
    await page.getByRole('link', { name: 'View release release-of-second' }).click()
    await expect(page).toHaveURL(paths.release({ namespace, application, release: 'release-of-second' }))
    // The release before it is the one that carried the first snapshot.
    await expect(page.getByText(/^Compared with/)).toContainText('release-of-first')
    await expect(detail(page, 'Components')).toHaveText('1 changed')
  },
)
