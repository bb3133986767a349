import { applicationType } from '@slipway/model/builds/application'
import { afterEach, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { namespace, testCluster } from '../../../test/cluster'
import { startApi } from '../../../test/render-route'
import { client } from '../client'
import { queryClient } from '../query-client'
import { sessionState } from './session-state'
import { signInUrl, signOut, startSession, storedUser, userQuery } from './session'

afterEach(() => history.replaceState(null, '', '/'))

it('SESS-02, SESS-03, PREF-01 fetches the user who is signed in, and stores it', async () => {
  const { calls } = await testCluster({ as: 'contributor' })
  startApi()
  const user = await queryClient.fetchQuery(userQuery)
  expect(user).toEqual({ email: 'contributor@slipway.test', preferredUsername: 'contributor' })
  expect(calls.map(({ path }) => path)).toEqual(['/oauth2/userinfo'])
  expect(JSON.parse(localStorage.getItem('__user_session__') ?? '')).toEqual(user)
})

it('SESS-04, SESS-05, SESS-06 without a session the console goes to the sign-in page once, with the URL to return to', async () => {
  history.replaceState(null, '', '/ns/a/applications?name=x%20y&ff=b#row')
  const { departures } = await testCluster({ as: undefined })
  startApi()
  await expect(queryClient.fetchQuery(userQuery)).rejects.toMatchObject({ code: 401 })
  await expect(client.list(applicationType, { namespace })).rejects.toMatchObject({ code: 401, isSessionEnd: true })
  expect(departures).toEqual(['/oauth2/sign_in?rd=%2Fns%2Fa%2Fapplications%3Fname%3Dx%2520y%26ff%3Db%23row'])
})

it('SESS-04, SESS-05 goes to the sign-in page after the plain 401 of an oauth2-proxy too', async () => {
  const { departures, faults } = await testCluster({ as: 'admin' })
  startApi()
  faults.intercept((path) => (path === '/oauth2/userinfo' ? new Response('Unauthorized', { status: 401 }) : undefined))
  await expect(queryClient.fetchQuery(userQuery)).rejects.toMatchObject({ code: 401, isSessionEnd: true })
  expect(departures).toEqual(['/oauth2/sign_in?rd=%2F'])
})

it('SESS-09 a 401 of an upstream does not lead to the sign-in page', async () => {
  const { departures, faults } = await testCluster({ as: 'admin' })
  startApi()
  faults.intercept((path) => (path.includes('tekton-results') ? Response.json({}, { status: 401 }) : undefined))
  await expect(client.request('/plugins/tekton-results/records')).rejects.toMatchObject({
    code: 401,
    isSessionEnd: false,
  })
  expect(departures).toEqual([])
})

it('reloads the page when another user has signed in from another tab', async () => {
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
])('SESS-05, SESS-06 the sign-in URL for %j contains the complete URL to return to', (location, url) =>
  expect(signInUrl(location)).toBe(url),
)

it('SESS-07, SESS-08 signing out clears the cached data and goes to the sign-in page', async () => {
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

it('SESS-07, SESS-08 signs out when a proxy responds with a redirect, without following it', async () => {
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
  'reports that signing out failed, and stays on the page',
  async (answer) => {
    const { faults, departures } = await testCluster({ as: 'admin' })
    startApi()
    faults.intercept((path) => (path === '/oauth2/sign_out' ? answer() : undefined))
    await expect(signOut()).rejects.toThrow('Signing out failed. You are still signed in.')
    expect(departures).toEqual([])
  },
)

it('signing out fails when there is no response in time', async () => {
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

it('works in a browser that does not let tabs exchange messages', async () => {
  vi.stubGlobal('BroadcastChannel', function forbidden() {
    throw new DOMException('denied', 'SecurityError')
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  await testCluster({ as: 'admin' })
  startApi()
  expect((await queryClient.fetchQuery(userQuery)).email).toBe('admin@slipway.test')
})

test.each(['', 'nonsense', '7', 'null', '{}', '{"email":7}', '[]'])('ignores the stored user %j', (text) => {
  localStorage.setItem('__user_session__', text)
  expect(storedUser.get()).toBeUndefined()
  localStorage.clear()
})

it('a tab that is being opened announces its user, and ignores earlier messages', async () => {
  await testCluster({ as: 'admin' })
  startApi()
  const otherTab = new BroadcastChannel('slipway-session')
  onTestFinished(() => otherTab.close())
  const received: unknown[] = []
  otherTab.onmessage = ({ data }: MessageEvent) => void received.push(data)
  await delivered(otherTab, { kind: 'ended' })
  expect(sessionState()).toBe('active')
  await queryClient.fetchQuery(userQuery)
  await vi.waitFor(() => expect(received).toEqual([{ kind: 'signed-in', email: 'admin@slipway.test' }]))
})

/** Resolves once every tab has received the message: the last one to listen receives it last. */
async function delivered(from: BroadcastChannel, message: unknown) {
  const last = new BroadcastChannel('slipway-session')
  onTestFinished(() => last.close())
  const received = new Promise((resolve) => (last.onmessage = resolve))
  from.postMessage(message)
  await received
}

it('ignores messages of other tabs once all sessions are stopped', async () => {
  // A tab without a user ignores every message.
  queryClient.setQueryData(userQuery.queryKey, { email: 'admin@slipway.test', preferredUsername: 'admin' })
  onTestFinished(() => queryClient.clear())
  for (const stop of [startSession(), startSession()]) stop()
  const otherTab = new BroadcastChannel('slipway-session')
  onTestFinished(() => otherTab.close())
  await delivered(otherTab, { kind: 'ended' })
  expect(sessionState()).toBe('active')
})

describe('when the session ends in the middle of work', () => {
  /** A tab in which the admin works, another tab that listens, and a gateway whose session can end. */
  async function scene() {
    const cluster = await testCluster({ as: 'admin' })
    startApi()
    await queryClient.fetchQuery(userQuery)
    const received: unknown[] = []
    const otherTab = new BroadcastChannel('slipway-session')
    onTestFinished(() => otherTab.close())
    otherTab.onmessage = ({ data }: MessageEvent) => void received.push(data)
    cluster.calls.length = 0
    const endSession = () =>
      cluster.faults.intercept(() => Response.json({}, { status: 401, headers: { 'www-authenticate': 'Session' } }))
    const readApplications = () => client.list(applicationType, { namespace })
    return { ...cluster, otherTab, received, endSession, readApplications }
  }
  const becomes = (state: string) => vi.waitFor(() => expect(sessionState()).toBe(state))

  it('stays on the page, notifies the other tabs and sends no more requests', async () => {
    const { endSession, readApplications, received, calls, departures } = await scene()
    endSession()
    await expect(readApplications()).rejects.toMatchObject({ isSessionEnd: true })
    await becomes('ended')
    await vi.waitFor(() => expect(received).toEqual([{ kind: 'ended' }]))
    const callsBefore = calls.length
    await expect(readApplications()).rejects.toMatchObject({ isSessionEnd: true })
    expect(calls).toHaveLength(callsBefore)
    expect(departures).toEqual([])
  })

  it('learns it from another tab, and resumes when the same user signs in there', async () => {
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

  it('resumes if the same user signs in elsewhere while it is still asking the gateway', async () => {
    const { otherTab, faults, calls, endSession, readApplications } = await scene()
    const signInAgain = endSession()
    let refuse = () => {}
    const asked = new Promise<Response>((resolve) => {
      refuse = () => resolve(Response.json({}, { status: 401, headers: { 'www-authenticate': 'Session' } }))
    })
    const hold = faults.intercept((path) => (path === '/oauth2/userinfo' ? asked : undefined))
    await expect(readApplications()).rejects.toMatchObject({ isSessionEnd: true })
    await vi.waitFor(() => expect(calls.at(-1)?.path).toBe('/oauth2/userinfo'))
    hold()
    signInAgain()
    await delivered(otherTab, { kind: 'signed-in', email: 'admin@slipway.test' })
    refuse()
    await expect.poll(() => calls.filter(({ path }) => path === '/oauth2/userinfo')).toHaveLength(2)
    await becomes('active')
    await expect(readApplications()).resolves.toMatchObject({ items: [] })
  })

  it('learns that the user signed out in another tab', async () => {
    const { otherTab } = await scene()
    otherTab.postMessage({ kind: 'signed-out' })
    await becomes('signed-out')
  })

  it('stays covered after the user has signed out when another tab only finds the session ended', async () => {
    const { otherTab } = await scene()
    otherTab.postMessage({ kind: 'signed-out' })
    await becomes('signed-out')
    await delivered(otherTab, { kind: 'ended' })
    expect(sessionState()).toBe('signed-out')
  })

  test.each([null, 'ended', 7, {}, { kind: 'banana' }, { kind: ['ended'] }])(
    'ignores %j, which a tab of another version may send',
    async (message) => {
      const { otherTab, readApplications } = await scene()
      await delivered(otherTab, message)
      expect(sessionState()).toBe('active')
      await expect(readApplications()).resolves.toBeDefined()
    },
  )

  it('reloads when another user signs in there', async () => {
    const { otherTab, faults, departures } = await scene()
    otherTab.postMessage({ kind: 'ended' })
    await becomes('ended')
    faults.intercept((path) => (path === '/oauth2/userinfo' ? Response.json({ email: 'b@slipway.test' }) : undefined))
    otherTab.postMessage({ kind: 'signed-in', email: 'b@slipway.test' })
    await vi.waitFor(() => expect(departures).toEqual(['/']))
    expect(sessionState()).toBe('ended')
  })

  it('reloads when another user signs in there before this tab has learned of the end', async () => {
    const { otherTab, faults, departures } = await scene()
    faults.intercept((path) => (path === '/oauth2/userinfo' ? Response.json({ email: 'b@slipway.test' }) : undefined))
    otherTab.postMessage({ kind: 'signed-in', email: 'b@slipway.test' })
    await vi.waitFor(() => expect(departures).toEqual(['/']))
  })

  it('sends no request when the same user opens another tab', async () => {
    const { otherTab, calls } = await scene()
    await delivered(otherTab, { kind: 'signed-in', email: 'admin@slipway.test' })
    expect(calls).toEqual([])
  })

  test.each([
    ['shown', () => document.dispatchEvent(new Event('visibilitychange'))],
    ['focused', () => globalThis.dispatchEvent(new Event('focus'))],
  ])('resumes by itself when the tab is %s, with one request, and refetches everything', async (_, act) => {
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

  it('does not mistake a late 401 from before signing in again for the end', async () => {
    const { faults, readApplications, received, calls } = await scene()
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
    expect(received).toEqual([])
  })

  it('tells the other tabs that the user signed out', async () => {
    const { received } = await scene()
    await signOut()
    await vi.waitFor(() => expect(received).toEqual([{ kind: 'signed-out' }]))
  })
})
