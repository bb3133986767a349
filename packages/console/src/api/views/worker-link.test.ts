import { manualClock } from '@slipway/kube/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { configureApi } from '../client'
import type { FromViewsWorker, ToViewsWorker } from './views-worker'
import { workerLink } from './worker-link'

/** A browser with workers, of which the test plays one. */
function scene() {
  const posted: ToViewsWorker[] = []
  const worker = {
    onmessage: (_: { data: FromViewsWorker }) => {},
    onerror: () => {},
    postMessage: (message: ToViewsWorker) => void posted.push(message),
    isTerminated: false,
    terminate: () => void (worker.isTerminated = true),
  }
  vi.stubGlobal(
    'Worker',
    class {
      constructor() {
        return worker
      }
    },
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const heard: unknown[] = []
  const link = workerLink(manualClock())({
    onOpen: () => heard.push('open'),
    onFrame: ({ type }) => heard.push(type),
    onClose: () => heard.push('close'),
  })
  return { worker, posted, heard, link, receive: (data: FromViewsWorker) => worker.onmessage({ data }) }
}

it('a worker is started once its code has been loaded, and carries messages and frames', () => {
  const { posted, heard, link, receive } = scene()
  expect([posted, heard]).toEqual([[], []])
  receive({ type: 'ready' })
  expect(posted[0]).toMatchObject({ type: 'start' })
  link.send({ type: 'close', id: '1' })
  link.refresh('a')
  expect(posted.slice(-2)).toEqual([
    { type: 'message', message: { type: 'close', id: '1' } },
    { type: 'refresh', namespace: 'a' },
  ])
  receive({ type: 'frame', frame: { type: 'rejected', id: '1', why: '' } })
  expect(heard).toEqual(['open', 'rejected'])
})

it('a worker that fails is terminated and reported', () => {
  const { worker, heard } = scene()
  worker.onerror()
  expect([worker.isTerminated, heard]).toEqual([true, ['close']])
})

it('a session that the worker finds ended is checked by the page', () => {
  const paths: string[] = []
  configureApi({
    fetch(input) {
      paths.push(String(input))
      return Promise.resolve(Response.json({}))
    },
  })
  const { receive, heard } = scene()
  receive({ type: 'session-end' })
  expect([paths.some((path) => path.endsWith('/oauth2/userinfo')), heard]).toEqual([true, []])
})
