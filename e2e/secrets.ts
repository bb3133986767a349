import type { Page, Route } from '@playwright/test'
import type { KubeClient } from '@slipway/kube/client'
import { type Secret, serviceAccountType } from '@slipway/kube/core-types'
import { componentOf, serviceAccountOf } from '@slipway/model/secrets/service-account'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { aComponent, anApplication } from '@slipway/model/testing'
import { aSecret, aServiceAccount } from '@slipway/model/testing/build-services'

export const application = 'checkout'

export const componentNames = (count: number) =>
  Array.from({ length: count }, (_, index) => `service-${String(index + 1).padStart(2, '0')}`)

export const registrySecret = (namespace: string, name: string): Secret =>
  aSecret({
    metadata: { name, namespace },
    type: 'kubernetes.io/dockerconfigjson',
    data: { snyk_token: undefined, '.dockerconfigjson': btoa('{"auths":{}}') },
  })

/** Components with their service accounts, each of which already refers to the secret `own`. */
export async function createComponents(system: KubeClient, namespace: string, names: readonly string[]) {
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  for (const name of names) {
    await system.create(componentType, aComponent({ metadata: { name, namespace }, spec: { application } }))
    const account = { metadata: { name: serviceAccountOf(name), namespace }, secrets: [{ name: 'own' }] }
    await system.create(serviceAccountType, aServiceAccount(account))
  }
}

/** What the service account of each component refers to, in alphabetical order: for tasks, and for image pulls. */
export async function linksIn(system: KubeClient, namespace: string) {
  const { items } = await system.list(serviceAccountType, { namespace })
  const sorted = (links: { name: string }[] = []) => links.map(({ name }) => name).sort()
  return Object.fromEntries(
    items.flatMap((account) => {
      const component = componentOf(account)
      return component ? [[component, [sorted(account.secrets), sorted(account.imagePullSecrets)]]] : []
    }),
  )
}

/** The same links for each component, as `linksIn` returns them. */
export const everyComponent = (names: readonly string[], links: string[], imageLinks: string[]) =>
  Object.fromEntries(names.map((name) => [name, [links, imageLinks]]))

const secretsTable = (page: Page) => page.getByRole('table', { name: 'Secrets', exact: true })

export const secretRow = (page: Page, name: string) =>
  secretsTable(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) })

/** Opens the menu of a row, whatever the table. */
export async function openActions(page: Page, name: string) {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
}

/** A page with the form of a secret, or the dialog that contains one. */
type SecretForm = Pick<Page, 'getByRole'>

export async function enterRegistrySecret(form: SecretForm, name: string, { password = 'made-up' } = {}) {
  await form.getByRole('radio', { name: 'Image pull' }).check()
  await form.getByRole('combobox', { name: 'Secret name' }).fill(name)
  await form.getByRole('textbox', { name: 'Registry' }).fill('quay.io')
  await form.getByRole('textbox', { name: 'Username' }).fill('robot')
  await form.getByRole('textbox', { name: 'Password' }).fill(password)
}

export async function enterSourceSecret(form: SecretForm, name: string, { password = 'made-up' } = {}) {
  await form.getByRole('radio', { name: 'Source' }).check()
  await form.getByRole('combobox', { name: 'Secret name' }).fill(name)
  await form.getByRole('textbox', { name: 'Username' }).fill('bot')
  await form.getByRole('textbox', { name: 'Password' }).fill(password)
}

export const chooseLinks = (page: Page, option: 'None' | 'All' | 'Selected components') =>
  page.getByRole('radiogroup', { name: 'Link to components' }).getByRole('radio', { name: option }).check()

const serviceAccountUrl = /\/api\/k8s\/.*\/serviceaccounts\/build-pipeline-/

/**
 * Responds to the patches of service accounts of a page, in the order in which it sends them.
 * @param respond gets the component, and how many patches the page has sent before, for it and in total
 */
export async function onLinkPatch(
  page: Page,
  respond: (route: Route, component: string, before: { ofComponent: number; all: number }) => Promise<unknown>,
) {
  const sent = new Map<string, number>()
  let all = 0
  await page.route(serviceAccountUrl, async (route) => {
    const request = route.request()
    if (request.method() !== 'PATCH') return route.fallback()
    const component = new URL(request.url()).pathname.split('/build-pipeline-')[1] ?? ''
    const ofComponent = sent.get(component) ?? 0
    sent.set(component, ofComponent + 1)
    await respond(route, component, { ofComponent, all: all++ })
  })
}

export const stopRespondingToLinkPatches = (page: Page) => page.unroute(serviceAccountUrl)

/** The maximum number of components that a task changes at once. */
const atOnce = 10

/** Holds the patches of these pages until each of them has sent as many as it can, so that their tasks overlap. */
export async function overlapLinkTasks(pages: readonly Page[]) {
  let sent = 0
  let release = () => {}
  const all = new Promise<void>((resolve) => (release = resolve))
  for (const page of pages) {
    await onLinkPatch(page, async (route, _, before) => {
      if (before.all < atOnce && ++sent === pages.length * atOnce) release()
      await all
      await route.continue()
    })
  }
}

/** Counts the rejections of outdated patches of service accounts. */
export function countConflicts(pages: readonly Page[]) {
  let count = 0
  for (const page of pages)
    page.on('response', (response) => {
      if (response.status() === 409 && serviceAccountUrl.test(response.url())) count++
    })
  return () => count
}
