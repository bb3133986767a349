import { expect, test } from 'vitest'
import type { AnyObject } from '../resource'
import { containerOf, isRunOver, runOf } from './container'

const podOf = (spec: object, status: object = {}): AnyObject => ({ metadata: { name: 'p' }, spec, status })
const named = (...names: string[]) => names.map((name) => ({ name }))
const withStatus = (status: object): AnyObject =>
  podOf({ containers: named('c') }, { containerStatuses: [{ name: 'c', ...status }] })

function outcome(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

test.each<[string, object, string | undefined, string]>([
  ['the only one', { containers: named('a') }, undefined, 'a'],
  ['the only one beside init containers', { containers: named('a'), initContainers: named('i') }, undefined, 'a'],
  ['the requested one', { containers: named('a', 'b') }, 'b', 'b'],
  ['an init container', { containers: named('a'), initContainers: named('i') }, 'i', 'i'],
  ['an ephemeral container', { containers: named('a'), ephemeralContainers: named('e') }, 'e', 'e'],
  [
    'no container among several',
    { containers: named('a', 'b'), initContainers: named('i', 'j') },
    undefined,
    'a container name must be specified for pod p, choose one of: [i j a b]',
  ],
  ['no container in an empty pod', { containers: [] }, undefined, 'a container name must be specified for pod p'],
  ['no container of an unknown name', { containers: named('a') }, 'x', 'container x is not valid for pod p'],
])('containerOf chooses %s', (_, spec, requested, expected) => {
  expect(outcome(() => containerOf(podOf(spec), requested))).toBe(expected)
})

const running = { restartCount: 2, state: { running: {} } }
const lastState = { terminated: { exitCode: 1 } }
test.each<[string, object | undefined, unknown, unknown]>([
  ['runs', running, 2, 'previous terminated container "c" in pod "p" not found'],
  ['runs again', { ...running, lastState }, 2, 1],
  [
    'has ended',
    { restartCount: 0, state: { terminated: {} } },
    0,
    'previous terminated container "c" in pod "p" not found',
  ],
  ['waits to run again', { restartCount: 1, state: { waiting: {} }, lastState }, 1, 1],
  [
    'waits',
    { restartCount: 0, state: { waiting: { reason: 'ContainerCreating' } } },
    'container "c" in pod "p" is waiting to start: ContainerCreating',
    'previous terminated container "c" in pod "p" not found',
  ],
  [
    'has no state',
    { restartCount: 0 },
    'container "c" in pod "p" is waiting to start - no logs yet',
    'previous terminated container "c" in pod "p" not found',
  ],
  ['has no status', undefined, undefined, 'previous terminated container "c" in pod "p" not found'],
])('runOf finds the run of a container that %s', (_, status, now, previous) => {
  const pod = status ? withStatus(status) : podOf({ containers: named('c') })
  expect(outcome(() => runOf(pod, 'c', false))).toBe(now)
  expect(outcome(() => runOf(pod, 'c', true))).toBe(previous)
})

test.each<[string, AnyObject, boolean]>([
  ['it runs', withStatus({ restartCount: 1, state: { running: {} } }), false],
  ['it is unknown', podOf({}), false],
  ['it has ended', withStatus({ restartCount: 1, state: { terminated: {} } }), true],
  ['it runs again', withStatus({ restartCount: 2, state: { running: {} } }), true],
  ['it waits to run again', withStatus({ restartCount: 1, state: { waiting: {} }, lastState }), true],
  ['its pod has succeeded', podOf({}, { phase: 'Succeeded' }), true],
  ['its pod has failed', podOf({}, { phase: 'Failed' }), true],
])('a run of a container is over where %s: %s', (_, pod, expected) => {
  expect(isRunOver(pod, 'c', 1)).toBe(expected)
})
