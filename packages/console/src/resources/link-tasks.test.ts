import type { Clock } from '@slipway/kube/clock'
import { secretType, serviceAccountType, type Secret, type ServiceAccount } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { annotations, labels } from '@slipway/model/labels'
import { unfinishedLinksOf, type LinkRequest } from '@slipway/model/secrets/link-request'
import { linkTaskOf } from '@slipway/model/secrets/secret'
import { serviceAccountOf } from '@slipway/model/secrets/service-account'
import { aComponent } from '@slipway/model/testing'
import { aSecret, aServiceAccount } from '@slipway/model/testing/build-services'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { namespace, testCluster } from '../../test/cluster'
import { startApi } from '../../test/render-route'
import { createStore } from '../lib/store'
import { isUnderWay } from './link-task-state'
import type { LinkTaskProgress } from './link-task-store'
import { createLinkQueue } from './link-tasks'

const dockerConfigJson = 'kubernetes.io/dockerconfigjson'
const many = Array.from({ length: 25 }, (_, index) => `service-${String(index + 1).padStart(2, '0')}`)

interface SceneOptions {
  components?: readonly string[]
  /** Those without a service account. */
  newComponents?: readonly string[]
}

async function scene({ components = ['cart', 'search', 'web'], newComponents = [] }: SceneOptions = {}) {
  const cluster = await testCluster({
    as: 'admin',
    objects: [
      ...[...components, ...newComponents].map((name) => aComponent({ metadata: { name, namespace } })),
      ...components.map((name) => aServiceAccount({ metadata: { name: serviceAccountOf(name), namespace } })),
    ],
  })
  startApi()
  const { system, calls } = cluster
  const given = (secret: Partial<Secret> = {}) =>
    system.create(
      secretType,
      aSecret({ type: dockerConfigJson, data: { '.dockerconfigjson': btoa('{"auths":{}}') }, ...secret }),
    )
  const accounts = async () => {
    const { items } = await system.list(serviceAccountType, { namespace })
    return items.filter((account) =>
      [...components, ...newComponents].some((name) => serviceAccountOf(name) === nameOf(account)),
    )
  }
  return {
    ...cluster,
    given,
    accounts,
    read: (secret: Secret) => system.get(secretType, nameOf(secret), { namespace }),
    /** The patches of service accounts, as far as they were sent. */
    patches: () => calls.filter(({ method, path }) => method === 'PATCH' && path.includes('/serviceaccounts/')),
  }
}

/** Timers run at once and record their delay. */
function immediateClock() {
  const delays: number[] = []
  const clock: Clock = {
    now: () => Date.UTC(2026, 0, 31, 9),
    after(delayMs, run) {
      delays.push(delayMs)
      queueMicrotask(run)
      return () => {}
    },
  }
  return { clock, delays }
}

/** A tab of the browser: a queue with its own tasks. */
function aTab() {
  const { clock, delays } = immediateClock()
  const tasks = createStore<readonly LinkTaskProgress[]>([])
  const states: string[] = []
  onTestFinished(
    tasks.subscribe(() => {
      const state = tasks.get().at(-1)?.state
      if (state && state !== states.at(-1)) states.push(state)
    }),
  )
  const { start } = createLinkQueue(clock, tasks)
  const finished = () => vi.waitFor(() => expect(tasks.get().filter(isUnderWay)).toEqual([]))
  return {
    tasks,
    states,
    delays,
    start,
    finished,
    async link(secret: Secret, target: LinkRequest['target'], unlink: readonly string[] = []) {
      start(secret, { target, unlink })
      await finished()
      return tasks.get().at(-1)
    },
  }
}

const linksOf = ({ metadata, secrets = [], imagePullSecrets = [] }: ServiceAccount) => [
  metadata.name?.replace('build-pipeline-', ''),
  secrets.map(({ name }) => name),
  imagePullSecrets.map(({ name }) => name),
]

const failure = (status: number, message: string) =>
  Response.json({ kind: 'Status', message, code: status }, { status })
const isPatchOf =
  (component: string) =>
  (path: string, { method }: RequestInit) =>
    method === 'PATCH' && path.endsWith(`/serviceaccounts/${serviceAccountOf(component)}`)

describe('a link task', () => {
  it('LINK-20, LINK-22, LINK-24, LINK-28 of the mode all links every component and sets the common label', async () => {
    const { given, accounts, read } = await scene()
    const secret = await given()
    const tab = aTab()
    expect(await tab.link(secret, { option: 'all' })).toMatchObject({ state: 'Succeeded', total: 3, done: 3 })
    expect((await accounts()).map(linksOf)).toEqual(
      ['cart', 'search', 'web'].map((name) => [name, [nameOf(secret)], [nameOf(secret)]]),
    )
    const after = await read(secret)
    expect(after.metadata.labels).toEqual({ [labels.commonSecret]: 'true' })
    expect(after.metadata.annotations).toEqual({ [annotations.linkStatus]: 'Succeeded' })
  })

  it('LINK-20, LINK-23, LINK-15 of the mode partial links the chosen components, and only once', async () => {
    const { given, accounts, patches, read } = await scene()
    const secret = await given({ type: 'kubernetes.io/basic-auth', data: { password: btoa('made-up') } })
    const tab = aTab()
    const target = { option: 'partial', components: ['cart', 'web', 'deleted'] } as const
    expect(await tab.link(secret, target)).toMatchObject({ state: 'Succeeded', total: 2, done: 2 })
    const linked = [
      ['cart', [nameOf(secret)], []],
      ['search', [], []],
      ['web', [nameOf(secret)], []],
    ]
    expect((await accounts()).map(linksOf)).toEqual(linked)
    expect((await read(secret)).metadata.labels).toBeUndefined()

    await tab.link(secret, target)
    expect((await accounts()).map(linksOf)).toEqual(linked)
    expect(patches()).toHaveLength(2)
  })

  it('LINK-21, LINK-24 of the mode none unlinks the given components and removes the common label', async () => {
    const { given, accounts, read } = await scene()
    const metadata = { name: 'registry', namespace, labels: { [labels.commonSecret]: 'true', team: 'payments' } }
    const secret = await given({ metadata })
    const tab = aTab()
    await tab.link(secret, { option: 'all' })
    const task = await tab.link(await read(secret), { option: 'none' }, ['cart', 'web', 'without-service-account'])
    expect(task).toMatchObject({ state: 'Succeeded', total: 3, failures: [] })
    expect((await accounts()).map(linksOf)).toEqual([
      ['cart', [], []],
      ['search', ['registry'], ['registry']],
      ['web', [], []],
    ])
    expect((await read(secret)).metadata.labels).toEqual({ team: 'payments' })
  })

  it('LINK-21 of the mode none does not start if there is nothing to unlink', async () => {
    const { given, calls } = await scene()
    const secret = await given()
    const tab = aTab()
    calls.length = 0
    tab.start(secret, { target: { option: 'none' }, unlink: [] })
    expect(tab.tasks.get()).toEqual([])
    expect(calls).toEqual([])
  })

  it('LINK-16 replaces both lists of a service account in the version that was read', async () => {
    const { given, patches, system } = await scene({ components: ['cart'] })
    await system.patch(
      serviceAccountType,
      serviceAccountOf('cart'),
      [
        { op: 'add', path: '/secrets', value: [{ name: 'own' }] },
        { op: 'add', path: '/imagePullSecrets', value: [{ name: 'registry' }] },
      ],
      { namespace },
    )
    const { metadata } = await system.get(serviceAccountType, serviceAccountOf('cart'), { namespace })
    const secret = await given()
    await aTab().link(secret, { option: 'all' })
    expect(patches().map(({ body }) => body)).toEqual([
      [
        { op: 'replace', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
        { op: 'replace', path: '/imagePullSecrets', value: [{ name: 'registry' }, { name: nameOf(secret) }] },
        { op: 'replace', path: '/secrets', value: [{ name: 'own' }, { name: nameOf(secret) }] },
      ],
    ])
  })

  it('adds the lists that a service account does not have', async () => {
    const { given, accounts, system } = await scene({ components: ['cart'] })
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${serviceAccountOf('cart')}`
    const {
      secrets: _,
      imagePullSecrets: __,
      ...bare
    } = await system.get(serviceAccountType, serviceAccountOf('cart'), { namespace })
    await system.request(path, {
      method: 'PUT',
      body: JSON.stringify(bare),
      headers: { 'content-type': 'application/json' },
    })
    const secret = await given()
    expect(await aTab().link(secret, { option: 'all' })).toMatchObject({ state: 'Succeeded' })
    expect((await accounts()).map(linksOf)).toEqual([['cart', [nameOf(secret)], [nameOf(secret)]]])
  })

  it('LINK-27 is Pending, then Running, then Succeeded, in this tab and on the secret', async () => {
    const { given, calls } = await scene()
    const secret = await given()
    const tab = aTab()
    await tab.link(secret, { option: 'all' })
    expect(tab.states).toEqual(['Pending', 'Running', 'Succeeded'])
    const recorded = calls.flatMap(({ method, path, body }) =>
      method === 'PATCH' && path.includes('/secrets/') ? [JSON.stringify(body)] : [],
    )
    expect(recorded.map((text) => /Pending|Running|Succeeded/.exec(text)?.[0])).toEqual([
      'Pending',
      'Running',
      'Succeeded',
    ])
  })

  it('LINK-25, LINK-26, LINK-32 links at most ten components at once', async () => {
    const { given, faults } = await scene({ components: many })
    const secret = await given()
    let running = 0
    const atOnce: number[] = []
    faults.intercept((path, init) => {
      if (!path.includes('/serviceaccounts/')) return undefined
      atOnce.push(++running)
      return faults.pass(path, init).finally(() => running--)
    })
    await aTab().link(secret, { option: 'all' })
    expect(Math.max(...atOnce)).toBe(10)
    atOnce.length = 0
    await aTab().link(await given({ metadata: { name: 'other', namespace } }), {
      option: 'partial',
      components: many.slice(0, 3),
    })
    expect(Math.max(...atOnce)).toBe(3)
  })

  it('LINK-31 runs after those that were started before it', async () => {
    const { given, patches } = await scene({ components: many })
    const first = await given({ metadata: { name: 'first', namespace } })
    const second = await given({ metadata: { name: 'second', namespace } })
    const tab = aTab()
    tab.start(first, { target: { option: 'all' }, unlink: [] })
    tab.start(second, { target: { option: 'all' }, unlink: [] })
    expect(tab.tasks.get().map(({ state }) => state)).toEqual(['Pending', 'Pending'])
    await tab.finished()
    const order = patches().map(({ body }) => JSON.stringify(body).includes('second'))
    expect(order).toEqual([...many.map(() => false), ...many.map(() => true)])
  })

  it('keeps every link if two tabs link secrets to the same 25 components at once (LINK-19)', async () => {
    const { given, accounts, calls } = await scene({ components: many })
    const secrets = [
      await given({ metadata: { name: 'one', namespace } }),
      await given({
        metadata: { name: 'two', namespace },
        type: 'kubernetes.io/basic-auth',
        data: { username: btoa('bot'), password: btoa('made-up') },
      }),
    ]
    const tabs = secrets.map(() => aTab())
    const outcomes = await Promise.all(tabs.map((tab, index) => tab.link(secrets[index] as Secret, { option: 'all' })))
    expect(outcomes).toMatchObject([{ state: 'Succeeded' }, { state: 'Succeeded' }])
    // The order of the two depends on which tab came first.
    expect(
      (await accounts()).map(linksOf).map(([name, all, images]) => [name, [...(all ?? [])].sort(), images]),
    ).toEqual(many.map((name) => [name, ['one', 'two'], ['one']]))
    expect(calls.length).toBeGreaterThan(0)
  })

  it('links once if two tabs link the same secret at once (LINK-19)', async () => {
    const { given, accounts } = await scene({ components: many })
    const secret = await given()
    const outcomes = await Promise.all([aTab(), aTab()].map((tab) => tab.link(secret, { option: 'all' })))
    expect(outcomes.flatMap((task) => task?.failures)).toEqual([])
    expect((await accounts()).map(linksOf)).toEqual(many.map((name) => [name, [nameOf(secret)], [nameOf(secret)]]))
  })
})

describe('a link task under faults', () => {
  it('reads and patches again when another client changes the service account in between', async () => {
    const { given, accounts, faults, system, patches } = await scene({ components: ['cart'] })
    const secret = await given()
    let changes = 0
    faults.intercept((path, init) => {
      if (!isPatchOf('cart')(path, init) || ++changes > 3) return undefined
      const names = Array.from({ length: changes }, (_, index) => ({ name: `other-${index + 1}` }))
      const step = { op: 'add', path: '/secrets', value: names } as const
      return system
        .patch(serviceAccountType, serviceAccountOf('cart'), [step], { namespace })
        .then(() => faults.pass(path, init))
    })
    expect(await aTab().link(secret, { option: 'all' })).toMatchObject({ state: 'Succeeded' })
    expect(patches()).toHaveLength(4)
    expect((await accounts()).map(linksOf)).toEqual([
      ['cart', ['other-1', 'other-2', 'other-3', nameOf(secret)], [nameOf(secret)]],
    ])
  })

  it('gives up on a service account that never stops changing', async () => {
    const { given, faults, system } = await scene({ components: ['cart'] })
    const secret = await given()
    let count = 0
    faults.intercept((path, init) => {
      if (!isPatchOf('cart')(path, init)) return undefined
      const step = { op: 'add', path: '/metadata/labels', value: { change: String(++count) } } as const
      return system
        .patch(serviceAccountType, serviceAccountOf('cart'), [step], { namespace })
        .then(() => faults.pass(path, init))
    })
    const task = await aTab().link(secret, { option: 'all' })
    expect(task?.failures).toMatchObject([
      { component: 'cart', message: expect.stringContaining('the object has been modified') as string },
    ])
    expect(count).toBe(11)
  })

  it('does not repeat a patch that is rejected although nothing has changed', async () => {
    const { given, faults } = await scene({ components: ['cart'] })
    const secret = await given()
    let count = 0
    faults.intercept((path, init) => {
      if (!isPatchOf('cart')(path, init)) return undefined
      count++
      return failure(422, 'a webhook says no')
    })
    const task = await aTab().link(secret, { option: 'all' })
    expect(task?.failures).toEqual([{ component: 'cart', message: 'a webhook says no' }])
    expect(count).toBe(1)
  })

  it('CALL-39, CALL-41, CALL-42 succeeds after two responses with 503', async () => {
    const { given, accounts, faults } = await scene()
    const secret = await given()
    let count = 0
    faults.intercept((path, init) =>
      isPatchOf('search')(path, init) && ++count <= 2 ? failure(503, 'busy') : undefined,
    )
    const tab = aTab()
    expect(await tab.link(secret, { option: 'all' })).toMatchObject({ state: 'Succeeded', failures: [] })
    expect(tab.delays).toEqual([500, 1_000])
    expect((await accounts()).map(linksOf)).toHaveLength(3)
  })

  it('links once if the response to a patch is lost with its connection', async () => {
    const { given, accounts, faults } = await scene({ components: ['cart'] })
    const secret = await given()
    let count = 0
    faults.intercept((path, init) =>
      isPatchOf('cart')(path, init) && ++count === 1
        ? faults.pass(path, init).then(() => Promise.reject(new TypeError('Failed to fetch')))
        : undefined,
    )
    expect(await aTab().link(secret, { option: 'all' })).toMatchObject({ state: 'Succeeded' })
    expect((await accounts()).map(linksOf)).toEqual([['cart', [nameOf(secret)], [nameOf(secret)]]])
    expect(count).toBe(1)
  })

  it('CALL-43, CALL-44, LINK-29, LINK-35 reports the third of five components that is refused, and links the others', async () => {
    const components = ['a', 'b', 'c', 'd', 'e']
    const { given, accounts, faults, read } = await scene({ components })
    const secret = await given()
    let count = 0
    faults.intercept((path, init) => {
      if (!isPatchOf('c')(path, init)) return undefined
      count++
      return failure(403, 'patch is forbidden')
    })
    const task = await aTab().link(secret, { option: 'partial', components })
    expect(task).toMatchObject({ state: 'Failed', total: 5, done: 5 })
    expect(task?.failures).toEqual([{ component: 'c', message: 'patch is forbidden' }])
    expect(count).toBe(1)
    expect((await accounts()).map(linksOf).filter(([, all]) => all?.length === 1)).toHaveLength(4)
    const after = await read(secret)
    expect(linkTaskOf(after)).toEqual({ state: 'Failed', error: 'c: patch is forbidden' })
    // What is left to do.
    expect(unfinishedLinksOf(after)?.request).toEqual({ target: { option: 'partial', components: ['c'] }, unlink: [] })
  })

  it('LINK-30 records at most 2,048 characters of what failed', async () => {
    const { given, faults, read } = await scene({ components: many })
    const secret = await given()
    faults.intercept((path, init) =>
      init.method === 'PATCH' && path.includes('/serviceaccounts/') ? failure(403, 'x'.repeat(200)) : undefined,
    )
    await aTab().link(secret, { option: 'all' })
    const error = linkTaskOf(await read(secret))?.error
    expect([error?.length, error?.slice(-4)]).toEqual([2_048, 'x...'])
  })

  it('removes the error of an earlier task once everything is linked', async () => {
    const { given, faults, read } = await scene({ components: ['cart'] })
    const secret = await given()
    const end = faults.intercept((path, init) => (isPatchOf('cart')(path, init) ? failure(403, 'no') : undefined))
    const tab = aTab()
    await tab.link(secret, { option: 'all' })
    end()
    await tab.link(secret, { option: 'all' })
    expect((await read(secret)).metadata.annotations).toEqual({ [annotations.linkStatus]: 'Succeeded' })
    expect(tab.tasks.get()).toHaveLength(1)
  })

  it('says which new component has no service account yet', async () => {
    const { given, accounts } = await scene({ components: ['cart'], newComponents: ['web'] })
    const secret = await given()
    const tab = aTab()
    expect((await tab.link(secret, { option: 'all' }))?.failures).toEqual([
      {
        component: 'web',
        message:
          'The service account build-pipeline-web does not exist. If the component is new, try again in a moment.',
      },
    ])
    expect(tab.delays).toEqual([500, 1_000, 2_000])
    expect((await accounts()).map(linksOf)).toEqual([['cart', [nameOf(secret)], [nameOf(secret)]]])
  })

  it('changes nothing if the secret is deleted before its turn', async () => {
    const { given, system, patches } = await scene()
    const secret = await given()
    await system.delete(secretType, nameOf(secret), { namespace })
    expect(await aTab().link(secret, { option: 'all' })).toMatchObject({
      state: 'Failed',
      failures: [{ message: 'The secret has been deleted.' }],
    })
    expect(patches()).toEqual([])
  })

  it('changes nothing if the components cannot be listed', async () => {
    const { given, faults, patches, read } = await scene()
    const secret = await given()
    faults.intercept((path) => (path.includes('/components?') ? failure(403, 'components are forbidden') : undefined))
    expect(await aTab().link(secret, { option: 'all' })).toMatchObject({ state: 'Failed', done: 0 })
    expect(linkTaskOf(await read(secret))?.error).toBe('components are forbidden')
    expect(patches()).toEqual([])
  })

  it('LINK-12 refuses a secret of a type that cannot be linked', async () => {
    const { given, patches } = await scene()
    const secret = await given({ type: 'Opaque', data: {} })
    expect((await aTab().link(secret, { option: 'all' }))?.failures).toEqual([
      { message: 'Secrets of type Opaque cannot be linked.' },
    ])
    expect(patches()).toEqual([])
  })
})

describe('leaving the page', () => {
  const isAsked = () => {
    const event = new Event('beforeunload', { cancelable: true })
    dispatchEvent(event)
    return event.defaultPrevented
  }
  it('LINK-34 asks for confirmation before leaving while a link task is running, and not afterwards', async () => {
    const { given } = await scene()
    const secret = await given()
    const tab = aTab()
    expect(isAsked()).toBe(false)
    tab.start(secret, { target: { option: 'all' }, unlink: [] })
    expect(isAsked()).toBe(true)
    await tab.finished()
    await vi.waitFor(() => expect(isAsked()).toBe(false))
  })
})
