import { useQuery } from '@tanstack/react-query'
import { ApiError } from '@slipway/kube/status'
import { redirect, type RouteObject } from 'react-router'
import { afterEach, expect, it } from 'vitest'
import { client } from '../api/client'
import { queryClient } from '../api/query-client'
import { renderPage } from './render-page'

afterEach(() => queryClient.clear())

const namespaceQuery = (name: string) => ({
  queryKey: ['namespace', name],
  queryFn: () => client.request(`/api/v1/namespaces/${name}`),
})

/** Asks for a second namespace once it knows the first. */
function Names() {
  const first = useQuery(namespaceQuery('a'))
  const second = useQuery({ ...namespaceQuery('b'), enabled: first.isSuccess })
  return (
    <h1>
      {first.isSuccess ? 'first' : '…'} {second.isSuccess ? 'second' : '…'}
    </h1>
  )
}

const pages: RouteObject[] = [
  { path: '/names', Component: Names },
  { path: '/moved', loader: () => redirect('/names') },
  {
    path: '/forbidden',
    loader() {
      throw new ApiError({ code: 403, reason: 'Forbidden', url: '', message: 'No.' })
    },
    Component: () => <h1>Secret</h1>,
  },
  {
    path: '/browser',
    Component() {
      useQuery({ queryKey: ['browser'], queryFn: () => Promise.reject(new ReferenceError('x is not defined')) })
      return <h1>Browser</h1>
    },
  },
]

const never = new Promise<void>(() => {})
const pageAt = (url: string, answer: (path: string) => Response | Promise<Response>, late = never) =>
  renderPage({ url, fetch: async (input) => answer(String(input)), late }, pages)

it('renders what a page reads in turn, as its user', async () => {
  const asked: string[] = []
  const html = await pageAt('/names', (path) => {
    asked.push(path)
    return Response.json({})
  })
  expect(html).toBe('<h1>first second</h1>')
  expect(asked).toEqual(['/api/k8s/api/v1/namespaces/a', '/api/k8s/api/v1/namespaces/b'])
})

it('renders what is known in time', async () => {
  let setLate = () => {}
  const late = new Promise<void>((resolve) => (setLate = resolve))
  const html = await pageAt(
    '/names',
    (path) => {
      if (path.endsWith('/a')) return Response.json({})
      setLate()
      return new Promise<Response>(() => {})
    },
    late,
  )
  expect(html).toBe('<h1>first …</h1>')
})

it('says what the cluster says, as a browser does', async () => {
  expect(await pageAt('/names', () => Response.json({ message: 'no' }, { status: 403 }))).toBe('<h1>… …</h1>')
})

it.each(['/moved', '/forbidden', '/browser'])(
  'leaves to the browser what leads elsewhere, is forbidden, or needs a browser: %s',
  async (url) => {
    expect(await pageAt(url, () => Response.json({}))).toBeUndefined()
  },
)
