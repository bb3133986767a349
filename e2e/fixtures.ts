import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test as base, type Locator, type Page, type Route, type WorkerFixture } from '@playwright/test'
import axe from 'axe-core'
import type { KubeClient } from '@slipway/kube/client'
import { namespaceType, roleBindingType, roleType } from '@slipway/kube/core-types'
import { aNamespace, aRoleBinding } from '@slipway/model/testing'
import { startSlipway, type RunningSlipway, type StartOptions } from '@slipway/slipway/start'
import { emailOf, type UserName } from '@slipway/slipway/users'
import { findKubectl } from '../scripts/lib/tools.mjs'
import { controlPlane, kubeconfigFor, startOnControlPlane } from './control-plane'
import { createKubectl, type Kubectl } from './kubectl'
import { startFaultProxy, type FaultProxy } from './fault-proxy'

export const assets = fileURLToPath(new URL('../packages/console/dist', import.meta.url))

export interface Product extends RunningSlipway {
  /** Proxy between the browser and the gateway; the browser uses its URL. */
  wire: FaultProxy
  dataFolder: string
}

export interface WorkerOptions {
  /** Whether the product has the service for list views; without it, a worker of each page reads its lists. */
  hasViewsService: boolean
}

interface WorkerFixtures extends WorkerOptions {
  product: Product
  /** Calls as `system`, which has all permissions. */
  system: KubeClient
}

interface TestFixtures {
  /** Parts of the policy violation reports that a journey causes on purpose. */
  forbidden: string[]
  /** A namespace for this test only, in which admin, maintainer and contributor have their roles. */
  namespace: string
  /** For the worker's product. Tests that use it are skipped without kubectl. */
  kubectl: Kubectl
  /** For the product with the given data folder. */
  kubectlFor: (dataFolder: string) => Kubectl
}

/** A product for a worker, without the simulator, since most journeys create what they need. */
export function productWith(over: Partial<StartOptions>): [WorkerFixture<Product, WorkerOptions>, { scope: 'worker' }] {
  const start = async ({ hasViewsService }: WorkerOptions, use: (product: Product) => Promise<void>) => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'slipway-e2e-'))
    let gatewayPort = 0
    const wire = await startFaultProxy(() => gatewayPort)
    const options: StartOptions = {
      port: 0,
      apiPort: 0,
      signInPort: 0,
      gitPort: 0,
      scenario: 'empty',
      simulator: false,
      archive: 'none',
      views: hasViewsService,
      data: dataFolder,
      assets,
      // Journeys delay and fail the requests of a browser.
      renderMs: 0,
      publicOrigins: [wire.url],
      ...over,
    }
    const real = controlPlane()
    if (real) await writeFile(join(dataFolder, 'kubeconfig'), kubeconfigFor(real))
    const slipway = real ? await startOnControlPlane(real, options) : await startSlipway(options)
    gatewayPort = Number(new URL(slipway.url).port)
    await use({ ...slipway, wire, dataFolder })
    await wire.close()
    await slipway.close()
    await rm(dataFolder, { recursive: true })
  }
  return [start, { scope: 'worker' }]
}

/** Matches Chromium's messages. */
const isPolicyReport = /Content Security Policy|TrustedHTML|TrustedScript|Trusted ?Type/i

export const test = base.extend<TestFixtures, WorkerFixtures>({
  hasViewsService: [true, { option: true, scope: 'worker' }],
  product: productWith({}),
  system: [({ product }, use) => use(product.system), { scope: 'worker' }],
  baseURL: ({ product }, use) => use(product.wire.url),
  /**
   * Fails a journey in which a page violated its Content-Security-Policy, even without consequences, or in which the
   * console sent a request to another origin than its own.
   */
  context: async ({ context, forbidden, baseURL }, use) => {
    const reports: string[] = []
    context.on('console', (message) => {
      if (isPolicyReport.test(message.text())) reports.push(`${message.page()?.url()}: ${message.text()}`)
    })
    const foreign: string[] = []
    context.on('request', (request) => {
      // Users follow links to other origins.
      if (request.isNavigationRequest()) return
      const [target, page] = [new URL(request.url()), new URL(request.frame().url())]
      const isSent = /^https?:$/.test(target.protocol) // A data: URL is not.
      const isOfConsole = page.origin === new URL(baseURL ?? '').origin
      if (isSent && isOfConsole && target.origin !== page.origin) foreign.push(`${page.href}: ${target.href}`)
    })
    await use(context)
    expect(foreign).toEqual([])
    expect(reports.filter((report) => !forbidden.some((expected) => report.includes(expected)))).toEqual([])
  },
  forbidden: [[], { option: true }],
  namespace: async ({ system }, use, { testId, retry }) => {
    // A real control plane still has that of the first attempt.
    const namespace = `team-${testId.slice(-12)}${retry > 0 ? `-${retry}` : ''}`
    await system.create(namespaceType, aNamespace({ metadata: { name: namespace } }))
    for (const user of ['admin', 'maintainer', 'contributor'] as const) await grant(system, namespace, user)
    await use(namespace)
  },
  kubectl: ({ product, kubectlFor }, use) => use(kubectlFor(product.dataFolder)),
  kubectlFor: async ({}, use, testInfo) => {
    const kubectl = findKubectl()
    testInfo.skip(!kubectl, 'kubectl is not installed')
    await use((dataFolder) =>
      createKubectl({
        kubectl: kubectl ?? '',
        kubeconfig: join(dataFolder, 'kubeconfig'),
        cacheFolder: join(dataFolder, 'kubectl-cache'),
      }),
    )
  },
})

export { expect }

/** Gives a user the role of the same name. */
export const grant = (system: KubeClient, namespace: string, role: Exclude<UserName, 'outsider'>) =>
  system.create(
    roleBindingType,
    aRoleBinding({
      metadata: { name: `konflux-${role}-${role}-user-actions`, namespace },
      roleRef: { name: `konflux-${role}-user-actions` },
      subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: emailOf(role) }],
    }),
  )

/** A namespace that a user can see, but whose lists they may not read. */
export async function createNamespaceToSee(system: KubeClient, name: string, user: UserName) {
  await system.create(namespaceType, aNamespace({ metadata: { name } }))
  const rules = [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get'] }]
  await system.create(roleType, { metadata: { name: 'visitor', namespace: name }, rules })
  await system.create(
    roleBindingType,
    aRoleBinding({
      metadata: { name: 'visitor', namespace: name },
      roleRef: { kind: 'Role', name: 'visitor' },
      subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: emailOf(user) }],
    }),
  )
}

/**
 * Signs a user in with the requests that the sign-in page sends, but without rendering it.
 * @param path the page to open then: a path, or the URL of a product other than the worker's. Without it, no page is opened
 */
export async function signIn(page: Page, user: UserName, path?: string) {
  const start = '/oauth2/sign_in'
  const form = await page.request.get(path !== undefined && URL.canParse(path) ? new URL(start, path).href : start)
  const headers = { 'sec-fetch-site': 'same-origin' }
  const console = await page.request.post(form.url(), { form: { user: emailOf(user) }, headers })
  const session = await page.request.get(new URL('/oauth2/userinfo', console.url()).href)
  expect(await session.json()).toMatchObject({ email: emailOf(user) })
  if (path === undefined) return
  await page.goto(path)
  await expectSignedIn(page, user)
}

/** Lets a page read its list views itself, in a worker, for a journey that delays or fails the requests of a list. */
export const withoutViewsService = (page: Page) =>
  page.route('**/plugins/views/**', (route) => route.fulfill({ status: 404 }))

export const signInButton = (page: Page, user: UserName) =>
  page.getByRole('button', { name: new RegExp(`^${user}`, 'i') })

/** Expects the page of the sign-in provider. */
export const expectSignInPage = (page: Page) => expect(page).toHaveTitle('Sign in · Slipway')

/** Expects the console, which shows the user. */
export const expectSignedIn = (page: Page, user: UserName) =>
  expect(page.getByRole('button', { name: emailOf(user) })).toBeVisible()

export async function signOut(page: Page, user: UserName) {
  await page.getByRole('button', { name: emailOf(user) }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expectSignInPage(page)
}

/** Returns the errors and dialogs of a page from now on, which nothing expects: dialogs are dismissed. */
export function recordPageErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => errors.push(dialog.message())))
  return errors
}

/** Moves the focus with the Tab key. */
export async function tabTo(page: Page, target: Locator) {
  await target.waitFor()
  const isFocused = () => target.evaluate((element) => element === document.activeElement)
  for (let presses = 0; presses < 80 && !(await isFocused()); presses++) await page.keyboard.press('Tab')
  await expect(target).toBeFocused()
}

/** Responds like an API server that rejects a request. */
export const reject = (route: Route, code: number, message: string, headers: Record<string, string> = {}) =>
  route.fulfill({ status: code, headers, json: { kind: 'Status', status: 'Failure', code, message } })

export const colorSchemes = ['light', 'dark'] as const

/** Shows the page in a theme, and resolves once it no longer changes. */
export async function settle(page: Page, colorScheme: (typeof colorSchemes)[number]) {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(settledStyles)
}

/** Expects no findings of axe on the page, in the light and dark themes. */
export async function expectAccessible(page: Page, screen: string) {
  for (const colorScheme of colorSchemes) {
    await settle(page, colorScheme)
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
    // The other theme is the same page in other colours.
    const runOnly = colorScheme === 'dark' ? ['color-contrast', 'link-in-text-block'] : undefined
    const findings = await page.evaluate(findViolations, runOnly)
    expect(findings, `${screen}, ${colorScheme}, ${page.viewportSize()?.width} px`).toEqual([])
    await takePictures(page, `${screen}-${colorScheme}`)
  }
}

/** Runs in the page. @param runOnly ids of the rules to check; all by default */
async function findViolations(runOnly: string[] | undefined) {
  const { axe: inPage } = window as unknown as { axe: typeof axe } // Added by its script.
  const { violations } = await inPage.run(document, { resultTypes: ['violations'], ...(runOnly && { runOnly }) })
  return violations.map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ html }) => html) }))
}

/** Runs in the page: resolves once the console has applied the other theme and no colour transition is running. */
async function settledStyles() {
  for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame)
  // Endless animations, such as spinners, never finish.
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
  await Promise.all(ending.map(({ finished }) => finished.catch(() => {})))
}

/** With `SCREENSHOTS=folder`, saves screenshots of a screen on a desktop and a phone. */
async function takePictures(page: Page, name: string) {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  const size = page.viewportSize()
  for (const width of [1440, 400]) {
    await page.setViewportSize({ width, height: 900 })
    await page.screenshot({ path: join(folder, `${name}-${width}.png`), animations: 'disabled' })
  }
  if (size) await page.setViewportSize(size)
}
