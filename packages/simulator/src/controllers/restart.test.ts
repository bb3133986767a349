import { eventType, type Event } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { aRun, aTask, dumpOf, startRun } from '../../test/runs'

const run = aRun(
  {
    tasks: [
      aTask('clone', {}, ['commit']),
      aTask('build', {
        params: [{ name: 'commit', value: '$(tasks.clone.results.commit)' }],
        matrix: { params: [{ name: 'PLATFORM', value: ['linux/amd64', 'linux/arm64'] }] },
        retries: 1,
      }),
      aTask('scan', { runAfter: ['build'], when: [{ input: 'a', operator: 'in', values: ['b'] }] }),
    ],
    finally: [aTask('summary')],
  },
  {},
  { build: 'flaky' },
)
type Dump = [objects: KubeObject[][], logs: Record<string, string>]
const durationMs = 240_000

async function uninterrupted(seed?: string): Promise<string> {
  const { world } = await startRun(run, [], seed)
  await world.advance(durationMs)
  const dump = await dumpOf(world)
  await world.close()
  return dump
}

it('creates the same world from the same seed, byte for byte', async () => {
  const first = await uninterrupted()
  expect(await uninterrupted()).toBe(first)
  expect(await uninterrupted('another')).not.toBe(first)
})

/** Removes the random names of the volumes that the server adds to pods. */
const withoutRandomNames = (dump: string): string => dump.replace(/kube-api-access-\w{5}/g, 'kube-api-access')

/**
 * Replaces uids and names of events, which contain uids. The server draws a random end for each new watch, which
 * changes the uids of later objects.
 */
function withoutIds(dump: string): string {
  const ids = new Map<string, string>()
  const numberOf = (id: string) => ids.get(id) ?? ids.set(id, `id-${ids.size}`).get(id) ?? ''
  const [lists, logs] = JSON.parse(withoutRandomNames(dump)) as Dump
  const objects = lists.flat()
  const text = (about: unknown) =>
    JSON.stringify(about, undefined, 1).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, numberOf)
  const runs = text([objects.filter(({ kind }) => kind !== eventType.kind), logs])
  const events = objects
    .filter(({ kind }) => kind === eventType.kind)
    .map(({ metadata, ...event }) => text({ ...event, created: metadata.creationTimestamp }))
  return [runs, ...events.sort()].join('\n')
}

it('ends in the same state after restarts at any time', async () => {
  const expected = withoutIds(await uninterrupted())
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: durationMs }), { minLength: 1, maxLength: 4 }),
      async (moments) => {
        const { world } = await startRun(run)
        let nowMs = 0
        for (const atMs of moments.sort((a, b) => a - b)) {
          await world.advance(atMs - nowMs)
          nowMs = atMs
          await world.restart()
        }
        await world.advance(durationMs - nowMs)
        expect(withoutIds(await dumpOf(world))).toBe(expected)
        await world.close()
      },
    ),
    { numRuns: 8 },
  )
})

/** Removes all times, since it takes a moment until a killed simulator continues. */
function timeless(dump: string): unknown {
  const [lists, logs] = JSON.parse(withoutRandomNames(dump)) as Dump
  const isTime = (key: string) => /time|At$|uid|^(resourceVersion|managedFields|ownerReferences)$/i.test(key)
  const objects = lists.flat()
  const events = objects
    .filter((object): object is Event => object.kind === eventType.kind)
    .map(({ involvedObject, reason = '', message = '' }) => `${involvedObject.name ?? ''} ${reason} ${message}`)
  const lines = Object.entries(logs).map(([log, text]) => [log, text.split('\n').map((line) => line.slice(31))])
  const runs = objects.filter(({ kind }) => kind !== eventType.kind)
  const without = (key: string, value: unknown) => (isTime(key) ? undefined : value)
  return JSON.parse(JSON.stringify([runs, events.sort(), lines], without))
}

it('neither loses nor repeats anything when it is killed during a write', async () => {
  const expected = timeless(await uninterrupted())
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 190 }), fc.boolean(), async (fatal, isWritten) => {
      const { world } = await startRun(run)
      const { server } = world
      const send = server.fetch.bind(server)
      let writes = 0
      let isDead = false
      vi.spyOn(server, 'fetch').mockImplementation(async (request) => {
        if (request.method !== 'GET') isDead ||= ++writes === fatal
        if (!isDead) return send(request)
        if (isWritten && writes === fatal && request.method !== 'GET') {
          writes++
          await send(request)
        }
        throw new Error('killed')
      })
      for (let atMs = 0; atMs < durationMs + 20_000; atMs += 1_000) {
        await world.advance(1_000)
        if (!isDead) continue
        isDead = false
        await world.restart()
      }
      expect(timeless(await dumpOf(world))).toEqual(expected)
      // Warnings about failed writes are expected.
      await world.close().catch(() => {})
    }),
    { numRuns: 12 },
  )
})
