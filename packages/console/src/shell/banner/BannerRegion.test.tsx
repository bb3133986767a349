import { configMapType } from '@slipway/kube/core-types'
import { bannerEntry, bannerLocation } from '@slipway/model/platform/public-info'
import { act, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, test, vi } from 'vitest'
import type { TestCluster } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'
import { banners } from '../../resources/banners'

const { namespace, name } = bannerLocation
const shown = () => screen.queryByRole('region', { name: 'Banner' })

/** Publishes banners as an operator does, and waits until the console has read them. */
async function announce({ system }: TestCluster, text: string) {
  const { queryKey } = banners.list()
  await waitFor(() => expect(queryClient.getQueryData(queryKey)).toBeDefined())
  const configMap = await system.get(configMapType, name, { namespace })
  await system.replace(configMapType, { ...configMap, data: { [bannerEntry]: text } })
  await act(() => queryClient.refetchQueries({ queryKey }))
}

describe('the banner', () => {
  test.each([
    ['info', 'Information: '],
    ['warning', 'Warning: '],
    ['danger', 'Danger: '],
  ])('BAN-01, BAN-36 of type %s is shown with its type, to users without a namespace too', async (type, word) => {
    const { cluster } = await renderRoute(paths.about(), { as: 'outsider' })
    await screen.findByRole('heading', { name: 'About Slipway' })
    expect(shown()).not.toBeInTheDocument()
    await announce(cluster, `- {summary: The database moves tonight, type: ${type}}`)
    await waitFor(() => expect(shown()).toHaveTextContent(`${word}The database moves tonight`))
    expect(shown()?.firstElementChild).toHaveClass(`pf-m-${type}`)
  })

  it('BAN-03, BAN-04, BAN-05 is the first valid entry; invalid ones are logged and not shown', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const { cluster } = await renderRoute(paths.about())
    await screen.findByRole('heading', { name: 'About Slipway' })
    await announce(cluster, '- {type: info}\n- {summary: The first, type: info}\n- {summary: The second, type: danger}')
    await waitFor(() => expect(shown()).toHaveTextContent('The first'))
    expect(screen.queryByText('The second')).not.toBeInTheDocument()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
    expect(warn).toHaveBeenCalledExactlyOnceWith('Banner ignored. Entry 1 of banner-content.yaml: summary is required')
  })

  it('MD-02, MD-03 may contain links, but no scripts', async () => {
    const { cluster } = await renderRoute(paths.about())
    await screen.findByRole('heading', { name: 'About Slipway' })
    const summary = 'See [the plan](https://example.com/plan)<img src=x onerror=alert(1)> or [not](javascript:alert(1))'
    await announce(cluster, JSON.stringify([{ summary, type: 'info' }]))
    expect(await screen.findByRole('link', { name: 'the plan' })).toHaveAttribute('href', 'https://example.com/plan')
    expect(shown()).toHaveTextContent('See the plan or not')
    expect(screen.queryByRole('link', { name: 'not' })).not.toBeInTheDocument()
    expect(shown()?.querySelector('img')).toBeNull()
  })

  it('disappears silently when its config map is deleted, and stays while it only cannot be read', async () => {
    const { cluster } = await renderRoute(paths.about())
    await announce(cluster, '- {summary: Soon gone, type: info}')
    await waitFor(() => expect(shown()).toHaveTextContent('Soon gone'))
    const respondWith = async (status: number) => {
      const restore = cluster.faults.intercept((path) =>
        path.endsWith(name) ? Response.json({}, { status }) : undefined,
      )
      await act(() => queryClient.refetchQueries({ queryKey: banners.list().queryKey }))
      restore()
    }
    await respondWith(403)
    expect(shown()).toHaveTextContent('Soon gone')
    await respondWith(404)
    await waitFor(() => expect(shown()).not.toBeInTheDocument())
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  it('is announced when it appears, by a live region that existed before', async () => {
    const { cluster } = await renderRoute(paths.about())
    await screen.findByRole('heading', { name: 'About Slipway' })
    await announce(cluster, '[]')
    const liveRegions = [...document.querySelectorAll('[aria-live=polite]')]
    await announce(cluster, '- {summary: The database moves tonight, type: info}')
    await waitFor(() => expect(liveRegions.some((region) => region.contains(shown()))).toBe(true))
  })

  it('BAN-17 appears and disappears on schedule while the page is open', async () => {
    const { cluster } = await renderRoute(paths.about())
    await screen.findByRole('heading', { name: 'About Slipway' })
    await announce(
      cluster,
      '- {summary: Fridays at nine, type: info, dayOfWeek: 5, startTime: "09:00", endTime: "10:00"}',
    )
    // A hidden page does not tick, and jsdom's page is hidden.
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
    // Mocked only now, since sessions end when time jumps.
    const now = vi.spyOn(Date, 'now')
    const at = (time: string) => now.mockReturnValue(Date.parse(time))
    at('2026-01-30T08:59:58Z')
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(shown()).not.toBeInTheDocument()
    at('2026-01-30T09:00:00Z')
    await waitFor(() => expect(shown()).toHaveTextContent('Fridays at nine'))
    at('2026-01-30T10:01:00Z')
    await waitFor(() => expect(shown()).not.toBeInTheDocument())
  })
})

it('BAN-18 reduces the height of the page, and updates it once its own height has been stable for 100 ms', async () => {
  const resizes: (() => void)[] = []
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(onResize: () => void) {
        resizes.push(onResize)
      }
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
  const height = vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(24)
  const room = () => document.documentElement.style.getPropertyValue('--slipway-room-above')
  const { cluster, unmount } = await renderRoute(paths.about())
  await announce(cluster, '- {summary: The database moves tonight, type: info}')
  await waitFor(() => expect(room()).toBe('24px'))
  vi.useFakeTimers()
  const resize = (to: number) => {
    height.mockReturnValue(to)
    for (const notify of resizes) notify()
  }
  resize(48)
  vi.advanceTimersByTime(99)
  resize(72)
  vi.advanceTimersByTime(99)
  expect(room()).toBe('24px')
  vi.advanceTimersByTime(1)
  expect(room()).toBe('72px')
  unmount()
  expect(room()).toBe('')
  vi.unstubAllGlobals()
})
