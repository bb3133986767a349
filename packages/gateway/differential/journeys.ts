import { Browser, signIn } from './browser'
import type { Row } from './compare'
import { fieldNames, type Field, type Side } from './exchange'
import type { Reason } from './reasons'

/** `rd` of a sign-in, and why the final page differs. */
const returnPaths: [rd: string, reason?: Reason][] = [
  ['/'],
  ['/ns/a/applications'],
  ['/ns/a/applications?name=x&sort=-age'],
  ['/a?next=http://elsewhere.example/', 'returnPath'],
  ['https://evil.example/'],
  ['//evil.example'],
  ['///evil.example'],
  ['/\\evil.example'],
  ['\\/evil.example'],
  ['/\tevil.example', 'returnPath'],
  ['/\n/evil.example'],
  ['/..//evil.example'],
  ['/./\\evil.example'],
  ['/a/../..//evil.example'],
  ['/%2e%2e//evil.example'],
  ['javascript:alert(1)'],
  ['data:text/html,x'],
  ['{origin}/ns/a', 'returnPath'],
  ['/oauth2/sign_out', 'returnPath'],
  ['/api/k8s/version', 'returnPath'],
]

const nothing = Object.fromEntries(fieldNames.map((name) => [name, ''])) as Record<Field, string>

/** Signs in with each `rd` through Dex and compares the final pages. */
export async function compareReturnPaths(ours: Side, theirs: Side): Promise<Row[]> {
  const endOf = async ({ origin }: Side, rd: string) => {
    const address = `${origin}/oauth2/start?rd=${encodeURIComponent(rd.replace('{origin}', origin))}`
    const response = await signIn(new Browser(), address, { person: 'ada' })
    return (response.headers.get('location') ?? `${response.status}`).replace(origin, '{origin}')
  }
  const rows: Row[] = []
  for (const [rd, reason] of returnPaths) {
    const [here, there] = [await endOf(ours, rd), await endOf(theirs, rd)]
    rows.push({
      name: `sign-in with rd=${JSON.stringify(rd)}`,
      ours: { ...nothing, redirect: here },
      theirs: { ...nothing, redirect: there },
      expected: reason ? { redirect: reason } : {},
    })
  }
  return rows
}

/** Compares which users may sign in, and what remains of a session after sign-out. */
export async function compareSessions(ours: Side, theirs: Side): Promise<Row[]> {
  const reserved = async ({ origin }: Side) => {
    const browser = new Browser()
    const { status } = await signIn(browser, `${origin}/oauth2/start`, { person: 'bea', name: 'system:admin' })
    const { status: call } = await browser.go(`${origin}/api/k8s/version`)
    return `sign-in ${status < 400 ? 'succeeds' : 'fails'}, then ${call}`
  }
  const afterwards = async ({ origin }: Side) => {
    const browser = new Browser()
    await signIn(browser, `${origin}/oauth2/start`, { person: 'ada' })
    const copy = browser.cookiesOf(origin)
    const headers = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }
    const out = await browser.go(`${origin}/oauth2/sign_out?rd=%2Fns%2Fa`, { headers })
    const left = await browser.go(`${origin}/oauth2/userinfo`)
    const copied = await fetch(`${origin}/oauth2/userinfo`, { headers: { cookie: copy } })
    return { redirect: out.headers.get('location') ?? '', here: `${left.status}`, copied: `${copied.status}` }
  }
  const [here, there] = [await afterwards(ours), await afterwards(theirs)]
  return [
    {
      name: 'a user whose name starts with system:',
      ours: { ...nothing, status: await reserved(ours) },
      theirs: { ...nothing, status: await reserved(theirs) },
      expected: { status: 'systemNames' },
    },
    {
      name: 'sign-out redirects to rd, and the browser is signed out',
      ours: { ...nothing, redirect: here.redirect, status: here.here },
      theirs: { ...nothing, redirect: there.redirect, status: there.here },
      expected: {},
    },
    {
      name: 'a copy of the cookie after sign-out',
      ours: { ...nothing, status: here.copied },
      theirs: { ...nothing, status: there.copied },
      expected: { status: 'signOut' },
    },
  ]
}
