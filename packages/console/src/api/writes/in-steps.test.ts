import { secretType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { aComponent, anApplication } from '@slipway/model/testing'
import { aSecret } from '@slipway/model/testing/build-services'
import { describe, expect, it } from 'vitest'
import { namespace, testCluster } from '../../../test/cluster'
import { startApi } from '../../../test/render-route'
import { inSteps, type Step } from './in-steps'
import { WriteError } from './perform-writes'
import { writeFailure } from './write-messages'
import { create, patch, refOf, type Write } from './writes'

const application = create(applicationType, anApplication({ metadata: { name: 'shop', namespace } }))
const component = (name: string, url = `https://github.com/shop/${name}`): Write =>
  create(
    componentType,
    aComponent({
      metadata: { name, namespace },
      spec: { application: 'shop', source: { git: { url, revision: undefined } }, containerImage: undefined },
    }),
  )
const steps = [application, component('web'), component('cart')]

async function scene() {
  const cluster = await testCluster({ as: 'admin' })
  startApi()
  const progress: string[][] = []
  const performer = inSteps({
    isPrerequisite: ({ type }) => type.kind === 'Application',
    onProgress: (all: readonly Step[]) => progress.push(all.map(({ state }) => state)),
  })
  const perform = (writes: Write[], previous?: WriteError) => performer(writes, { previous, values: undefined })
  /** Requests that change something: `POST shop (dry run)`. */
  const sent = () =>
    cluster.calls.flatMap(({ method, path, body }) =>
      method === 'GET' || path.includes('reviews')
        ? []
        : `${method} ${body && typeof body === 'object' && 'spec' in body ? nameOf(body as never) : (path.split('/').at(-1) ?? '')}${path.includes('dryRun') ? ' (dry run)' : ''}`,
    )
  /** @param fails by method, body and whether it is a dry run */
  const fail = (
    fails: (method: string, body: string, isDryRun: boolean) => boolean,
    respond: (path: string, init: RequestInit) => Response | Promise<Response> = () =>
      Response.json({ message: 'a webhook says no' }, { status: 403 }),
  ) =>
    cluster.faults.intercept((path, init) =>
      fails(init.method ?? 'GET', String(init.body), path.includes('dryRun')) ? respond(path, init) : undefined,
    )
  const components = async () => (await cluster.system.list(componentType, { namespace })).items
  const applications = async () => (await cluster.system.list(applicationType, { namespace })).items.map(nameOf)
  return { ...cluster, performer, perform, progress, sent, fail, components, applications }
}

const failureOf = (writing: Promise<unknown>) =>
  writing.then(
    () => expect.fail('the writes succeeded'),
    (error: unknown) => (error instanceof WriteError ? error : expect.fail(String(error))),
  )
const isOf = (body: string, name: string) => body.includes(`"name":"${name}"`)

describe('steps', () => {
  it('IMP-48 are all sent as dry runs, then one after another, and report their progress', async () => {
    const { perform, progress, sent, components } = await scene()
    expect((await perform(steps)).map(({ write }) => write)).toEqual(steps)
    expect(sent()).toEqual([
      'POST shop (dry run)',
      'POST web (dry run)',
      'POST cart (dry run)',
      'POST shop',
      'POST web',
      'POST cart',
    ])
    expect((await components()).map(nameOf)).toEqual(['cart', 'web'])
    expect(progress).toEqual([
      ['waiting', 'waiting', 'waiting'],
      ['checking', 'waiting', 'waiting'],
      ['checked', 'waiting', 'waiting'],
      ['checked', 'checking', 'waiting'],
      ['checked', 'checked', 'waiting'],
      ['checked', 'checked', 'checking'],
      ['checked', 'checked', 'checked'],
      ['sending', 'checked', 'checked'],
      ['done', 'checked', 'checked'],
      ['done', 'sending', 'checked'],
      ['done', 'done', 'checked'],
      ['done', 'done', 'sending'],
      ['done', 'done', 'done'],
    ])
  })

  it('report their progress without the values of Secrets', async () => {
    await scene()
    const reported: string[] = []
    const secret = create(secretType, aSecret({ metadata: { name: 'token', namespace }, data: { key: btoa('value') } }))
    const perform = inSteps({ isPrerequisite: () => false, onProgress: (all) => reported.push(JSON.stringify(all)) })
    await perform([secret], { values: undefined })
    expect(reported.length).toBeGreaterThan(0)
    for (const each of reported) {
      expect(each).toContain('"name":"token"')
      expect(each).not.toContain(btoa('value'))
    }
  })

  it('create nothing if a dry run is rejected', async () => {
    const { perform, fail, sent, applications } = await scene()
    fail((_, body, isDryRun) => isDryRun && isOf(body, 'shop'))
    const failure = await failureOf(perform(steps))
    expect(writeFailure(failure).body).toBe('a webhook says no')
    expect(sent()).toEqual(['POST shop (dry run)'])
    expect(await applications()).toEqual([])
  })

  it('continue after a failure, without creating anything twice', async () => {
    const { perform, fail, sent, calls, components } = await scene()
    const heal = fail((_, body, isDryRun) => !isDryRun && isOf(body, 'cart'))
    const failure = await failureOf(perform(steps))
    expect(writeFailure(failure).body).toBe(
      'a webhook says no. Already done: Application shop was created, Component web was created.',
    )
    heal()
    calls.length = 0
    await perform(steps, failure)
    expect(sent()).toEqual(['POST cart (dry run)', 'POST cart'])
    expect((await components()).map(nameOf)).toEqual(['cart', 'web'])
  })

  it('IMP-59 change by a PUT what an earlier attempt created and has been edited since', async () => {
    const { perform, fail, system, sent, calls, components } = await scene()
    const heal = fail((_, body, isDryRun) => !isDryRun && isOf(body, 'cart'))
    const failure = await failureOf(perform(steps))
    heal()
    // A controller has worked on it meanwhile.
    const [web] = await components()
    if (!web) return expect.fail('there is no component')
    await system.replace(componentType, {
      ...web,
      metadata: { ...web.metadata, annotations: { seen: 'true' } },
      spec: { ...web.spec, containerImage: 'quay.io/shop/web' },
    })
    calls.length = 0
    const edited = component('web', 'https://github.com/shop/web-2')
    await perform([application, edited, component('cart')], failure)
    expect(sent()).toEqual(['PUT web (dry run)', 'POST cart (dry run)', 'PUT web', 'POST cart'])
    const changed = (await components()).find((each) => nameOf(each) === 'web')
    expect(changed?.spec).toEqual({
      ...web.spec,
      containerImage: 'quay.io/shop/web',
      source: { git: { url: 'https://github.com/shop/web-2' } },
    })
    expect(changed?.metadata.annotations).toMatchObject({ seen: 'true' })
  })

  it('still know what an earlier attempt created after its change was rejected', async () => {
    const { perform, fail, sent, calls } = await scene()
    const heal = fail((_, body, isDryRun) => !isDryRun && isOf(body, 'cart'))
    const first = await failureOf(perform(steps))
    heal()
    const healChange = fail((method) => method === 'PUT')
    const edited = [application, component('web', 'https://github.com/shop/web-2'), component('cart')]
    const second = await failureOf(perform(edited, first))
    healChange()
    calls.length = 0
    await perform(edited, second)
    expect(sent()).toEqual(['PUT web (dry run)', 'POST cart (dry run)', 'PUT web', 'POST cart'])
  })

  it('create again what was deleted before it was edited', async () => {
    const { perform, fail, system, components } = await scene()
    const heal = fail((_, body, isDryRun) => !isDryRun && isOf(body, 'cart'))
    const failure = await failureOf(perform(steps))
    heal()
    await system.delete(componentType, 'web', { namespace })
    await perform([application, component('web', 'https://github.com/shop/web-2'), component('cart')], failure)
    expect((await components()).map(nameOf)).toEqual(['cart', 'web'])
  })
})

describe('a creation without a response', () => {
  const lost = () => Promise.reject(new TypeError('Failed to fetch'))

  it('is done if the object is there', async () => {
    const { perform, fail, faults, components } = await scene()
    fail(
      (method, body, isDryRun) => method === 'POST' && !isDryRun && isOf(body, 'web'),
      async (path, init) => {
        await faults.pass(path, init)
        return lost()
      },
    )
    await perform(steps)
    expect((await components()).map(nameOf)).toEqual(['cart', 'web'])
  })

  it('is looked up by the next attempt if the object could not be read', async () => {
    const { perform, fail, faults, sent, calls, components } = await scene()
    fail(
      (method, body, isDryRun) => method === 'POST' && !isDryRun && isOf(body, 'web'),
      async (path, init) => {
        await faults.pass(path, init)
        return lost()
      },
    )
    const heal = faults.intercept((path, { method = 'GET' }) =>
      method === 'GET' && path.endsWith('/components/web') ? Response.json({}, { status: 503 }) : undefined,
    )
    const first = await failureOf(perform(steps))
    expect(writeFailure(first).body).toMatch(/Could not be confirmed: Component web was created\.$/)
    const second = await failureOf(perform(steps, first))
    expect(second.isUncertain).toBe(true)
    heal()
    calls.length = 0
    await perform(steps, second)
    expect(sent()).toEqual(['POST cart (dry run)', 'POST cart'])
    expect((await components()).map(nameOf)).toEqual(['cart', 'web'])
  })
})

describe('a cluster that needs the application before the dry runs of later steps', () => {
  const withoutApplication = async ({ system }: Awaited<ReturnType<typeof scene>>) =>
    (await system.list(applicationType, { namespace })).items.length === 0

  it('IMP-49 gets it early', async () => {
    const cluster = await scene()
    const { perform, faults, sent } = cluster
    faults.intercept((path, init) =>
      path.includes('dryRun') && path.includes('/components')
        ? withoutApplication(cluster).then((isMissing) =>
            isMissing ? Response.json({ message: 'no application shop' }, { status: 422 }) : faults.pass(path, init),
          )
        : undefined,
    )
    await perform(steps)
    expect(sent()).toEqual([
      'POST shop (dry run)',
      'POST web (dry run)',
      'POST shop',
      'POST web (dry run)',
      'POST cart (dry run)',
      'POST web',
      'POST cart',
    ])
  })

  it('IMP-49 has it removed again if a later dry run is rejected all the same', async () => {
    const { perform, fail, progress, sent, applications } = await scene()
    fail((_, body, isDryRun) => isDryRun && isOf(body, 'cart'))
    const failure = await failureOf(perform(steps))
    expect(writeFailure(failure).body).toBe('a webhook says no. All changes were undone.')
    expect(failure.applied).toEqual([])
    expect(sent().slice(-3)).toEqual(['POST shop', 'POST cart (dry run)', 'DELETE shop'])
    expect(progress.at(-1)).toEqual(['removed', 'checked', 'failed'])
    expect(await applications()).toEqual([])
  })

  it('does not get it for a failure that it cannot be the reason of', async () => {
    const { perform, fail, sent } = await scene()
    fail(
      (_, body, isDryRun) => isDryRun && isOf(body, 'cart'),
      () => Response.json({}, { status: 503 }),
    )
    await failureOf(perform(steps))
    expect(sent()).toEqual(['POST shop (dry run)', 'POST web (dry run)', 'POST cart (dry run)'])
  })
})

it('a plan says what another attempt would send', async () => {
  const { performer, perform, fail } = await scene()
  fail((_, body, isDryRun) => !isDryRun && isOf(body, 'cart'))
  const failure = await failureOf(perform(steps))
  const edited = component('web', 'https://github.com/shop/web-2')
  const plan = await performer.plan?.([application, edited, component('cart')], { previous: failure })
  expect(plan?.map((write) => `${write.verb} ${refOf(write).name}`)).toEqual(['replace web', 'create cart'])
})

describe('a patch', () => {
  it('is sent again if there was no response and its object could not be read', async () => {
    const { perform, fail, faults, system, components } = await scene()
    await system.create(componentType, aComponent({ metadata: { name: 'web', namespace } }))
    const write = patch(componentType, { namespace, name: 'web' }, [
      { op: 'add', path: '/spec/build-nudges-ref', value: ['cart'] },
    ])
    const heals = [
      fail(
        (method, _, isDryRun) => method === 'PATCH' && !isDryRun,
        () => Promise.reject(new TypeError('Failed to fetch')),
      ),
    ]
    // It is read before the patch, and cannot be read after it.
    let reads = 0
    heals.push(
      faults.intercept((path, { method = 'GET' }) =>
        method === 'GET' && path.endsWith('/components/web') && reads++ > 0
          ? Response.json({}, { status: 503 })
          : undefined,
      ),
    )
    const failure = await failureOf(perform([write]))
    expect(failure.isUncertain).toBe(true)
    for (const heal of heals) heal()
    await perform([write], failure)
    expect((await components()).map(({ spec }) => spec['build-nudges-ref'])).toEqual([['cart']])
  })
})
