import { anApplication, aPipelineRun, aTaskRun } from '@slipway/model/testing'
import { waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { namespace, type Call } from '../test/cluster'
import { renderRoute } from '../test/render-route'
import { askFirst } from './first-calls'
import { paths } from './paths'

afterEach(() => {
  vi.unstubAllGlobals()
  globalThis.slipwayEarlyAnswers = undefined
})

const at = { namespace, application: 'checkout' }
const objects = [
  anApplication({ metadata: { name: at.application } }),
  aPipelineRun({ metadata: { name: 'run', namespace } }),
  aTaskRun({ metadata: { name: 'task', namespace } }),
]

const worded = ({ method, path, body }: Call) => `${method} ${path} ${body === undefined ? '' : JSON.stringify(body)}`

/** What is asked ahead of the page, none of which is ever answered. */
function askedFirst(path: string): string[] {
  const calls: string[] = []
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
    // A kube client sends text.
    calls.push(`${init.method ?? 'GET'} ${url} ${(init.body as string | undefined) ?? ''}`)
    return new Promise(() => {})
  })
  askFirst(new URL(path, location.href).pathname)
  vi.unstubAllGlobals()
  globalThis.slipwayEarlyAnswers = undefined
  return calls
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
  const asked = askedFirst(path)
  expect(new Set(asked).size).toBe(asked.length)
  expect(asked.length).toBeGreaterThan(2)
  const { cluster } = await renderRoute(path, { objects })
  await waitFor(() => expect(cluster.calls.map(worded)).toEqual(expect.arrayContaining(asked)))
})

it.each(['/ns/%E0%A4%A', '/ns//applications', '/nowhere', '/ns'])('asks nothing of a namespace for %s', (path) => {
  expect(
    askedFirst(path)
      .filter((call) => call.includes('/namespaces/'))
      .join(),
  ).not.toMatch(/namespaces\/(?!konflux-info)/)
})
