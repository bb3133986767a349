import { serviceAccountType, type Secret } from '@slipway/kube/core-types'
import { annotations } from '@slipway/model/labels'
import { formatUnfinishedLinks, type LinkRequest } from '@slipway/model/secrets/link-request'
import { aComponent } from '@slipway/model/testing'
import { aSecret, aServiceAccount } from '@slipway/model/testing/build-services'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const given = (
  state: string,
  { error, request, startedMs = Date.now() }: { error?: string; request?: LinkRequest; startedMs?: number } = {},
): Secret =>
  aSecret({
    metadata: {
      name: 'registry',
      annotations: {
        [annotations.linkStatus]: state,
        ...(error && { [annotations.linkError]: error }),
        ...(request && {
          [annotations.unfinishedLinks]: formatUnfinishedLinks({ request, startedMs }),
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

it('shows a task that has taken more than five minutes as interrupted, and resumes what is missing', async () => {
  const startedMs = Date.now() - 5 * 60_000 - 1
  const { user, cluster } = await renderRoute(paths.secrets({ namespace }), {
    objects: objects(given('Running', { request, startedMs })),
  })
  expect(await screen.findByText('Interrupted')).toBeVisible()
  const linked = [{ op: 'add', path: '/secrets', value: [{ name: 'registry' }] }] as const
  await cluster.system.patch(serviceAccountType, 'build-pipeline-cart', [...linked], { namespace })
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  cluster.faults.intercept((path, init) =>
    init.method === 'PATCH' && path.includes('/secrets/')
      ? released.then(() => cluster.faults.pass(path, init))
      : undefined,
  )
  await user.click(screen.getByRole('button', { name: 'Resume linking registry' }))
  // The secret still says when the task was started first, but this tab knows that it works on it.
  expect(await screen.findByText('Running')).toBeVisible()
  release()
  expect(await screen.findByText('Succeeded')).toBeVisible()
  const { items } = await cluster.system.list(serviceAccountType, { namespace })
  expect(
    items.flatMap(({ metadata, secrets: all = [] }) => all.map(({ name }) => `${metadata.name} ${name}`)).sort(),
  ).toEqual(['build-pipeline-cart registry', 'build-pipeline-web registry'])
})

it('shows a task that another tab has just started as running', async () => {
  await renderRoute(paths.secrets({ namespace }), { objects: objects(given('Running', { request })) })
  expect(await screen.findByText('Running')).toBeVisible()
  expect(screen.queryByText('Interrupted')).not.toBeInTheDocument()
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
