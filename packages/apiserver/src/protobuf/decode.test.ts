import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { decodeProtobuf, UnknownKindError } from './decode'
import { messageOf, protobufKinds } from './kinds'
import type { Message, Type } from './message'
import { deploymentBody, recordings } from '../../test/protobuf-recordings'
import { bytes, concat, encodeProtobuf, enveloped, fieldsIn, number, text, varint } from './testing'
import { fieldsOf, ProtobufError } from './wire'

const fromBase64 = (body: string) => Uint8Array.from(atob(body), (char) => char.charCodeAt(0))

describe('what kubectl 1.32 sends', () => {
  test.each(recordings)('$command', ({ body, object }) => expect(decodeProtobuf(fromBase64(body))).toEqual(object))

  it('contains pods in deployments, where unset scalars are omitted and empty messages are included', () => {
    const inside = (body: Uint8Array, ...path: number[]): Uint8Array =>
      path.reduce((outer, number) => {
        const value = [...fieldsOf(outer)].find((field) => field.number === number)?.value
        return value instanceof Uint8Array ? value : new Uint8Array()
      }, body)
    // A pod template has the first two fields of a Pod: metadata and spec.
    const template = inside(fromBase64(deploymentBody).subarray(4), 2, 2, 3)
    expect(decodeProtobuf(enveloped('v1', 'Pod', template))).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { labels: { app: 'one' } },
      spec: {
        containers: [
          {
            name: 'nginx',
            image: 'nginx:1.27',
            command: ['sh', '-c', 'sleep 1'],
            ports: [{ containerPort: 8080 }],
            resources: {},
          },
        ],
      },
    })
  })
})

describe('values', () => {
  const podWith = (...spec: (Uint8Array | number[])[]) =>
    decodeProtobuf(enveloped('v1', 'Pod', bytes(2, concat(...spec))))['spec']
  const container = (...fields: (Uint8Array | number[])[]) => podWith(bytes(2, concat(...fields)))

  it('are included if zero is significant', () => {
    const options = enveloped('rbac.authorization.k8s.io/v1', 'DeleteOptions', concat(number(1, 0), number(3, 0)))
    expect(decodeProtobuf(options)).toEqual({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'DeleteOptions',
      gracePeriodSeconds: 0,
      orphanDependents: false,
    })
    expect(container(bytes(15, concat(number(4, 0), number(7, 0))))).toEqual({
      containers: [{ securityContext: { runAsUser: 0, allowPrivilegeEscalation: false } }],
    })
  })

  it('may be 64-bit and negative numbers', () => {
    expect(podWith(number(25, -1), number(5, 2n ** 40n))).toEqual({ priority: -1, activeDeadlineSeconds: 2 ** 40 })
  })

  it('may be lists of numbers, packed or not', () => {
    const unpacked = concat(number(4, 1000), number(4, -1))
    const packed = bytes(4, concat(varint(1000), varint(-1)))
    for (const groups of [unpacked, packed]) {
      expect(podWith(bytes(14, groups))).toEqual({ securityContext: { supplementalGroups: [1000, -1] } })
    }
  })

  it('may be ports by number or by name', () => {
    const byNumber = concat(number(1, 0), number(2, 8080), text(3, ''))
    const byName = concat(number(1, 1), number(2, 0), text(3, 'http'))
    const probe = (port: Uint8Array) => bytes(10, bytes(1, bytes(3, bytes(1, port))))
    expect(container(probe(byNumber))).toEqual({ containers: [{ livenessProbe: { tcpSocket: { port: 8080 } } }] })
    expect(container(probe(byName))).toEqual({ containers: [{ livenessProbe: { tcpSocket: { port: 'http' } } }] })
  })

  it('may be quantities', () => {
    const entry = (key: string, value: Uint8Array) => bytes(2, concat(text(1, key), bytes(2, value)))
    const requests = concat(
      entry('cpu', text(1, '500m')),
      entry('memory', text(1, '1Gi')),
      entry('x', new Uint8Array()),
    )
    expect(container(bytes(8, requests))).toEqual({
      containers: [{ resources: { requests: { cpu: '500m', memory: '1Gi', x: '0' } } }],
    })
  })

  it('of a volume source become members of the volume', () => {
    const secret = concat(text(1, 'pull'), number(3, 0o400))
    expect(podWith(bytes(1, concat(text(1, 'v'), bytes(2, bytes(6, secret)))))).toEqual({
      volumes: [{ name: 'v', secret: { secretName: 'pull', defaultMode: 0o400 } }],
    })
  })

  it('of a rare volume source are read too', () => {
    expect(podWith(bytes(1, concat(text(1, 'v'), bytes(2, bytes(11, text(2, 'image'))))))).toEqual({
      volumes: [{ name: 'v', rbd: { image: 'image' } }],
    })
  })

  it('may be times in whole seconds and in microseconds', () => {
    const time = concat(number(1, 1_769_850_000), number(2, 123_456_789))
    expect(
      decodeProtobuf(enveloped('v1', 'Event', concat(bytes(6, time), bytes(7, new Uint8Array()), bytes(10, time)))),
    ).toEqual({
      apiVersion: 'v1',
      kind: 'Event',
      firstTimestamp: '2026-01-31T09:00:00Z',
      eventTime: '2026-01-31T09:00:00.123456Z',
    })
  })

  it('of field sets are parsed as JSON', () => {
    const entry = concat(text(1, 'kubectl'), bytes(7, text(1, '{"f:data":{}}')))
    const body = enveloped('v1', 'ConfigMap', bytes(1, bytes(17, entry)))
    expect(decodeProtobuf(body)['metadata']).toEqual({
      managedFields: [{ manager: 'kubectl', fieldsV1: { 'f:data': {} } }],
    })
  })

  it('may be lists inside maps', () => {
    const extra = bytes(5, concat(text(1, 'scopes'), bytes(2, concat(text(1, 'a'), text(1, 'b')))))
    const body = enveloped('authorization.k8s.io/v1', 'SubjectAccessReview', bytes(2, extra))
    expect(decodeProtobuf(body)['spec']).toEqual({ extra: { scopes: ['a', 'b'] } })
  })

  it('of unknown fields are skipped, whatever their width', () => {
    const unknown = concat(
      number(900, 7),
      text(901, 'x'),
      varint(902 * 8 + 1),
      new Uint8Array(8),
      varint(903 * 8 + 5),
      [0, 0, 0, 0],
    )
    expect(podWith(unknown, text(10, 'node-1'))).toEqual({ nodeName: 'node-1' })
  })

  it('that occur twice are merged; the last scalar wins', () => {
    const meta = concat(bytes(1, text(1, 'a')), bytes(1, concat(text(1, 'b'), text(3, 'ns'))), bytes(1, text(3, '')))
    expect(decodeProtobuf(enveloped('v1', 'Secret', meta))['metadata']).toEqual({ name: 'b' })
  })
})

describe('a rejected body', () => {
  const secret = (...raw: (Uint8Array | number[])[]) => enveloped('v1', 'Secret', concat(...raw))

  test.each<[string, Uint8Array, string]>([
    ['JSON', new TextEncoder().encode('{"kind":"Pod"}'), 'a protobuf body must start with the bytes 6b 38 73 00'],
    ['nothing', new Uint8Array(), 'a protobuf body must start with the bytes 6b 38 73 00'],
    ['no kind', concat([0x6b, 0x38, 0x73, 0]), 'the envelope must name apiVersion and kind'],
    [
      'a compressed object',
      concat([0x6b, 0x38, 0x73, 0], bytes(1, concat(text(1, 'v1'), text(2, 'Secret'))), text(3, 'gzip')),
      'the envelope does not contain plain protobuf',
    ],
    ['a tag that ends early', secret([0x80]), 'the message ends within a number'],
    ['a number without end', secret(Array<number>(11).fill(0xff)), 'a number is longer than 10 bytes'],
    ['bytes that end early', secret([0x0a, 0x05, 0x00]), 'the message ends too early: 5 bytes announced, 1 left'],
    ['a length of 2^64 - 1', secret([0x0a, ...varint(-1)]), 'the message ends too early'],
    ['field number 0', secret([0x02, 0x00]), 'field number 0 is out of range'],
    ['a group', secret([0x0b]), 'groups are not supported'],
    ['wire type 7', secret([0x0f]), 'wire type 7 does not exist'],
    ['a number instead of metadata', secret(number(1, 3)), 'metadata: wrong wire type: expected a length and bytes'],
    ['bytes instead of a boolean', secret(text(5, 'yes')), 'immutable: wrong wire type: expected a varint'],
    ['broken UTF-8', secret(bytes(1, bytes(1, Uint8Array.of(0xff)))), 'metadata.name: a string is not valid UTF-8'],
    [
      '__proto__ as a key',
      secret(bytes(4, concat(text(1, '__proto__'), text(2, 'x')))),
      'stringData: the field name "__proto__" is not allowed',
    ],
    [
      '__proto__ in a field set',
      secret(bytes(1, bytes(17, bytes(7, text(1, '{"a":{"__proto__":1}}'))))),
      'metadata.managedFields.fieldsV1: the field name "__proto__" is not allowed',
    ],
    [
      'an incomplete field set',
      secret(bytes(1, bytes(17, bytes(7, text(1, '['.repeat(200_000)))))),
      'metadata.managedFields.fieldsV1: a string is not valid JSON',
    ],
    [
      'a year out of range',
      secret(bytes(1, bytes(8, concat(number(1, 2n ** 40n))))),
      'metadata.creationTimestamp: a time is outside the years 1 to 9999',
    ],
    [
      'too many nanoseconds',
      secret(bytes(1, bytes(8, concat(number(2, 1e9))))),
      'metadata.creationTimestamp: a time has too many nanoseconds',
    ],
  ])('%s', (_, body, message) => {
    expect(() => decodeProtobuf(body)).toThrow(ProtobufError)
    expect(() => decodeProtobuf(body)).toThrow(message)
  })

  it('reports the kind if it is accepted only as JSON', () => {
    expect(() => decodeProtobuf(fromBase64(deploymentBody))).toThrow(
      new UnknownKindError('apps/v1', 'Deployment').message,
    )
    expect(() => decodeProtobuf(enveloped('constructor', 'toString', new Uint8Array()))).toThrow(UnknownKindError)
  })

  it('protobufKinds lists the kinds of typed clients', () => {
    expect(protobufKinds).toContainEqual({ apiVersion: 'v1', kind: 'Namespace' })
    expect(protobufKinds).toContainEqual({ apiVersion: 'events.k8s.io/v1', kind: 'Event' })
    expect(protobufKinds).toHaveLength(22)
  })
})

describe('any value', () => {
  test.each(protobufKinds)('of $apiVersion $kind survives a round trip', ({ apiVersion, kind }) => {
    const message = messageOf(apiVersion, kind) ?? {}
    fc.assert(
      fc.property(anyMessage(message), (fields) => {
        const object = { apiVersion, kind, ...fields }
        expect(decodeProtobuf(encodeProtobuf(object))).toEqual(object)
      }),
      { numRuns: 20 },
    )
  })

  it('fails only with a ProtobufError', () => {
    const kind = fc.constantFrom(...protobufKinds)
    // Random bytes rarely get far, but a valid body with some bytes changed does.
    const corrupted = kind.chain(({ apiVersion, kind }) =>
      fc
        .record({
          fields: anyMessage(messageOf(apiVersion, kind) ?? {}),
          at: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 8 }),
          cut: fc.nat(40),
        })
        .map(({ fields, at, cut }) => {
          const body = encodeProtobuf({ apiVersion, kind, ...fields })
          for (const [index, byte] of at) body[index % body.length] = byte
          return body.subarray(0, body.length - cut)
        }),
    )
    const random = fc
      .tuple(kind, fc.uint8Array({ maxLength: 200 }))
      .map(([{ apiVersion, kind }, raw]) => enveloped(apiVersion, kind, raw))
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), random, corrupted), (body) => {
        try {
          JSON.stringify(decodeProtobuf(body))
        } catch (error) {
          expect(error).toBeInstanceOf(ProtobufError)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

/** Any JSON object of a message without values that the wire format cannot distinguish from absent ones. */
function anyMessage(message: Message): fc.Arbitrary<Record<string, unknown>> {
  const fields: Record<string, fc.Arbitrary<unknown>> = {}
  const gather = (part: Message) => {
    for (const [, field] of fieldsIn(part)) {
      if ('inline' in field) gather(field.inline)
      else fields[field[0]] = anyValue(field[1])
    }
  }
  gather(message)
  const names = Object.keys(fields)
  return fc
    .subarray(names, { maxLength: Math.min(names.length, 4) })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, fields[name] ?? fc.constant(null)]))))
}

function anyValue(type: Type): fc.Arbitrary<unknown> {
  switch (type.is) {
    case 'string':
      return fc.string({ minLength: type.keepsZero ? 0 : 1, unit: 'binary' })
    case 'int':
      return fc
        .maxSafeInteger()
        .filter((value) => type.keepsZero || value !== 0)
        .map((value) => value + 0)
    case 'bool':
      return type.keepsZero ? fc.boolean() : fc.constant(true)
    case 'bytes':
      return fc.uint8Array().map((value) => btoa(String.fromCharCode(...value)))
    case 'json':
      return fc.dictionary(
        fc.string().filter((key) => key !== '__proto__'),
        fc.integer(),
        { noNullPrototype: true },
      )
    case 'time':
      return anySecond.map((second) => `${second}Z`)
    case 'microTime':
      return fc
        .tuple(anySecond, fc.nat(999_999))
        .map(([second, micros]) => `${second}.${String(micros).padStart(6, '0')}Z`)
    case 'intOrString':
      return fc.oneof(
        fc.integer().map((value) => value + 0),
        fc.string(),
      )
    case 'message':
      return anyMessage(type.message)
    case 'wrapped':
      return anyValue(type.of)
    case 'list':
      return fc.array(anyValue(type.of), { minLength: 1, maxLength: 3 })
    case 'map':
      return fc.dictionary(
        fc.string().filter((key) => key !== '__proto__'),
        anyValue(type.of),
        {
          minKeys: 1,
          maxKeys: 3,
          noNullPrototype: true,
        },
      )
  }
}

const anySecond = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19))
