import type { Request } from './request'

const userinfo = '/oauth2/userinfo'
const auth = '/oauth2/auth'
const fromHere: [string, string][] = [['Sec-Fetch-Site', 'same-origin']]

const who: Request[] = [
  { name: 'who is nobody', target: userinfo, ours: 401 },
  { name: 'who is nobody, to a proxy', target: auth, ours: 401 },
  { name: 'who is in no groups', as: 'ada', target: userinfo, ours: 200, differs: { body: 'userName' } },
  { name: 'who is in groups', as: 'bea', target: userinfo, ours: 200, differs: { body: 'userName' } },
  { name: 'who is in no groups, to a proxy', as: 'ada', target: auth, ours: 202, differs: { told: 'userName' } },
  { name: 'who is in groups, to a proxy', as: 'bea', target: auth, ours: 202, differs: { told: 'userName' } },
  { name: 'who is in hostile groups, to a proxy', as: 'cyd', target: auth, ours: 202, differs: { told: 'userName' } },
]

const into: Request[] = [
  { name: 'sign-in', target: '/oauth2/sign_in', ours: 303, differs: { told: 'byStart' } },
  {
    name: 'sign-in from a page',
    target: '/oauth2/sign_in?rd=%2Fns%2Fa%3Fname%3Db',
    ours: 303,
    differs: { told: 'byStart' },
  },
  ...[
    '/oauth2/start',
    '/oauth2/start?rd=%2Fns%2Fa',
    '/oauth2/start?rd=https%3A%2F%2Fevil.example%2F',
    '/oauth2/start?rd=%2F%2Fevil.example',
  ].flatMap((target): Request[] => [
    { name: 'sign-in', target, ours: 303 },
    { name: 'sign-in of somebody who is in', as: 'ada', target, ours: 303 },
  ]),
]

const back: Request[] = [
  { name: 'an answer to nothing', target: '/oauth2/callback', ours: 400, differs: { answer: 'callback' } },
  {
    name: 'an answer that nobody asked for',
    target: '/oauth2/callback?code=a&state=b',
    ours: 400,
    differs: { answer: 'callback' },
  },
  { name: 'a refusal that nobody asked for', target: '/oauth2/callback?error=access_denied&state=b%3A%2F', ours: 400 },
]

/** Nobody's: the sessions of the others are still needed. */
const out: Request[] = [
  {
    name: 'sign-out',
    target: '/oauth2/sign_out?rd=%2Fns%2Fa',
    headers: fromHere,
    ours: 303,
    differs: { told: 'signOut' },
  },
  {
    name: 'sign-out to another host',
    target: '/oauth2/sign_out?rd=%2F%2Fevil.example',
    headers: fromHere,
    ours: 303,
    differs: { told: 'signOut' },
  },
  {
    name: 'sign-out by a script',
    target: '/oauth2/sign_out',
    headers: fromHere,
    ours: 204,
    differs: { answer: 'signOut', leads: 'signOut', body: 'signOut', told: 'signOut' },
  },
  {
    name: 'sign-out by a person',
    target: '/oauth2/sign_out',
    headers: [...fromHere, ['Sec-Fetch-Mode', 'navigate']],
    ours: 303,
    differs: { leads: 'signOut', told: 'signOut' },
  },
  {
    name: 'sign-out by another site',
    target: '/oauth2/sign_out?rd=%2F',
    ours: 403,
    differs: { answer: 'signOut', leads: 'signOut' },
  },
]

const unknown: Request = {
  name: 'what is no path of sign-in',
  target: '/oauth2/other',
  headers: [['Accept', 'text/html']],
  ours: 404,
  differs: { answer: 'notFound', leads: 'notFound', told: 'notFound' },
}

export const oauthRequests: Request[] = [...who, ...into, ...back, ...out, unknown]
