import { applicationType } from '@slipway/model/supply-chain/application'
import { afterEach, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { namespace, testCluster } from '../../../test/cluster'
import { startApi } from '../../../test/render-route'
import { client } from '../client'
import { queryClient } from '../query-client'
import { sessionState } from './session-state'
import { signInUrl, signOut, startSession, storedUser, userQuery } from './session'

afterEach(() => history.replaceState(null, '', '/'))

it('SESS-02, SESS-03, PREF-01 reads who is signed in, and stores it', async () => {
  const { calls } = await testCluster({ as: 'contributor' })
  startApi()
  const user = await queryClient.fetchQuery(userQuery)
  expect(user).toEqual({ email: 'contributor@slipway.test', preferredUsername: 'contributor' })
  expect(calls.map(({ path }) => path)).toEqual(['/oauth2/userinfo'])
  expect(JSON.parse(localStorage.getItem('__user_session__') ?? '')).toEqual(user)
})

it('SESS-04, SESS-05, SESS-06 without a session it leaves for the sign-in page, once, with the way back', async () => {
  history.replaceState(null, '', '/ns/a/applications?name=x%20y&ff=b#row')
  const { departures } = await testCluster({ as: undefined })
  startApi()
  await expect(queryClient.fetchQuery(userQuery)).rejects.toMatchObject({ code: 401 })
  await expect(client.list(applicationType, { namespace })).rejects.toMatchObject({ code: 401, isSessionEnd: true })
  expect(departures).toEqual(['/oauth2/sign_in?rd=%2Fns%2Fa%2Fapplications%3Fname%3Dx%2520y%26ff%3Db%23row'])
})

it('SESS-04, SESS-05 leaves for the sign-in page of an oauth2-proxy too, which says plainly that nobody is signed in', async () => {
  const { departures, faults } = await testCluster({ as: 'admin' })
  startApi()
  faults.intercept((path) => (path === '/oauth2/userinfo' ? new Response('Unauthorized', { status: 401 }) : undefined))
  await expect(queryClient.fetchQuery(userQuery)).rejects.toMatchObject({ code: 401, isSessionEnd: true })
  expect(departures).toEqual(['/oauth2/sign_in?rd=%2F'])
})

it('SESS-09 stays for the 401 of an upstream', async () => {
  const { departures, faults } = await testCluster({ as: 'admin' })
  startApi()
  faults.intercept((path) => (path.includes('tekton-results') ? Response.json({}, { status: 401 }) : undefined))
  await expect(client.request('/plugins/tekton-results/records')).rejects.toMatchObject({
    code: 401,
    isSessionEnd: false,
  })
  expect(departures).toEqual([])
})

it('begins anew when somebody else has signed in from another tab', async () => {
  history.replaceState(null, '', '/ns/a?b=c')
  const { departures, faults } = await testCluster({ as: 'admin' })
  startApi()
  const read = () => queryClient.fetchQuery({ ...userQuery, staleTime: 0 })
  await read()
  await read()
  expect(departures).toEqual([])
  faults.intercept((path) => (path === '/oauth2/userinfo' ? Response.json({ email: 'b@slipway.test' }) : undefined))
  await read()
  expect(departures).toEqual(['/ns/a?b=c'])
})

test.each([
  [{ pathname: '/', search: '', hash: '' }, '/oauth2/sign_in?rd=%2F'],
  [{ pathname: '/ns/a', search: '?a=1&b=2', hash: '#c' }, '/oauth2/sign_in?rd=%2Fns%2Fa%3Fa%3D1%26b%3D2%23c'],
])('SESS-05, SESS-06 the way back from %j is whole', (location, url) => expect(signInUrl(location)).toBe(url))

it('SESS-07, SESS-08 signs out, forgets, and leaves for sign-in', async () => {
  const { calls, departures } = await testCluster({ as: 'admin' })
  startApi()
  await queryClient.fetchQuery(userQuery)
  await signOut()
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toContain('GET /oauth2/sign_out')
  expect(departures).toEqual(['/oauth2/sign_in?rd=%2F'])
  expect(storedUser.get()).toBeUndefined()
  expect(queryClient.getQueryCache().getAll()).toEqual([])
  await expect(client.list(applicationType, { namespace })).rejects.toMatchObject({ code: 401, isSessionEnd: true })
})

it('SESS-07, SESS-08 signs out where a proxy answers with a redirect, which nothing but the address bar may follow', async () => {
  const { faults, departures } = await testCluster({ as: 'admin' })
  startApi()
  faults.intercept((path, { redirect }) => {
    if (path !== '/oauth2/sign_out') return undefined
    return redirect === 'manual'
      ? Response.redirect('https://accounts.test/logout')
      : Promise.reject(new TypeError('Failed to fetch'))
  })
  await signOut()
  expect(departures).toEqual(['/oauth2/sign_in?rd=%2F'])
})

test.each([() => Promise.reject(new TypeError('Failed to fetch')), () => Response.json({}, { status: 503 })])(
  'says so when signing out fails, and stays',
  async (answer) => {
    const { faults, departures } = await testCluster({ as: 'admin' })
    startApi()
    faults.intercept((path) => (path === '/oauth2/sign_out' ? answer() : undefined))
    await expect(signOut()).rejects.toThrow('Signing out failed. You are still signed in.')
    expect(departures).toEqual([])
  },
)

it('gives up signing out where nobody answers', async () => {
  const { faults } = await testCluster({ as: 'admin' })
  startApi()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  onTestFinished(() => timeout.mockRestore())
  faults.intercept((path, { signal }) => {
    if (path !== '/oauth2/sign_out') return undefined
    return new Promise((_, reject) => signal?.aborted && reject(new DOMException('too late', 'TimeoutError')))
  })
  await expect(signOut()).rejects.toThrow('Signing out failed. You are still signed in.')
})

it('works in a browser that lets tabs say nothing to each other', async () => {
  vi.stubGlobal('BroadcastChannel', function forbidden() {
    throw new DOMException('denied', 'SecurityError')
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  await testCluster({ as: 'admin' })
  startApi()
  expect((await queryClient.fetchQuery(userQuery)).email).toBe('admin@slipway.test')
})

test.each(['', 'nonsense', '7', 'null', '{}', '{"email":7}', '[]'])('knows no user from %j in storage', (text) => {
  localStorage.setItem('__user_session__', text)
  expect(storedUser.get()).toBeUndefined()
  localStorage.clear()
})

it('a tab that is being opened says who is signed in, and hears nothing of what went before', async () => {
  await testCluster({ as: 'admin' })
  startApi()
  const otherTab = new BroadcastChannel('slipway-session')
  onTestFinished(() => otherTab.close())
  const heard: unknown[] = []
  otherTab.onmessage = ({ data }: MessageEvent) => void heard.push(data)
  await delivered(otherTab, { kind: 'ended' })
  expect(sessionState()).toBe('active')
  await queryClient.fetchQuery(userQuery)
  await vi.waitFor(() => expect(heard).toEqual([{ kind: 'signed-in', email: 'admin@slipway.test' }]))
})

/** Every tab has heard it: one that began to listen last hears last. */
async function delivered(from: BroadcastChannel, message: unknown) {
  const last = new BroadcastChannel('slipway-session')
  onTestFinished(() => last.close())
  const heard = new Promise((resolve) => (last.onmessage = resolve))
  from.postMessage(message)
  await heard
}

it('hears nothing of other tabs any more once every start was stopped', async () => {
  // A tab without a user takes no notice of any message.
  queryClient.setQueryData(userQuery.queryKey, { email: 'admin@slipway.test', preferredUsername: 'admin' })
  onTestFinished(() => queryClient.clear())
  for (const stop of [startSession(), startSession()]) stop()
  const otherTab = new BroadcastChannel('slipway-session')
  onTestFinished(() => otherTab.close())
  await delivered(otherTab, { kind: 'ended' })
  expect(sessionState()).toBe('active')
})

describe('when the session ends in the middle of work', () => {
  /** A tab in which the admin works, another tab that hears it, and a gateway that may know nobody. */
  async function scene() {
    const cluster = await testCluster({ as: 'admin' })
    startApi()
    await queryClient.fetchQuery(userQuery)
    const heard: unknown[] = []
    const otherTab = new BroadcastChannel('slipway-session')
    onTestFinished(() => otherTab.close())
    otherTab.onmessage = ({ data }: MessageEvent) => void heard.push(data)
    cluster.calls.length = 0
    const nobody = () =>
      cluster.faults.intercept(() => Response.json({}, { status: 401, headers: { 'www-authenticate': 'Session' } }))
    const readApplications = () => client.list(applicationType, { namespace })
    return { ...cluster, otherTab, heard, nobody, readApplications }
  }
  const becomes = (state: string) => vi.waitFor(() => expect(sessionState()).toBe(state))

  it('stays, tells the other tabs and stops calling', async () => {
    const { nobody, readApplications, heard, calls, departures } = await scene()
    nobody()
    await expect(readApplications()).rejects.toMatchObject({ isSessionEnd: true })
    await becomes('ended')
    await vi.waitFor(() => expect(heard).toEqual([{ kind: 'ended' }]))
    const asked = calls.length
    await expect(readApplications()).rejects.toMatchObject({ isSessionEnd: true })
    expect(calls).toHaveLength(asked)
    expect(departures).toEqual([])
  })

  it('learns it from another tab, and goes on when the same user signs in there', async () => {
    const { otherTab, calls, readApplications, departures } = await scene()
    otherTab.postMessage({ kind: 'ended' })
    await becomes('ended')
    await expect(readApplications()).rejects.toMatchObject({ isSessionEnd: true })
    expect(calls).toEqual([])
    otherTab.postMessage({ kind: 'signed-in', email: 'admin@slipway.test' })
    await becomes('active')
    await expect(readApplications()).resolves.toMatchObject({ items: [] })
    expect(departures).toEqual([])
  })

  it('learns of a logout in another tab', async () => {
    const { otherTab } = await scene()
    otherTab.postMessage({ kind: 'signed-out' })
    await becomes('signed-out')
  })

  it('goes on covering the page of who has logged out when another tab only finds the session gone', async () => {
    const { otherTab } = await scene()
    otherTab.postMessage({ kind: 'signed-out' })
    await becomes('signed-out')
    await delivered(otherTab, { kind: 'ended' })
    expect(sessionState()).toBe('signed-out')
  })

  test.each([null, 'ended', 7, {}, { kind: 'banana' }, { kind: ['ended'] }])(
    'takes no notice of %j, as a tab of another version may say',
    async (message) => {
      const { otherTab, readApplications } = await scene()
      await delivered(otherTab, message)
      expect(sessionState()).toBe('active')
      await expect(readApplications()).resolves.toBeDefined()
    },
  )

  it('begins anew when somebody else signs in there', async () => {
    const { otherTab, faults, departures } = await scene()
    otherTab.postMessage({ kind: 'ended' })
    await becomes('ended')
    faults.intercept((path) => (path === '/oauth2/userinfo' ? Response.json({ email: 'b@slipway.test' }) : undefined))
    otherTab.postMessage({ kind: 'signed-in', email: 'b@slipway.test' })
    await vi.waitFor(() => expect(departures).toEqual(['/']))
    expect(sessionState()).toBe('ended')
  })

  it('begins anew when somebody else signs in there before the end was heard of', async () => {
    const { otherTab, faults, departures } = await scene()
    faults.intercept((path) => (path === '/oauth2/userinfo' ? Response.json({ email: 'b@slipway.test' }) : undefined))
    otherTab.postMessage({ kind: 'signed-in', email: 'b@slipway.test' })
    await vi.waitFor(() => expect(departures).toEqual(['/']))
  })

  it('asks nothing when the same user opens another tab', async () => {
    const { otherTab, calls } = await scene()
    await delivered(otherTab, { kind: 'signed-in', email: 'admin@slipway.test' })
    expect(calls).toEqual([])
  })

  test.each([
    ['looked at', () => document.dispatchEvent(new Event('visibilitychange'))],
    ['focused', () => globalThis.dispatchEvent(new Event('focus'))],
  ])('finds out by itself when it is %s, with one question, and reads everything again', async (_, act) => {
    const { otherTab, calls } = await scene()
    queryClient.setQueryData(['what', 'was', 'read'], 1)
    otherTab.postMessage({ kind: 'ended' })
    await becomes('ended')
    act()
    act()
    await becomes('active')
    expect(calls.map(({ path }) => path)).toEqual(['/oauth2/userinfo'])
    expect(queryClient.getQueryState(['what', 'was', 'read'])?.isInvalidated).toBe(true)
  })

  it('takes no late answer to a call of before signing in again for the end', async () => {
    const { faults, readApplications, heard, calls } = await scene()
    const heal = faults.intercept((path) =>
      path.includes('applications')
        ? Response.json({}, { status: 401, headers: { 'www-authenticate': 'Session' } })
        : undefined,
    )
    await expect(readApplications()).rejects.toMatchObject({ isSessionEnd: true })
    await vi.waitFor(() => expect(calls.map(({ path }) => path)).toContain('/oauth2/userinfo'))
    heal()
    await vi.waitFor(() => expect(readApplications()).resolves.toBeDefined())
    expect(sessionState()).toBe('active')
    expect(heard).toEqual([])
  })

  it('tells the other tabs of its own logout', async () => {
    const { heard } = await scene()
    await signOut()
    await vi.waitFor(() => expect(heard).toEqual([{ kind: 'signed-out' }]))
  })
})
