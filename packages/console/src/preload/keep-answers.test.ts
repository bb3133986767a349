import { afterEach, expect, it } from 'vitest'
import { takePreloaded } from '../api/preloaded-responses'
import { givenWindow } from '../api/views/given-window'
import { keepAnswers } from './keep-answers'

afterEach(() => {
  document.body.replaceChildren()
  globalThis.slipwayPreloaded = undefined
  globalThis.slipwayWindows = undefined
})

const query = { kind: 'pipelineruns', namespaces: ['a&b'], limit: 100 }

function keep(answers: object[]) {
  const script = document.createElement('script')
  Object.assign(script, { type: 'application/json', id: 'slipway-answers', textContent: JSON.stringify(answers) })
  document.body.append(script)
  keepAnswers()
}

it('the console takes responses that came with the page, each once, by method, path and body', async () => {
  const path = '/api/k8s/api/v1/namespaces'
  keep([
    { method: 'GET', path, status: 200, headers: { date: 'x' }, text: '{"a":1}' },
    { method: 'POST', path, body: '{}', status: 201, headers: {}, text: '{"b":2}' },
  ])
  const response = await takePreloaded(path)
  expect(await response?.json()).toEqual({ a: 1 })
  expect(response?.headers.get('date')).toBe('x')
  expect(takePreloaded(path)).toBeUndefined()
  expect((await takePreloaded(path, { method: 'POST', body: '{}' }))?.status).toBe(201)
})

it('a view begins with the window that came with the page', () => {
  const search = new URLSearchParams({ query: JSON.stringify(query) })
  keep([
    {
      method: 'GET',
      path: `/api/k8s/plugins/views/v1/window?${search}`,
      status: 200,
      headers: {},
      text: '{"total":7}',
    },
  ])
  expect(givenWindow(query)).toEqual({ total: 7 })
  expect(givenWindow({ ...query, limit: 50 })).toBeUndefined()
})

it('a page that was not rendered has none', () => {
  keepAnswers()
  expect(globalThis.slipwayPreloaded).toBeUndefined()
})
