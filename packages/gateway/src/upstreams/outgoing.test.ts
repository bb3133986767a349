import { expect, test } from 'vitest'
import { HttpError } from '@slipway/connect/http-error'
import type { Identity } from '../session/identity'
import { impersonationHeaders, listerHeaders } from './outgoing'

const of = (user: string): Identity => ({ user, email: 'a@slipway.test', preferredUsername: 'a', groups: ['team-a'] })

// Sessions are checked earlier too. This is the last check before an upstream and does not rely on the earlier ones.
test.each(['', ' ', '\t', ' root', 'root ', 'a,b', 'a\r\nImpersonate-Group: system:masters', 'a\u0000'])(
  'no identity headers are created for the user name %j, not even for its groups',
  (user) => {
    for (const headersOf of [impersonationHeaders, listerHeaders]) {
      expect(() => headersOf(of(user))).toThrow(HttpError)
    }
  },
)

test('the headers contain the user, the groups and system:authenticated', () => {
  expect(impersonationHeaders(of('ada'))).toEqual({
    'impersonate-user': 'ada',
    'impersonate-group': ['team-a', 'system:authenticated'],
  })
  expect(listerHeaders(of('ada'))).toEqual({ 'x-user': 'ada', 'x-group': ['team-a', 'system:authenticated'] })
})
