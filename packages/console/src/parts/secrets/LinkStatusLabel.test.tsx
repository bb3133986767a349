import { secretType, serviceAccountType, type Secret } from '@slipway/kube/core-types'
import { annotations } from '@slipway/model/labels'
import { formatUnfinishedLinks, type LinkRequest } from '@slipway/model/secrets/link-request'
import { aComponent } from '@slipway/model/testing'
import { aSecret, aServiceAccount } from '@slipway/model/testing/build-services'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'
import { holdTask, thisBrowser } from '../../resources/link-task-owner'
import { startLinkTask } from '../../resources/link-tasks'

/** Locks as browsers have them, of which jsdom has none. */
function fakeLocks() {
  const held: string[] = []
  const locks = {
    async request(name: string, _: unknown, run: () => Promise<void>) {
      held.push(name)
      await run()
      held.splice(held.indexOf(name), 1)
    },
    query: () => Promise.resolve({ held: held.map((name) => ({ name })) }),
  }
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'))
}

const given = (
  state: string,
  { error, request, browser = '' }: { error?: string; request?: LinkRequest; browser?: string } = {},
): Secret =>
  aSecret({
    metadata: {
      name: 'registry',
      annotations: {
        [annotations.linkStatus]: state,
        ...(error && { [annotations.linkError]: error }),
        ...(request && {
          [annotations.unfinishedLinks]: formatUnfinishedLinks({ request, startedMs: Date.now(), browser }),
        }),
      },
    },
    type: 'kubernetes.io/dockerconfigjson',
    data: { snyk_token: undefined, '.dockerconfigjson': btoa('{"auths":{}}') },
  })
const components = ['cart', 'search', 'web']
const objects = (secret: Secret) => [
  ...components.map((name) => aComponent({ metadata: { name } })),
  ...components.map((name) => aServiceAccount({ metadata: { name: `build-pipeline-${name}` } })),
  secret,
]
const request = { target: { option: 'partial', components: ['cart', 'web'] }, unlink: [] } as const

it('LINK-35 of a failed task without a recorded error says Unkown Error', async () => {
  const { user } = await renderRoute(paths.secrets({ namespace }), { objects: objects(given('Failed')) })
  await user.click(await screen.findByRole('button', { name: 'View Error of registry' }))
  expect(await screen.findByText('Unkown Error')).toBeVisible()
})

it('shows a task of a closed tab as interrupted, and resumes what is missing', async () => {
  fakeLocks()
  const { user, cluster } = await renderRoute(paths.secrets({ namespace }), { objects: objects(given('Succeeded')) })
  expect(await screen.findByText('Succeeded')).toBeVisible()
  const secret = await cluster.system.get(secretType, 'registry', { namespace })
  const close = holdTask(secret)
  await cluster.system.replace(secretType, {
    ...secret,
    metadata: {
      ...secret.metadata,
      annotations: given('Running', { request, browser: thisBrowser() }).metadata.annotations,
    },
  })
  expect(await screen.findByText('Running')).toBeVisible()
  close()
  expect(await screen.findByText('Interrupted')).toBeVisible()

  const linked = [{ op: 'add', path: '/secrets', value: [{ name: 'registry' }] }] as const
  await cluster.system.patch(serviceAccountType, 'build-pipeline-cart', [...linked], { namespace })
  await user.click(screen.getByRole('button', { name: 'Resume linking registry' }))
  expect(await screen.findByText('Succeeded')).toBeVisible()
  const { items } = await cluster.system.list(serviceAccountType, { namespace })
  expect(
    items.flatMap(({ metadata, secrets: all = [] }) => all.map(({ name }) => `${metadata.name} ${name}`)).sort(),
  ).toEqual(['build-pipeline-cart registry', 'build-pipeline-web registry'])
})

it('shows a task that a tab of this browser works on as running', async () => {
  fakeLocks()
  const { cluster } = await renderRoute(paths.secrets({ namespace }), { objects: objects(given('Succeeded')) })
  const secret = await cluster.system.get(secretType, 'registry', { namespace })
  let release = () => {}
  cluster.faults.intercept((path, init) =>
    init.method === 'PATCH' && path.includes('/serviceaccounts/')
      ? new Promise((resolve) => {
          const before = release
          release = () => {
            before()
            resolve(cluster.faults.pass(path, init))
          }
        })
      : undefined,
  )
  act(() => startLinkTask(secret, { option: 'all' }))
  expect(await screen.findByText('Running')).toBeVisible()
  await waitFor(() =>
    expect(cluster.calls.filter(({ path }) => path.includes('/serviceaccounts/')).length).toBeGreaterThan(5),
  )
  expect(screen.queryByText('Interrupted')).not.toBeInTheDocument()
  release()
  expect(await screen.findByText('Succeeded')).toBeVisible()
})

it('resumes a task that has failed, with what it has not done', async () => {
  const { user, cluster } = await renderRoute(paths.secrets({ namespace }), {
    objects: objects(
      given('Failed', {
        error: 'web: no',
        request: { target: { option: 'partial', components: ['web'] }, unlink: [] },
      }),
    ),
  })
  await user.click(await screen.findByRole('button', { name: 'Retry linking registry' }))
  expect(await screen.findByText('Succeeded')).toBeVisible()
  const account = await cluster.system.get(serviceAccountType, 'build-pipeline-web', { namespace })
  expect(account.imagePullSecrets).toEqual([{ name: 'registry' }])
})
