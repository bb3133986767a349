import { copiedPacKey, labels } from '@slipway/model/labels'
import { type ReleasePlan, releasePlanType } from '@slipway/model/releases/release-plan'
import { releaseType } from '@slipway/model/releases/release'
import { type Snapshot, snapshotType } from '@slipway/model/snapshots/snapshot'
import { anApplication, aRelease, condition, type Overrides } from '@slipway/model/testing'
import { aReleasePlan, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout', snapshot: 'shop-1' }
const page = paths.snapshot(at)

const tested: Overrides<Snapshot> = {
  status: {
    conditions: [
      condition('AppStudioTestSucceeded', 'True'),
      condition('AppStudioIntegrationStatus', 'True', 'Finished'),
    ],
  },
}
const snapshot = (more: Overrides<Snapshot> = tested): Snapshot =>
  aSnapshot({ ...more, metadata: { name: 'shop-1', ...more.metadata } })
const plan = (name: string, more: Overrides<ReleasePlan> = {}): ReleasePlan =>
  aReleasePlan({
    status: { releasePlanAdmission: { name: 'managed/prod', active: true } },
    ...more,
    metadata: { name, ...more.metadata },
  })
const manual = { metadata: { labels: { [labels.autoRelease]: 'false' } } }
const released = (name: string, releasePlan: string, status: 'True' | 'False', reason: string) =>
  aRelease({
    metadata: { name },
    spec: { releasePlan, snapshot: 'shop-1' },
    status: { conditions: [condition('Released', status, reason), condition('Validated', status, reason)] },
  })

const section = async () => within(await screen.findByRole('region', { name: 'Release plans' }))
const cellsOf = async (name: string) => {
  const header = await (await section()).findByRole('rowheader', { name })
  const row = header.closest('tr') ?? expect.fail('a header outside of a row')
  return within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent?.trim())
}

describe('the release plans of a snapshot', () => {
  it('say why it has not been released, and offer to release it', async () => {
    await renderRoute(page, {
      objects: [
        anApplication(),
        snapshot(),
        plan('by-hand', manual),
        plan('automatic'),
        plan('blocked', { status: { releasePlanAdmission: { name: 'managed/prod', active: false } } }),
        plan('unmatched', { status: {} }),
        plan('anonymous', {
          metadata: { labels: { [labels.standingAttribution]: 'false', [labels.author]: undefined } },
        }),
        plan('done'),
        plan('invalid'),
        plan('foreign', { spec: { application: 'another' } }),
        released('done-1', 'done', 'True', 'Succeeded'),
        released('invalid-1', 'invalid', 'False', 'Failed'),
      ],
    })
    const plans = await section()
    await plans.findByRole('rowheader', { name: 'by-hand' })
    expect(plans.queryByText('foreign')).not.toBeInTheDocument()
    expect(await cellsOf('by-hand')).toEqual([
      'Manual',
      'No',
      'Matched',
      'Users trigger its releases.',
      'Trigger release',
    ])
    expect(await cellsOf('automatic')).toEqual([
      'Waiting',
      'Yes',
      'Matched',
      'Its required tests have passed. It is about to be released.',
      'Trigger release',
    ])
    expect(await cellsOf('blocked')).toEqual([
      'Blocked',
      'Yes',
      'Blocked',
      'The admission managed/prod blocks all releases. Ask the owners of managed to unblock it.',
      '-',
    ])
    expect((await cellsOf('unmatched')).slice(0, 3)).toEqual(['Blocked', 'Yes', 'Not Matched'])
    expect((await cellsOf('anonymous')).slice(0, 2)).toEqual(['Held back', 'Yes, not attributed'])
    expect(await cellsOf('done')).toEqual([
      'Released',
      'Yes',
      'Matched',
      'The release succeeded: it passed validation.',
      'View release',
    ])
    expect((await cellsOf('invalid'))[3]).toMatch(/^The release is not valid: the release service gives no reason\./)
    expect(plans.getByRole('link', { name: 'View release done-1' })).toHaveAttribute(
      'href',
      paths.release({ ...at, release: 'done-1' }),
    )
    expect(plans.getByRole('link', { name: 'Trigger release with by-hand' })).toHaveAttribute(
      'href',
      `${paths.triggerRelease(at)}?releasePlan=by-hand&snapshot=shop-1`,
    )
    const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it('follow the snapshot, its plans and its releases', async () => {
    const { cluster } = await renderRoute(page, {
      objects: [anApplication(), snapshot({}), plan('to-production')],
    })
    expect(await (await section()).findByText(/^Required tests have not ended\./)).toBeVisible()
    const { system } = cluster
    const stored = await system.get(snapshotType, 'shop-1', { namespace })
    await system.replaceStatus(snapshotType, { ...stored, status: snapshot().status })
    expect(await (await section()).findByText(/^Its required tests have passed\./)).toBeVisible()
    await system.create(
      releaseType,
      aRelease({ metadata: { name: 'new' }, spec: { releasePlan: 'to-production', snapshot: 'shop-1' } }),
    )
    expect(await (await section()).findByText('Releasing')).toBeVisible()
    await system.delete(releasePlanType, 'to-production', { namespace })
    expect(await (await section()).findByText('No release plan releases checkout.')).toBeVisible()
  })

  it('do not release a pull request automatically', async () => {
    const marks = { [copiedPacKey(labels.eventType)]: 'pull_request', [copiedPacKey(labels.pullRequestNumber)]: '7' }
    await renderRoute(page, {
      objects: [anApplication(), snapshot({ ...tested, metadata: { labels: marks } }), plan('to-production')],
    })
    expect(await (await section()).findByText(/^The changes in this snapshot have not been merged\./)).toBeVisible()
  })

  it('TRIG-03 cannot be triggered without permission, which is said', async () => {
    const { user } = await renderRoute(page, {
      as: 'contributor',
      objects: [anApplication(), snapshot(), plan('by-hand', manual)],
    })
    const trigger = await (await section()).findByRole('button', { name: 'Trigger release with by-hand' })
    expect(trigger).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, trigger, "You don't have access to trigger releases")
  })

  it('are reported as forbidden, not as none', async () => {
    await renderRoute(page, {
      as: 'outsider',
      objects: [
        anApplication(),
        snapshot(),
        plan('by-hand', manual),
        ...grantTo({
          apiGroups: [snapshotType.group],
          resources: ['snapshots', 'applications'],
          verbs: ['get', 'list', 'watch'],
        }),
      ],
    })
    expect(await (await section()).findByText('Restricted Access')).toBeVisible()
  })

  it('are shown without the releases if only those cannot be read', async () => {
    await renderRoute(page, {
      as: 'outsider',
      objects: [
        anApplication(),
        snapshot(),
        plan('by-hand', manual),
        ...grantTo({
          apiGroups: [snapshotType.group],
          resources: ['snapshots', 'applications', 'releaseplans'],
          verbs: ['get', 'list', 'watch'],
        }),
      ],
    })
    await waitFor(async () => expect((await cellsOf('by-hand'))[3]).toBe('Its releases could not be read.'))
  })
})
