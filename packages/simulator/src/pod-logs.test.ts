import { createKubeClient } from '@slipway/kube/client'
import { expect, it } from 'vitest'
import { createPodLogs } from './pod-logs'

const pod = { namespace: 'team-payments', name: 'build-pod' }

/** A server that responds to writes of logs with these codes in turn, and with 201 after that. */
function aServer(...codes: number[]) {
  const bodies: unknown[] = []
  const client = createKubeClient({
    baseUrl: '',
    timeoutMs: Infinity,
    fetch: async (_input, init) => {
      bodies.push(init?.body)
      return Response.json({}, { status: codes.shift() ?? 201 })
    },
  })
  return { logs: createPodLogs(client), bodies }
}

it('writes texts in the order of the calls', async () => {
  const { logs, bodies } = aServer()
  await Promise.all(['one', 'two', 'three'].map((text) => logs.write(pod, 'step-a', text, 0)))
  expect([bodies, logs.areStored]).toEqual([['one', 'two', 'three'], true])
})

it('sends only one request to a cluster that does not store logs, even for concurrent writes', async () => {
  const { logs, bodies } = aServer(405, 405, 405)
  await Promise.all(['one', 'two', 'three'].map((text) => logs.write(pod, 'step-a', text, 0)))
  await logs.write(pod, 'step-a', 'four', 0)
  expect([bodies, logs.areStored]).toEqual([['one'], false])
})

it.each([403, 404, 500])('throws an error with code %s, but continues to write other logs', async (code) => {
  const { logs, bodies } = aServer(code)
  const first = logs.write(pod, 'step-a', 'one', 0)
  const second = logs.write(pod, 'step-a', 'two', 0)
  await expect(first).rejects.toMatchObject({ code })
  await second
  expect([bodies, logs.areStored]).toEqual([['one', 'two'], true])
})
