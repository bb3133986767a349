import type { Request } from './request'

const userinfo = '/oauth2/userinfo'
const auth = '/oauth2/auth'
const fromHere: [string, string][] = [['Sec-Fetch-Site', 'same-origin']]

const who: Request[] = [
  { name: 'the user without a session', target: userinfo, status: 401 },
  { name: 'the user without a session, for a proxy', target: auth, status: 401 },
  { name: 'a user without groups', as: 'ada', target: userinfo, status: 200 },
  { name: 'a user with groups', as: 'bea', target: userinfo, status: 200 },
  {
    name: 'a user without groups, for a proxy',
    as: 'ada',
    target: auth,
    status: 202,
  },
  { name: 'a user with groups, for a proxy', as: 'bea', target: auth, status: 202 },
  {
    name: 'a user with hostile groups, for a proxy',
    as: 'cyd',
    target: auth,
    status: 202,
  },
]

const into: Request[] = [
  { name: 'sign-in', target: '/oauth2/sign_in', status: 303 },
  {
    name: 'sign-in from a page',
    target: '/oauth2/sign_in?rd=%2Fns%2Fa%3Fname%3Db',
    status: 303,
  },
  ...[
    '/oauth2/start',
    '/oauth2/start?rd=%2Fns%2Fa',
    '/oauth2/start?rd=https%3A%2F%2Fevil.example%2F',
    '/oauth2/start?rd=%2F%2Fevil.example',
  ].flatMap((target): Request[] => [
    { name: 'sign-in', target, status: 303 },
    { name: 'sign-in of a signed-in user', as: 'ada', target, status: 303 },
  ]),
]

const back: Request[] = [
  { name: 'a callback without parameters', target: '/oauth2/callback', status: 400 },
  {
    name: 'a callback without an attempt',
    target: '/oauth2/callback?code=a&state=b',
    status: 400,
  },
  {
    name: 'an error callback without an attempt',
    target: '/oauth2/callback?error=access_denied&state=b%3A%2F',
    status: 400,
  },
]

/** Without a session, since the sessions of the others are still needed. */
const out: Request[] = [
  {
    name: 'sign-out',
    target: '/oauth2/sign_out?rd=%2Fns%2Fa',
    headers: fromHere,
    status: 303,
  },
  {
    name: 'sign-out to another host',
    target: '/oauth2/sign_out?rd=%2F%2Fevil.example',
    headers: fromHere,
    status: 303,
  },
  {
    name: 'sign-out by a script',
    target: '/oauth2/sign_out',
    headers: fromHere,
    status: 204,
  },
  {
    name: 'sign-out by a user',
    target: '/oauth2/sign_out',
    headers: [...fromHere, ['Sec-Fetch-Mode', 'navigate']],
    status: 303,
  },
  {
    name: 'sign-out by another site',
    target: '/oauth2/sign_out?rd=%2F',
    status: 403,
  },
]

const unknown: Request = {
  name: 'an unknown sign-in path',
  target: '/oauth2/other',
  headers: [['Accept', 'text/html']],
  status: 404,
}

export const oauthRequests: Request[] = [...who, ...into, ...back, ...out, unknown]
