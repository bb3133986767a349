import { expect, test } from 'vitest'
import { isStream, isTrue, parseApiRequest, type ApiRequest } from './api-request'

function parse(line: string): { request: ApiRequest; isStream: boolean } {
  const [method = '', target = ''] = line.split(' ')
  const [path = '', text] = target.split('?')
  const query = new URLSearchParams(text)
  const request = parseApiRequest(method, path.slice(1).split('/'), query)
  return { request, isStream: isStream(request, query) }
}

test.each([
  ['GET /api/v1/namespaces', { verb: 'list', group: '', version: 'v1', plural: 'namespaces', namespace: undefined }],
  ['GET /api/v1/namespaces/a', { verb: 'get', plural: 'namespaces', namespace: 'a', name: 'a', below: [] }],
  ['PUT /api/v1/namespaces/a/finalize', { verb: 'update', plural: 'namespaces', name: 'a', below: ['finalize'] }],
  ['GET /api/v1/namespaces/a/status', { verb: 'get', plural: 'namespaces', name: 'a', below: ['status'] }],
  ['GET /api/v1/namespaces/a/pods', { verb: 'list', plural: 'pods', namespace: 'a', name: undefined }],
  ['HEAD /api/v1/nodes/n', { verb: 'get', plural: 'nodes', namespace: undefined, name: 'n' }],
  ['GET /api/v1/namespaces/a/pods/b/log', { verb: 'get', plural: 'pods', namespace: 'a', name: 'b', below: ['log'] }],
  ['POST /apis/g/v2/namespaces/a/things', { verb: 'create', group: 'g', version: 'v2', plural: 'things' }],
  ['PATCH /apis/g/v2/things/a/x/y', { verb: 'patch', plural: 'things', name: 'a', below: ['x', 'y'] }],
  ['DELETE /api/v1/nodes/n', { verb: 'delete', plural: 'nodes', name: 'n' }],
  ['DELETE /api/v1/namespaces/a/pods', { verb: 'deletecollection', plural: 'pods', namespace: 'a' }],
  ['GET /api/v1/watch/namespaces/a/pods/b', { verb: 'watch', plural: 'pods', namespace: 'a', name: 'b' }],
])('parses %s as a request for a resource', (line, { verb, ...resource }) => {
  expect(parse(line).request).toMatchObject({ verb, resource })
})

test.each(['/version', '/api/v1', '/apis/g/v1', '/apis//v1/pods', '/api/v1//pods', '/api/v1/watch', '/metrics/a/b'])(
  '%s names no resource',
  (path) => expect(parse(`GET ${path}`).request).toEqual({}),
)

test('a method that no resource supports has no verb', () => {
  expect(parse('OPTIONS /api/v1/pods').request).toMatchObject({ verb: undefined, resource: { plural: 'pods' } })
})

test.each([
  ['watch=', true],
  ['watch=1', true],
  ['watch=true', true],
  ['watch=TRUE', true],
  ['watch', true],
  ['watch=f', true],
  ['watch=true&watch=false', true],
  ['', false],
  ['watch=0', false],
  ['watch=false', false],
  ['watch=False', false],
  ['watch=false&watch=true', false],
])('the query %j makes a list a watch: %s', (query, isWatch) => {
  expect(parse(`GET /api/v1/pods?${query}`)).toMatchObject({
    request: { verb: isWatch ? 'watch' : 'list' },
    isStream: isWatch,
  })
  // A named object is read, whatever the query says.
  expect(parse(`GET /api/v1/nodes/n?${query}`)).toMatchObject({ request: { verb: 'get' }, isStream: false })
})

test.each([
  ['GET /api/v1/namespaces/a/pods/b/log?follow=true', true],
  ['GET /api/v1/namespaces/a/pods/b/log?follow=False', false],
  ['GET /api/v1/namespaces/a/pods/b?follow=true', false],
  ['POST /api/v1/namespaces/a/pods/b/log?follow=true', false],
  ['GET /logs?follow=true&watch=true', false],
])('%s is a stream: %s', (line, expected) => expect(parse(line).isStream).toBe(expected))

test('an absent boolean is false', () => expect(isTrue(null)).toBe(false))
