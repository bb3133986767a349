import { anApplication, aPipelineRun, aTaskRun } from '@slipway/model/testing'
import { waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { namespace, type Call } from '../../test/cluster'
import { renderRoute } from '../../test/render-route'
import { sendFirstRequests } from './requests'
import { paths } from '../paths'

afterEach(() => {
  vi.unstubAllGlobals()
  globalThis.slipwayPreloaded = undefined
})

const at = { namespace, application: 'checkout' }
const objects = [
  anApplication({ metadata: { name: at.application } }),
  aPipelineRun({ metadata: { name: 'run', namespace } }),
  aTaskRun({ metadata: { name: 'task', namespace } }),
]

/** Calls in words, and the reviews of a bundle as if each had been asked by itself. */
const worded = ({ method, path, body }: Call): string[] => {
  const { items } = (body ?? {}) as { items?: unknown[] } // A bundle's; no other call has any.
  if (path.endsWith('/access-reviews')) return (items ?? []).map((item) => `review ${JSON.stringify(item)}`)
  if (path.includes('/selfsubject')) return [`review ${JSON.stringify(body)}`]
  return [`${method} ${path}`]
}

/** What is asked ahead of the page, none of which is ever answered. */
async function askedFirst(path: string): Promise<string[]> {
  const calls: Call[] = []
  vi.stubGlobal('fetch', (url: string, { method = 'GET', body }: RequestInit = {}) => {
    // A page that was shown before may still ask something; its cluster has an address of its own.
    if (url.startsWith('/'))
      calls.push(
        // A kube client sends text.
        { method, path: url, body: body && JSON.parse(body as string) },
      )
    return new Promise(() => {})
  })
  sendFirstRequests(new URL(path, location.href).pathname)
  // Reviews are gathered for a moment.
  await new Promise((resolve) => setTimeout(resolve))
  vi.unstubAllGlobals()
  globalThis.slipwayPreloaded = undefined
  expect(calls.filter(({ path }) => path.includes('review')).length).toBeLessThanOrEqual(1)
  return calls.flatMap(worded)
}

it.each([
  paths.overview(),
  paths.applications(at),
  paths.application(at),
  paths.components(at),
  paths.activity(at),
  paths.activityTab({ ...at, activityTab: 'pipelineruns' }),
  paths.pipelineRun({ ...at, pipelineRun: 'run' }),
  paths.taskRunLogs({ ...at, taskRun: 'task' }),
  paths.access(at),
])('asks ahead of %s nothing that the page does not ask, letter by letter', async (path) => {
  const asked = await askedFirst(path)
  expect(new Set(asked).size).toBe(asked.length)
  expect(asked.length).toBeGreaterThan(2)
  const { cluster } = await renderRoute(path, { objects })
  await waitFor(() => expect(cluster.calls.flatMap(worded)).toEqual(expect.arrayContaining(asked)))
})

it.each(['/ns/%E0%A4%A', '/ns//applications', '/nowhere', '/ns'])(
  'asks nothing of a namespace for %s',
  async (path) => {
    expect((await askedFirst(path)).map((call) => call.split('/').at(-1))).toEqual([
      'userinfo',
      'konflux-banner-configmap',
    ])
  },
)
