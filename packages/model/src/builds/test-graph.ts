import { type Edge, neighboursOf, ranksOf, shortestCycle, topologicalSort } from '../directed-graph'
import type { TestGraph } from './component-group'

/** In which order the integration tests of a component group run. */

/** The tests that a test graph names, in the order in which they are written, parents after what waits for them. */
export const testsIn = (graph: TestGraph): string[] => [
  ...new Set(Object.entries(graph).flatMap(([test, parents]) => [test, ...parents.map(({ name }) => name)])),
]

/** From the test that has to end first. */
export const edgesIn = (graph: TestGraph): Edge[] =>
  Object.entries(graph).flatMap(([to, parents]) => parents.map(({ name: from }) => ({ from, to })))

/**
 * The tests in the order in which they start: those of one step wait for nothing but tests of the steps before. A test
 * in a cycle never starts on the platform; here it is in the step where its other parents let it start.
 * @param tests of the group, which include those that the graph does not name: all of these start at once
 */
export function testSteps(tests: readonly string[], graph: TestGraph): string[][] {
  const nodes = [...new Set([...tests, ...testsIn(graph)])].map((id) => ({ id }))
  const sorted = topologicalSort(nodes, edgesIn(graph))
  const steps: string[][] = []
  for (const [id, rank] of ranksOf(sorted)) (steps[rank] ??= []).push(id)
  return steps
}

/** The shortest cycle of tests that wait for each other, such as `['a', 'b', 'a']`: none of them would ever start. */
export function findTestCycle(graph: TestGraph): string[] | undefined {
  const edges = edgesIn(graph)
  return shortestCycle(neighboursOf(edges, 'from', 'to'), edges)
}

/** The tests in a graph that do not exist. @param tests the integration tests of the group */
export const unknownTests = (graph: TestGraph, tests: readonly string[]): string[] =>
  testsIn(graph).filter((name) => !tests.includes(name))

/**
 * The tests that do not run because of failures: those that wait for a failed test with failFast, and all that wait for
 * a test that does not run, since that one never ends.
 */
export function skippedTests(graph: TestGraph, failed: readonly string[]): string[] {
  const skipped = new Set<string>()
  const isStopped = (test: string) =>
    (graph[test] ?? []).some(({ name, failFast }) => skipped.has(name) || (failFast && failed.includes(name)))
  for (let before = -1; before < skipped.size;) {
    before = skipped.size
    for (const test of Object.keys(graph)) if (!failed.includes(test) && isStopped(test)) skipped.add(test)
  }
  return [...skipped]
}
