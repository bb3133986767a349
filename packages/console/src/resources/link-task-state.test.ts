import { aSecret } from '@slipway/model/testing/build-services'
import { expect, test } from 'vitest'
import { reduceLinkTasks, type LinkTaskEvent } from './link-task-state'
import type { LinkTaskProgress } from './link-task-store'

const secret = aSecret({ metadata: { name: 'registry', uid: '1' } })
const other = aSecret({ metadata: { name: 'token', uid: '2' } })
const request = { target: { option: 'all' }, unlink: [] } as const
const task = (changes: Partial<LinkTaskProgress> = {}): LinkTaskProgress => ({
  id: 1,
  secret,
  request,
  state: 'Running',
  done: 0,
  failures: [],
  ...changes,
})
const failure = { component: 'cart', message: 'forbidden' }

test.each<[string, LinkTaskProgress[], LinkTaskEvent, Partial<LinkTaskProgress>[]]>([
  ['LINK-27 a queued task is pending', [], { kind: 'queued', id: 1, secret, request }, [{ id: 1, state: 'Pending' }]],
  [
    'LINK-31 a task is queued behind one that is under way, even of the same secret',
    [task()],
    { kind: 'queued', id: 2, secret, request },
    [{ id: 1 }, { id: 2, state: 'Pending' }],
  ],
  [
    'a queued task replaces the outcome of an earlier one of the same secret only',
    [task({ state: 'Failed' }), task({ id: 2, secret: other, state: 'Succeeded' })],
    { kind: 'queued', id: 3, secret, request },
    [{ id: 2 }, { id: 3 }],
  ],
  [
    'LINK-27 a started task is running',
    [task({ state: 'Pending' })],
    { kind: 'started', id: 1 },
    [{ state: 'Running' }],
  ],
  ['components are counted', [task()], { kind: 'counted', id: 1, total: 25 }, [{ total: 25, done: 0 }]],
  ['a component is done', [task({ total: 25 })], { kind: 'component-done', id: 1 }, [{ total: 25, done: 1 }]],
  [
    'CALL-43 a failure is kept',
    [task()],
    { kind: 'failed', id: 1, failure },
    [{ state: 'Running', failures: [failure] }],
  ],
  ['LINK-27 a task without failures has succeeded', [task()], { kind: 'finished', id: 1 }, [{ state: 'Succeeded' }]],
  [
    'LINK-27 a task with failures has failed',
    [task({ failures: [failure] })],
    { kind: 'finished', id: 1 },
    [{ state: 'Failed', failures: [failure] }],
  ],
  ['a dismissed task is removed', [task(), task({ id: 2 })], { kind: 'dismissed', id: 1 }, [{ id: 2 }]],
  ['an event of a dismissed task is ignored', [task()], { kind: 'finished', id: 9 }, [{ id: 1, state: 'Running' }]],
])('%s', (_, before, event, after) => {
  const result = reduceLinkTasks(before, event)
  expect(result).toHaveLength(after.length)
  expect(result).toMatchObject(after)
})
