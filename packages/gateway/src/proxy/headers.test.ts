import { expect, test } from 'vitest'
import type { Identity } from '../session/identity'
import { HttpError } from '../http-error'
import { impersonationHeaders, listerHeaders } from './headers'

const of = (user: string): Identity => ({ user, email: 'a@slipway.test', preferredUsername: 'a', groups: ['team-a'] })

// Every session was looked at before it comes here. This is the last place before an upstream, and asks nobody.
test.each(['', ' ', '\t', ' root', 'root ', 'a,b', 'a\r\nImpersonate-Group: system:masters', 'a\u0000'])(
  'no header names %j, and none its groups alone',
  (user) => {
    for (const headersOf of [impersonationHeaders, listerHeaders]) {
      expect(() => headersOf(of(user))).toThrow(HttpError)
    }
  },
)

test('names a user, the groups, and that the user is known', () => {
  expect(impersonationHeaders(of('ada'))).toEqual({
    'impersonate-user': 'ada',
    'impersonate-group': ['team-a', 'system:authenticated'],
  })
  expect(listerHeaders(of('ada'))).toEqual({ 'x-user': 'ada', 'x-group': ['team-a', 'system:authenticated'] })
})
