import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { asArray, asRecord } from '@slipway/kube/parse'
import type { ViewQuery } from '@slipway/views/frame'

/** A tab of a user that shows one view. */
export interface Tab {
  user: string
  query: ViewQuery
}

export interface TabsRequest {
  /** Of the service for list views. */
  url: string
  /** Of an account that may impersonate the users. */
  token: string
  tabs: Tab[]
}

/** Tabs without browsers: websockets to the service, in a process of their own. */
export interface Tabs {
  /** To be called before the change that `arrivals` waits for. */
  expect(what: string): Promise<void>
  /** When each tab received a frame that contains this, in milliseconds since 1970. */
  arrivals(what: string): Promise<number[]>
  close(): Promise<void>
}

/** Resolves once all tabs have all of their rows. */
export async function openTabs(request: TabsRequest): Promise<Tabs> {
  const program = fileURLToPath(new URL('tabs-process.ts', import.meta.url))
  const child = fork(program, { execArgv: ['--import', 'tsx'] })
  async function ask(message: object): Promise<Record<string, unknown>> {
    const response = once(child, 'message')
    child.send(message)
    const [received] = (await response) as unknown[]
    const { error, ...rest } = asRecord(received)
    if (error !== undefined) throw new Error(String(error))
    return rest
  }
  await ask(request)
  return {
    async expect(what) {
      await ask({ expect: what })
    },
    arrivals: async (what) => asArray((await ask({ report: what })).times).map(Number),
    async close() {
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    },
  }
}
