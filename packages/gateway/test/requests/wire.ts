import type { Request } from './request'

const get = 'GET /api/k8s/api/v1/secrets HTTP/1.1'
const post = 'POST /api/k8s/api/v1/namespaces/a/pods HTTP/1.1'
const host = 'Host: {host}'
const session = ['Cookie: {cookie}', 'Sec-Fetch-Site: same-origin', 'X-Requested-With: slipway', 'Connection: close']
const json = 'Content-Type: application/json'

const bytes = (lines: string[], body = '') => [...lines, '', body].join('\r\n')
const read = (...lines: string[]) => bytes([get, host, ...session, ...lines])
const write = (lines: string[], body: string) => bytes([post, host, ...session, json, ...lines], body)

/** A second request, for a parser that takes the first one to be shorter than it is. */
const second = bytes([get, host, 'Cookie: {cookie}'])

/** Requests that HTTP parsers interpret differently. */
const cases: [name: string, bytes: string][] = [
  [
    'a content length before chunked encoding',
    write(['Content-Length: 6', 'Transfer-Encoding: chunked'], `0\r\n\r\n${second}`),
  ],
  [
    'a content length after chunked encoding',
    write(['Transfer-Encoding: chunked', 'Content-Length: 6'], `0\r\n\r\n${second}`),
  ],
  ['two content lengths', write(['Content-Length: 2', 'Content-Length: 3'], '{} ')],
  ['the same content length twice', write(['Content-Length: 2', 'Content-Length: 2'], '{}')],
  ['a content length with a sign', write(['Content-Length: +2'], '{}')],
  ['a list of content lengths', write(['Content-Length: 2, 2'], '{}')],
  ['an unknown transfer coding', write(['Transfer-Encoding: xchunked'], `0\r\n\r\n${second}`)],
  ['chunked encoding that is not last', write(['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${second}`)],
  ['chunked encoding twice', write(['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
  ['a space before the colon', write(['Transfer-Encoding : chunked'], `0\r\n\r\n${second}`)],
  ['a chunk with a negative size', write(['Transfer-Encoding: chunked'], '-1\r\n{}\r\n0\r\n\r\n')],
  ['a folded header', read('X-A: b', ' Impersonate-User: hostile')],
  ['a bare carriage return', read('X-A: b\rImpersonate-User: hostile')],
  ['a NUL', read('X-A: b\0')],
  ['no colon', read('Impersonate-User')],
  ['no host', bytes([get, ...session])],
  ['two hosts', bytes([get, host, 'Host: evil.example', ...session])],
  ['bare line feeds', read().replaceAll('\r\n', '\n')],
  ['an unknown version', read().replace('HTTP/1.1', 'HTTP/1.9')],
  ['a target with a space', read().replace('/secrets', '/secrets /a')],
]

export const wireRequests: Request[] = cases.map(([name, bytes]) => ({
  name: `on the wire: ${name}`,
  as: 'ada',
  target: 'as bytes',
  bytes,
  status: 400,
}))
