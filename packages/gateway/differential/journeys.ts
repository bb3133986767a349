import { Browser, signIn } from './browser'
import type { Row } from './compare'
import { fieldNames, type Field, type Side } from './exchange'
import type { Reason } from './reasons'

/** `rd` of a sign-in, and why it differs where it ends. */
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

/** Signs in from the start each time, through Dex, and looks at where it ends. */
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
      ours: { ...nothing, leads: here },
      theirs: { ...nothing, leads: there },
      expected: reason ? { leads: reason } : {},
    })
  }
  return rows
}

/** Whom the provider's word lets in, and what is left of a session that was ended. */
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
    return { leads: out.headers.get('location') ?? '', here: `${left.status}`, copied: `${copied.status}` }
  }
  const [here, there] = [await afterwards(ours), await afterwards(theirs)]
  return [
    {
      name: 'a user whose name begins with system:',
      ours: { ...nothing, answer: await reserved(ours) },
      theirs: { ...nothing, answer: await reserved(theirs) },
      expected: { answer: 'systemNames' },
    },
    {
      name: 'sign-out goes on to rd, and the browser is nobody',
      ours: { ...nothing, leads: here.leads, answer: here.here },
      theirs: { ...nothing, leads: there.leads, answer: there.here },
      expected: {},
    },
    {
      name: 'a copy of the cookie after sign-out',
      ours: { ...nothing, answer: here.copied },
      theirs: { ...nothing, answer: there.copied },
      expected: { answer: 'signOut' },
    },
  ]
}
