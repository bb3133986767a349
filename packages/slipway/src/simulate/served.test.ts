import { createKubeClient } from '@slipway/kube/client'
import { ApiError } from '@slipway/kube/status'
import { manualClock } from '@slipway/kube/testing'
import { customResourceDefinitions } from '@slipway/model/platform-objects'
import { expect, it } from 'vitest'
import { untilServed } from './served'

const definitions = customResourceDefinitions.slice(0, 1)
const established = { conditions: [{ type: 'Established', status: 'True' }] }

/** A server that returns the next of these for each request for a definition, or for its objects. */
function aServer(statuses: object[], lists: number[]) {
  // Responses are read over a few turns of the event loop.
  const clock = manualClock(undefined, async () => {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => void setImmediate(resolve))
  })
  const next = <T>(answers: T[]): T | undefined => (answers.length > 1 ? answers.shift() : answers[0])
  const paths: string[] = []
  const client = createKubeClient({
    baseUrl: '',
    timeoutMs: Infinity,
    fetch: async (input) => {
      const path = String(input)
      paths.push(path)
      if (path.includes('customresourcedefinitions')) {
        return Response.json({ metadata: { name: definitions[0]?.metadata.name }, status: next(statuses) })
      }
      return Response.json({ items: [] }, { status: next(lists) ?? 200 })
    },
  })
  return { client, clock, paths }
}

it('waits until a definition is established and its objects can be listed', async () => {
  const { client, clock, paths } = aServer([{ conditions: null }, {}, established], [404, 404, 200])
  const served = untilServed(client, definitions, clock)
  await clock.advance(10_000)
  await served
  expect(paths.filter((path) => path.includes('customresourcedefinitions'))).toHaveLength(5)
  expect(paths.at(-1)).toBe('/apis/appstudio.redhat.com/v1alpha1/applications?limit=1')
})

it.each([
  [
    'the server’s reason',
    { conditions: [{ type: 'NamesAccepted', status: 'False', message: '"Application" is already in use' }] },
    200,
    '"Application" is already in use',
  ],
  ['the missing version', established, 404, 'there is nothing at /apis/appstudio.redhat.com/v1alpha1/'],
])('gives up after a minute with %s', async (_, status, list, message) => {
  const { client, clock } = aServer([status], [list])
  const served = untilServed(client, definitions, clock)
  const refused = expect(served).rejects.toThrow(
    `The cluster does not serve applications.appstudio.redhat.com: ${message}`,
  )
  await clock.advance(61_000)
  await refused
})

it('rethrows other errors', async () => {
  const { client, clock } = aServer([established], [403])
  await expect(untilServed(client, definitions, clock)).rejects.toThrow(ApiError)
})
