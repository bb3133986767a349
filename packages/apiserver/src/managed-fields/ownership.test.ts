import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { compare } from './compare'
import { difference, emptySet, pathsOf } from './field-set'
import { fieldsOf } from './fields-of'
import { merge } from './merge'
import { capped, type Owner } from './owners'
import { afterApply, afterUpdate, type Writing } from './ownership'
import { anObject, itsSchema } from './testing'

type Forced = Writing & { isForced: boolean }

const by = (manager: string, more: Partial<Forced> = {}): Forced => ({
  manager,
  apiVersion: 'v1',
  schema: itsSchema,
  now: '2026-01-31T09:00:00Z',
  ignoresStatus: false,
  isForced: false,
  ...more,
})

type State = { object: unknown; owners: Owner[] }

const nothing: State = { object: {}, owners: [] }

function apply(state: State, config: unknown, writing: Forced): State {
  const result = afterApply(state.object, config, state.owners, writing)
  if ('conflicts' in result) {
    throw new Error(result.conflicts.flatMap(({ owner, fields }) => [owner.manager, ...pathsOf(fields)]).join(' '))
  }
  return result
}

const update = (state: State, object: unknown, writing: Forced): State => ({
  object,
  owners: afterUpdate(state.object, object, state.owners, writing),
})

const ownedBy = ({ owners }: State, manager: string): string[] =>
  pathsOf(owners.find((owner) => owner.manager === manager)?.fields ?? emptySet)

describe('the fields of a configuration', () => {
  test.each<[string, unknown, string[]]>([
    ['a named member', { name: 'a' }, ['.name']],
    ['a map by key', { labels: { a: '1' } }, ['.labels.a']],
    ['an empty map', { labels: {} }, ['.labels']],
    ['an atomic map', { whole: { a: '1' } }, ['.whole']],
    ['a list, which is atomic', { steps: ['a', 'b'] }, ['.steps']],
    ['a set by value', { tags: ['a', 'b'] }, ['.tags[="a"]', '.tags[="b"]']],
    [
      'a list of type map by key',
      { items: [{ name: 'a', value: '1' }] },
      ['.items[name="a"]', '.items[name="a"].name', '.items[name="a"].value'],
    ],
    ['an object without a schema, by member', { free: { a: { b: [1] } } }, ['.free.a', '.free.a.b']],
    ['a set with a duplicate value, as a whole', { tags: ['a', 'a'] }, ['.tags']],
  ])('of %s', (_, config, paths) => expect(pathsOf(fieldsOf(config, itsSchema))).toEqual(paths))
})

describe('an apply', () => {
  it('merges, and removes fields of the previous configuration', () => {
    const first = apply(nothing, { labels: { a: '1', b: '1' }, tags: ['x', 'y'], items: [{ name: 'i' }] }, by('ann'))
    const second = apply(first, { labels: { b: '2' }, tags: ['y'] }, by('ann'))
    expect(second.object).toEqual({ labels: { b: '2' }, tags: ['y'] })
    expect(ownedBy(second, 'ann')).toEqual(['.labels.b', '.tags[="y"]'])
  })

  it('keeps dropped fields that have another owner', () => {
    const both = apply(apply(nothing, { labels: { a: '1' } }, by('ann')), { labels: { a: '1', c: '3' } }, by('bob'))
    const less = apply(both, { spec: { size: 1 } }, by('ann'))
    expect(less.object).toEqual({ labels: { a: '1', c: '3' }, spec: { size: 1 } })
    expect(ownedBy(less, 'bob')).toEqual(['.labels.a', '.labels.c'])
  })

  it('removes a dropped list item with everything below it', () => {
    const first = apply(nothing, { items: [{ name: 'a' }, { name: 'b' }] }, by('ann'))
    const filled = { items: [{ name: 'a', value: 'default' }, { name: 'b' }] }
    const second = apply({ ...first, object: filled }, { items: [{ name: 'b' }] }, by('ann'))
    expect(second.object).toEqual({ items: [{ name: 'b' }] })
  })

  it('conflicts over a different value, but not over the same one', () => {
    const first = apply(nothing, { labels: { a: '1', b: '1' }, spec: { size: 1 } }, by('ann'))
    expect(() => apply(first, { labels: { a: '2', b: '1' }, spec: { size: 2 } }, by('bob'))).toThrow(
      /^ann .labels.a .spec.size$/,
    )
    const shared = apply(first, { labels: { b: '1' } }, by('bob'))
    expect(ownedBy(shared, 'ann')).toContain('.labels.b')
    expect(ownedBy(shared, 'bob')).toEqual(['.labels.b'])
  })

  it('takes over ownership if forced', () => {
    const first = apply(nothing, { labels: { a: '1', b: '1' } }, by('ann'))
    const second = apply(first, { labels: { a: '2' } }, by('bob', { isForced: true }))
    expect([ownedBy(second, 'ann'), ownedBy(second, 'bob')]).toEqual([['.labels.b'], ['.labels.a']])
  })

  it('updates its time only with a change', () => {
    const first = apply(nothing, { labels: { a: '1' } }, by('ann'))
    const again = apply(first, { labels: { a: '1' } }, by('ann', { now: '2026-02-01T00:00:00Z' }))
    expect(again.owners).toEqual(first.owners)
    const later = apply(first, { labels: { a: '2' } }, by('ann', { now: '2026-02-01T00:00:00Z' }))
    expect(later.owners[0]?.time).toBe('2026-02-01T00:00:00Z')
  })

  it('keeps the applied order between the items of other owners', () => {
    expect(merge({ tags: ['a', 'x', 'b', 'y'] }, { tags: ['b', 'n', 'a'] }, itsSchema)).toEqual({
      tags: ['x', 'b', 'y', 'n', 'a'],
    })
  })
})

describe('a write other than an apply', () => {
  it('takes over the fields that it changes', () => {
    const first = apply(nothing, { labels: { a: '1', b: '1' }, items: [{ name: 'i', value: '1' }] }, by('ann'))
    const changed = { labels: { a: '2', c: '3' }, items: [{ name: 'i', value: '1' }, { name: 'j' }] }
    const second = update(first, changed, by('bob'))
    expect(ownedBy(second, 'ann')).toEqual(['.items[name="i"]', '.items[name="i"].name', '.items[name="i"].value'])
    expect(ownedBy(second, 'bob')).toEqual(['.items[name="j"]', '.items[name="j"].name', '.labels.a', '.labels.c'])
  })

  it('owns a new map itself', () => {
    expect(ownedBy(update(nothing, { labels: { a: '1' } }, by('bob')), 'bob')).toEqual(['.labels', '.labels.a'])
  })

  it('owns the status only if it writes the status subresource, which owns nothing else', () => {
    const object = { labels: { a: '1' }, status: { phase: 'x' } }
    const status = by('bob', { subresource: 'status' })
    expect(ownedBy(update(nothing, object, status), 'bob')).toEqual(['.status', '.status.phase'])
    expect(ownedBy(update(nothing, object, by('bob', { ignoresStatus: true })), 'bob')).toEqual([
      '.labels',
      '.labels.a',
    ])
  })

  it('never owns fields that the server maintains', () => {
    const object = { apiVersion: 'v1', kind: 'X', metadata: { name: 'a', uid: 'u', generation: 1, generateName: 'a' } }
    expect(ownedBy(update(nothing, object, by('bob')), 'bob')).toEqual(['.metadata.generateName'])
  })
})

it('the oldest of more than ten updaters are merged', () => {
  const owners = Array.from({ length: 12 }, (_, index): Owner => {
    const fields = { [`f:${index}`]: {} }
    return { manager: `m${index}`, operation: 'Update', apiVersion: 'v1', time: `2026-01-${10 + index}`, fields }
  })
  const kept = capped(owners)
  expect(kept).toHaveLength(10)
  const ancient = kept.find(({ manager }) => manager === 'ancient-changes')
  expect([pathsOf(ancient?.fields ?? {}), ancient?.time]).toEqual([['.0', '.1', '.2'], '2026-01-12'])
})

/** Picks parts of an object: entries of its maps, items of its lists, everything else as a whole. */
function half(object: Record<string, unknown>, isChosen: (path: string) => boolean): Record<string, unknown> {
  const chosen: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(object)) {
    if (key === 'whole' || key === 'steps' || typeof value !== 'object' || value === null) {
      if (isChosen(key)) chosen[key] = value
      continue
    }
    const isPartChosen = (_: unknown, index: number) => isChosen(`${key}.${index}`)
    const parts = Array.isArray(value)
      ? value.filter(isPartChosen)
      : Object.fromEntries(Object.entries(value).filter(isPartChosen))
    if (Object.keys(parts).length > 0) chosen[key] = parts
  }
  return chosen
}

describe('for any configuration', () => {
  const holds = (property: (a: Record<string, unknown>, b: Record<string, unknown>, c: object) => void) =>
    fc.assert(fc.property(anObject, anObject, anObject, property), { numRuns: 300 })

  it('disjoint fields never conflict', () => {
    const property = fc.property(anObject, fc.func(fc.boolean()), (object, isFirst) => {
      const first = apply(
        nothing,
        half(object, (path) => isFirst(path)),
        by('ann'),
      )
      const other = half(object, (path) => !isFirst(path))
      expect(() => apply(first, other, by('bob'))).not.toThrow()
    })
    fc.assert(property, { numRuns: 300 })
  })

  it('dropping all fields keeps the fields of other owners', () => {
    holds((a, b) => {
      const both = apply(apply(nothing, a, by('ann')), b, by('bob', { isForced: true }))
      const dropped = apply(both, {}, by('ann'))
      expect(ownedBy(dropped, 'ann')).toEqual([])
      expect(ownedBy(dropped, 'bob')).toEqual(ownedBy(both, 'bob'))
      expect(pathsOf(difference(fieldsOf(b, itsSchema), fieldsOf(dropped.object, itsSchema)))).toEqual([])
    })
  })

  it('applied fields have the applied values', () => {
    holds((a, b, c) => {
      const before = apply(update(nothing, c, by('eve')), a, by('ann', { isForced: true }))
      const after = apply(before, b, by('ann', { isForced: true }))
      expect(compare(after.object, merge(after.object, b, itsSchema), itsSchema)).toEqual({ written: {}, removed: {} })
    })
  })

  it('applying it again changes nothing', () => {
    holds((a, b) => {
      const first = apply(update(nothing, b, by('eve')), a, by('ann', { isForced: true }))
      expect(apply(first, a, by('ann', { now: '2027-01-01T00:00:00Z' }))).toEqual(first)
    })
  })

  it('every owned field exists', () => {
    holds((a, b, c) => {
      let state = apply(nothing, a, by('ann'))
      state = update(state, c, by('eve'))
      state = apply(state, b, by('ann', { isForced: true }))
      const there = compare({}, state.object, itsSchema).written
      for (const { fields } of state.owners) {
        expect(pathsOf(difference(fields, there)).filter((path) => !/(labels|env|free|spec|whole)/.test(path))).toEqual(
          [],
        )
      }
    })
  })
})
