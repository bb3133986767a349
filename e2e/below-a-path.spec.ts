import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { paths } from '@slipway/console/paths'
import { applicationType } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { startSlipway } from '@slipway/slipway/start'
import { applicationRow, freshness } from './applications'
import { aBuild, activity, application, createApplication, createRun, patient, runRow, statusIn } from './builds'
import {
  assets,
  expect,
  expectSignedIn,
  expectSignInPage,
  recordPageErrors,
  signInButton,
  signOut,
  test as base,
} from './fixtures'
import { startFaultProxy } from './fault-proxy'
import { startPathProxy, type PathProxy } from './path-proxy'

const path = '/tools/console'

type Sites = Record<'keeps' | 'removes', PathProxy>

/** Of the gateway behind both sites, once it is listening. */
let gatewayPort = 0

/** A product below a path of two sites, one of which removes the path from the requests. */
const test = base.extend<object, { sites: Sites }>({
  sites: [
    async ({}, use) => {
      const port = () => gatewayPort
      const sites = {
        keeps: await startPathProxy({ path, isStripped: false, port }),
        removes: await startPathProxy({ path, isStripped: true, port }),
      }
      await use(sites)
      for (const site of Object.values(sites)) await site.close()
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ sites }, use) => {
      const data = await mkdtemp(join(tmpdir(), 'slipway-e2e-'))
      const wire = await startFaultProxy(() => gatewayPort)
      const slipway = await startSlipway({
        port: 0,
        apiPort: 0,
        signInPort: 0,
        gitPort: 0,
        scenario: 'empty',
        simulator: true,
        speed: 60,
        archive: 'none',
        data,
        assets,
        renderMs: 0,
        publicOrigins: Object.values(sites).map(({ url }) => url),
      })
      gatewayPort = Number(new URL(slipway.url).port)
      await use({ ...slipway, wire, dataFolder: data })
      for (const each of [wire, slipway]) await each.close()
      await rm(data, { recursive: true })
    },
    { scope: 'worker' },
  ],
})

for (const how of ['keeps', 'removes'] as const) {
  test(`SESS-06, SHELL-12, LIVE-16 the console works below a path that the proxy in front ${how}`, async ({
    page,
    context,
    sites,
    system,
    namespace,
  }) => {
    const { url, strays } = sites[how]
    const errors = recordPageErrors(page)
    const deepLink = `${url}${paths.applications({ namespace })}?name=check#top`
    await page.goto(deepLink)
    await expectSignInPage(page)
    await signInButton(page, 'admin').click()
    await expectSignedIn(page, 'admin')
    await expect(page).toHaveURL(deepLink)
    const cookies = await context.cookies(url)
    const ours = cookies.filter(({ name }) => name.includes('session') && !name.includes('sign-in'))
    expect(ours.map((cookie) => cookie.path)).toEqual([path])

    // Live: an object that is created after the list was read.
    await page.goto(`${url}${paths.applications({ namespace })}`)
    await expect(page.getByRole('heading', { name: 'Applications', level: 1 })).toBeVisible()
    await createApplication(system, namespace)
    await expect(applicationRow(page, application)).toBeVisible()
    await expect(freshness(page)).toHaveText('Live')

    // Links, tabs and pages that are loaded on demand.
    await createRun(system, aBuild({ metadata: { name: 'builds', namespace } }))
    await applicationRow(page, application).getByRole('link', { name: application }).click()
    await expect(page).toHaveURL(new RegExp(`^${url}/`))
    await page.goto(`${url}${activity(namespace, 'pipelineruns')}`)
    await expect(statusIn(runRow(page, 'builds'))).toHaveText('Succeeded', patient)
    await runRow(page, 'builds').getByRole('link', { name: 'builds' }).click()
    const logsTab = page.getByRole('tab', { name: 'Logs', exact: true })
    const logs = new URL(url).pathname + paths.pipelineRunLogs({ namespace, application, pipelineRun: 'builds' })
    await expect(logsTab).toHaveAttribute('href', logs)
    await logsTab.click()
    await page.getByRole('link', { name: 'tidy' }).click()
    await expect(page.getByRole('log', { name: 'Log of tidy' })).toContainText('rm -r work')
    await page.reload()
    await expect(page.getByRole('log', { name: 'Log of tidy' })).toContainText('rm -r work')

    // The position in a list leads back to it and to its neighbours.
    await system.create(applicationType, anApplication({ metadata: { name: 'second', namespace } }))
    await page.goto(`${url}${paths.applications({ namespace })}`)
    await applicationRow(page, 'second').getByRole('link', { name: 'second' }).click()
    await page.getByRole('link', { name: '2 of 2' }).click()
    await expect(page).toHaveURL(`${url}${paths.applications({ namespace })}`)

    await signOut(page, 'admin')
    await page.goto(url)
    await expectSignInPage(page)
    expect((await context.cookies(url)).map(({ name }) => name)).not.toContain(ours[0]?.name)
    expect(strays).toEqual([])
    expect(errors).toEqual([])
  })
}
