import { nameOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { aRelease } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { joinArchived } from './monitored-releases'

const release = (name: string, hour: number, component?: string, namespace = 'team-a') =>
  aRelease({
    metadata: {
      name,
      uid: `${namespace}/${name}`,
      namespace,
      creationTimestamp: `2026-01-31T0${hour}:00:00Z`,
      labels: component ? { [labels.component]: component } : {},
    },
  })
const rowsOf = (current: Parameters<typeof release>[], archived: Parameters<typeof release>[], isLatestOnly: boolean) =>
  joinArchived({
    current: current.map((each) => release(...each)),
    archived: archived.map((each) => release(...each)),
    isLatestOnly,
  }).rows?.map(nameOf)

it('MON-08 the latest release of a component is the newest in its namespace, wherever it is', () => {
  const current: Parameters<typeof release>[] = [
    ['api-3', 3, 'api'],
    ['api-2', 2, 'api'],
    ['bare-2', 2],
  ]
  const archived: Parameters<typeof release>[] = [
    ['api-1', 1, 'api'],
    ['web-1', 1, 'web'],
    ['other-api-1', 1, 'api', 'team-b'],
    ['bare-1', 1],
  ]
  expect(rowsOf(current, archived, true)?.sort()).toEqual(['api-3', 'bare-1', 'bare-2', 'other-api-1', 'web-1'])
})

it('a release that is in the cluster and in the archive is one row, and the same rows are not joined again', () => {
  const [current, archived] = [[release('api-1', 1, 'api')], [release('api-1', 1, 'api'), release('web-1', 1, 'web')]]
  const joining = { current, archived, isLatestOnly: false }
  const joined = joinArchived(joining)
  expect(joined.rows?.map(nameOf).sort()).toEqual(['api-1', 'web-1'])
  expect(joined.rows?.find((row) => nameOf(row) === 'api-1')).toBe(current[0])
  expect(joinArchived(joining, joined)).toBe(joined)
})
