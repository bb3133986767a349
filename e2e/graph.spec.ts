import type { Locator, Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { applicationType } from '@slipway/model/builds/application'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import { anApplication, aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import { expect, signIn, test } from './fixtures'

const application = 'checkout'
const step = { name: 'run', image: 'registry.slipway.test/tools/build:1' }
const chain = ['init', 'clone-repository', 'prefetch-dependencies', 'build-container', 'build-image-index']
const checks = Array.from({ length: 12 }, (_, index) => `check-by-scanner-${index + 1}`)
const task = (name: string, ...runAfter: string[]) => ({ name, runAfter, taskSpec: { steps: [step] } })
const run = aPipelineRun({
  metadata: { name: 'build-1', labels: { [labels.application]: application } },
  spec: {
    pipelineSpec: {
      tasks: [
        ...chain.map((name, index) => task(name, ...chain.slice(Math.max(0, index - 1), index))),
        ...checks.map((name) => task(name, 'build-image-index')),
      ],
    },
  },
})

async function createRun(system: KubeClient, namespace: string): Promise<void> {
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  await system.create(pipelineRunType, { ...run, metadata: { ...run.metadata, namespace } })
}

test('the graph of a run fits the window, and fits again after a resize unless it was moved', async ({
  page,
  namespace,
  system,
}) => {
  await createRun(system, namespace)
  await signIn(page, 'admin', paths.pipelineRun({ namespace, application, pipelineRun: 'build-1' }))
  const graph = page.locator('.slipway-graph')
  await expect.poll(() => nodesInside(graph), 'at first').toBe(chain.length + checks.length)
  expect((await graph.boundingBox())?.height).toBeLessThanOrEqual(720)

  await page.setViewportSize({ width: 1280, height: 800 })
  await expect.poll(async () => (await graph.boundingBox())?.height, 'in a smaller window').toBeLessThanOrEqual(640)
  await expect.poll(() => nodesInside(graph), 'in a smaller window').toBe(chain.length + checks.length)
  await page.setViewportSize({ width: 1900, height: 900 })
  await expect.poll(() => nodesInside(graph), 'in a wider window').toBe(chain.length + checks.length)

  await drag(page, graph, 200)
  const moved = await leftOf(graph)
  await page.setViewportSize({ width: 1500, height: 900 })
  await expect.poll(async () => Math.round((await leftOf(graph)) - moved), 'once moved').toBe(0)
  await page.getByRole('button', { name: 'Fit to screen' }).click()
  await expect.poll(() => nodesInside(graph), 'when asked').toBe(chain.length + checks.length)
})

test('a graph that does not fit opens with what failed in the centre, says where it continues, and moves by its map', async ({
  page,
  namespace,
  system,
}) => {
  await createRun(system, namespace)
  const memberOf = { [labels.pipelineRun]: 'build-1', [labels.pipelineTask]: 'build-container' }
  const taskRun = await system.create(
    taskRunType,
    aTaskRun({ metadata: { name: 'build-1-build', namespace, labels: memberOf } }),
  )
  const status = { conditions: [condition('Succeeded', 'False', 'Failed')] }
  await system.replaceStatus(taskRunType, { ...taskRun, status })
  await page.setViewportSize({ width: 500, height: 800 })
  await signIn(page, 'admin', `${paths.pipelineRun({ namespace, application, pipelineRun: 'build-1' })}?view=graph`)
  const graph = page.locator('.slipway-graph')
  const distanceFromCentre = () =>
    graph.evaluate((frame) => {
      const outer = frame.getBoundingClientRect()
      const box = frame.querySelector('[data-node=build-container]')?.getBoundingClientRect() ?? new DOMRect()
      return Math.round(box.left + box.width / 2 - outer.left - outer.width / 2)
    })
  // The page's scroll bar, which may come and go, does not move the graph.
  await expect.poll(async () => Math.abs(await distanceFromCentre())).toBeLessThanOrEqual(12)
  await expect(graph).toHaveAttribute('data-continues', 'left right')

  await graph.locator('.slipway-graph__map').scrollIntoViewIfNeeded()
  const { x = 0, y = 0, width = 0, height = 0 } = (await graph.locator('.slipway-graph__map').boundingBox()) ?? {}
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width / 2 - 8, y + height / 2, { steps: 4 })
  await page.mouse.up()
  await expect.poll(distanceFromCentre).toBeGreaterThan(20)

  await page.getByRole('button', { name: 'Fit to screen' }).click()
  await expect.poll(() => nodesInside(graph)).toBe(chain.length + checks.length)
  await expect(graph).not.toHaveAttribute('data-continues')
  await expect(graph.locator('.slipway-graph__map')).toHaveCount(0)
})

test('a run of 1,200 tasks renders those of its list that are on screen, and follows the page as it scrolls', async ({
  page,
  namespace,
  system,
}) => {
  const names = Array.from({ length: 1_200 }, (_, index) => `task-${index}`)
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  await system.create(pipelineRunType, {
    ...run,
    metadata: { ...run.metadata, namespace },
    spec: { pipelineSpec: { tasks: names.map((name) => task(name)) } },
  })
  await signIn(page, 'admin', `${paths.pipelineRun({ namespace, application, pipelineRun: 'build-1' })}?view=list`)
  const list = page.getByRole('list', { name: 'Tasks of build-1' })
  await expect(list.getByRole('button', { name: 'task-0', exact: true })).toBeVisible()
  expect(await list.getByRole('listitem').count()).toBeLessThan(100)
  await page.getByRole('main').evaluate((main) => main.scrollTo({ top: main.scrollHeight }))
  await expect(list.getByRole('button', { name: 'task-1199', exact: true })).toBeVisible()
  await expect(list.getByRole('button', { name: 'task-0', exact: true })).toHaveCount(0)
  expect(await list.getByRole('listitem').count()).toBeLessThan(100)
})

/** Number of nodes completely within the frame. */
const nodesInside = (graph: Locator) =>
  graph.evaluate((frame) => {
    const outer = frame.getBoundingClientRect()
    return [...frame.querySelectorAll('[data-node]')].filter((node) => {
      const box = node.getBoundingClientRect()
      return box.left >= outer.left && box.right <= outer.right && box.top >= outer.top && box.bottom <= outer.bottom
    }).length
  })

/** Position of the first node in the frame. */
const leftOf = (graph: Locator) =>
  graph.evaluate(
    (frame) =>
      (frame.querySelector('[data-node=init]')?.getBoundingClientRect().left ?? 0) - frame.getBoundingClientRect().left,
  )

async function drag(page: Page, graph: Locator, byPx: number) {
  const { x = 0, y = 0 } = (await graph.boundingBox()) ?? {}
  await page.mouse.move(x + 300, y + 20)
  await page.mouse.down()
  await page.mouse.move(x + 300 + byPx, y + 20, { steps: 5 })
  await page.mouse.up()
}
