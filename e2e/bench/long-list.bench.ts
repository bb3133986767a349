import { paths } from '@slipway/console/paths'
import { applicationType } from '@slipway/model/supply-chain/application'
import { anApplication } from '@slipway/model/testing'
import { applicationRow, applicationsTable } from '../applications'
import { expect, signIn, test } from '../fixtures'

const count = 10_000

test(`a table of ${count} applications`, async ({ page, namespace, system }) => {
  const figures: Record<string, string> = {}
  const timed = async (what: string, work: () => Promise<unknown>) => {
    const startedMs = performance.now()
    await work()
    figures[what] = `${Math.round(performance.now() - startedMs)} ms`
  }
  const name = (index: number) => `application-${String(index).padStart(5, '0')}`
  const create = (index: number) =>
    system.create(applicationType, anApplication({ metadata: { name: name(index), namespace } }))

  await signIn(page, 'admin')
  await timed('create all, 50 at a time', async () => {
    for (let start = 0; start < count; start += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, offset) => create(start + offset)))
    }
  })
  await timed('list through the API', () => system.list(applicationType, { namespace }))
  await timed('open the page, to the first row', async () => {
    await page.goto(paths.applications({ namespace }))
    await expect(applicationRow(page, name(0))).toBeVisible({ timeout: 60_000 })
  })
  figures['rows drawn'] = String(await applicationsTable(page).getByRole('row').count())

  await timed('a new object, to its row (first by name)', async () => {
    await system.create(applicationType, anApplication({ metadata: { name: 'aaa', namespace } }))
    await expect(applicationRow(page, 'aaa')).toBeVisible()
  })
  const { frames, longestMs } = await scroll(page)
  figures['frames in 2 s of scrolling'] = `${frames} (longest ${longestMs} ms)`
  await timed('filter, from the key', async () => {
    await page.getByPlaceholder('Filter by name...').fill(name(count - 1))
    await expect(applicationRow(page, name(count - 1))).toBeVisible()
  })
  console.log(`\n${count} applications in a table`)
  console.table(figures)
})

/** Scrolls the table's scroll container by 40 px per frame for two seconds. */
const scroll = (page: Parameters<typeof signIn>[0]) =>
  applicationsTable(page).evaluate(async (table) => {
    let scroller: Element | null = table
    while (scroller && scroller.scrollHeight <= scroller.clientHeight + 1) scroller = scroller.parentElement
    const target = scroller ?? document.documentElement
    const startedMs = performance.now()
    let lastMs = startedMs
    let frames = 0
    let longestMs = 0
    while (lastMs - startedMs < 2_000) {
      const nowMs = await new Promise<number>(requestAnimationFrame)
      longestMs = Math.max(longestMs, nowMs - lastMs)
      lastMs = nowMs
      frames++
      target.scrollBy(0, 40)
    }
    return { frames, longestMs: Math.round(longestMs) }
  })
