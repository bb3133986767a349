import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createGateway } from '../src/app'
import { Browser, idToken, signIn } from './browser'
import { peerNames, findProgram, type PeerName, type Program } from './builds'
import { startCaddy } from './caddy'
import { compareRow, print, printReasons, type Row } from './compare'
import { exchange, type Side } from './exchange'
import { checkFront } from './front'
import { compareReturnPaths, compareSessions } from './journeys'
import { client, clusterToken, issuerAt, otherClient, startDex, startOauth2Proxy } from './peers'
import { freePorts, type Running } from './processes'
import { people, type Person, type Request } from './request'
import { requests } from './requests'
import { probePlugins, startUpstreams, writeSite } from './environment'

const { values } = parseArgs({
  options: {
    'oauth2-proxy': { type: 'string' },
    dex: { type: 'string' },
    caddy: { type: 'string' },
    /** File for the results of both sides. */
    json: { type: 'string' },
    /** Keeps configurations and logs. */
    keep: { type: 'boolean', default: false },
  },
})

const folder = await mkdtemp(join(tmpdir(), 'differential-'))
const stops: (() => Promise<unknown>)[] = []

/** @returns the number of unexpected results */
async function main(): Promise<number> {
  // One after the other, since each build uses all processors.
  const programs = {} as Record<PeerName, Program>
  for (const name of peerNames) programs[name] = await findProgram(name, values[name])
  for (const { version } of Object.values(programs)) console.log(version)

  const upstreams = await startUpstreams()
  for (const upstream of Object.values(upstreams)) stops.push(() => upstream.close())
  const assets = join(folder, 'site')
  await writeSite(assets)
  const [dexPort = 0, proxyPort = 0, caddyPort = 0, ourPort = 0, frontPort = 0, behindPort = 0] = await freePorts(6)
  const issuer = issuerAt(dexPort)
  const [theirOrigin = '', ourOrigin = '', frontOrigin = ''] = [caddyPort, ourPort, frontPort].map(originAt)
  const redirects = [theirOrigin, ourOrigin, frontOrigin].map((origin) => `${origin}/oauth2/callback`)
  run(await startDex(programs.dex, { folder, port: dexPort }, redirects))
  run(await startOauth2Proxy(programs['oauth2-proxy'], { folder, port: proxyPort }, { issuer, origin: theirOrigin }))
  const addresses = {
    oauth2Proxy: `127.0.0.1:${proxyPort}`,
    kubernetes: upstreams.kubernetes.url,
    namespaceLister: upstreams.namespaceLister.url,
    tektonResults: upstreams.tektonResults.url,
    kubeArchive: upstreams.kubeArchive.url,
  }
  run(await startCaddy(programs.caddy, { folder, port: caddyPort, assets }, addresses))
  const cluster = {
    kubernetes: { access: { url: addresses.kubernetes, token: clusterToken }, as: 'impersonate' as const },
    namespaceLister: { url: addresses.namespaceLister },
    tektonResults: { url: addresses.tektonResults, token: 'gateway' as const },
    kubeArchive: { url: addresses.kubeArchive, token: 'gateway' as const },
    assets,
    session: { keys: [new Uint8Array(32).fill(1)] },
  }
  const gateway = await createGateway({
    ...cluster,
    host: '127.0.0.1',
    port: ourPort,
    signIn: { oidc: { issuer, clientId: client.id, clientSecret: client.secret } },
    limits: { callBurst: 1_000_000 },
  })
  await gateway.listen({ host: '127.0.0.1', port: ourPort })
  stops.push(() => gateway.close())

  const tokens = {
    ada: await idToken(issuer, client),
    other: await idToken(issuer, otherClient),
    forged: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.',
  }
  const sideAt = async (origin: string): Promise<Side> => {
    const cookies = {} as Record<Person, string>
    for (const person of Object.keys(people) as Person[]) {
      const browser = new Browser()
      await signIn(browser, `${origin}/oauth2/sign_in`, { person })
      cookies[person] = browser.cookiesOf(origin)
    }
    return { origin, issuer, cookies, tokens, clusterToken, upstreams }
  }
  const [ours, theirs] = [await sideAt(ourOrigin), await sideAt(theirOrigin)]
  await probePlugins(ours.origin, ours.cookies.ada)

  const rows: Row[] = []
  for (const request of requests) rows.push(await compareRequest(request, ours, theirs))
  if (values.json) await writeFile(values.json, JSON.stringify(rows, null, 2))
  const sections = {
    Requests: rows.map(compareRow),
    'Signing in and return paths': (await compareReturnPaths(ours, theirs)).map(compareRow),
    Sessions: (await compareSessions(ours, theirs)).map(compareRow),
  }
  let unexpected = 0
  for (const [title, section] of Object.entries(sections)) unexpected += print(title, section)
  printReasons(Object.values(sections).flat())
  unexpected += await checkFront({
    program: programs['oauth2-proxy'],
    folder,
    issuer,
    ports: { front: frontPort, gateway: behindPort },
    config: cluster,
    upstreams,
    run,
  })
  return unexpected
}

function run(running: Running): void {
  stops.push(() => running.stop())
}

const originAt = (port: number): string => `http://127.0.0.1:${port}`

async function compareRequest(request: Request, ours: Side, theirs: Side): Promise<Row> {
  const here = await exchange(ours, request)
  const there = await exchange(theirs, request)
  const errors = [
    ...(here.status === request.ours ? [] : [`our status is ${here.status}, not ${request.ours}`]),
    ...(here.fields.reached === (request.reached ?? '')
      ? []
      : [`our request reached ${here.fields.reached || 'nothing'}`]),
  ]
  const { name, as, method = 'GET', target, differs = {} } = request
  return {
    name: `${name}: ${as ?? 'no session'}, ${method} ${target}`,
    ours: here.fields,
    theirs: there.fields,
    expected: differs,
    errors,
  }
}

try {
  process.exitCode = (await main()) > 0 ? 1 : 0
} finally {
  for (const stop of stops.reverse()) await stop()
  if (values.keep) console.log(`\nconfigurations and logs: ${folder}`)
  else await rm(folder, { recursive: true })
}
