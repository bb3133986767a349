import { setTimeout } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { percentile } from './load'
import type { Watched, Watching } from './processes'

/** Watches of many users in a separate process, so that reading them takes no time of the caller. */
interface Group extends Watching {
  events: number
  wrong: number
  ended: number
  delays: number[]
}

/** More concurrent connections would wait in the listener's queue. */
const opensAtOnce = 50
const groups: Group[] = []
const sockets: WebSocket[] = []

function watch(group: Group, index: number): Promise<void> {
  const { url, origin, cookies } = group
  const cookie = cookies?.[index % cookies.length]
  const socket = new WebSocket(url, { headers: { ...(cookie && { cookie, origin }) } })
  sockets.push(socket)
  let last = 0
  socket.on('message', (data: Buffer) => {
    group.events++
    const { version, sentAt } = parseEvent(data)
    if (version !== last + 1) group.wrong++
    last = version
    group.delays.push(performance.timeOrigin + performance.now() - sentAt)
  })
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.on('error', () => {})
      socket.once('close', () => group.ended++)
      resolve()
    })
    socket.once('error', reject)
  })
}

/** Extracts the fields without parsing the whole event, since reading is not what is measured. */
function parseEvent(data: Buffer): { version: number; sentAt: number } {
  const text = data.toString('latin1')
  const after = (mark: string) => Number.parseFloat(text.slice(text.indexOf(mark) + mark.length))
  return { version: after('"resourceVersion":"'), sentAt: after('":"sent-') }
}

async function open(all: Watching[]) {
  for (const each of all) {
    const group: Group = { ...each, events: 0, wrong: 0, ended: 0, delays: [] }
    groups.push(group)
    const indices = Array.from({ length: group.count }, (_, index) => index).values()
    const worker = async () => {
      for (const index of indices) await watch(group, index)
    }
    await Promise.all(Array.from({ length: opensAtOnce }, worker))
  }
}

async function seen(expected: number): Promise<Watched[]> {
  const count = () => groups.reduce((sum, { events }) => sum + events, 0)
  for (let before = -1, quietMs = 0; count() < expected && quietMs < 10_000; before = count()) {
    quietMs = count() === before ? quietMs + 100 : 0
    await setTimeout(100)
  }
  return takeResults()
}

const takeResults = (): Watched[] =>
  groups.map((group) => {
    const { events, wrong, ended, delays } = group
    Object.assign(group, { events: 0, wrong: 0, delays: [] })
    return { events, wrong, ended, p50: percentile(delays, 50), p99: percentile(delays, 99) }
  })

process.on('message', (message: { all: Watching[] } | { seen: number } | 'stop') => {
  if (message === 'stop') {
    for (const socket of sockets) socket.terminate()
    process.disconnect()
  } else if ('seen' in message) void seen(message.seen).then((all) => process.send?.(all))
  else void open(message.all).then(() => process.send?.('open'))
})

// Exits with its parent.
process.on('disconnect', () => process.exit())
