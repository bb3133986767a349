import { describe, expect, it, test } from 'vitest'
import { aComponent } from '../testing'
import {
  findCycle,
  findRelationErrors,
  nudgeConfigPatch,
  nudgesAfter,
  nudgesByName,
  type Relation,
  relationsOf,
} from './component-relations'
import type { Nudge, NudgeConfig, NudgeMode } from './nudge-config'

const component = (name: string, own?: string[], application = 'checkout') =>
  aComponent({ metadata: { name }, spec: { application, ...(own && { 'build-nudges-ref': own }) } })
const all = [component('api', ['docs']), component('web'), component('docs'), component('base', undefined, 'edge')]
const config = (...nudges: Nudge[]): NudgeConfig => ({
  metadata: { name: 'nudge-config', resourceVersion: '7' },
  spec: { nudges },
})
const nudge = (from: string, to: string, mode?: NudgeMode): Nudge => ({ from, to, ...(mode && { mode }) })
const row = (source: string, mode: NudgeMode, ...targets: string[]): Relation => ({
  source,
  type: 'nudges',
  targets,
  mode,
})
const byRow = (source: string, mode: NudgeMode, ...targets: string[]): Relation => ({
  ...row(source, mode, ...targets),
  type: 'nudges-by',
})

describe('with a NudgeConfig', () => {
  test.each<[string, Nudge[], Relation[]]>([
    ['what components name themselves does not count', [], []],
    [
      'each mode has a row',
      [nudge('api', 'web'), nudge('api', 'docs', 'validated')],
      [row('api', 'immediate', 'web'), row('api', 'validated', 'docs')],
    ],
    ['a nudge without a mode is immediate', [nudge('web', 'docs')], [row('web', 'immediate', 'docs')]],
    [
      'a component of another application nudges one of this',
      [nudge('base', 'api', 'validated')],
      [byRow('api', 'validated', 'base')],
    ],
    ['a nudge of a component that does not exist has no row', [nudge('gone', 'api')], []],
  ])('%s', (_, nudges, expected) => expect(relationsOf(all, 'checkout', config(...nudges))).toEqual(expected))

  it('every component nudges what the object says', () =>
    expect([...nudgesByName(all, config(nudge('web', 'api'), nudge('gone', 'web')))]).toEqual([
      ['api', []],
      ['web', ['api']],
      ['docs', []],
      ['base', []],
      ['gone', ['web']],
    ]))

  test.each<[string, Nudge[], Relation[], string[] | undefined]>([
    ['a chain has no cycle', [nudge('web', 'docs')], [row('api', 'immediate', 'web')], undefined],
    [
      'two nudges of different modes form a cycle',
      [],
      [row('api', 'immediate', 'web'), row('web', 'validated', 'api')],
      ['api', 'web', 'api'],
    ],
    [
      'a nudge of another application closes a cycle',
      [nudge('web', 'base'), nudge('base', 'api')],
      [row('api', 'immediate', 'web')],
      ['api', 'web', 'base', 'api'],
    ],
    ['what components name themselves closes none', [], [row('docs', 'immediate', 'api')], undefined],
  ])('%s', (_, stored, after, expected) => {
    const added = config(...stored)
    expect(findCycle(all, [], after, added)).toEqual(expected)
  })

  it('a component nudges another in one mode only', () => {
    const rows = [row('api', 'immediate', 'web', 'docs'), row('api', 'validated', 'docs')]
    expect(findRelationErrors(rows)).toEqual([
      { row: 1, field: 'targets', message: 'api nudges docs in another mode already.' },
    ])
    expect(findRelationErrors([row('api', 'immediate', 'web'), byRow('web', 'validated', 'api')])).toEqual([
      { row: 1, field: 'targets', message: 'api nudges web in another mode already.' },
    ])
    expect(findRelationErrors([row('api', 'immediate', 'web'), row('api', 'validated', 'docs')])).toEqual([])
  })
})

describe('the patch of a NudgeConfig', () => {
  const valueOf = (stored: NudgeConfig, before: Relation[], after: Relation[]) =>
    nudgeConfigPatch(stored, before, after).flatMap((step) =>
      'value' in step ? [[step.op, step.path, step.value]] : [],
    )
  const version = ['replace', '/metadata/resourceVersion', '7']
  const gated: Nudge = { ...nudge('api', 'web', 'validated'), gatingGroup: 'backend' }

  test.each<[string, Nudge[], Relation[], Relation[], Nudge[]]>([
    [
      'adds a nudge',
      [gated],
      [row('api', 'validated', 'web')],
      [row('api', 'validated', 'web'), row('web', 'immediate', 'docs')],
      [gated, nudge('web', 'docs', 'immediate')],
    ],
    [
      'removes a nudge',
      [gated, nudge('web', 'docs')],
      [row('api', 'validated', 'web'), row('web', 'immediate', 'docs')],
      [row('api', 'validated', 'web')],
      [gated],
    ],
    [
      'changes a mode and keeps the other fields',
      [gated],
      [row('api', 'validated', 'web')],
      [row('api', 'immediate', 'web')],
      [{ ...gated, mode: 'immediate' }],
    ],
    [
      'reverses a nudge',
      [nudge('api', 'web')],
      [row('api', 'immediate', 'web')],
      [byRow('api', 'immediate', 'web')],
      [nudge('web', 'api', 'immediate')],
    ],
    [
      'keeps what other clients have added meanwhile',
      [nudge('base', 'web')],
      [],
      [row('api', 'immediate', 'web')],
      [nudge('base', 'web'), nudge('api', 'web', 'immediate')],
    ],
  ])('%s', (_, stored, before, after, expected) =>
    expect(valueOf(config(...stored), before, after)).toEqual([version, ['add', '/spec/nudges', expected]]),
  )

  it('is empty if nothing changes', () => {
    const before = [row('api', 'immediate', 'web')]
    expect(nudgeConfigPatch(config(nudge('api', 'web')), before, before)).toEqual([])
  })

  it('adds a spec to an object without one', () => {
    const { spec: _, ...bare } = config()
    const after = [row('api', 'immediate', 'web')]
    expect(valueOf(bare, [], after)).toEqual([
      version,
      ['add', '/spec', { nudges: [nudge('api', 'web', 'immediate')] }],
    ])
  })

  it('leads to the nudges that were previewed', () => {
    const stored = config(nudge('web', 'docs'))
    const after = [row('api', 'validated', 'web')]
    const [, step] = nudgeConfigPatch(stored, relationsOf(all, 'checkout', stored), after)
    const saved = config(...((step && 'value' in step ? step.value : []) as Nudge[]))
    expect(nudgesAfter(all, relationsOf(all, 'checkout', stored), after, stored)).toEqual(nudgesByName(all, saved))
  })
})
