import { expect, it, test } from 'vitest'
import {
  ApiError,
  codeName,
  failureMessage,
  isExpired,
  isForbidden,
  isNotFound,
  isRejection,
  retryAfterMs,
  type Status,
} from './status'

test.each([
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [409, 'Conflict'],
  [429, 'Too Many Requests'],
  [500, 'Internal Server Error'],
])('ERR-17 the name of %i is %s', (code, name) => expect(codeName(code)).toBe(name))

test.each([
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
  [405, 'Method Not Allowed'],
  [412, 'Precondition Failed'],
  [431, 'Request Header Fields Too Large'],
  [599, 'HTTP 599'],
])('ERR-18 the name of %i is %s', (code, name) => expect(codeName(code)).toBe(name))

const causes = [{ message: 'Required value', field: 'spec.displayName', reason: 'FieldValueRequired' }]

test.each<[string, number, string, unknown, string]>([
  ['ERR-19 a 401', 401, 'Unauthorized', { message: 'no' }, 'Invalid token'],
  ['ERR-20 a body that is not JSON', 503, 'Down for a while', undefined, 'Down for a while'],
  ['ERR-20 a body that is not JSON, without a status text, as over HTTP/2', 503, '', undefined, 'Service Unavailable'],
  ['a body that is JSON but not an object', 500, 'Oops', 'text', 'Oops'],
  ['ERR-21 a 403 with a message', 403, 'Forbidden', { message: 'cannot list x' }, 'cannot list x'],
  ['ERR-21 a 403 without a message', 403, 'Forbidden', {}, 'Access denied due to cluster policy.'],
  ['ERR-21 a 403 that is not JSON', 403, 'Forbidden', undefined, 'Access denied due to cluster policy.'],
  ['ERR-21 a 403 with causes', 403, 'Forbidden', { message: 'no', details: { causes } }, 'no'],
  [
    'ERR-22 a cause with a field',
    422,
    '',
    { message: 'm', details: { causes } },
    'Error "Required value" for field "spec.displayName".',
  ],
  ['ERR-23 a cause without a field', 422, '', { message: 'm', details: { causes: [{ message: 'c' }] } }, 'm'],
  ['ERR-23 an invalid first cause', 422, '', { message: 'm', details: { causes: [{ message: {}, field: 7 }] } }, 'm'],
  ['ERR-23 a null cause', 422, '', { message: 'm', details: { causes: [null] } }, 'm'],
  ['ERR-23 no causes', 409, 'Conflict', { message: 'already exists', error: 'e' }, 'already exists'],
  ['ERR-24 no message', 500, 'Oops', { error: 'upstream is down' }, 'upstream is down'],
  ['ERR-25 neither message nor error', 500, 'Oops', {}, 'Oops'],
  ['ERR-25 fields of the wrong type', 500, 'Oops', { message: 7, error: {}, details: { causes: 'x' } }, 'Oops'],
  ['ERR-23 an invalid cause', 422, '', { message: 'm', details: { causes: [null] } }, 'm'],
  [
    'ERR-23 a cause with fields of the wrong type',
    422,
    '',
    { message: 'm', details: { causes: [{ message: {}, field: 7 }] } },
    'm',
  ],
  ['ERR-25 details that are null', 422, 'Oops', { details: null }, 'Oops'],
])('%s', (_, code, statusText, body, message) => expect(failureMessage(code, statusText, body)).toBe(message))

test.each([
  [0, false],
  [200, false],
  [400, true],
  [403, true],
  [408, false],
  [429, false],
  [499, true],
  [500, false],
])('an error with code %i is permanent: %s', (code, isOne) =>
  expect(isRejection(new ApiError({ code, message: 'm', url: '/x' }))).toBe(isOne),
)

it('distinguishes kinds of failures', () => {
  const error = (code: number, reason?: string) => new ApiError({ code, reason, message: 'm', url: '/x' })
  expect(isNotFound(error(404))).toBe(true)
  expect(isForbidden(error(403))).toBe(true)
  expect(isExpired(error(410))).toBe(true)
  expect(isExpired(error(400, 'Expired'))).toBe(true)
  expect(isExpired(error(404))).toBe(false)
  expect(isNotFound(new Error('404'))).toBe(false)
})

it.each([
  ['2', 2_000],
  [2, 2_000],
  ['soon', 0],
  [-1, 0],
  [NaN, 0],
  [{}, 0],
  // Browsers run timers that are too long immediately.
  [1e9, 300_000],
])('a requested wait of %j s becomes %i ms', (seconds, ms) => {
  const status = { kind: 'Status', details: { retryAfterSeconds: seconds } } as unknown as Status
  expect(retryAfterMs(new ApiError({ code: 429, message: 'm', url: '/x', status }))).toBe(ms)
})
