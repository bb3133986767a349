import { systemClock } from '@slipway/kube/clock'
import { createGateway } from '../src/app'
import { resolveSettings, type GatewayConfig } from '../src/config'
import { raiseHeapLimit } from '../src/operations/heap'
import { createSessions } from '../src/session/sessions'

// Like the command `slipway gateway`.
raiseHeapLimit()

/** The gateway under measurement, in its own process, with sessions for the given number of users. */
const [upstreamUrl = '', people = '1'] = process.argv.slice(2)
const config: GatewayConfig = {
  host: '127.0.0.1',
  port: 0,
  kubernetes: { access: { url: upstreamUrl, token: 'bench' }, as: 'impersonate' },
  session: { keys: [new Uint8Array(32).fill(1)] },
  // Not used: the sessions are created here, with the same key.
  signIn: { oidc: { issuer: 'http://127.0.0.1:1', clientId: 'bench' } },
  // One user makes more calls than a real user would.
  limits: { callsPerSecond: 1e6, callBurst: 1e6 },
}
const { session, isHttps } = resolveSettings(config)
const sessions = createSessions({ ...session, isHttps }, systemClock)
const cookies: string[] = []
for (let number = 0; number < Number(people); number++) {
  const user = `user-${number}@example.com`
  const set = await sessions.start({ user, email: user, preferredUsername: user, groups: ['team'] })
  cookies.push(set.map((cookie) => cookie.split(';', 1)[0]).join('; '))
}
const app = await createGateway(config)
const url = await app.listen({ host: config.host, port: config.port })

let peakBytes = 0
let cpuBefore = process.cpuUsage()
let sampler: NodeJS.Timeout | undefined

process.on('message', (message: { sampleMs: number } | 'end' | 'stop') => {
  if (typeof message === 'object') {
    global.gc?.()
    peakBytes = process.memoryUsage.rss()
    cpuBefore = process.cpuUsage()
    sampler = setInterval(() => (peakBytes = Math.max(peakBytes, process.memoryUsage.rss())), message.sampleMs)
    process.send?.({ idleBytes: peakBytes })
  }
  if (message === 'end') {
    clearInterval(sampler)
    const { user, system } = process.cpuUsage(cpuBefore)
    const peak = peakBytes
    global.gc?.()
    process.send?.({ peakBytes: peak, nowBytes: process.memoryUsage.rss(), cpuMs: (user + system) / 1000 })
  }
  if (message === 'stop') void app.close().then(() => process.disconnect())
})
process.send?.({ url, cookies })

// Exits with its parent.
process.on('disconnect', () => process.exit())
