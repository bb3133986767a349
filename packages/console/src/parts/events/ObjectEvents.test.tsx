import { apiVersionOf } from '@slipway/kube/resource-type'
import { type Event, eventType } from '@slipway/kube/core-types'
import { aComponent } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it, test } from 'vitest'
import { namespace } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { renderElement } from '../../../test/render-element'
import { ObjectEvents } from './ObjectEvents'

const component = aComponent({ metadata: { name: 'api', namespace } })

/** Opens the section with a fake response, as a user who may read events, which no role of the platform includes. */
async function open(respond: () => Response) {
  const { cluster, user } = await renderElement(<ObjectEvents object={component} />, {
    as: 'outsider',
    objects: grantTo({ apiGroups: [''], resources: ['events'], verbs: ['list'] }),
  })
  cluster.faults.intercept((path) => (path.includes('/events?') ? respond() : undefined))
  const asked = () => cluster.calls.filter(({ path }) => path.includes('/events?')).map(({ path }) => path)
  expect(asked()).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Events' }))
  await waitFor(() => expect(asked()[0]).toContain(encodeURIComponent('involvedObject.name=api')))
}

const listOf = (...items: Event[]) => Response.json({ metadata: { resourceVersion: '1' }, items })

const event = (name: string, over: Partial<Event>): Event => ({
  apiVersion: apiVersionOf(eventType),
  kind: eventType.kind,
  metadata: { name, namespace, uid: name },
  involvedObject: { kind: 'Component', name: 'api', namespace },
  ...over,
})

it('lists the events of the object, latest first, once the section is opened', async () => {
  await open(() =>
    listOf(
      event('first', { type: 'Normal', reason: 'Created', message: 'made', lastTimestamp: '2026-01-30T09:00:00Z' }),
      event('last', { type: 'Warning', reason: 'Failed', count: 3, lastTimestamp: '2026-01-31T09:00:00Z' }),
    ),
  )
  const rows = within(await screen.findByRole('table', { name: 'Events' })).getAllByRole('row')
  expect(rows.slice(1).map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^WarningFailed- \(3 times\)/),
    expect.stringMatching(/^NormalCreatedmade/),
  ])
})

it('says when there are no events', async () => {
  await open(() => listOf())
  expect(await screen.findByText('No events. A cluster keeps events for about an hour.')).toBeVisible()
})

test.each([
  [403, 'Restricted Access'],
  [404, '404: Not Found'],
  [422, 'Error Loading events'],
])('ERR-03, ERR-04, ERR-07 a %i is reported in their place: %s', async (status, heading) => {
  await open(() => Response.json({ message: 'the words of the cluster' }, { status }))
  expect(await screen.findByRole('heading', { name: heading })).toBeVisible()
  expect(screen.getByText('the words of the cluster')).toBeVisible()
})
