import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { subjectAccessReviewType, tokenReviewType, type ResourceAttributes } from '@slipway/kube/core-types'
import { asRecord, parseJson } from '@slipway/kube/parse'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { aLargeRun } from '../../../e2e/bench/runs'

/** A stand-in for a cluster with more runs than fit on this machine: the same ones in each requested namespace. */
export interface LargeCluster {
  url: string
  /** How many watches are open. */
  watches(): number
  close(): Promise<void>
}

const pageSize = 500
/** Where each page has the name of its namespace. */
const placeholder = 'namespace-of-this-page'

/** All users may read each namespace, but not the whole cluster, so that each namespace is reviewed. */
const isAllowed = ({ verb, namespace }: ResourceAttributes) => verb === 'impersonate' || namespace !== undefined

const json = { 'content-type': 'application/json' }

/** @param runCount in each namespace, of 17 kB each; a multiple of 500 */
export async function startLargeCluster(runCount: number): Promise<LargeCluster> {
  const pages = Array.from({ length: runCount / pageSize }, (_, page) => pageText(page, runCount))
  let watches = 0

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://cluster')
    if (request.method === 'POST') {
      void reviewOf(request).then((review) => response.writeHead(201, json).end(JSON.stringify(review)))
    } else if (url.searchParams.has('watch')) {
      watches++
      response.once('close', () => watches--)
      response.writeHead(200, json).flushHeaders()
    } else if (url.pathname.endsWith(`/${pipelineRunType.plural}`)) {
      const [, namespace = ''] = /\/namespaces\/([^/]+)\//.exec(url.pathname) ?? []
      const page = pages[Number(url.searchParams.get('continue') ?? 0)] ?? ''
      response.writeHead(200, json).end(page.replaceAll(placeholder, namespace))
    } else {
      response.writeHead(200, json).end(JSON.stringify({ metadata: { resourceVersion: '1' }, items: [] }))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // It listens on a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    watches: () => watches,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function pageText(page: number, runCount: number): string {
  const items = Array.from({ length: pageSize }, (_, row) => {
    const index = page * pageSize + row
    const run = aLargeRun(index, { namespace: placeholder, application: 'bench' })
    run.metadata.uid = `${index.toString(16).padStart(8, '0')}-0000-4000-8000-${placeholder}`
    run.metadata.resourceVersion = String(index + 1)
    return run
  })
  const next = (page + 1) * pageSize < runCount ? { continue: String(page + 1) } : {}
  return JSON.stringify({ metadata: { resourceVersion: String(runCount), ...next }, items })
}

async function reviewOf(request: IncomingMessage) {
  if (request.url?.endsWith(tokenReviewType.plural)) {
    return { status: { authenticated: true, user: { username: 'gateway' } } }
  }
  if (!request.url?.endsWith(subjectAccessReviewType.plural)) throw new Error(`${request.url} is not a review.`)
  const { resourceAttributes } = asRecord(asRecord(parseJson(await text(request))).spec)
  return { status: { allowed: isAllowed(asRecord(resourceAttributes)) } }
}
