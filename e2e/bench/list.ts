import { expect, test, type BrowserContext } from '@playwright/test'
import type { KubeClient } from '@slipway/kube/client'
import { signIn } from '../fixtures'
import { asItIs, fromKey, inPage, scroll, slow } from './measured-page'
import { forEachOf, putApplication, putNamespace, startProduct, type BenchProduct } from './product'
import { median } from './report'

interface ListBench {
  at: { namespace: string; application: string }
  /** The list, in the output. */
  title: string
  path: string
  /** Selector of the links of names. */
  nameLink: string
  /** What the filter acts on, as its field says. */
  filter: string
  /** Number of objects. */
  count: number
  /** Creates the object with this index, which is named `objectName(index)`. */
  create(system: KubeClient, index: number): Promise<unknown>
}

const repeats = 3

export const objectName = (index: number) => `bench-${String(index).padStart(5, '0')}`
export const hex = (index: number, length: number) => index.toString(16).padStart(length, '0')

/** Defines the measurement of a long list of an application: opening, scrolling and filtering it. */
export function measureList({ at, title, path, nameLink, filter, count, create }: ListBench) {
  let product: BenchProduct
  let session: { signedIn: Awaited<ReturnType<BrowserContext['storageState']>>; url: string }

  test.describe.configure({ mode: 'default', timeout: 600_000 })

  test.beforeAll(async ({ browser }) => {
    test.setTimeout(600_000)
    product = await startProduct()
    await putNamespace(product.system, at.namespace)
    await putApplication(product.system, at)
    await forEachOf(count, (index) => create(product.system, index))
    const context = await browser.newContext({ baseURL: product.url })
    await signIn(await context.newPage(), 'admin', product.url)
    session = { signedIn: await context.storageState(), url: product.url }
    await context.close()
  })

  test.afterAll(() => product.close())

  test(title, async ({ browser }) => {
    const figures: Record<string, number[]> = {}
    const add = (figure: string, value: number) => (figures[figure] ??= []).push(Math.round(value))
    for (let repeat = 0; repeat < repeats; repeat++) {
      for (const [name, conditions] of [
        ['as it is', asItIs],
        ['slow processor and network', slow],
      ] as const) {
        await inPage(browser, session, conditions, async (measured) => {
          let bytes = 0
          await measured.devtools.send('Network.enable')
          measured.devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
          add(`first rows, ${name} (ms)`, await measured.openUntil(path, nameLink))
          await expect(measured.page.getByText(`${count.toLocaleString('en')} total`)).toBeVisible()
          add('received (KB)', bytes / 1_000)
          add(`blocked, ${name} (ms)`, (await measured.longTasks()).blockingMs)
          add('heap (MB)', await measured.heapMb())
        })
      }
    }
    await inPage(browser, session, asItIs, async (measured) => {
      await measured.openUntil(path, nameLink)
      await expect(measured.page.getByText(`${count.toLocaleString('en')} total`)).toBeVisible()
      const { perSecond, longestMs } = await scroll(measured, { over: nameLink, pxPerSecond: 3_000, seconds: 5 })
      add('scrolling (frames/s)', perSecond)
      add('longest frame (ms)', longestMs)
      for (let repeat = 0; repeat < repeats; repeat++) {
        const name = objectName(1_234 + repeat)
        await measured.page.getByPlaceholder(`Filter by ${filter}...`).pressSequentially(name.slice(0, -1))
        add(
          'filter, from the last key (ms)',
          await fromKey(measured.page, name.slice(-1), { selector: nameLink, count: 1, text: name }),
        )
        await measured.page.getByRole('button', { name: `Clear filter by ${filter}` }).click()
        await expect(measured.page.locator(nameLink).nth(1)).toBeVisible()
      }
    })
    console.log(`\n${title}`)
    console.table(Object.fromEntries(Object.entries(figures).map(([figure, values]) => [figure, median(values)])))
  })
}
