import { annotations, labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { type Overrides, anApplication, aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { grantTo } from '../../../test/grant-to'
import { ended } from '../../../test/pod-logs'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout' }
const changesOf = (pipelineRun: string, baseline?: string) =>
  paths.pipelineRunChanges({ ...at, pipelineRun }) + (baseline ? `?with=${baseline}` : '')

interface RunOf {
  day: number
  isGreen?: boolean
  commit?: string
  params?: { name: string; value: string }[]
}

function aBuild(name: string, { day, isGreen = true, commit = 'a'.repeat(40), params = [] }: RunOf): PipelineRun {
  const time = (minute: number) => `2026-01-0${day}T09:0${minute}:00Z`
  const over: Overrides<PipelineRun> = {
    metadata: {
      name,
      labels: { [labels.commitSha]: commit, [labels.eventType]: 'push' },
      annotations: { [annotations.branch]: 'main', [annotations.pacRepositoryUrl]: 'https://github.com/payments/api' },
    },
    spec: { params },
    status: {
      startTime: time(0),
      completionTime: time(5),
      conditions: [condition('Succeeded', isGreen ? 'True' : 'False')],
      pipelineSpec: { tasks: [{ name: 'build', taskRef: { name: 'buildah' } }] },
    },
  }
  return aPipelineRun(over)
}

function aBuildTask(run: string, { day, isGreen = true }: RunOf) {
  const exit = ended(isGreen ? 0 : 1)
  return aTaskRun({
    metadata: { name: `${run}-build`, labels: { [labels.pipelineRun]: run } },
    status: {
      podName: `${run}-pod`,
      startTime: `2026-01-0${day}T09:00:00Z`,
      completionTime: `2026-01-0${day}T09:04:00Z`,
      conditions: [condition('Succeeded', isGreen ? 'True' : 'False')],
      steps: [{ name: 'build', container: 'step-build', ...exit }],
    },
  })
}

const withTask = (name: string, run: RunOf) => [aBuild(name, run), aBuildTask(name, run)]
const greenParams = [{ name: 'hermetic', value: 'false' }]
const green = withTask('green', { day: 1, params: greenParams })
const redRun = { day: 3, isGreen: false, commit: 'b'.repeat(40), params: [{ name: 'hermetic', value: 'true' }] }
const red = withTask('red', redRun)
const logs: Record<string, string> = {
  green: '09:00:01 STEP 1/2: FROM base\n09:00:02 STEP 2/2: RUN make\nmake: done\n',
  red: '10:00:01 STEP 1/2: FROM base\n10:00:02 STEP 2/2: RUN make\nmake: no network\n',
}

const rowsOf = async (table: string) =>
  within(await screen.findByRole('table', { name: table }))
    .getAllByRole('row')
    .slice(1)
    .map(({ textContent }) => textContent)

describe('the comparison of a failed run', () => {
  it('is with the last green one, and lists the most suspicious difference first', async () => {
    const { user, router } = await renderRoute(paths.pipelineRun({ ...at, pipelineRun: 'red' }), {
      objects: [anApplication(), ...green, ...red, ...withTask('other', { day: 2, isGreen: false })],
      prepare: (faults) =>
        faults.intercept((url) => {
          const [, run = ''] = /\/pods\/(.+)-pod\/log/.exec(url) ?? []
          return run in logs ? new Response(logs[run]) : undefined
        }),
    })
    await user.click(await screen.findByRole('link', { name: 'Compare with last green' }))
    expect(await screen.findByRole('button', { name: 'Switch run, now green' })).toBeVisible()
    await waitFor(async () => expect(await rowsOf('Differences')).toHaveLength(3))
    const [first, second, third] = await rowsOf('Differences')
    expect(first).toMatch(/1Parameterhermeticfalsetrue$/)
    expect(second).toMatch(/2CommitCommitaaaaaaabbbbbbb Compare/)
    expect(third).toMatch(/3Outcomebuild: StatusSucceededFailed$/)
    expect(screen.getByRole('link', { name: /^Compare\(/ })).toHaveAttribute(
      'href',
      `https://github.com/payments/api/compare/${'a'.repeat(40)}...${'b'.repeat(40)}`,
    )
    expect(await rowsOf('Tasks')).toEqual([expect.stringMatching(/^buildSucceededFailed4m → 4mNone$/)])
    expect(await screen.findByRole('region', { name: 'Lines that only red has written' })).toHaveTextContent(
      /^make: no network$/,
    )
    expect(screen.getByRole('region', { name: 'Lines that only green has written' })).toHaveTextContent(/^make: done$/)
    expect(screen.getByRole('tab', { name: 'Compare' })).toHaveAttribute('aria-selected', 'true')
    const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])

    await user.click(screen.getByRole('link', { name: 'Swap' }))
    await waitFor(() =>
      expect(router.state.location.pathname + router.state.location.search).toBe(changesOf('green', 'red')),
    )
    await waitFor(async () => expect((await rowsOf('Differences'))[0]).toMatch(/1Parameterhermetictruefalse$/))
  })

  it('is with another run if the user selects it, which the URL remembers', async () => {
    const { user, router } = await renderRoute(changesOf('red'), {
      objects: [anApplication(), ...green, ...red, ...withTask('other', { ...redRun, day: 2 })],
    })
    await user.click(await screen.findByRole('button', { name: 'Switch run, now green' }))
    await user.click(await screen.findByRole('tab', { name: 'All' }))
    await user.click(await screen.findByRole('menuitem', { name: /^other/ }))
    expect(await screen.findByRole('heading', { name: 'No differences' })).toBeVisible()
    expect(router.state.location.search).toBe('?with=other')
  })

  it('finds the last green one in the archive', async () => {
    const archived = green.map((object) => ({
      ...object,
      metadata: { ...object.metadata, namespace, uid: object.kind },
    }))
    const archive = await fakeArchive(archived)
    await renderRoute(changesOf('red'), {
      objects: [anApplication(), ...red],
      archives: { kubeArchive: archive.plugin },
    })
    expect(await screen.findByRole('button', { name: 'Switch run, now green' })).toBeVisible()
    await waitFor(async () => expect((await rowsOf('Differences'))[0]).toMatch(/1Parameterhermeticfalsetrue$/))
  })

  it('says that there is no green one, and how many runs it has looked at', async () => {
    await renderRoute(changesOf('red'), { objects: [anApplication(), ...red] })
    expect(await screen.findByRole('heading', { name: 'No green run to compare with' })).toBeVisible()
    expect(screen.getByText(/^None of the one run that are known/)).toBeVisible()
  })

  it('says that the run in the URL does not exist', async () => {
    await renderRoute(changesOf('red', 'gone'), { objects: [anApplication(), ...red] })
    expect(await screen.findByRole('heading', { name: '404: Not Found' })).toBeVisible()
  })

  it('says that the task runs of one of them may not be read', async () => {
    await renderRoute(changesOf('red'), {
      objects: [anApplication(), ...green, ...red],
      prepare: (faults) =>
        faults.intercept((url) =>
          /taskruns\?.*pipelineRun(%3D|=)green/.test(url) ? new Response('{}', { status: 403 }) : undefined,
        ),
    })
    expect(await screen.findByRole('heading', { name: 'Restricted Access' })).toBeVisible()
  })

  it('needs the permission to list runs', async () => {
    await renderRoute(changesOf('red'), { objects: grantTo(), as: 'outsider' })
    expect(await screen.findByRole('heading', { name: "Let's get you access", level: 1 })).toBeVisible()
  })
})

it('a run that has succeeded is not offered for comparison', async () => {
  await renderRoute(paths.pipelineRun({ ...at, pipelineRun: 'green' }), { objects: [anApplication(), ...green] })
  expect(await screen.findByRole('tab', { name: 'Logs' })).toBeVisible()
  expect(screen.queryByRole('tab', { name: 'Compare' })).not.toBeInTheDocument()
})
