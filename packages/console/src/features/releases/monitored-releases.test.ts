import { nameOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { aRelease } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { markLatest } from './monitored-releases'

const release = (name: string, hour: number, component?: string, namespace = 'team-a') =>
  aRelease({
    metadata: {
      name,
      namespace,
      creationTimestamp: `2026-01-31T0${hour}:00:00Z`,
      labels: component ? { [labels.component]: component } : {},
    },
  })
const latest = (rows: ReturnType<typeof markLatest>['rows']) =>
  rows.filter(({ isLatest }) => isLatest).map(({ release }) => nameOf(release))

it('MON-08 the latest release of a component is the newest in its namespace', () => {
  const { rows } = markLatest([
    release('api-1', 1, 'api'),
    release('api-3', 3, 'api'),
    release('api-2', 2, 'api'),
    release('web-1', 1, 'web'),
    release('other-api-1', 1, 'api', 'team-b'),
    release('bare-1', 1),
    release('bare-2', 2),
  ])
  expect(latest(rows)).toEqual(['api-3', 'web-1', 'other-api-1', 'bare-1', 'bare-2'])
})

it('only the rows that a new release changes are new', () => {
  const releases = [release('api-1', 1, 'api'), release('web-1', 1, 'web')]
  const before = markLatest(releases)
  expect(markLatest(releases, before)).toBe(before)
  const { rows } = markLatest([...releases, release('api-2', 2, 'api')], before)
  expect(rows[0]).not.toBe(before.rows[0])
  expect(rows[1]).toBe(before.rows[1])
  expect(latest(rows)).toEqual(['web-1', 'api-2'])
})
