import { ApiError } from '@slipway/kube/status'
import { expect, it, test } from 'vitest'
import { asSentence, failureText, loadFailure } from './messages'
import { writeFailure } from './writes/write-messages'

const error = (code: number, message: string) => new ApiError({ code, message, url: '/x' })

test.each<[unknown, string]>([
  [error(403, 'cannot list applications'), 'cannot list applications'],
  [error(0, 'Call to /x failed: Failed to fetch'), 'The server cannot be reached.'],
  [error(408, 'Call to /x timed out after 60000ms.'), 'Call to /x timed out after 60000ms.'],
  [error(502, ''), 'Bad Gateway'],
  [new ApiError({ code: 401, message: 'Invalid token', url: '/x', isSessionEnd: true }), 'Your session has ended.'],
  [new Error('boom'), 'boom'],
  [new Error(), 'Something went wrong'],
  ['text', 'Something went wrong'],
  [undefined, 'Something went wrong'],
])('the message for %s is %j', (failure, text) => expect(failureText(failure)).toBe(text))

test.each<[string, number, string]>([
  ['kubernetes cannot be reached.', 502, 'kubernetes cannot be reached (request 1b4e28ba)'],
  ['etcd is down', 500, 'etcd is down (request 1b4e28ba)'],
  ['', 503, 'Service Unavailable (request 1b4e28ba)'],
  ['cannot list applications', 403, 'cannot list applications'],
])('a failure on the server names the request for the log, and any other does not: %j %i', (message, code, text) => {
  expect(failureText(new ApiError({ code, message, url: '/x', requestId: '1b4e28ba' }))).toBe(text)
})

const longUrl = `/api/k8s/api/v1/namespaces/team/secrets/${encodeURIComponent('$& ä')}?${'fieldMask=metadata.name%2C'.repeat(80)}`
test.each([
  ['a timeout', longUrl, '/api/k8s/api/v1/namespaces/team/secrets/$& ä'],
  ['an undecodable URL', '/api/%E0?a=1', '/api/%E0'],
  ['a response of another kind', '/oauth2/userinfo', '/oauth2/userinfo'],
])('ERR-26 the message for %s has a readable path in place of its URL', (_, url, path) => {
  const failure = new ApiError({ code: 408, message: `Call to ${url} timed out after 60000ms.`, url })
  expect(failureText(failure)).toBe(`Call to ${path} timed out after 60000ms.`)
})

test.each([
  ['etcd is down', 'etcd is down.'],
  ['The server cannot be reached.', 'The server cannot be reached.'],
  ['is it down? ', 'is it down?'],
])('asSentence ends %j so that a sentence can follow', (text, sentence) => expect(asSentence(text)).toBe(sentence))

it('ERR-26 a failed load says what could not be loaded, and why', () => {
  expect(loadFailure(error(500, 'etcd is down'), 'applications')).toEqual({
    title: 'Unable to load applications',
    body: 'etcd is down',
  })
})

it('ERR-27 a failed load without a message says that something went wrong', () => {
  expect(loadFailure(new Error(), 'releases').body).toBe('Something went wrong')
})

it("a failed write has the server's message as its body", () => {
  expect(writeFailure(error(409, 'already exists'))).toEqual({ title: 'An error occurred', body: 'already exists' })
})

it('UA-45 a failed write without a message asks the user to try again', () =>
  expect(writeFailure(new Error()).body).toBe('Failed to submit. Please try again.'))
