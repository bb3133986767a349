import { describe, expect, it } from 'vitest'
import { protobufMediaType } from '../protobuf/decode'
import { encodeProtobuf, enveloped } from '../protobuf/testing'
import { bodyLimitBytes, readBodyValue, inlineYamlReader } from './body'

const sent = (type: string, body: string | Uint8Array<ArrayBuffer>) =>
  readBodyValue(
    new Request('https://cluster.test/', { method: 'POST', headers: { 'content-type': type }, body }),
    inlineYamlReader,
  )

const status = (code: number, message: string) =>
  expect.objectContaining({ status: expect.objectContaining({ code, message: expect.stringContaining(message) }) })

describe('a body in protobuf', () => {
  it('is decoded to JSON', async () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { mode: 'fast' } }
    expect(await sent(protobufMediaType, encodeProtobuf(object))).toEqual(object)
    expect(await sent(`${protobufMediaType}; charset=utf-8`, encodeProtobuf(object))).toEqual(object)
  })

  it('may be empty, as in a deletion without options', async () => {
    expect(await sent(protobufMediaType, '')).toBeUndefined()
  })

  it('is rejected with the reason', async () => {
    await expect(sent(protobufMediaType, '{"kind":"ConfigMap"}')).rejects.toEqual(
      status(400, 'a protobuf body must start with the bytes 6b 38 73 00'),
    )
  })

  it('is rejected with the accepted media types if its kind is accepted only as JSON', async () => {
    await expect(sent(protobufMediaType, enveloped('apps/v1', 'Deployment', new Uint8Array()))).rejects.toEqual(
      status(415, 'accepted media types include: application/json, application/yaml'),
    )
  })

  it('is rejected if it is too large', async () => {
    await expect(sent(protobufMediaType, new Uint8Array(bodyLimitBytes + 1))).rejects.toEqual(
      status(413, `limit is ${bodyLimitBytes}`),
    )
  })
})
