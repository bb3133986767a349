import { expect } from 'vitest'
import { queryClient } from '../src/api/query-client'
import { linkTasks } from '../src/resources/link-task-store'
import { type Call, type Faults, isDryRun } from './cluster'

/** Where a confidential value could remain after it was saved, as text. */
const places = (): Record<string, string> => ({
  document: document.documentElement.outerHTML,
  inputs: JSON.stringify(
    [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].map(({ value }) => value),
  ),
  URL: location.href,
  history: JSON.stringify(history.state),
  storage: JSON.stringify({ ...localStorage, ...sessionStorage }),
  queries: JSON.stringify(
    queryClient
      .getQueryCache()
      .getAll()
      .map(({ queryKey, state }) => [queryKey, state]),
  ),
  mutations: JSON.stringify(
    queryClient
      .getMutationCache()
      .getAll()
      .map(({ state }) => state),
  ),
  'link tasks': JSON.stringify(linkTasks.get()),
})

/** Expects that a value is in none of them, neither as it is nor in base64. */
export function expectNoTrace(value: string): void {
  for (const [place, text] of Object.entries(places())) {
    expect(text, place).not.toContain(value)
    expect(text, place).not.toContain(Buffer.from(value).toString('base64'))
  }
}

/**
 * Holds every call that follows the first real write to Secrets, so that the page after the form does not load.
 * Returns a function that sends them.
 */
export function holdAfterSecretWrite({ intercept, pass }: Faults): () => void {
  let isSaved = false
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  const isSecretWrite = ({ method, path, body }: Call) =>
    (method === 'POST' || method === 'PATCH') && /\/secrets\b/.test(path) && !isDryRun({ path, body })
  intercept((path, init) => {
    if (isSaved) return isReleased.then(() => pass(path, init))
    if (!isSecretWrite({ method: init.method ?? 'GET', path, body: init.body })) return undefined
    return pass(path, init).finally(() => (isSaved = true))
  })
  return release
}
