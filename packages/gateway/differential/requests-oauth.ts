import type { Request } from './request'

const userinfo = '/oauth2/userinfo'
const auth = '/oauth2/auth'
const fromHere: [string, string][] = [['Sec-Fetch-Site', 'same-origin']]

const who: Request[] = [
  { name: 'the user without a session', target: userinfo, ours: 401 },
  { name: 'the user without a session, for a proxy', target: auth, ours: 401 },
  { name: 'a user without groups', as: 'ada', target: userinfo, ours: 200, differs: { body: 'userName' } },
  { name: 'a user with groups', as: 'bea', target: userinfo, ours: 200, differs: { body: 'userName' } },
  {
    name: 'a user without groups, for a proxy',
    as: 'ada',
    target: auth,
    ours: 202,
    differs: { setHeaders: 'userName' },
  },
  { name: 'a user with groups, for a proxy', as: 'bea', target: auth, ours: 202, differs: { setHeaders: 'userName' } },
  {
    name: 'a user with hostile groups, for a proxy',
    as: 'cyd',
    target: auth,
    ours: 202,
    differs: { setHeaders: 'userName' },
  },
]

const into: Request[] = [
  { name: 'sign-in', target: '/oauth2/sign_in', ours: 303, differs: { setHeaders: 'byStart' } },
  {
    name: 'sign-in from a page',
    target: '/oauth2/sign_in?rd=%2Fns%2Fa%3Fname%3Db',
    ours: 303,
    differs: { setHeaders: 'byStart' },
  },
  ...[
    '/oauth2/start',
    '/oauth2/start?rd=%2Fns%2Fa',
    '/oauth2/start?rd=https%3A%2F%2Fevil.example%2F',
    '/oauth2/start?rd=%2F%2Fevil.example',
  ].flatMap((target): Request[] => [
    { name: 'sign-in', target, ours: 303 },
    { name: 'sign-in of a signed-in user', as: 'ada', target, ours: 303 },
  ]),
]

const back: Request[] = [
  { name: 'a callback without parameters', target: '/oauth2/callback', ours: 400, differs: { status: 'callback' } },
  {
    name: 'a callback without an attempt',
    target: '/oauth2/callback?code=a&state=b',
    ours: 400,
    differs: { status: 'callback' },
  },
  {
    name: 'an error callback without an attempt',
    target: '/oauth2/callback?error=access_denied&state=b%3A%2F',
    ours: 400,
  },
]

/** Without a session, since the sessions of the others are still needed. */
const out: Request[] = [
  {
    name: 'sign-out',
    target: '/oauth2/sign_out?rd=%2Fns%2Fa',
    headers: fromHere,
    ours: 303,
    differs: { setHeaders: 'signOut' },
  },
  {
    name: 'sign-out to another host',
    target: '/oauth2/sign_out?rd=%2F%2Fevil.example',
    headers: fromHere,
    ours: 303,
    differs: { setHeaders: 'signOut' },
  },
  {
    name: 'sign-out by a script',
    target: '/oauth2/sign_out',
    headers: fromHere,
    ours: 204,
    differs: { status: 'signOut', redirect: 'signOut', body: 'signOut', setHeaders: 'signOut' },
  },
  {
    name: 'sign-out by a user',
    target: '/oauth2/sign_out',
    headers: [...fromHere, ['Sec-Fetch-Mode', 'navigate']],
    ours: 303,
    differs: { redirect: 'signOut', setHeaders: 'signOut' },
  },
  {
    name: 'sign-out by another site',
    target: '/oauth2/sign_out?rd=%2F',
    ours: 403,
    differs: { status: 'signOut', redirect: 'signOut' },
  },
]

const unknown: Request = {
  name: 'an unknown sign-in path',
  target: '/oauth2/other',
  headers: [['Accept', 'text/html']],
  ours: 404,
  differs: { status: 'notFound', redirect: 'notFound', setHeaders: 'notFound' },
}

export const oauthRequests: Request[] = [...who, ...into, ...back, ...out, unknown]
