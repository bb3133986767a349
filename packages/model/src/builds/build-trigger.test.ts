import { describe, expect, it, test } from 'vitest'
import { definitionsIn, explainTrigger, type GitEvent, type TriggerVerdict } from './build-trigger'

const push: GitEvent = {
  event: 'push',
  targetBranch: 'main',
  sourceBranch: 'main',
  title: 'Add a checkout',
  files: ['src/api/server.go', 'docs/readme.md'],
}
const pullRequest: GitEvent = { ...push, event: 'pull_request', sourceBranch: 'feature/x' }
const unknownFiles: GitEvent = { ...push, files: undefined }

const on = (annotations: Record<string, string>) => ({
  name: 'on-push',
  annotations: Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [`pipelinesascode.tekton.dev/on-${key}`, value]),
  ),
})
/** The first condition that is not met, with the reason. */
const obstacleIn = ({ problem, terms }: TriggerVerdict): string | undefined => {
  const first = terms.find(({ isTrue }) => isTrue !== true)
  return problem ?? (first && `${first.text}: ${first.because}`)
}

describe('an expression', () => {
  test.each<[expression: string, event: GitEvent, outcome: TriggerVerdict['outcome'], obstacle?: string]>([
    ['event == "push" && target_branch == "main"', push, 'starts'],
    [
      'event == "push" && target_branch == "main"',
      pullRequest,
      'does not start',
      'event == "push": event is "pull_request"',
    ],
    [
      'event == "push" && target_branch == "release"',
      push,
      'does not start',
      'target_branch == "release": target_branch is "main"',
    ],
    [
      'event == "push" && (target_branch == "a" || target_branch.startsWith("release-"))',
      push,
      'does not start',
      'target_branch == "a" || target_branch.startsWith("release-"): target_branch is "main"',
    ],
    ['event in ["push", "incoming"] && source_branch.matches("^ma")', push, 'starts'],
    ['!(event == "push")', push, 'does not start', '!(event == "push"): event is "push"'],
    ['event == "push" && "src/***".pathChanged()', push, 'starts'],
    ['"*.go".pathChanged()', push, 'starts'],
    ['"web/**".pathChanged()', push, 'does not start', '"web/**".pathChanged(): undefined'],
    [
      'event == "push" && "src/***".pathChanged()',
      unknownFiles,
      'unknown',
      '"src/***".pathChanged(): the changed files are not known',
    ],
    // What is not known does not matter once something is false.
    [
      '"src/***".pathChanged() && event == "pull_request"',
      unknownFiles,
      'does not start',
      '"src/***".pathChanged(): the changed files are not known',
    ],
    ['"src/***".pathChanged() || event == "push"', unknownFiles, 'starts'],
    ['files.all.exists(x, x.matches("docs/"))', push, 'starts'],
    [
      'files.added.exists(x, x.matches("docs/"))',
      push,
      'unknown',
      'files.added.exists(x, x.matches("docs/")): how files were changed is not known',
    ],
    ['event_title.startsWith("Add")', push, 'starts'],
    [
      'event_title.startsWith("Add")',
      { ...push, title: undefined },
      'unknown',
      'event_title.startsWith("Add"): event_title is not known',
    ],
    ['has(body.repository) && body.repository == "a"', push, 'unknown', 'has(body.repository): body is not known'],
    ['event == "push', push, 'invalid', 'Unterminated string'],
    ['nope == 1', push, 'invalid', 'Unknown variable: nope'],
    ['target_branch', push, 'invalid', 'target_branch is neither true nor false'],
  ])('%s', (expression, event, outcome, obstacle) => {
    const verdict = explainTrigger(on({ 'cel-expression': expression }), event)
    expect([verdict.outcome, obstacleIn(verdict)]).toEqual([outcome, obstacle])
  })

  it('takes the place of other annotations', () => {
    const definition = on({ 'cel-expression': 'event == "push"', event: '[pull_request]', 'target-branch': '[x]' })
    expect(explainTrigger(definition, push).outcome).toBe('starts')
  })

  it('is divided at each &&', () => {
    const text = 'event == "push" &&\n  (target_branch == "main" && "*".pathChanged())'
    expect(explainTrigger(on({ 'cel-expression': text }), push).terms.map((term) => term.text)).toEqual([
      'event == "push"',
      'target_branch == "main"',
      '"*".pathChanged()',
    ])
  })
})

describe('annotations', () => {
  const main = { event: '[push]', 'target-branch': '[main]' }
  test.each<
    [annotations: Record<string, string>, event: GitEvent, outcome: TriggerVerdict['outcome'], obstacle?: string]
  >([
    [main, push, 'starts'],
    [main, pullRequest, 'does not start', 'on-event: [push]: event is "pull_request"'],
    [{ ...main, event: '[pull_request, push]' }, push, 'starts'],
    [{ ...main, event: 'push' }, push, 'starts'],
    [{ ...main, 'target-branch': '[refs/heads/main]' }, push, 'starts'],
    [{ ...main, 'target-branch': '["release-*", \'ma?n\']' }, push, 'starts'],
    [{ ...main, 'target-branch': '[{main,next}]' }, push, 'invalid', 'The pattern refs/heads/{main is not valid.'],
    [{ ...main, 'target-branch': '[{main&#44;next}]' }, push, 'starts'],
    [
      { ...main, 'target-branch': '[refs/tags/*, release-*]' },
      push,
      'does not start',
      'on-target-branch: [refs/tags/*, release-*]: target_branch is "main"',
    ],
    [{ ...main, 'path-change': '[docs/**]' }, push, 'starts'],
    [{ ...main, 'path-change': '[web/**]' }, push, 'does not start', 'on-path-change: [web/**]: 2 files were changed'],
    [
      { ...main, 'path-change': '[web/**]' },
      unknownFiles,
      'unknown',
      'on-path-change: [web/**]: the changed files are not known',
    ],
    [
      { ...main, 'path-change': '[***.go]', 'path-change-ignore': '[***.md]' },
      push,
      'does not start',
      'on-path-change-ignore: [***.md]: 2 files were changed',
    ],
    [{ ...main, label: '[bug]' }, push, 'unknown', 'on-label: [bug]: the labels of the pull request are not known'],
    [{ comment: '^/test' }, push, 'invalid', 'It starts only when a comment asks for it.'],
    [
      { event: '[push]' },
      push,
      'invalid',
      'It has neither pipelinesascode.tekton.dev/on-cel-expression nor both of pipelinesascode.tekton.dev/on-event and on-target-branch.',
    ],
  ])('%j', (annotations, event, outcome, obstacle) => {
    const verdict = explainTrigger(on(annotations), event)
    expect([verdict.outcome, obstacleIn(verdict)]).toEqual([outcome, obstacle])
  })

  test.each([
    ['a.b', 'a.b', true],
    ['a.b', 'axb', false],
    ['[ab]c', 'bc', true],
    ['[!ab]c', 'bc', false],
    ['a\\*', 'a*', true],
    ['a\\*', 'ab', false],
    ['a+', 'a+', true],
    ['a+', 'aa', false],
    ['*/b', 'x/y/b', true],
  ])('the pattern %s against %s: %s', (pattern, branch, isMatch) => {
    const event = { ...push, targetBranch: branch }
    expect(explainTrigger(on({ ...main, 'target-branch': `[${pattern}]` }), event).outcome).toBe(
      isMatch ? 'starts' : 'does not start',
    )
  })
})

describe('the pipelines of a repository', () => {
  it('are the pipeline runs in its files', () => {
    const yaml = `
apiVersion: tekton.dev/v1
kind: PipelineRun
metadata:
  name: api-on-push
  annotations:
    pipelinesascode.tekton.dev/on-event: "[push]"
    other: 1
---
kind: Task
metadata: { name: lint }
---
kind: PipelineRun
metadata: { generateName: api- }
`
    expect(definitionsIn(yaml)).toEqual([
      { name: 'api-on-push', annotations: { 'pipelinesascode.tekton.dev/on-event': '[push]' } },
      { name: 'api-', annotations: {} },
    ])
  })

  it('are not read from what is not YAML', () => {
    expect(() => definitionsIn('a: [')).toThrow(/Flow sequence/)
  })
})
