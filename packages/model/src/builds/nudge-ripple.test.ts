import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { PipelineRun } from '../runs/pipeline-run'
import { aComponent, aPipelineRun, condition } from '../testing'
import type { BuildPipelineState } from './build-pipeline-state'
import { nudgesByName } from './component-relations'
import {
  type ExpectedTime,
  estimateBuild,
  nudgeRipple,
  nudgedFrom,
  type RippleFacts,
  type RippleMember,
} from './nudge-ripple'

const build = (minutes: number, status: 'True' | 'False' | 'Unknown' = 'True') =>
  aPipelineRun({
    status: {
      startTime: '2026-01-31T09:00:00Z',
      completionTime: new Date(Date.parse('2026-01-31T09:00:00Z') + minutes * 60_000).toISOString(),
      conditions: [condition('Succeeded', status)],
    },
  })

describe('the expected minutes of a build', () => {
  test.each<[string, PipelineRun[], ReturnType<typeof estimateBuild>]>([
    ['are unknown without builds', [], { minutes: undefined, buildCount: 0 }],
    ['are unknown if no build has succeeded', [build(3, 'False')], { minutes: undefined, buildCount: 0 }],
    ['are those of the only build', [build(3)], { minutes: 3, buildCount: 1 }],
    ['are the median, which ignores an outlier', [build(60), build(3), build(4)], { minutes: 4, buildCount: 3 }],
    ['are the mean of the two in the middle', [build(2), build(9), build(4), build(6)], { minutes: 5, buildCount: 4 }],
    [
      'ignore builds that failed or still run',
      [build(50, 'False'), build(40, 'Unknown'), build(3)],
      { minutes: 3, buildCount: 1 },
    ],
    [
      'are those of the newest five',
      [build(3), build(3), build(3), build(3), build(3), build(9), build(9), build(9), build(9), build(9), build(9)],
      { minutes: 3, buildCount: 5 },
    ],
    ['are at least one', [build(0.1)], { minutes: 1, buildCount: 1 }],
    [
      'ignore builds whose times are missing or reversed',
      [aPipelineRun({ status: { conditions: [condition('Succeeded', 'True')] } }), build(-5), build(2)],
      { minutes: 2, buildCount: 1 },
    ],
  ])('%s', (_, builds, expected) => expect(estimateBuild(builds)).toEqual(expected))
})

interface Scene {
  nudges: Record<string, string[]>
  /** Minutes of the only build of each component; without an entry, a component has none. */
  minutes?: Record<string, number>
  states?: Record<string, BuildPipelineState>
  deleted?: string[]
}

function rippleOf({ nudges, minutes = {}, states = {}, deleted = [] }: Scene, start = 'a') {
  const components = Object.entries(nudges).map(([name, targets]) =>
    aComponent({
      metadata: { name, ...(deleted.includes(name) && { deletionTimestamp: '2026-01-31T09:00:00Z' }) },
      spec: { 'build-nudges-ref': targets },
    }),
  )
  const factsOf = (name: string): RippleFacts => {
    const known = minutes[name]
    return { state: states[name] ?? 'ready', builds: known === undefined ? [] : [build(known)] }
  }
  return nudgeRipple({ start, components, nudges: nudgesByName(components), factsOf })
}

const timeText = ({ minutes, isPartial }: ExpectedTime) => `${minutes}${isPartial ? '+' : ''}`
const memberText = ({ name, isAgain, stop, nudgedBy }: RippleMember) =>
  [name, isAgain && 'again', stop && `(${stop})`, nudgedBy.length > 1 && `by ${nudgedBy.join(' and ')}`]
    .filter(Boolean)
    .join(' ')
const wavesOf = (scene: Scene, start?: string) =>
  rippleOf(scene, start).waves.map(
    ({ members, expected }) => `${members.map(memberText).join(', ')}: ${timeText(expected)}`,
  )

describe('the ripple of a component', () => {
  test.each<[string, Scene, string[]]>([
    ['is empty if it nudges nothing', { nudges: { a: [] } }, []],
    [
      'has a wave for each link of a chain, each after the one before',
      { nudges: { a: ['b'], b: ['c'], c: [] }, minutes: { b: 6, c: 3 } },
      ['b: 6', 'c: 9'],
    ],
    [
      'has a fan in one wave, as long as its longest build',
      { nudges: { a: ['b', 'c', 'd'], b: [], c: [], d: [] }, minutes: { b: 6, c: 3, d: 4 } },
      ['b, c, d: 6'],
    ],
    [
      'starts a later build after those that nudge it, not after its slowest neighbour',
      { nudges: { a: ['b', 'c'], b: [], c: ['d'], d: [] }, minutes: { b: 60, c: 4, d: 3 } },
      ['b, c: 60', 'd: 7'],
    ],
    [
      'names all that nudge a component where a fan meets again, and waits for the last',
      { nudges: { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, minutes: { b: 6, c: 2, d: 3 } },
      ['b, c: 6', 'd by b and c: 9'],
    ],
    [
      'has a component in each wave in which it rebuilds',
      { nudges: { a: ['d', 'b'], b: ['c'], c: ['d'], d: ['e'], e: [] }, minutes: { b: 1, c: 2, d: 3, e: 4 } },
      ['d, b: 3', 'e, c: 7', 'd again: 6', 'e again: 10'],
    ],
    ['counts a repeated name once', { nudges: { a: ['b', 'b'], b: [] }, minutes: { b: 6 } }, ['b: 6']],
    [
      'takes at least the known minutes if some are unknown',
      { nudges: { a: ['b'], b: ['c'], c: ['d'], d: [] }, minutes: { b: 6, d: 3 } },
      ['b: 6', 'c: 6+', 'd: 9+'],
    ],
    ['knows no minutes without builds', { nudges: { a: ['b'], b: [] } }, ['b: 0+']],
    [
      'stops at a component without a build pipeline',
      { nudges: { a: ['b', 'c'], b: ['d'], c: [], d: [] }, states: { b: 'pending' }, minutes: { b: 6, c: 3 } },
      ['b (no pipeline), c: 3'],
    ],
    [
      'passes a component whose pipeline could not be checked',
      { nudges: { a: ['b'], b: ['c'], c: [] }, states: { b: 'loading' }, minutes: { b: 6, c: 3 } },
      ['b: 6', 'c: 9'],
    ],
    ['ends at a missing component', { nudges: { a: ['gone'] } }, ['gone (missing): 0']],
    [
      'stops at a component that is being deleted',
      { nudges: { a: ['b'], b: ['c'], c: [] }, deleted: ['b'] },
      ['b (deleted): 0'],
    ],
    [
      'lists a stop only once',
      { nudges: { a: ['x', 'b'], b: ['x'], x: [] }, states: { x: 'error' }, minutes: { b: 6 } },
      ['x (no pipeline), b: 6'],
    ],
    [
      'starts even if the component itself has no pipeline',
      { nudges: { a: ['b'], b: [] }, states: { a: 'disabled' }, minutes: { b: 6 } },
      ['b: 6'],
    ],
    [
      'ends where it would start again',
      { nudges: { a: ['b'], b: ['c'], c: ['a', 'b'] }, minutes: { b: 6, c: 3 } },
      ['b: 6', 'c: 9'],
    ],
  ])('%s', (_, scene, expected) => expect(wavesOf(scene)).toEqual(expected))

  test.each<[BuildPipelineState, boolean]>([
    ['ready', false],
    ['loading', false],
    ['sample', true],
    ['configureRequested', true],
    ['unconfigureRequested', true],
    ['pending', true],
    ['error', true],
    ['disabled', true],
  ])('at a component whose pipeline is in the state %s stops: %s', (state, isStop) => {
    const { waves } = rippleOf({ nudges: { a: ['b'], b: [] }, states: { b: state } })
    expect(waves[0]?.members[0]?.stop).toBe(isStop ? 'no pipeline' : undefined)
  })

  it('takes as long as its longest wave in total', () => {
    const scene = { nudges: { a: ['b', 'c'], b: [], c: ['d'], d: [] }, minutes: { b: 60, c: 4, d: 3 } }
    expect(rippleOf(scene).expected).toEqual({ minutes: 60, isPartial: false })
    expect(rippleOf({ ...scene, minutes: { b: 60, c: 4 } }).expected).toEqual({ minutes: 60, isPartial: true })
  })

  it('counts each component that rebuilds once, and no stops', () => {
    const { rebuilt } = rippleOf({ nudges: { a: ['b', 'c', 'gone'], b: ['c'], c: [] } })
    expect(rebuilt).toEqual(['b', 'c'])
  })

  it('names what is only behind a stop', () => {
    const nudges = { a: ['b', 'c'], b: ['d', 'e'], c: ['e'], d: ['f', 'a'], e: [], f: [] }
    expect(rippleOf({ nudges, states: { b: 'disabled' } }).unreached).toEqual(['d', 'f'])
  })

  test.each<[string, Record<string, string[]>, string[][]]>([
    ['none in a fan that meets again', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, []],
    ['one through its start', { a: ['b'], b: ['a'] }, [['a', 'b', 'a']]],
    ['one behind its start', { a: ['x', 'b'], x: [], b: ['c'], c: ['b', 'x'] }, [['b', 'c', 'b']]],
    ['one of a component that nudges itself', { a: ['b'], b: ['b'] }, [['b', 'b']]],
    [
      'several',
      { a: ['b'], b: ['a', 'c'], c: ['b'] },
      [
        ['a', 'b', 'a'],
        ['b', 'c', 'b'],
      ],
    ],
    ['none that it does not reach', { a: [], b: ['b'] }, []],
  ])('names cycles: %s', (_, nudges, expected) => expect(rippleOf({ nudges }).cycles).toEqual(expected))

  it('has no cycle through a stop, where builds end', () => {
    expect(rippleOf({ nudges: { a: ['b'], b: ['a'] }, states: { b: 'pending' } }).cycles).toEqual([])
  })
})

const names = ['a', 'b', 'c', 'd', 'e', 'f']
const scenes = fc.record({
  nudges: fc
    .tuple(...names.map(() => fc.uniqueArray(fc.constantFrom(...names, 'gone'), { maxLength: 4 })))
    .map((targets) => Object.fromEntries(names.map((name, at) => [name, targets[at] ?? []]))),
  minutes: fc.dictionary(fc.constantFrom(...names), fc.integer({ min: 1, max: 60 })),
  states: fc.dictionary(fc.constantFrom(...names), fc.constantFrom<BuildPipelineState>('ready', 'pending', 'loading')),
  deleted: fc.subarray(names.slice(1), { maxLength: 1 }),
})

describe('the ripple of any relations', () => {
  it('ends, and accounts for every component that is nudged, exactly once', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const { waves, rebuilt, unreached, cycles } = rippleOf(scene)
        const stops = waves.flatMap(({ members }) => members.filter(({ stop }) => stop).map(({ name }) => name))
        const expected = nudgedFrom(new Map(Object.entries(scene.nudges)), ['a']).filter((name) => name !== 'a')
        expect([...rebuilt, ...stops, ...unreached].sort()).toEqual(expected.sort())
        expect(waves.length).toBeLessThanOrEqual(names.length)
        for (const [first, ...others] of cycles) expect(others.at(-1)).toBe(first)
      }),
    )
  })

  it('takes longer, or as long, the longer a build takes', () => {
    fc.assert(
      fc.property(scenes, fc.constantFrom(...names), (scene, name) => {
        const slower = { ...scene, minutes: { ...scene.minutes, [name]: (scene.minutes[name] ?? 0) + 10 } }
        expect(rippleOf(slower).expected.minutes).toBeGreaterThanOrEqual(rippleOf(scene).expected.minutes)
      }),
    )
  })
})
