import { expect, test } from 'vitest'
import type { Session } from './sessions'
import { createSessionCalls } from './session-calls'

const session = (id: string): Session => ({
  id,
  identity: { user: 'ada', email: '', preferredUsername: '', groups: [] },
  startedAt: 0,
  seenAt: 0,
  checkedAt: 0,
  expiresAt: 1_000,
  streamsUntil: 1_000,
  via: 'cookie',
})

test('a stream opened while its session was signed out ends at the next sweep, and no other stream does', () => {
  const sessionCalls = createSessionCalls()
  const ended: string[] = []
  sessionCalls.endSession('a')
  for (const id of ['a', 'b']) sessionCalls.open(session(id), (why) => ended.push(`${id}: ${why}`))
  sessionCalls.endExpired(500, ({ id }) => id === 'a')
  expect(ended).toEqual(['a: session'])
  expect(sessionCalls.size).toBe(1)
})
