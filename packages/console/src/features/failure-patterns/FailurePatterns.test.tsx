import { labels } from '@slipway/model/labels'
import { anApplication, aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import { type RunningViews, startViews as startService } from '@slipway/slipway/views'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { namespace } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { ended } from '../../../test/pod-logs'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const minuteMs = 60_000
const startedMs = Date.now() - 60 * minuteMs
const timeAfter = (minutes: number) => new Date(startedMs + minutes * minuteMs).toISOString().replace(/\.\d+/, '')

interface RunOf {
  minute: number
  isGreen?: boolean
  component?: string
  task?: string
}

function aBuild(name: string, { minute, isGreen = false, component = 'api', task = 'build' }: RunOf) {
  const status = {
    startTime: timeAfter(minute),
    completionTime: timeAfter(minute + 1),
    conditions: [condition('Succeeded', isGreen ? 'True' : 'False')],
  }
  const own = { [labels.component]: component, [labels.commitSha]: 'a'.repeat(40), [labels.eventType]: 'push' }
  return [
    aPipelineRun({ metadata: { name, labels: own }, status }),
    aTaskRun({
      metadata: { name: `${name}-${task}`, labels: { [labels.pipelineRun]: name, [labels.pipelineTask]: task } },
      status: { ...status, podName: `${name}-pod`, steps: [{ name: 'work', ...ended(isGreen ? 0 : 1) }] },
    }),
  ]
}

const objects = [
  anApplication(),
  ...aBuild('outage-1', { minute: 1 }),
  ...aBuild('outage-2', { minute: 2, component: 'web', task: 'push' }),
  ...aBuild('retry', { minute: 5, isGreen: true }),
  ...aBuild('typo', { minute: 7, component: 'worker' }),
]
const logs: Record<string, string> = {
  'outage-1': 'fetching\nerror: Get "https://proxy.test/a": dial tcp 10.0.0.7:443: i/o timeout\n',
  'outage-2': 'pushing\nerror: Get "https://proxy.test/b": dial tcp 10.0.0.8:443: i/o timeout\n',
  typo: 'src/main.go:3:1: error: undefined: x\n',
}

const scene = (
  path: string,
  { missing = [], ...options }: Parameters<typeof renderRoute>[1] & { missing?: string[] } = {},
) =>
  renderRoute(path, {
    objects,
    prepare: (faults) =>
      faults.intercept((url) => {
        const [, run = ''] = /\/pods\/(.+)-pod\/log/.exec(url) ?? []
        if (missing.includes(run)) return new Response('{}', { status: 403 })
        return run in logs ? new Response(logs[run]) : undefined
      }),
    ...options,
  })

const page = paths.failurePatterns({ namespace })
const rowsOf = async (table: string) =>
  within(await screen.findByRole('table', { name: table }))
    .getAllByRole('rowheader')
    .map((header) => header.closest('tr')?.textContent)

describe('the failure patterns of a namespace', () => {
  it('are the same failures of several runs, the most frequent first, with what became of retries', async () => {
    const { user } = await scene(page)
    await waitFor(async () => expect(await rowsOf('Failure patterns')).toHaveLength(2))
    const [outage, typo] = await rowsOf('Failure patterns')
    expect(outage).toMatch(/Infrastructureerror: Get .*i\/o timeoutbuild, push22 components.*100 % \(1 of 1\)$/)
    expect(typo).toMatch(/Codesrc\/main\.go.*build1worker.*Not retried$/)
    expect(screen.getByText('3 of 3 failed runs of the last 7 days were read.')).toBeVisible()
    expect(await rowsOf('Flake scores')).toEqual(['build100 %In 1 of 1 retryapi'])
    await user.click(screen.getAllByRole('button', { name: /^Details of error: Get/ })[0] as HTMLElement)
    const runs = within(screen.getByRole('list', { name: /^Runs with error/ })).getAllByRole('listitem')
    expect(runs.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^outage-2 of web, /),
      expect.stringMatching(/^outage-1 of api, /),
    ])
    expect(screen.getByRole('link', { name: 'See logs' })).toHaveAttribute(
      'href',
      `${paths.pipelineRunLogs({ namespace, application: 'checkout', pipelineRun: 'outage-2' })}?task=push#Lwork:2`,
    )
    const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it('are filtered by class, in the URL', async () => {
    await scene(`${page}?class=Code`)
    await waitFor(async () => expect(await rowsOf('Failure patterns')).toEqual([expect.stringMatching(/^.*Code/)]))
  })

  it('say how many logs could not be read', async () => {
    await scene(page, { missing: ['typo'] })
    expect(
      await screen.findByText('2 of 3 failed runs of the last 7 days were read. The log of 1 could not be read.'),
    ).toBeVisible()
  })

  it('are none where no run has failed', async () => {
    await scene(page, { objects: [anApplication()] })
    expect(await screen.findByRole('heading', { name: 'No failures found' })).toBeVisible()
    expect(screen.getByText(/^No run has failed in the last 7 days/)).toBeVisible()
  })

  it('need the permission to list runs', async () => {
    await scene(page, { objects: grantTo(), as: 'outsider' })
    expect(await screen.findByRole('heading', { name: "Let's get you access", level: 1 })).toBeVisible()
  })

  it('are found from the list of runs', async () => {
    const { user } = await scene(paths.pipelineRuns({ namespace }))
    await user.click(await screen.findByRole('link', { name: 'View failure patterns' }))
    expect(await screen.findByRole('heading', { name: 'Failure patterns', level: 1 })).toBeVisible()
  })
})

it('the page of a failed run says on request in how many others its failure was seen', async () => {
  const { user, cluster } = await scene(
    paths.pipelineRun({ namespace, application: 'checkout', pipelineRun: 'outage-1' }),
  )
  const button = await screen.findByRole('button', { name: 'Look for this failure in other runs' })
  expect(cluster.calls.filter(({ path }) => path.includes('outage-2'))).toEqual([])
  await user.click(button)
  expect(await screen.findByText('Seen 2 times in 7 days in 2 components')).toBeVisible()
  expect(screen.getByText(/passes on retry 100 % \(1 of 1\)/)).toBeVisible()
  await user.click(screen.getByRole('link', { name: 'View pattern' }))
  await waitFor(async () => expect(await rowsOf('Failure patterns')).toHaveLength(1))
})

it('the page of a failed run says so by itself where the service for list views finds failed runs', async () => {
  let service: RunningViews | undefined
  onTestFinished(async () => service?.close())
  const { cluster } = await scene(paths.pipelineRun({ namespace, application: 'checkout', pipelineRun: 'outage-1' }), {
    archives: async (apiUrl, system) => {
      service = await startService({ apiUrl, system, host: '127.0.0.1' })
      return { views: { ...service.plugin, token: () => service?.readerToken() ?? '' } }
    },
  })
  expect(await screen.findByText('Seen 2 times in 7 days in 2 components')).toBeVisible()
  expect(screen.getByText(/passes on retry 100 % \(1 of 1\)/)).toBeVisible()
  expect(
    screen.getByText(/^3 of 3 failed runs of the last 7 days were read\. There may be more runs in the archive\.$/),
  ).toBeVisible()
  expect(cluster.calls.filter(({ path }) => /\/namespaces\/[^/]+\/pipelineruns\?/.test(path))).toEqual([])
})
