import type { GraphNode } from '@slipway/model/graphs/graph'
import type { TaskNode } from '@slipway/model/graphs/pipeline-graph'
import type { Vulnerabilities } from '@slipway/model/runs/task-results'
import { expect, test } from 'vitest'
import { describeNode, outcomeText, vulnerabilityText, whenText, whenTexts } from './node-text'

const none: Vulnerabilities = { critical: 0, high: 0, medium: 0, low: 0, unknown: 0 }
test.each<[Partial<Vulnerabilities>, string]>([
  [{}, 'no vulnerabilities'],
  [{ high: 1 }, '1 high vulnerability'],
  [{ critical: 1, high: 2 }, '1 critical and 2 high vulnerabilities'],
  [{ critical: 1, medium: 2, low: 3, unknown: 4 }, '1 critical, 2 medium, 3 low and 4 unknown vulnerabilities'],
])('GRAPH-10 %j: %s', (found, expected) => expect(vulnerabilityText({ ...none, ...found })).toBe(expected))

const node: TaskNode = { id: 'a', kind: 'task', label: 'a', task: 'a', status: 'Succeeded', runAfter: [] }
test.each<[string, GraphNode, string]>([
  ['its name and status', node, 'a, Succeeded'],
  ['which instance of a matrix it is', { ...node, note: 'build', label: 'arm' }, 'build arm, Succeeded'],
  [
    'no duration that is still growing',
    { ...node, status: 'Running', startTime: '2026-01-31T09:00:00Z' },
    'a, Running',
  ],
  [
    'how long it took',
    { ...node, startTime: '2026-01-31T09:00:00Z', endTime: '2026-01-31T09:01:01Z' },
    'a, Succeeded, 1 minute 1 second',
  ],
  ['one failure', { ...node, testFailCount: 1, testWarnCount: 2 }, 'a, Succeeded, 1 test failure, 2 test warnings'],
  [
    'which components it nudges, and which nudge it',
    {
      id: 'c',
      kind: 'component',
      label: 'api',
      nudges: [
        { name: 'web', application: 'checkout' },
        { name: 'gone', application: undefined },
      ],
      nudgedBy: [{ name: 'base', application: 'edge' }],
    },
    'api, nudges web, gone; nudged by base',
  ],
  ['a node without a status', { id: 'c', kind: 'commit', label: 'c0ffee', detail: 'Mend it' }, 'c0ffee, Mend it'],
])('GRAPH-06, GRAPH-07, GRAPH-08, GRAPH-09 says %s', (_, given, expected) => expect(describeNode(given)).toBe(expected))

test.each<[Parameters<typeof whenText>[0], string]>([
  [{ input: 'push', operator: 'in', values: ['push', 'incoming'] }, '"push" is one of "push", "incoming"'],
  [{ input: 'push', operator: 'notin', values: ['push'] }, '"push" is none of "push"'],
  [{ input: '', operator: 'in', values: [] }, '"" is one of nothing'],
  [{ input: '', operator: 'in', values: [], cel: "'a' == 'b'" }, "'a' == 'b'"],
  [{ input: '$(params.skip-checks)', operator: 'in', values: ['false'] }, 'skip-checks must be "false"'],
  [
    { input: '$(context.pipelineRun.name)', operator: 'in', values: ['a'] },
    '"$(context.pipelineRun.name)" is one of "a"',
  ],
])('GRAPH-05 a condition in words: %j', (expression, expected) => expect(whenText(expression)).toBe(expected))

test.each([
  ['$(params.skip-checks)', 'in' as const, ['false'], 'skip-checks is "true" and must be "false"'],
  ["$(params['a.b'])", 'notin' as const, ['true'], 'a.b is "true" and must not be "true"'],
  ['$(tasks.init.results.build)', 'in' as const, ['a', 'b'], 'build of init is "true" and must be one of "a", "b"'],
  [
    "$(tasks.init.results['build'])",
    'notin' as const,
    ['a', 'b'],
    'build of init is "true" and must be none of "a", "b"',
  ],
  ['$(tasks.init.status)', 'in' as const, [], 'status of init is "true" and must be one of nothing'],
  ['true', 'in' as const, ['false'], '"true" is one of "false"'],
  ['$(params.a)-$(params.b)', 'in' as const, ['x'], '"true" is one of "x"'],
])('GRAPH-05 a condition with the name of its variable: %s', (written, operator, values, expected) =>
  expect(whenTexts({ expressions: [{ input: 'true', operator, values }], inputs: [written], outcome: 'met' })).toEqual([
    expected,
  ]),
)

test.each<[TaskNode['status'], 'met' | 'unmet' | undefined, string]>([
  ['Succeeded', 'met', 'met'],
  ['Skipped', 'unmet', 'unmet'],
  ['Idle', 'unmet', 'not evaluated yet'],
  ['In Progress', 'unmet', 'not evaluated yet'],
  ['Pending', undefined, 'not evaluated yet'],
])('GRAPH-20, GRAPH-21 conditions of a task that is %s and counts as %s: %s', (status, outcome, expected) =>
  expect(outcomeText({ ...node, status, when: { expressions: [], outcome } })).toBe(expected),
)
