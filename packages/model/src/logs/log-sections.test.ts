import { describe, expect, it } from 'vitest'
import { sectionsOf } from './log-sections'

const steps = ['step-clone', 'step-build']
const clone = { container: 'step-clone', text: 'cloned\n' }

describe('ARCH-31 the recorded log of a task', () => {
  it.each<[string, string, string[], ReturnType<typeof sectionsOf>]>([
    [
      'headers of containers',
      'step-clone :-\ncloned\n\nstep-build :-\nbuilt\n',
      steps,
      [clone, { container: 'step-build', text: 'built' }],
    ],
    [
      'headers without a space',
      'step-clone:-\ncloned\n\nstep-build:-\nbuilt\n',
      steps,
      [clone, { container: 'step-build', text: 'built' }],
    ],
    [
      'headers whose end was cut off',
      'step-t :-\nx\n\nstep- :-\ny\n\nstep-build :-\nz',
      ['step-tool', 'step-log', 'step-build'],
      [
        { container: 'step-tool', text: 'x\n' },
        { container: 'step-log', text: 'y\n' },
        { container: 'step-build', text: 'z' },
      ],
    ],
    [
      'headers of containers of Tekton',
      'prepare :-\n2026/01/31 Entrypoint\n\nstep-clone :-\ncloned\n\n',
      steps,
      [clone],
    ],
    [
      'a mark in each line',
      '[prepare] Entrypoint initialization\n[clone] cloned\n[build] [test] 1\n[build] \n[build] 2\n',
      steps,
      [clone, { container: 'step-build', text: '[test] 1\n\n2\n' }],
    ],
    [
      'a mark in each line, of steps that are not known',
      '[place-scripts] decoded\n[clone] cloned\n[sidecar-db] up\n',
      [],
      [clone, { container: 'sidecar-db', text: 'up\n' }],
    ],
    [
      'a mark in each line and an empty one after each container',
      '\n[clone] cloned\n[clone] \n\n\n[build] built\n\n',
      steps,
      [
        { ...clone, text: 'cloned\n\n' },
        { container: 'step-build', text: 'built\n' },
      ],
    ],
    [
      'an empty line after each container, of steps that are not known',
      '[clone] cloned\n\n[build] built\n\n',
      [],
      [clone, { container: 'step-build', text: 'built\n' }],
    ],
    [
      'a mark in each line, of a sidecar that is not known',
      '[clone] cloned\n\n[sidecar-db] up\n\n',
      ['step-clone'],
      [clone, { container: 'sidecar-db', text: 'up\n' }],
    ],
    [
      'marks and lines of other forms',
      '[clone] cloned\n[info] at\n  it',
      steps,
      [{ ...clone, text: 'cloned\n[info] at\n  it\n' }],
    ],
    [
      'two attempts',
      '[prepare] Entrypoint\n[clone] failed\n[prepare] Entrypoint\n[clone] cloned\n[build] built\n',
      steps,
      [clone, { container: 'step-build', text: 'built\n' }],
    ],
    ['two attempts of one container', '[clone] failed\n\n[clone] cloned\n\n', ['step-clone'], [clone]],
    ['no name', 'one\n[clone] two\n', steps, [{ container: '', text: 'one\n[clone] two\n' }]],
    ['what looks like a mark, and is of no step', '[info] one\n', steps, [{ container: '', text: '[info] one\n' }]],
    ['nothing', '', steps, [{ container: '', text: '' }]],
  ])('with %s', (_, log, containers, expected) => expect(sectionsOf(log, containers)).toEqual(expected))

  it.each<[number | undefined, ReturnType<typeof sectionsOf>]>([
    [undefined, [clone]],
    [1, [{ ...clone, text: 'first\n' }]],
    [2, [{ ...clone, text: 'second\n' }]],
    [3, undefined],
  ])('has the sections of attempt %s', (attempt, expected) => {
    const attempts = ['first', 'second', 'cloned'].map((text) => `[prepare] Entrypoint\n\n[clone] ${text}\n\n`)
    expect(sectionsOf(attempts.join(''), steps, attempt)).toEqual(expected)
  })
})
