import { roleBindingType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { aRoleBinding } from '@slipway/model/testing'
import { describe, expect, it } from 'vitest'
import { namespace, testCluster, writeLine } from '../../../test/cluster'
import { startApi } from '../../../test/render-route'
import { allOrNothing as performAllOrNothing } from './all-or-nothing'
import { writeFailure } from './write-messages'
import { inParallel, separately, WriteError } from './perform-writes'
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
  /** @param fails whether this call should fail */
  const fail = (
    fails: (call: string, body: string) => boolean,
    respond: () => Response | Promise<Response> = rejection,
  ) =>
    cluster.faults.intercept((path, { method = 'GET', body }) =>
      fails(writeLine({ method, path, body }, /^.*rolebindings/), String(body)) ? respond() : undefined,
    )
  return { ...cluster, names, sent, fail }
}

const rejection = () => Response.json({ message: 'a webhook says no' }, { status: 422 })
const noResponse = () => Promise.reject(new TypeError('Failed to fetch'))
const failureOf = (writing: Promise<unknown>) =>
  writing.then(
    () => expect.fail('the writes succeeded'),
    (error: unknown) => (error instanceof WriteError ? error : expect.fail(String(error))),
  )
const allOrNothing = (writes: Write[]) => performAllOrNothing(writes, { values: undefined })

describe('parallel writes', () => {
  const writes = ['a', 'b', 'c'].map((name) => create(roleBindingType, binding(name)))

  it('UA-35 are all sent as dry runs before the first is sent for real', async () => {
    const { sent, names } = await scene()
    await inParallel(writes)
    expect(sent()).toEqual([...Array<string>(3).fill('POST  (dry run)'), 'POST ', 'POST ', 'POST '])
    expect(await names()).toEqual(['a', 'b', 'c', 'old'])
  })

  it('are not sent when a dry run is rejected, and every rejection is reported', async () => {
    const { names } = await scene()
    const failure = await failureOf(
      inParallel([create(roleBindingType, binding('old')), ...writes, create(roleBindingType, binding('Not/a'))]),
    )
    expect(await names()).toEqual(['old'])
    const { body, details } = writeFailure(failure, (write) => ('object' in write ? nameOf(write.object) : ''))
    expect(body).toBe('Nothing was changed.')
    expect(details).toEqual([expect.stringMatching(/^old: .*already exists/), expect.stringMatching(/^Not\/a: /)])
  })

  it('separate writes are applied although the dry run of another is rejected', async () => {
    const { names, sent } = await scene()
    const writes = ['old', 'a', 'b'].map((name) => create(roleBindingType, binding(name)))
    const failure = await failureOf(separately(writes))
    expect(await names()).toEqual(['a', 'b', 'old'])
    expect(sent().filter((call) => !call.includes('dry run'))).toHaveLength(2)
    expect(writeFailure(failure)).toEqual({
      title: 'An error occurred',
      body: 'Succeeded: RoleBinding a, RoleBinding b. Failed:',
      details: [expect.stringMatching(/^RoleBinding old: .*already exists/)],
    })
  })

  it('are applied except for the one that fails, and only that one is sent again', async () => {
    const { names, fail, calls } = await scene()
    const heal = fail((call, body) => call === 'POST ' && body.includes('"b"'))
    const failure = await failureOf(inParallel(writes))
    expect(await names()).toEqual(['a', 'c', 'old'])
    expect(writeFailure(failure)).toEqual({
      title: 'An error occurred',
      body: 'Succeeded: RoleBinding a, RoleBinding c. Failed:',
      details: ['RoleBinding b: a webhook says no'],
    })
    heal()
    calls.length = 0
    await inParallel(writes, { previous: failure })
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(2)
    expect(await names()).toEqual(['a', 'b', 'c', 'old'])
  })

  it('never exceed the limit of concurrent requests', async () => {
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
    await inParallel(Array.from({ length: 25 }, (_, at) => create(roleBindingType, binding(`user-${at}`))))
    expect(most).toBe(10)
  })
})

describe('all-or-nothing writes', () => {
  const old = { namespace, name: 'old' }
  const writes = [
    create(roleBindingType, binding('a')),
    create(roleBindingType, binding('b')),
    remove(roleBindingType, old),
  ]

  it('are all sent as dry runs, then applied in order', async () => {
    const { sent, names } = await scene()
    await allOrNothing(writes)
    expect(sent().slice(3)).toEqual(['POST ', 'POST ', 'DELETE /old'])
    expect(await names()).toEqual(['a', 'b'])
  })

  it.each(['POST ', 'DELETE /old'])('are undone when %j fails', async (call) => {
    const { names, fail } = await scene()
    fail((each, body) => each === call && !body.includes('"a"'))
    const failure = await failureOf(allOrNothing(writes))
    expect(writeFailure(failure).body).toBe('a webhook says no. All changes were undone.')
    expect(await names()).toEqual(['old'])
  })

  it('change nothing when a dry run or the first write is rejected', async () => {
    const { names, fail } = await scene()
    const heal = fail((call) => call === 'DELETE /old (dry run)')
    expect(writeFailure(await failureOf(allOrNothing(writes))).body).toBe('a webhook says no')
    heal()
    fail((call) => call === 'POST ')
    expect(writeFailure(await failureOf(allOrNothing(writes))).body).toBe('a webhook says no')
    expect(await names()).toEqual(['old'])
  })

  it('recreate a removed object as it was when a later write fails', async () => {
    const { system, fail } = await scene()
    const { roleRef, subjects } = await system.get(roleBindingType, 'old', { namespace })
    fail((call, body) => call === 'POST ' && body.includes('"a"'))
    const { body } = writeFailure(
      await failureOf(allOrNothing([remove(roleBindingType, old), create(roleBindingType, binding('a'))])),
    )
    expect(body).toBe('a webhook says no. All changes were undone.')
    expect(await system.get(roleBindingType, 'old', { namespace })).toMatchObject({ roleRef, subjects })
  })

  it.each<[string, boolean, string, string[]]>([
    ['another user has deleted one meanwhile', false, 'All changes were undone.', ['old']],
    ['another user has replaced one meanwhile', true, 'Could not be undone: RoleBinding a was created.', ['a', 'old']],
  ])('undo only objects that they created: %s', async (_, isReplaced, outcome, remaining) => {
    const { system, names, fail } = await scene()
    fail(
      (call) => call === 'DELETE /old',
      async () => {
        await system.delete(roleBindingType, 'a', { namespace })
        if (isReplaced) await system.create(roleBindingType, binding('a'))
        return rejection()
      },
    )
    const { body } = writeFailure(
      await failureOf(allOrNothing([create(roleBindingType, binding('a')), remove(roleBindingType, old)])),
    )
    expect(body).toBe(`a webhook says no. ${outcome}`)
    expect(await names()).toEqual(remaining)
  })

  it('report what could not be undone, and what was', async () => {
    const { names, fail } = await scene()
    fail((call) => call === 'DELETE /old' || call === 'DELETE /b')
    const failure = await failureOf(allOrNothing(writes))
    expect(writeFailure(failure).body).toBe('a webhook says no. Could not be undone: RoleBinding b was created.')
    expect(failure.undone.map(({ write }) => write)).toEqual([writes[0]])
    expect(await names()).toEqual(['b', 'old'])
  })

  it('still report what an earlier attempt could not undo when another one fails', async () => {
    const { fail } = await scene()
    fail((call) => call === 'DELETE /old' || call === 'DELETE /b')
    const previous = await failureOf(allOrNothing(writes))
    const failure = await failureOf(performAllOrNothing(writes, { values: undefined, previous }))
    expect(writeFailure(failure).body).toBe('a webhook says no. Could not be undone: RoleBinding b was created.')
  })

  it('continue after a write without a response if a read shows that it was applied', async () => {
    const { names, system, fail } = await scene()
    fail(
      (call) => call === 'DELETE /old',
      () => system.delete(roleBindingType, 'old', { namespace }).then(noResponse),
    )
    await allOrNothing(writes)
    expect(await names()).toEqual(['a', 'b'])
  })

  it('undo the others when a write without a response was not applied', async () => {
    const { names, fail } = await scene()
    fail((call) => call === 'DELETE /old', noResponse)
    const { body } = writeFailure(await failureOf(allOrNothing(writes)))
    expect(body).toBe('The server cannot be reached. All changes were undone.')
    expect(await names()).toEqual(['old'])
  })

  it('undo nothing when it is unknown whether a write was applied', async () => {
    const { names, fail } = await scene()
    let isLost = false
    fail(
      (call) => (isLost ||= call === 'DELETE /old'),
      () => noResponse(),
    )
    const { body } = writeFailure(await failureOf(allOrNothing(writes)))
    expect(body).toBe(
      'The server cannot be reached. Already done: RoleBinding a was created, RoleBinding b was created. ' +
        'Could not be confirmed: RoleBinding old was deleted.',
    )
    expect(await names()).toEqual(['a', 'b', 'old'])
  })

  it('undo nothing when a change without a response may have been applied', async () => {
    const { system, names, fail } = await scene()
    const before = await system.get(roleBindingType, 'old', { namespace })
    const change = replace(roleBindingType, { ...before, subjects: [] })
    fail(
      (call) => call === 'PUT /old',
      () => system.replace(roleBindingType, { ...before, subjects: [] }).then(noResponse),
    )
    const { body } = writeFailure(await failureOf(allOrNothing([create(roleBindingType, binding('a')), change])))
    expect(body).toBe(
      'The server cannot be reached. Already done: RoleBinding a was created. ' +
        'Could not be confirmed: RoleBinding old was changed.',
    )
    expect(await names()).toEqual(['a', 'old'])
  })

  it('undo the others when a change without a response was not applied', async () => {
    const { system, names, fail } = await scene()
    const before = await system.get(roleBindingType, 'old', { namespace })
    fail((call) => call === 'PUT /old', noResponse)
    const writes = [create(roleBindingType, binding('a')), replace(roleBindingType, { ...before, subjects: [] })]
    const { body } = writeFailure(await failureOf(allOrNothing(writes)))
    expect(body).toBe('The server cannot be reached. All changes were undone.')
    expect(await names()).toEqual(['old'])
  })

  it('restore a replaced object', async () => {
    const { system, fail } = await scene()
    const before = await system.get(roleBindingType, 'old', { namespace })
    fail((call) => call === 'POST ')
    const change = replace(roleBindingType, { ...before, subjects: [] })
    await failureOf(allOrNothing([change, create(roleBindingType, binding('a'))]))
    expect((await system.get(roleBindingType, 'old', { namespace })).subjects).toEqual(before.subjects)
  })
})
