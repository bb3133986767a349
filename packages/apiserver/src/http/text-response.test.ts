import { describe, expect, it, test } from 'vitest'
import { TextResponse } from './text-response'

const text = '{"name":"Zoë"}'
const aResponse = () => new TextResponse(text, { status: 201, headers: { 'content-type': 'application/json' } })

/** Everything that a Response provides. */
const ways: [string, (response: Response) => Promise<unknown>][] = [
  ['a text', (response) => response.text()],
  ['JSON', (response) => response.json()],
  ['bytes', async (response) => new Uint8Array(await response.arrayBuffer())],
  ['a blob', async (response) => (await response.blob()).text()],
  ['a stream', (response) => new Response(response.body).text()],
  ['a clone', (response) => response.clone().text()],
]

describe('a response with a complete text', () => {
  test.each(ways)('provides %s like any other response', async (_, read) => {
    expect(await read(aResponse())).toEqual(await read(new Response(text)))
  })

  it('has the given status and headers', () => {
    const response = aResponse()
    response.headers.set('audit-id', 'x')
    expect([response.status, response.ok, Object.fromEntries(response.headers)]).toEqual([
      201,
      true,
      { 'content-type': 'application/json', 'audit-id': 'x' },
    ])
  })

  test.each(ways.slice(0, 4))('can be read only once, as %s', async (_, read) => {
    const response = aResponse()
    expect(response.bodyUsed).toBe(false)
    await read(response)
    expect(response.bodyUsed).toBe(true)
    await expect(response.text()).rejects.toThrow(TypeError)
    expect(() => response.clone()).toThrow(TypeError)
  })

  it('cannot be taken while its stream is being read', async () => {
    const response = aResponse()
    response.body?.getReader()
    await expect(response.text()).rejects.toThrow(TypeError)
  })
})
