import { roleBindingType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { aRoleBinding } from '@slipway/model/testing'
import { manualClock } from '@slipway/kube/testing'
import { describe, expect, it, vi } from 'vitest'
import { namespace, testCluster, writeLine } from '../../../test/cluster'
import { startApi } from '../../../test/render-route'
import { writeFailure } from './write-messages'
import { type AppliedWrite, performWrites, WriteError } from './perform-writes'
import { create, remove, replace, type Write } from './writes'

const binding = (name: string) => aRoleBinding({ metadata: { name, namespace } })
const team = ['admin', 'contributor', 'maintainer'].map((role) => `konflux-${role}-${role}-user-actions`)

async function scene() {
  const cluster = await testCluster({ as: 'admin', objects: [binding('old')] })
  startApi()
  const names = async () => {
    const { items } = await cluster.system.list(roleBindingType, { namespace })
    return items.map(nameOf).filter((name) => !team.includes(name))
  }
  const sent = () =>
    cluster.calls.filter(({ method }) => method !== 'GET').map((call) => writeLine(call, /^.*rolebindings/))
  /** @param fails whether this call is to fail */
  const fail = (fails: (call: string, body: string) => boolean, answer: () => Response | Promise<Response> = refusal) =>
    cluster.faults.intercept((path, { method = 'GET', body }) =>
      fails(writeLine({ method, path, body }, /^.*rolebindings/), String(body)) ? answer() : undefined,
    )
  return { ...cluster, names, sent, fail }
}

const refusal = () => Response.json({ message: 'a webhook says no' }, { status: 422 })
const noAnswer = () => Promise.reject(new TypeError('Failed to fetch'))
const failureOf = (writing: Promise<unknown>) =>
  writing.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => (error instanceof WriteError ? error : expect.fail(String(error))),
  )
const allOrNothing = (writes: Write[]) => performWrites(writes, { strategy: 'all-or-nothing' })
const inParallel = (writes: Write[], applied: readonly AppliedWrite[] = []) =>
  performWrites(writes, { strategy: 'parallel', applied })

describe('parallel writes', () => {
  const writes = ['a', 'b', 'c'].map((name) => create(roleBindingType, binding(name)))

  it('UA-35 are all tried before the first is made', async () => {
    const { sent, names } = await scene()
    await inParallel(writes)
    expect(sent()).toEqual([...Array<string>(3).fill('POST  (dry run)'), 'POST ', 'POST ', 'POST '])
    expect(await names()).toEqual(['a', 'b', 'c', 'old'])
  })

  it('are not made when one is refused, and every refusal is told', async () => {
    const { names } = await scene()
    const failure = await failureOf(
      inParallel([create(roleBindingType, binding('old')), ...writes, create(roleBindingType, binding('Not/a'))]),
    )
    expect(await names()).toEqual(['old'])
    const { body, details } = writeFailure(failure, (write) => ('object' in write ? nameOf(write.object) : ''))
    expect(body).toBe('Nothing was changed.')
    expect(details).toEqual([expect.stringMatching(/^old: .*already exists/), expect.stringMatching(/^Not\/a: /)])
  })

  it('separate writes are made although the dry run of another is refused', async () => {
    const { names, sent } = await scene()
    const writes = ['old', 'a', 'b'].map((name) => create(roleBindingType, binding(name)))
    const failure = await failureOf(performWrites(writes, { strategy: 'separate' }))
    expect(await names()).toEqual(['a', 'b', 'old'])
    expect(sent().filter((call) => !call.includes('dry run'))).toHaveLength(2)
    expect(writeFailure(failure)).toEqual({
      title: 'An error occurred',
      body: 'Done: RoleBinding a, RoleBinding b. Not done:',
      details: [expect.stringMatching(/^RoleBinding old: .*already exists/)],
    })
  })

  it('are made but for the one that fails, which alone is sent again', async () => {
    const { names, fail, calls } = await scene()
    const heal = fail((call, body) => call === 'POST ' && body.includes('"b"'))
    const failure = await failureOf(inParallel(writes))
    expect(await names()).toEqual(['a', 'c', 'old'])
    expect(writeFailure(failure)).toEqual({
      title: 'An error occurred',
      body: 'Done: RoleBinding a, RoleBinding c. Not done:',
      details: ['RoleBinding b: a webhook says no'],
    })
    heal()
    calls.length = 0
    await inParallel(writes, failure.applied)
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(2)
    expect(await names()).toEqual(['a', 'b', 'c', 'old'])
  })

  it('runs at most as many at once as the limit says', async () => {
    const { faults } = await scene()
    let running = 0
    let most = 0
    faults.intercept(async (path, init) => {
      running++
      most = Math.max(most, running)
      const response = await faults.pass(path, init)
      running--
      return response
    })
    await performWrites(writes, { strategy: 'parallel', limit: 2 })
    expect(most).toBe(2)
  })

  it('retries transient failures after 500, 1000 and 2000 ms', async () => {
    const { fail, sent } = await scene()
    fail(
      (call) => call === 'POST ',
      () => Response.json({ message: 'busy' }, { status: 503 }),
    )
    const clock = manualClock()
    const startMs = clock.now()
    const delays: number[] = []
    const after: typeof clock.after = (delayMs, run) => {
      delays.push(delayMs)
      return clock.after(delayMs, run)
    }
    const failing = failureOf(
      performWrites(writes.slice(0, 1), { strategy: 'parallel', retries: 3, clock: { ...clock, after } }),
    )
    for (const delayMs of [500, 1_000, 2_000]) {
      await vi.waitFor(() => expect(delays.at(-1)).toBe(delayMs))
      await clock.advance(delayMs)
    }
    expect((await failing).cause).toMatchObject({ code: 503 })
    expect(clock.now() - startMs).toBe(3_500)
    expect(sent()).toEqual(['POST  (dry run)', 'POST ', 'POST ', 'POST ', 'POST '])
  })

  it('does not retry a refusal', async () => {
    const { fail, sent } = await scene()
    fail((call) => call === 'POST ')
    await failureOf(performWrites(writes.slice(0, 1), { strategy: 'parallel', retries: 3 }))
    expect(sent()).toEqual(['POST  (dry run)', 'POST '])
  })
})

describe('all-or-nothing writes', () => {
  const old = { namespace, name: 'old' }
  const writes = [
    create(roleBindingType, binding('a')),
    create(roleBindingType, binding('b')),
    remove(roleBindingType, old),
  ]

  it('tries all, then makes them in order', async () => {
    const { sent, names } = await scene()
    await allOrNothing(writes)
    expect(sent().slice(3)).toEqual(['POST ', 'POST ', 'DELETE /old'])
    expect(await names()).toEqual(['a', 'b'])
  })

  it.each(['POST ', 'DELETE /old'])('undoes what was made when %j fails', async (call) => {
    const { names, fail } = await scene()
    fail((each, body) => each === call && !body.includes('"a"'))
    const failure = await failureOf(allOrNothing(writes))
    expect(writeFailure(failure).body).toBe('a webhook says no. Everything is as it was before.')
    expect(await names()).toEqual(['old'])
  })

  it('changes nothing when a dry run is refused, or the first of them', async () => {
    const { names, fail } = await scene()
    const heal = fail((call) => call === 'DELETE /old (dry run)')
    expect(writeFailure(await failureOf(allOrNothing(writes))).body).toBe('a webhook says no')
    heal()
    fail((call) => call === 'POST ')
    expect(writeFailure(await failureOf(allOrNothing(writes))).body).toBe('a webhook says no')
    expect(await names()).toEqual(['old'])
  })

  it('makes anew what was removed, as it was', async () => {
    const { system, fail } = await scene()
    const { roleRef, subjects } = await system.get(roleBindingType, 'old', { namespace })
    fail((call, body) => call === 'POST ' && body.includes('"a"'))
    const { body } = writeFailure(
      await failureOf(allOrNothing([remove(roleBindingType, old), create(roleBindingType, binding('a'))])),
    )
    expect(body).toBe('a webhook says no. Everything is as it was before.')
    expect(await system.get(roleBindingType, 'old', { namespace })).toMatchObject({ roleRef, subjects })
  })

  it.each<[string, boolean, string, string[]]>([
    ['somebody has removed it meanwhile', false, 'Everything is as it was before.', ['old']],
    [
      'somebody has put another one in its place',
      true,
      'Could not be undone: RoleBinding a was created.',
      ['a', 'old'],
    ],
  ])('undoes only what it has made: %s', async (_, isReplaced, words, left) => {
    const { system, names, fail } = await scene()
    fail(
      (call) => call === 'DELETE /old',
      async () => {
        await system.delete(roleBindingType, 'a', { namespace })
        if (isReplaced) await system.create(roleBindingType, binding('a'))
        return refusal()
      },
    )
    const { body } = writeFailure(
      await failureOf(allOrNothing([create(roleBindingType, binding('a')), remove(roleBindingType, old)])),
    )
    expect(body).toBe(`a webhook says no. ${words}`)
    expect(await names()).toEqual(left)
  })

  it('says what could not be undone', async () => {
    const { names, fail } = await scene()
    fail((call) => call === 'DELETE /old' || call === 'DELETE /b')
    const { body } = writeFailure(await failureOf(allOrNothing(writes)))
    expect(body).toBe('a webhook says no. Could not be undone: RoleBinding b was created.')
    expect(await names()).toEqual(['b', 'old'])
  })

  it('asks whether a write without an answer was made, and goes on if so', async () => {
    const { names, system, fail } = await scene()
    fail(
      (call) => call === 'DELETE /old',
      () => system.delete(roleBindingType, 'old', { namespace }).then(noAnswer),
    )
    await allOrNothing(writes)
    expect(await names()).toEqual(['a', 'b'])
  })

  it('undoes the others when it was not made', async () => {
    const { names, fail } = await scene()
    fail((call) => call === 'DELETE /old', noAnswer)
    const { body } = writeFailure(await failureOf(allOrNothing(writes)))
    expect(body).toBe('The server cannot be reached. Everything is as it was before.')
    expect(await names()).toEqual(['old'])
  })

  it('undoes nothing when nobody knows whether it was made', async () => {
    const { names, fail } = await scene()
    let isLost = false
    fail(
      (call) => (isLost ||= call === 'DELETE /old'),
      () => noAnswer(),
    )
    const { body } = writeFailure(await failureOf(allOrNothing(writes)))
    expect(body).toBe(
      'The server cannot be reached. Already done: RoleBinding a was created, RoleBinding b was created. ' +
        'Not known whether this was done: RoleBinding old was deleted.',
    )
    expect(await names()).toEqual(['a', 'b', 'old'])
  })

  it('undoes nothing when a change without an answer may have been made', async () => {
    const { system, names, fail } = await scene()
    const before = await system.get(roleBindingType, 'old', { namespace })
    const change = replace(roleBindingType, { ...before, subjects: [] })
    fail(
      (call) => call === 'PUT /old',
      () => system.replace(roleBindingType, { ...before, subjects: [] }).then(noAnswer),
    )
    const { body } = writeFailure(await failureOf(allOrNothing([create(roleBindingType, binding('a')), change])))
    expect(body).toBe(
      'The server cannot be reached. Already done: RoleBinding a was created. ' +
        'Not known whether this was done: RoleBinding old was changed.',
    )
    expect(await names()).toEqual(['a', 'old'])
  })

  it('undoes the others when a change without an answer was not made', async () => {
    const { system, names, fail } = await scene()
    const before = await system.get(roleBindingType, 'old', { namespace })
    fail((call) => call === 'PUT /old', noAnswer)
    const writes = [create(roleBindingType, binding('a')), replace(roleBindingType, { ...before, subjects: [] })]
    const { body } = writeFailure(await failureOf(allOrNothing(writes)))
    expect(body).toBe('The server cannot be reached. Everything is as it was before.')
    expect(await names()).toEqual(['old'])
  })

  it('restores what was replaced', async () => {
    const { system, fail } = await scene()
    const before = await system.get(roleBindingType, 'old', { namespace })
    fail((call) => call === 'POST ')
    const change = replace(roleBindingType, { ...before, subjects: [] })
    await failureOf(allOrNothing([change, create(roleBindingType, binding('a'))]))
    expect((await system.get(roleBindingType, 'old', { namespace })).subjects).toEqual(before.subjects)
  })
})
