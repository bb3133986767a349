import { labels } from '@slipway/model/labels'
import { aPipelineRun } from '@slipway/model/testing'
import { screen, waitFor } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it, test } from 'vitest'
import { namespace } from '../../test/cluster'
import { renderRoute } from '../../test/render-route'
import { paths } from '../paths'

const run = 'checkout-api-on-push-x4k2p'
const target = paths.pipelineRun({ namespace, application: 'checkout', pipelineRun: run })
const objects = [aPipelineRun()]

describe('the URL of a run without its application', () => {
  test.each([
    ['NAV-28, NAV-31, NAV-32 redirects to the run', `/ns/${namespace}/pipelineruns/${run}`, target],
    ['NAV-29 redirects from the singular form too', `/ns/${namespace}/pipelinerun/${run}`, target],
    ['NAV-30, NAV-33 redirects to its logs', `/ns/${namespace}/pipelineruns/${run}/logs`, `${target}/logs`],
    [
      'NAV-34 redirects to a task in the logs',
      `/ns/${namespace}/pipelinerun/${run}/logs/build`,
      `${target}/logs?task=build`,
    ],
    [
      'NAV-34 redirects to a task of any name',
      `/ns/${namespace}/pipelineruns/${run}/logs/a%26b=c`,
      `${target}/logs?task=a%26b%3Dc`,
    ],
    ['NAV-30, NAV-34 redirects to a task', `/ns/${namespace}/pipelineruns/${run}/build`, `${target}?task=build`],
    [
      'NAV-37 redirects to the applications without a run',
      `/ns/${namespace}/pipelineruns`,
      paths.applications({ namespace }),
    ],
    [
      'NAV-30, NAV-37 redirects to the applications without a run before logs',
      `/ns/${namespace}/pipelineruns/logs`,
      paths.applications({ namespace }),
    ],
    [
      'NAV-30, NAV-37 redirects to the applications without a run before a task',
      `/ns/${namespace}/pipelinerun/logs/build`,
      paths.applications({ namespace }),
    ],
    [
      'NAV-29, NAV-37 redirects to the applications without a run in the singular form',
      `/ns/${namespace}/pipelinerun/`,
      paths.applications({ namespace }),
    ],
  ])('%s: %s', async (_, from, to) => {
    const { router } = await renderRoute(from, { objects })
    await waitFor(() => expect(`${router.state.location.pathname}${router.state.location.search}`).toBe(to))
  })

  it('NAV-35 is replaced in the history, so that Back skips it', async () => {
    const { router } = await renderRoute(paths.about(), { objects })
    await screen.findByRole('heading', { name: 'About Slipway' })
    await router.navigate(`/ns/${namespace}/pipelineruns/${run}/logs`)
    await waitFor(() => expect(router.state.location.pathname).toBe(`${target}/logs`))
    await router.navigate(-1)
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.about()))
  })

  it('NAV-36 says that it is redirecting while it waits', async () => {
    const { cluster, router } = await renderRoute(paths.about(), { objects })
    await screen.findByRole('heading', { name: 'About Slipway' })
    let answer = () => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    const undo = cluster.faults.intercept((path) =>
      path.includes(`/pipelineruns/${run}`)
        ? answered.then(() => new Response(JSON.stringify(aPipelineRun()), { status: 200 }))
        : undefined,
    )
    await router.navigate(`/ns/${namespace}/pipelineruns/${run}`)
    expect(await screen.findByRole('heading', { name: 'Redirecting to pipeline run logs...' })).toBeVisible()
    expect(screen.getByRole('progressbar')).toBeVisible()
    answer()
    await waitFor(() => expect(router.state.location.pathname).toBe(target))
    undo()
  })

  it('NAV-38 says that the run does not exist', async () => {
    const { container } = await renderRoute(`/ns/${namespace}/pipelineruns/no-such-run`)
    expect(await screen.findByRole('heading', { name: '404: Pipeline run not found', level: 1 })).toBeVisible()
    expect(screen.getByText('pipelineruns.tekton.dev "no-such-run" not found')).toBeVisible()
    expect(document.title).toBe('Pipeline run not found | Slipway')
    expect(screen.getByRole('link', { name: 'Go to applications list' })).toHaveAttribute(
      'href',
      paths.applications({ namespace }),
    )
    expect((await axe.run(container)).violations).toEqual([])
  })

  it('NAV-38, ERR-26 says that the run could not be loaded, and why', async () => {
    const { cluster, router } = await renderRoute(paths.about(), { objects })
    await screen.findByRole('heading', { name: 'About Slipway' })
    cluster.faults.intercept((path) =>
      path.includes('/pipelineruns/')
        ? new Response(JSON.stringify({ kind: 'Status', message: 'the run is broken' }), { status: 422 })
        : undefined,
    )
    await router.navigate(`/ns/${namespace}/pipelineruns/${run}`)
    expect(await screen.findByRole('heading', { name: 'Unable to load pipeline run' })).toBeVisible()
    expect(screen.getByText('the run is broken')).toBeVisible()
    expect(document.title).toBe('Unable to load pipeline run | Slipway')
  })

  it('NAV-39 says that a run has no application', async () => {
    const lost = aPipelineRun({ metadata: { name: 'lost', labels: { [labels.application]: undefined } } })
    await renderRoute(`/ns/${namespace}/pipelineruns/lost/logs`, { objects: [lost] })
    expect(await screen.findByRole('heading', { name: 'Unable to load pipeline run' })).toBeVisible()
    expect(screen.getByText(/lost does not say which application it belongs to/)).toBeVisible()
    expect(document.title).toBe('Unable to load pipeline run | Slipway')
  })

  it('NAV-40 needs the right to get pipeline runs', async () => {
    const { cluster, router } = await renderRoute(paths.about(), { objects })
    await screen.findByRole('heading', { name: 'About Slipway' })
    cluster.faults.intercept((path, { body }) =>
      path.endsWith('/selfsubjectaccessreviews') && String(body).includes('pipelineruns')
        ? new Response(JSON.stringify({ status: { allowed: false } }), { status: 201 })
        : undefined,
    )
    await router.navigate(`/ns/${namespace}/pipelineruns/${run}`)
    expect(await screen.findByRole('heading', { name: "Let's get you access" })).toBeVisible()
    // The header makes requests of its own meanwhile.
    const resourceAttributes = { verb: 'get', group: 'tekton.dev', resource: 'pipelineruns', namespace }
    expect(cluster.calls.map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ spec: { resourceAttributes: expect.objectContaining(resourceAttributes) as unknown } }),
    )
  })

  it('NAV-40 shows the forbidden page when the cluster denies access', async () => {
    const { cluster, router } = await renderRoute(paths.about(), { objects })
    await screen.findByRole('heading', { name: 'About Slipway' })
    cluster.faults.intercept((path) =>
      path.includes('/pipelineruns/')
        ? new Response(JSON.stringify({ kind: 'Status', message: 'not you' }), { status: 403 })
        : undefined,
    )
    await router.navigate(`/ns/${namespace}/pipelineruns/${run}`)
    expect(await screen.findByRole('heading', { name: "Let's get you access" })).toBeVisible()
  })
})
