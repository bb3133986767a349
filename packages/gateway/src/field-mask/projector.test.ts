import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { parseFieldMask, type FieldMask } from './mask'
import type { Layout } from './plan'
import { createProjector, createSecretProjector, MalformedJson, type Projector } from './projector'

/** Filters text in pieces of this many bytes. */
function project(text: string, mask: string, layout: Layout = 'item', pieceBytes = Infinity): string {
  const projector = createProjector(parseFieldMask([mask]), layout)
  const bytes = Buffer.from(text)
  const kept: Buffer[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes) kept.push(projector.push(bytes.subarray(at, at + pieceBytes)))
  projector.end()
  return Buffer.concat(kept).toString()
}

/** Filters text in pieces of these sizes, including empty ones, and then the rest. */
function pushed(projector: Projector, text: string, sizes: readonly number[]): string {
  const bytes = Buffer.from(text)
  const kept: Buffer[] = []
  let at = 0
  for (const size of sizes) kept.push(projector.push(bytes.subarray(at, (at += size))))
  kept.push(projector.push(bytes.subarray(at)))
  projector.end()
  return Buffer.concat(kept).toString()
}

/** Reference implementation on parsed values: the meaning of a mask. */
function reference(value: unknown, mask: FieldMask): unknown {
  if (Array.isArray(value)) return value.map((each) => reference(each, mask)).filter((each) => each !== undefined)
  if (typeof value !== 'object' || value === null) return undefined
  const kept = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const field = mask.fields.get(name)
    const cut = field && (field.fields.size > 0 ? reference(inner, field) : inner)
    return cut === undefined ? [] : [[name, cut]]
  })
  return Object.fromEntries(kept)
}

describe('an object', () => {
  test.each<[string, string, string, string]>([
    ['a field', 'spec', '{"spec":{"a":[1]},"status":{"b":2}}', '{"spec":{"a":[1]}}'],
    ['a subfield', 'spec.a', '{"spec":{"a":1,"b":2}}', '{"spec":{"a":1}}'],
    ['an object without any included field', 'spec.a', '{"spec":{"b":2}}', '{"spec":{}}'],
    [
      'fields of the elements of an array',
      'l.a',
      '{"l":[{"a":1,"b":2},{"b":3},{"a":4}]}',
      '{"l":[{"a":1},{},{"a":4}]}',
    ],
    ['arrays in arrays', 'l.a', '{"l":[[{"a":1,"b":2}],[],[[{"b":1}]]]}', '{"l":[[{"a":1}],[],[[{}]]]}'],
    ['no scalars where subfields are requested', 'l.a,s.a', '{"l":[1,{"a":2},"x",null],"s":"x"}', '{"l":[{"a":2}]}'],
    [
      'fields that are always included',
      'x',
      '{"kind":"A","apiVersion":"v1","metadata":{"uid":"u","name":"n","resourceVersion":"1"}}',
      '{"kind":"A","apiVersion":"v1","metadata":{"uid":"u","resourceVersion":"1"}}',
    ],
    ['names with escapes', 'metadata.name', '{"met\\u0061data":{"\\u006eame":"x"}}', '{"metadata":{"name":"x"}}'],
    ['names that need escapes', '`a"\\`.`é😀`', '{"a\\"\\\\":{"é\\ud83d\\ude00":1,"e":2}}', '{"a\\"\\\\":{"é😀":1}}'],
    ['__proto__', '`__proto__`.a', '{"__proto__":{"a":1,"b":2},"constructor":3}', '{"__proto__":{"a":1}}'],
    [
      'a repeated name, each time on its own',
      'a.b',
      '{"a":{"b":1},"a":2,"a":{"b":3,"c":4}}',
      '{"a":{"b":1},"a":{"b":3}}',
    ],
    [
      'values byte for byte',
      'a',
      '{ "a" : [ 1.50e+03 , "\\u0041\\/" ] , "b" : 0 }',
      '{"a":[ 1.50e+03 , "\\u0041\\/" ]}',
    ],
    ['numbers at the end of an object', 'a,c', '{"a":-0,"b":10,"c":1}', '{"a":-0,"c":1}'],
    ['literals', 'a.b', '{"a":{"b":true,"c":false},"d":null}', '{"a":{"b":true}}'],
    ['strings with brackets', 'b', '{"a":"}]{[\\"","b":"{"}', '{"b":"{"}'],
    [
      'a Status unchanged',
      'x',
      '{"kind":"Status","apiVersion":"v1","code":404,"details":{"uid":"a"}}',
      '{"kind":"Status","apiVersion":"v1","code":404,"details":{"uid":"a"}}',
    ],
    [
      'only the included fields of a field whose kind is Status',
      'a.kind',
      '{"a":{"kind":"Status","b":1},"b":1}',
      '{"a":{"kind":"Status"}}',
    ],
    ['an object whose kind is a list', 'x', '{"kind":["Status"],"a":1}', '{"kind":["Status"]}'],
    ['an empty object', 'x', '{}', '{}'],
  ])('keeps %s', (_, mask, text, expected) => {
    expect(project(text, mask)).toBe(expected)
    expect(project(text, mask, 'item', 1)).toBe(expected)
    expect(project(`\n${text}\n`, mask, 'item', 7)).toBe(expected)
  })

  it('finds names that span blocks and drops names longer than any in a mask', () => {
    const long = '\\u0061'.repeat(5_000)
    const wanted = 'b'.repeat(1_000)
    const text = `{"${long}":1,"${'a'.repeat(70_000)}":2,"${wanted.replaceAll('b', '\\u0062')}":3,"${wanted}":4}`
    for (const bytes of [997, 65_536, Infinity]) {
      expect(project(text, wanted, 'item', bytes)).toBe(`{"${wanted}":3,"${wanted}":4}`)
    }
  })
})

describe('a list', () => {
  it('filters the items of a list and keeps everything else', () => {
    const text =
      '{"kind":"PodList","metadata":{"continue":"t","remainingItemCount":3},"items":[{"a":1,"b":2},{"b":1}],"count":2}'
    const expected = text.replace('{"a":1,"b":2},{"b":1}', '{"a":1},{}')
    expect(project(text, 'a', 'list')).toBe(expected)
    expect(project(text, 'a', 'list', 1)).toBe(expected)
  })

  test.each([
    '{"kind":"PodList","items":null}',
    '{"items":[]}',
    '{ "code" : 403 , "kind" : "Status", "details": { "uid" : [ ] } }',
  ])('does not change the list %s', (text) => {
    expect(project(text, 'a', 'list')).toBe(text)
    expect(project(text, 'a', 'list', 1)).toBe(text)
  })
})

describe('a watch', () => {
  const lines = [
    ['{"type":"ADDED","object":{"a":1,"b":2}}', '{"type":"ADDED","object":{"a":1}}'],
    ['{"type":"MODIFIED","object":{"b":2}}', '{"type":"MODIFIED","object":{}}'],
    ['{"type":"DELETED","object":{"a":[{}]}}', '{"type":"DELETED","object":{"a":[{}]}}'],
    ['{"type":"BOOKMARK","object":{"metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}}}'],
    ['{"type":"ERROR","object":{"kind":"Status","code":410,"b":1}}'],
    ['{"object":{"a":1,"b":2},"type":"ADDED"}'],
    ['{"type":"FUTURE","object":{"b":2}}'],
    ['{"type":["ADDED"],"object":{"b":2}}'],
    ['{"type":"ADDE\\u0044","object":{"b":2}}', '{"type":"ADDE\\u0044","object":{}}'],
  ].map(([sent = '', kept = sent]) => [sent, kept] as const)

  it('filters the object of each event and keeps bookmarks, errors and unknown types', () => {
    const sent = lines.map(([line]) => `${line}\n`).join('')
    const kept = lines.map(([, line]) => `${line}\n`).join('')
    for (const bytes of [1, 2, 50, Infinity]) expect(project(sent, 'a', 'watch', bytes)).toBe(kept)
  })

  it('outputs each event at its last bracket, before another byte arrives', () => {
    const projector = createProjector(parseFieldMask(['a']), 'watch')
    expect(projector.push(Buffer.from('{"type":"ADDED","object":{"b":2,"a":1}}')).toString()).toBe(
      '{"type":"ADDED","object":{"a":1}}\n',
    )
  })

  it('filters one event after the other as separate documents', () => {
    const projector = createProjector(parseFieldMask(['a']), 'event')
    for (const [sent, kept] of lines) {
      expect(projector.push(Buffer.from(sent)).toString()).toBe(kept)
      projector.end()
    }
  })
})

describe('invalid JSON, in included fields or not', () => {
  const broken = [
    ['', '{', '{"a"', '{"a":', '{"a":1', '{"a":"', '{"a":[', '{"a":tru', '{"a":1,', '{"a":"\\', '{"a":"\\u00'],
    [
      '{"a":1]',
      '{"a":[1}',
      '{"a":1,}',
      '{"a":[1,]}',
      '{,}',
      '{"a" 1}',
      '{"a":1 "b":2}',
      '{"a":[1 2]}',
      '{a:1}',
      "{'a':1}",
    ],
    ['{"a":01}', '{"a":1.}', '{"a":.5}', '{"a":-}', '{"a":1e}', '{"a":+1}', '{"a":1e+}', '{"a":0x1}', '{"a":1.2.3}'],
    ['{"a":nul}', '{"a":True}', '{"a":NaN}', '{"a":undefined}', '{"a":"\\x"}', '{"a":"\\u12g4"}', '{"a":"\n"}'],
    ['{}{}', '{}x', '[]', '"a"', '1', 'null', '\ufeff{}', '{"a":"\u0000"}', '{"a":[]]}', '}', '<html>'],
  ].flat()
  test.each(broken)('throws MalformedJson for %j', (text) => {
    for (const mask of ['a', 'x', 'a.b']) {
      for (const layout of ['item', 'list'] as const) {
        expect(() => project(text, mask, layout)).toThrow(MalformedJson)
        expect(() => project(text, mask, layout, 1)).toThrow(MalformedJson)
      }
    }
  })

  it('throws for a watch that ends within an event, but not for one that ends after an event', () => {
    expect(project('', 'a', 'watch')).toBe('')
    expect(project('{"type":"ADDED"}\n\n', 'a', 'watch')).toBe('{"type":"ADDED"}\n')
    expect(() => project('{"type":"ADDED"', 'a', 'watch')).toThrow(MalformedJson)
  })

  it('throws for nesting deeper than a thousand, but not for less', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
    for (const mask of ['a', 'b', 'a.b']) {
      expect(() => project(nested(999), mask)).not.toThrow()
      expect(() => project(nested(1_000), mask)).toThrow(/nested too deep/)
    }
  })
})

describe('any input', () => {
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('a', 'b', 'metadata', 'uid', 'kind', '__proto__', 'é', 'a.b/c', 'a"\\') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 5 }, fc.string({ unit: 'binary' }), fc.jsonValue(), tie('array'), tie('object')),
    array: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(name, tie('value'), { maxKeys: 6 }),
  }))
  const object = fc.dictionary(name, value, { maxKeys: 8 })
  const mask = fc
    .array(
      fc.array(fc.constantFrom('a', 'b', 'metadata', '__proto__', 'é', 'a.b/c', 'a"\\'), {
        minLength: 1,
        maxLength: 4,
      }),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    .map((paths) => paths.map((path) => path.map((each) => `\`${each}\``).join('.')).join(','))
  const cuts = fc.array(fc.nat({ max: 40 }), { maxLength: 30 })
  const spaces = fc.constantFrom(undefined, 1, '\t')

  const inPieces = (text: string, sizes: number[], masked: string, layout: Layout): string =>
    pushed(createProjector(parseFieldMask([masked]), layout), text, sizes)

  it('filters an object like the reference implementation, however it is split', () => {
    fc.assert(
      fc.property(object, mask, cuts, spaces, (sent, masked, sizes, space) => {
        fc.pre(sent.kind !== 'Status')
        const kept: unknown = JSON.parse(inPieces(JSON.stringify(sent, null, space), sizes, masked, 'item'))
        expect(kept).toEqual(reference(JSON.parse(JSON.stringify(sent)), parseFieldMask([masked])))
      }),
      { numRuns: 1_000 },
    )
  })

  it('filters list items and event objects like the reference implementation', () => {
    fc.assert(
      fc.property(fc.array(object), mask, cuts, spaces, (items, masked, sizes, space) => {
        const plain = JSON.parse(JSON.stringify(items)) as unknown[]
        const wanted = plain.map((item) => reference(item, parseFieldMask([masked])))
        const list = JSON.stringify({ apiVersion: 'v1', items, metadata: { continue: 'c' } }, null, space)
        const keptList: unknown = JSON.parse(inPieces(list, sizes, masked, 'list'))
        expect(keptList).toEqual({ apiVersion: 'v1', items: wanted, metadata: { continue: 'c' } })

        const events = items.map((item) => `${JSON.stringify({ type: 'ADDED', object: item })}\n`).join('')
        const keptEvents = inPieces(events, sizes, masked, 'watch')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as unknown)
        expect(keptEvents).toEqual(wanted.map((kept) => ({ type: 'ADDED', object: kept })))
      }),
      { numRuns: 300 },
    )
  })

  it('rejects text that JSON.parse rejects and accepts text that it accepts', () => {
    const damaged = fc
      .tuple(object, fc.nat(), fc.nat(), fc.constantFrom(...'"\\{}[]:,0e-.tn\n \u0001'))
      .map(([sent, at, length, insert]) => {
        const text = JSON.stringify(sent)
        const from = at % text.length
        return text.slice(0, from) + insert + text.slice(from + (length % 3))
      })
    fc.assert(
      fc.property(damaged, mask, cuts, (text, masked, sizes) => {
        let isObject = true
        try {
          const parsed: unknown = JSON.parse(Buffer.from(text).toString())
          isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
        } catch {
          isObject = false
        }
        if (isObject) expect(() => JSON.parse(inPieces(text, sizes, masked, 'item')) as unknown).not.toThrow()
        else expect(() => inPieces(text, sizes, masked, 'item')).toThrow(MalformedJson)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('Secrets', () => {
  const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'
  const blanked = (text: string, sizes: readonly number[] = [], layout: 'item' | 'watch' = 'item') =>
    pushed(createSecretProjector(layout), text, sizes)

  const [sent, kept] = ['c2VjcmV0', ''].map((value) =>
    JSON.stringify({
      kind: 'Secret',
      metadata: { name: 'data', annotations: { [lastApplied]: value, data: 'kept' }, managedFields: [{ data: 'f' }] },
      data: { a: value, 'b"\\é': value, data: value },
      stringData: { c: value },
      type: 'Opaque',
    }),
  ) as [string, string]

  test.each<[string, string, string]>([
    ['a Secret', sent, kept],
    ['a list', `{"items":[${sent},${sent}],"metadata":{}}`, `{"items":[${kept},${kept}],"metadata":{}}`],
    ['a table', `{"rows":[{"cells":["a",1],"object":${sent}}]}`, `{"rows":[{"cells":["a",1],"object":${kept}}]}`],
    ['an event', `{"type":"ADDED","object":${sent}}`, `{"type":"ADDED","object":${kept}}`],
    ['an event of a later type', `{"object":${sent},"type":"LATER"}`, `{"object":${kept},"type":"LATER"}`],
    ['an event with a list', `{"object":{"items":[${sent}]}}`, `{"object":{"items":[${kept}]}}`],
    ['an event with a table', `{"object":{"rows":[{"object":${sent}}]}}`, `{"object":{"rows":[{"object":${kept}}]}}`],
    ['names with escapes', '{"d\\u0061ta":{"\\u0061":"x"}}', '{"d\\u0061ta":{"\\u0061":""}}'],
    ['a repeated name', '{"data":{"a":"x"},"data":{"a":"y"}}', '{"data":{"a":""},"data":{"a":""}}'],
    ['whitespace', '{ "data" : { "a" : "x" , "b":\n"y" } }', '{ "data" : { "a" : "" , "b":\n"" } }'],
    [
      'values of any type, however deep',
      '{"data":{"a":1,"b":[true,-2.5e3,["x",{"c":"y"}],{}],"d":false,"e":null},"stringData":"x"}',
      '{"data":{"a":"","b":["","",["",{"c":""}],{}],"d":"","e":null},"stringData":""}',
    ],
    ['no values', '{"data":{},"stringData":null}', '{"data":{},"stringData":null}'],
    ['an escaped quote in a value', '{"data":{"a":"x\\"y","b":"\\\\"}}', '{"data":{"a":"","b":""}}'],
  ])('blanks the values of %s, and nothing else', (_, before, after) => {
    expect(blanked(before)).toBe(after)
    expect(blanked(before, Array<number>(before.length).fill(1))).toBe(after)
  })

  it.each([
    '{"kind":"Status","status":"Failure","message":"no","details":{"name":"data","causes":[{"field":"data[a]"}]},"code":422}',
    '{"type":"BOOKMARK","object":{"kind":"Secret","metadata":{"resourceVersion":"8","annotations":{"a":"b"}}}}',
  ])('does not change %s', (text) => {
    expect(blanked(text)).toBe(text)
    expect(blanked(text, [1, 2, 3, 50])).toBe(text)
  })

  it('blanks values that span blocks, and numbers, which become longer', () => {
    const numbers = Array<number>(100_000).fill(1)
    const text = JSON.stringify({
      data: { a: 'x'.repeat(200_000), b: numbers, c: '\n'.repeat(100_000) },
      type: 'Opaque',
    })
    expect(blanked(text)).toBe(JSON.stringify({ data: { a: '', b: numbers.map(() => ''), c: '' }, type: 'Opaque' }))
  })

  it('blanks one event after the other, each at its last bracket', () => {
    const projector = createSecretProjector('watch')
    for (const type of ['ADDED', 'MODIFIED', 'DELETED']) {
      const event = `{"type":"${type}","object":${sent}}`
      expect(projector.push(Buffer.from(event)).toString()).toBe(`${event.replace(sent, kept)}\n`)
      expect(projector.push(Buffer.from('\n')).toString()).toBe('')
    }
    projector.end()
  })

  it('throws MalformedJson for text that JSON.parse rejects', () => {
    for (const text of [
      '{"data":{"a":"x"',
      '{"data":{"a":"x}}',
      '{"data":{"a":x}}',
      '{"data":{"a":01}}',
      '["x"]',
      'x',
    ]) {
      expect(() => blanked(text)).toThrow(MalformedJson)
    }
  })

  it('blanks any value like the reference implementation, however the document is split', () => {
    const isScalar = (value: unknown) => typeof value !== 'object'
    const blank = (value: unknown): unknown => {
      if (value === null || isScalar(value)) return value === null ? null : ''
      if (Array.isArray(value)) return value.map(blank)
      return Object.fromEntries(Object.entries(value as object).map(([name, inner]) => [name, blank(inner)]))
    }
    /** Applies a function to the members of these names, in a container or in each of a list. */
    const mapped = (value: unknown, changes: Record<string, (inner: unknown) => unknown>): unknown => {
      if (value === null || isScalar(value)) return value
      if (Array.isArray(value)) return value.map((each) => mapped(each, changes))
      return Object.fromEntries(
        Object.entries(value as object).map(([name, inner]) => [
          name,
          Object.hasOwn(changes, name) ? changes[name]?.(inner) : (inner as unknown),
        ]),
      )
    }
    const annotations = (value: unknown) => mapped(value, { [lastApplied]: blank })
    const secret = { data: blank, stringData: blank, metadata: (value: unknown) => mapped(value, { annotations }) }
    const objects = {
      ...secret,
      items: (value: unknown) => mapped(value, secret),
      rows: (value: unknown) => mapped(value, { object: (row) => mapped(row, secret) }),
    }
    const document = { ...objects, object: (value: unknown) => mapped(value, objects) }

    const member = fc.constantFrom(
      ...['data', 'stringData', 'metadata', 'annotations', lastApplied, 'items', 'rows', 'object', 'type', 'é"'],
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 6 }, fc.string({ unit: 'binary' }), fc.jsonValue(), tie('array'), tie('object')),
      array: fc.array(tie('value'), { maxLength: 3 }),
      object: fc.dictionary(member, tie('value'), { maxKeys: 5 }),
    }))
    const object = fc.dictionary(member, value, { maxKeys: 6 })
    const sizes = fc.array(fc.nat({ max: 40 }), { maxLength: 30 })
    fc.assert(
      fc.property(object, sizes, fc.constantFrom(undefined, 1, '\t'), (before, cuts, space) => {
        const text = JSON.stringify(before, null, space)
        const after: unknown = JSON.parse(blanked(text, cuts))
        expect(after).toEqual(mapped(JSON.parse(text), document))
      }),
      { numRuns: 2_000 },
    )
  })
})
