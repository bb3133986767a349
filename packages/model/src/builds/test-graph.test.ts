import { expect, it, test } from 'vitest'
import type { TestGraph } from './component-group'
import { findTestCycle, skippedTests, testsIn, testSteps, unknownTests } from './test-graph'

const after = (...names: string[]) => names.map((name) => ({ name }))
const fast = (...names: string[]) => names.map((name) => ({ name, failFast: true }))

/** As in the sample of the platform. */
const graph: TestGraph = {
  verify: [...after('scan'), ...fast('dast'), ...after('scorecard')],
  e2e: after('scan'),
  scorecard: fast('deploy'),
}

it('lists the tests that it names, each once', () => {
  expect(testsIn(graph)).toEqual(['verify', 'scan', 'dast', 'scorecard', 'e2e', 'deploy'])
})

test.each<[string, string[], TestGraph, string[][]]>([
  ['all at once without a graph', ['b', 'a'], {}, [['b', 'a']]],
  ['no test', [], {}, []],
  [
    'each after all that it waits for',
    ['lint', ...testsIn(graph)],
    graph,
    [['lint', 'scan', 'dast', 'deploy'], ['e2e', 'scorecard'], ['verify']],
  ],
  ['those that do not exist too', ['a'], { a: after('gone') }, [['gone'], ['a']]],
  ['a test that waits for itself', ['a'], { a: after('a') }, [['a']]],
  ['a cycle, entered where it is written first', ['a', 'b'], { a: after('b'), b: after('a') }, [['a'], ['b']]],
])('starts tests in steps: %s', (_, tests, given, expected) => expect(testSteps(tests, given)).toEqual(expected))

test.each<[string, TestGraph, string[] | undefined]>([
  ['none', graph, undefined],
  ['a test and itself', { a: after('a') }, ['a', 'a']],
  ['two tests', { a: after('b'), b: after('a') }, ['b', 'a', 'b']],
  ['the shorter of two', { a: after('c'), b: after('a', 'c'), c: after('b') }, ['c', 'b', 'c']],
])('finds a cycle: %s', (_, given, expected) => expect(findTestCycle(given)).toEqual(expected))

it('names the tests that do not exist', () => {
  expect(unknownTests(graph, ['verify', 'scan', 'dast', 'e2e', 'other'])).toEqual(['scorecard', 'deploy'])
})

test.each<[string, string[], TestGraph, string[]]>([
  ['nothing if nothing has failed', [], graph, []],
  ['nothing after a test without failFast', ['scan'], graph, []],
  ['what waits for a failed test with failFast', ['dast'], graph, ['verify']],
  ['what waits for a skipped test, with failFast or without', ['deploy'], graph, ['verify', 'scorecard']],
  ['no test that has failed itself', ['deploy', 'scorecard'], graph, []],
  ['an order of keys that is not the order of tests', ['a'], { c: after('b'), b: fast('a') }, ['c', 'b']],
  ['a cycle, without end', ['x'], { a: [...fast('x'), ...after('b')], b: after('a') }, ['a', 'b']],
])('failures skip %s', (_, failed, given, expected) =>
  expect(skippedTests(given, failed).toSorted()).toEqual([...expected].toSorted()),
)
