import { asArray, asRecord, parseJson } from '@slipway/kube/parse'
import { WebSocket } from 'ws'
import type { Tab, TabsRequest } from './tabs'

/** Handshakes at the same time. */
const atOnce = 50

/** By what a frame has to contain: when each tab received the first one that does. */
const arrivals = new Map<string, number[]>()
let tabCount = 0

/** Opens the view of a tab. Resolves once all of its rows are known. */
function open({ user, query }: Tab, { url, token }: TabsRequest): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'impersonate-user': user }
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/socket`, { headers, perMessageDeflate: false })
  socket.on('open', () => socket.send(JSON.stringify({ type: 'open', id: 'tab', query })))
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', (code) => reject(new Error(`The service closed a websocket with ${code}.`)))
    let isSettled = false
    /** Namespaces whose rows are not known yet, by why. */
    let missing: Record<string, unknown> = {}
    socket.on('message', (data: Buffer) => {
      const now = Date.now()
      const frame = data.toString()
      if (isSettled) {
        for (const [what, times] of arrivals) if (frame.includes(what)) times.push(now)
        return
      }
      const { type, loading = missing.loading, unknown = missing.unknown, denied } = asRecord(parseJson(frame))
      if (type === 'rejected' || asArray(denied).length > 0) reject(new Error(frame))
      missing = { loading, unknown }
      isSettled = Object.values(missing).every((namespaces) => asArray(namespaces).length === 0)
      if (isSettled) resolve()
    })
  })
}

async function openAll(request: TabsRequest): Promise<void> {
  tabCount = request.tabs.length
  const waiting = [...request.tabs]
  const openNext = async () => {
    for (let tab = waiting.shift(); tab; tab = waiting.shift()) await open(tab, request)
  }
  await Promise.all(Array.from({ length: atOnce }, openNext))
}

process.on('message', (message: TabsRequest | { expect: string } | { report: string }) => {
  if ('tabs' in message) {
    openAll(message).then(
      () => process.send?.({}),
      (error: unknown) => process.send?.({ error: String(error) }),
    )
  } else if ('expect' in message) {
    arrivals.set(message.expect, [])
    process.send?.({})
  } else {
    const report = () => {
      const times = arrivals.get(message.report) ?? []
      if (times.length < tabCount) return setTimeout(report, 20)
      arrivals.delete(message.report)
      process.send?.({ times })
    }
    report()
  }
})

// Exits with its parent.
process.on('disconnect', () => process.exit())
