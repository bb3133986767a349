import { createStaticHandler } from 'react-router'
import { expect, it } from 'vitest'
import { paths, pattern } from '../../paths'
import { route } from './route'

const at = { namespace: 'team-a', application: 'shop', snapshot: 'shop-1' }

it('the loader of a page gets the parameters of its path, and no others', async () => {
  const received: object[] = []
  const { loader } = route(paths.snapshots, (params) => {
    received.push(params)
    return {}
  })
  const { query } = createStaticHandler([{ path: pattern(paths.snapshot), loader }])
  await query(new Request(new URL(paths.snapshot(at), 'http://console')))
  expect(received).toEqual([{ namespace: 'team-a', application: 'shop' }])
})

it('a page at a path without one of its parameters says which', () => {
  const page = route(paths.snapshot)
  expect(page.paramsOf(at)).toEqual(at)
  expect(() => page.paramsOf({ namespace: 'team-a', application: 'shop' })).toThrow(
    'The path of this route has no :snapshot',
  )
})

it('a page that needs nothing has no loader', () => {
  expect(route(paths.snapshot).loader).toBeUndefined()
})
