import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { unpackSheets } from './critical-css'
import { createPageContent, type PageParts } from './page-content'
import { renderPage } from './render-page'
import { recordedStorage } from './recorded-storage'
import type { Answer } from './answers'

/**
 * Renders one page of one user. The gateway starts it as a thread and answers its requests (gateway/src/page-threads.ts
 * has the messages).
 */
interface Order {
  url: string
  nonce: string
  dataMs: number
}

interface Responded {
  id: number
  status: number
  headers: Record<string, string>
  body: string
}

const port = parentPort
if (!port) throw new Error('This script runs in a thread of the gateway.')

const storage = recordedStorage()
// A wide window, in the light theme, as for prepared documents.
Object.assign(globalThis, {
  localStorage: storage.area,
  sessionStorage: storage.area,
  matchMedia: (query: string) => ({ matches: query.includes('min-width') }),
})

// While the thread waits for its page.
const parts = JSON.parse(readFileSync(new URL('page-parts.json', import.meta.url), 'utf8')) as PageParts
const sheets = unpackSheets(parts.sheets)

const waiting = new Map<number, (response: Responded) => void>()
const answers: Answer[] = []

async function call(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET' } = init
  const path = String(input)
  const body = typeof init.body === 'string' ? init.body : undefined
  const id = waiting.size
  const responded = new Promise<Responded>((resolve) => waiting.set(id, resolve))
  port?.postMessage({ call: { id, method, path, headers: Object.fromEntries(new Headers(init.headers)), body } })
  const { status, headers, body: text } = await responded
  answers.push({ method, path, body, status, headers, text })
  return new Response(status === 204 ? null : text, { status, headers })
}

async function render({ url, nonce, dataMs }: Order): Promise<string> {
  Object.assign(globalThis, { location: new URL(url, 'http://console') })
  const late = new Promise<void>((resolve) => setTimeout(resolve, dataMs))
  const html = await renderPage({ url, fetch: call, late })
  return html === undefined
    ? ''
    : createPageContent(html, { sheets, script: parts.script, nonce, answers, stored: storage.read() })
}

port.on('message', (message: Order | Responded) => {
  if ('id' in message) return waiting.get(message.id)?.(message)
  void render(message)
    .catch((error: unknown) => {
      console.error(error)
      return ''
    })
    .then((html) => port.postMessage({ html }))
})
port.postMessage('ready')
