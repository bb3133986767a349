import fc from 'fast-check'
import { createPatch } from 'rfc6902'
import { describe, expect, it, test } from 'vitest'
import { configMaps } from '../../builtin/configmaps'
import { inlineYamlReader } from '../../http/body'
import { mergePatch } from './merge-patch'
import { patchOf } from './patch'
import type { AnyObject } from '../../resource'

const patched = async (document: unknown, patch: unknown): Promise<unknown> => {
  const headers = { 'content-type': 'application/json-patch+json' }
  const request = new Request('http://cluster.test/', { method: 'PATCH', headers, body: JSON.stringify(patch) })
  const read = await patchOf(request, configMaps, inlineYamlReader)
  if (read.isApply) throw new Error('not an apply')
  // Patches apply to any document; these are the ones of the RFC.
  return read.apply(structuredClone(document) as AnyObject)
}

describe('a JSON patch', () => {
  test.each<[string, unknown, object[], unknown]>([
    ['A.1 adds a member', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { baz: 'qux', foo: 'bar' }],
    [
      'A.2 adds an element',
      { foo: ['bar', 'baz'] },
      [{ op: 'add', path: '/foo/1', value: 'qux' }],
      { foo: ['bar', 'qux', 'baz'] },
    ],
    ['A.3 removes a member', { baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
    [
      'A.4 removes an element',
      { foo: ['bar', 'qux', 'baz'] },
      [{ op: 'remove', path: '/foo/1' }],
      { foo: ['bar', 'baz'] },
    ],
    [
      'A.5 replaces a value',
      { baz: 'qux', foo: 'bar' },
      [{ op: 'replace', path: '/baz', value: 'boo' }],
      { baz: 'boo', foo: 'bar' },
    ],
    [
      'A.6 moves a value',
      { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
      [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
      { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
    ],
    [
      'A.7 moves an element',
      { foo: ['all', 'grass', 'cows', 'eat'] },
      [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
      { foo: ['all', 'cows', 'eat', 'grass'] },
    ],
    [
      'A.8 tests values',
      { baz: 'qux', foo: ['a', 2, 'c'] },
      [
        { op: 'test', path: '/baz', value: 'qux' },
        { op: 'test', path: '/foo/1', value: 2 },
      ],
      { baz: 'qux', foo: ['a', 2, 'c'] },
    ],
    [
      'A.10 adds a nested object',
      { foo: 'bar' },
      [{ op: 'add', path: '/child', value: { grandchild: {} } }],
      { foo: 'bar', child: { grandchild: {} } },
    ],
    [
      'A.11 ignores unknown members',
      { foo: 'bar' },
      [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }],
      { foo: 'bar', baz: 'qux' },
    ],
    ['A.14 escapes ~', { '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
    [
      'A.16 adds a list as one element',
      { foo: ['bar'] },
      [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
      { foo: ['bar', ['abc', 'def']] },
    ],
  ])('RFC 6902 %s', async (_, document, patch, result) => expect(await patched(document, patch)).toEqual(result))

  it('sets a missing member by replace, as Kubernetes does', async () => {
    const stop = [{ op: 'replace', path: '/spec/status', value: 'StoppedRunFinally' }]
    expect(await patched({ spec: {} }, stop)).toEqual({ spec: { status: 'StoppedRunFinally' } })
  })

  test.each<[string, unknown, object[]]>([
    ['A.9 a failing test', { baz: 'qux' }, [{ op: 'test', path: '/baz', value: 'bar' }]],
    ['A.12 a missing target', { foo: 'bar' }, [{ op: 'add', path: '/baz/bat', value: 'qux' }]],
    ['A.15 a string instead of a number', { '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: '10' }]],
    ['4.2 removing a missing member', { foo: 'bar' }, [{ op: 'remove', path: '/baz' }]],
    ['4.3 replacing a missing element', { foo: [1] }, [{ op: 'replace', path: '/foo/1', value: 1 }]],
    ['4.3 replacing a member of a missing object', { foo: 'bar' }, [{ op: 'replace', path: '/baz/bat', value: 1 }]],
    ['4.4 moving a value into itself', { foo: { bar: 1 } }, [{ op: 'move', from: '/foo', path: '/foo/bar/baz' }]],
    ['4.1 an index beyond the end', { foo: [1] }, [{ op: 'add', path: '/foo/2', value: 3 }]],
    ['4 an index that is not a number', { foo: [1] }, [{ op: 'add', path: '/foo/one', value: 3 }]],
    [
      '4.5 copies that grow exponentially',
      { a: 'x'.repeat(99), b: [] },
      Array(30).fill({ op: 'copy', from: '', path: '/b/-' }),
    ],
    ['4 an index with a leading zero', { foo: [1, 2] }, [{ op: 'replace', path: '/foo/01', value: 3 }]],
  ])('RFC 6902 rejects %s', async (_, document, patch) => {
    const error = expect.objectContaining({ status: expect.objectContaining({ code: 422, reason: 'Invalid' }) })
    await expect(patched(document, patch)).rejects.toEqual(error)
  })

  it('turns any document into any other document', async () => {
    await fc.assert(
      fc.asyncProperty(document, document, async (before, after) => {
        expect(await patched(before, createPatch(before, after))).toEqual(after)
      }),
      { numRuns: 200 },
    )
  })
})

const member = fc.constantFrom('a', 'b', 'a/b', 'm~n', 'constructor', 'toString', '')
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(true, 0, 1, 'x', ''),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(member, tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any
const document = fc.dictionary(member, value, { maxKeys: 4, noNullPrototype: true })

describe('a merge patch', () => {
  test.each<[unknown, unknown, unknown]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('RFC 7396: patching %j with %j gives %j', (target, patch, result) =>
    expect(mergePatch(target, patch)).toEqual(result),
  )

  /** The patch that turns `before` into `after`. */
  function difference(before: unknown, after: unknown): unknown {
    if (!isPlain(before) || !isPlain(after)) return after
    const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
    return Object.fromEntries([
      ...removed.map((key) => [key, null] as const),
      ...Object.keys(after).map((key) => {
        const old = Object.hasOwn(before, key) ? before[key] : undefined
        return [key, difference(old, after[key])] as const
      }),
    ])
  }
  const isPlain = (item: unknown): item is Record<string, unknown> =>
    typeof item === 'object' && item !== null && !Array.isArray(item)

  it('turns any document into any other, and applying it again changes nothing', () => {
    fc.assert(
      fc.property(document, document, (before, after) => {
        const copy = structuredClone(before)
        const patch = difference(before, after)
        const once = mergePatch(before, patch)
        expect([once, mergePatch(once, patch), before]).toEqual([after, after, copy])
      }),
      { numRuns: 500 },
    )
  })
})
