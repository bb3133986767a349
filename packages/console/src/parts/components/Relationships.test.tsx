import { componentType } from '@slipway/model/builds/component'
import { type Nudge, nudgeConfigName, nudgeConfigType } from '@slipway/model/builds/nudge-config'
import { annotations, labels } from '@slipway/model/labels'
import { aComponent, anApplication, aPipelineRun, condition } from '@slipway/model/testing'
import { aNudgeConfig } from '@slipway/model/testing/build-services'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { isDryRun, namespace, type testCluster } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'
import { components as componentQueries } from '../../resources/components'

const at = { namespace, application: 'checkout' }
const component = (name: string, nudges?: string[], application = 'checkout') =>
  aComponent({ metadata: { name }, spec: { application, ...(nudges && { 'build-nudges-ref': nudges }) } })
const chain = [component('api', ['web']), component('web', ['docs']), component('docs')]

const isReady = { annotations: { [annotations.buildStatus]: JSON.stringify({ pac: { state: 'enabled' } }) } }
/** A successful build of four minutes. */
const aBuild = (name: string) =>
  aPipelineRun({
    metadata: {
      name: `${name}-1`,
      labels: { [labels.component]: name, [labels.eventType]: 'push' },
      annotations: { [annotations.pacSender]: 'ada' },
    },
    status: {
      startTime: '2026-01-31T09:00:00Z',
      completionTime: '2026-01-31T09:04:00Z',
      conditions: [condition('Succeeded', 'True')],
    },
  })

type Options = Parameters<typeof renderRoute>[1]
type View = Awaited<ReturnType<typeof renderRoute>>
type Cluster = Awaited<ReturnType<typeof testCluster>>

const openPage = async (components: ReturnType<typeof component>[], options: Options = {}) => {
  const objects = [anApplication(), ...components, ...(options.objects ?? [])]
  const view = await renderRoute(paths.activity(at), { ...options, objects })
  await screen.findByRole('heading', { name: 'checkout', level: 1 })
  return view
}
const menuItem = async (user: View['user']) => {
  await user.click(screen.getByRole('button', { name: 'Actions for checkout' }))
  return screen.findByRole('menuitem', { name: 'Define component relationships' })
}
const dialog = () => screen.getByRole('dialog', { name: 'Component relationships' })
const row = (number: number) => within(within(dialog()).getByRole('group', { name: `Relationship ${number}` }))
const control = (number: number, name: string) => row(number).getByRole('button', { name: new RegExp(`^${name} `) })
const save = () => within(dialog()).getByRole('button', { name: 'Save' })
const isSaveable = () => waitFor(() => expect(save()).not.toHaveAttribute('aria-disabled', 'true'))
const rowTexts = () =>
  within(dialog())
    .getAllByRole('group', { name: /^Relationship \d+$/ })
    .map((each) => {
      const [source, type] = within(each)
        .getAllByRole('button', { expanded: false })
        .map(({ textContent }) => textContent)
      const targets = within(each)
        .queryAllByRole('button', { name: /^Remove (?!Relationship)/ })
        .map((button) => button.getAttribute('aria-label')?.replace('Remove ', ''))
      return [source, type, ...targets].join(' ')
    })

async function scene(components = chain, options?: Options) {
  const view = await openPage(components, options)
  const { user } = view
  const item = await menuItem(user)
  await waitFor(() => expect(item).not.toHaveAttribute('aria-disabled', 'true'))
  await user.click(item)
  const opened = await screen.findByRole('dialog', { name: 'Component relationships' })
  await waitFor(() => expect(opened).toContainElement(document.activeElement as HTMLElement))
  /** Selects in one of the fields of a row. */
  const choose = async (number: number, field: string, ...values: string[]) => {
    await user.click(control(number, field))
    for (const value of values)
      await user.click(await within(dialog()).findByRole('option', { name: new RegExp(`^${value}`) }))
    // The menu of several values stays open.
    if (field === 'Related components') await user.click(control(number, field))
  }
  const add = async () => user.click(within(dialog()).getByRole('button', { name: 'Add relationship' }))
  return { ...view, choose, add }
}
const patches = ({ calls }: Cluster, dryRun: boolean) =>
  calls
    .filter((call) => call.method === 'PATCH' && isDryRun(call) === dryRun)
    .map(({ path, body }) => [/components\/([^?]+)/.exec(path)?.[1], body])
const stored = async ({ system }: Cluster) =>
  Object.fromEntries(
    (await system.list(componentType, { namespace })).items.map(({ metadata, spec }) => [
      metadata.name,
      spec['build-nudges-ref'],
    ]),
  )

describe('the action Define component relationships', () => {
  it.each([
    [
      'APP-35, NUDGE-02 without patch on components',
      chain,
      { as: 'contributor' as const },
      "You don't have access to define component relationships",
    ],
    [
      'NUDGE-03 in an application without components',
      [component('proxy', [], 'edge'), component('base', [], 'edge')],
      {},
      'This application has no components',
    ],
    [
      'NUDGE-04 in a namespace with only one component',
      [component('api')],
      {},
      'A relationship needs two components, and this namespace has only one',
    ],
  ])('%s is disabled', async (_, components, options, reason) => {
    const { user } = await openPage(components, options)
    const item = await menuItem(user)
    expect(item).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, item, reason)
  })

  it('is disabled with the reason if the components could not be loaded', async () => {
    const right = { apiGroups: [componentType.group], resources: ['components'], verbs: ['patch'] }
    const read = { apiGroups: [componentType.group], resources: ['applications'], verbs: ['get'] }
    const { user } = await openPage(chain, { as: 'outsider', objects: grantTo(right, read) })
    const item = await menuItem(user)
    await seeTooltip(user, item, 'The components could not be loaded')
  })
})

describe('the dialog of component relationships', () => {
  it('NUDGE-01, NUDGE-07 shows each relation of the application once', async () => {
    await scene([...chain, component('base', ['api'], 'edge'), component('proxy', ['base'], 'edge')])
    expect(rowTexts()).toEqual(['api Nudges web', 'web Nudges docs', 'api Is nudged by base'])
    expect(save()).toHaveAttribute('aria-disabled', 'true')
    const { violations } = await axe.run(dialog(), { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it('NUDGE-05, NUDGE-06, NUDGE-08, NUDGE-09 starts with a row of a source, one of two types, and targets', async () => {
    const { user } = await scene([component('api'), component('web'), component('base', [], 'edge')])
    expect(rowTexts()).toEqual(['Select… Nudges'])
    const options = async (field: string) => {
      await user.click(control(1, field))
      await within(dialog()).findAllByRole('option')
      const texts = within(dialog())
        .getAllByRole('option')
        .map(({ textContent }) => textContent)
      await user.click(control(1, field))
      return texts
    }
    expect(await options('Component')).toEqual(['api', 'web'])
    expect(await options('Relationship')).toEqual(['Nudges', 'Is nudged by'])
    expect(await options('Related components')).toEqual(['api', 'baseedge', 'web'])
    await user.click(row(1).getByRole('button', { name: 'Remove Relationship 1' }))
    expect(rowTexts()).toEqual(['Select… Nudges'])
  })

  it('NUDGE-15, NUDGE-16, NUDGE-17, NUDGE-18 saves one patch per component that nudges, all dry runs first', async () => {
    const { cluster, user, choose, add } = await scene([
      ...chain,
      component('base', undefined, 'edge'),
      component('proxy', ['base'], 'edge'),
    ])
    await choose(1, 'Related components', 'docs')
    await add()
    await choose(3, 'Component', 'docs')
    await choose(3, 'Relationship', 'Is nudged by')
    await choose(3, 'Related components', 'base', 'proxy')
    await isSaveable()
    await user.click(save())
    await screen.findByRole('dialog', { name: 'Relationships updated!' })
    const path = '/spec/build-nudges-ref'
    const expected = [
      ['base', [{ op: 'add', path, value: ['docs'] }]],
      ['proxy', [{ op: 'replace', path, value: ['base', 'docs'] }]],
      ['api', [{ op: 'replace', path, value: ['web', 'docs'] }]],
    ]
    const sorted = (all: unknown[]) => all.map((each) => JSON.stringify(each)).toSorted()
    expect(sorted(patches(cluster, true))).toEqual(sorted(expected))
    expect(patches(cluster, false)).toEqual(patches(cluster, true))
    const modes = cluster.calls.filter(({ method }) => method === 'PATCH').map(isDryRun)
    expect(modes).toEqual([true, true, true, false, false, false])
    expect(await stored(cluster)).toEqual({
      api: ['web', 'docs'],
      web: ['docs'],
      base: ['docs'],
      proxy: ['base', 'docs'],
    })
  })

  it('NUDGE-19, NUDGE-20 confirms that it has saved, and Done returns to the page', async () => {
    const { user, choose } = await scene()
    await choose(1, 'Related components', 'docs')
    await isSaveable()
    await user.click(save())
    await screen.findByRole('dialog', { name: 'Relationships updated!' })
    await user.click(screen.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await waitFor(() => expect(screen.getByRole('button', { name: 'Actions for checkout' })).toHaveFocus())
  })

  it('NUDGE-08, NUDGE-15 removes relations with their rows, also the last one', async () => {
    const { cluster, user } = await scene()
    await user.click(row(2).getByRole('button', { name: 'Remove Relationship 2' }))
    await user.click(row(1).getByRole('button', { name: 'Remove Relationship 1' }))
    expect(rowTexts()).toEqual(['Select… Nudges'])
    expect(row(1).getByRole('button', { name: 'Remove Relationship 1' })).toHaveFocus()
    await isSaveable()
    await user.click(save())
    await screen.findByRole('dialog', { name: 'Relationships updated!' })
    expect(await stored(cluster)).toEqual({ api: [], web: [] })
  })

  it('NUDGE-10 rejects the same source and type in two rows', async () => {
    const { choose, add } = await scene()
    await add()
    await choose(3, 'Component', 'api')
    expect(
      await row(3).findByText('This relationship is already set up. To edit, go to the respective field in this modal'),
    ).toBeVisible()
    expect(save()).toHaveAttribute('aria-disabled', 'true')
    await choose(3, 'Relationship', 'Is nudged by')
    await waitFor(() => expect(row(3).queryByText(/already set up/)).not.toBeInTheDocument())
  })

  it('NUDGE-11, NUDGE-14 saves only rows that are complete or empty, and only a change', async () => {
    const { user, choose, add } = await scene()
    await add()
    // An empty row is valid, but no change.
    expect(save()).toHaveAttribute('aria-disabled', 'true')
    await choose(3, 'Component', 'docs')
    await screen.findByText('Some fields are incomplete or invalid.')
    await user.click(screen.getByRole('button', { name: 'Go to the first one' }))
    expect(await row(3).findByText('Required')).toBeVisible()
    await user.click(row(3).getByRole('button', { name: 'Remove Relationship 3' }))
    await user.click(row(1).getByRole('button', { name: 'Remove web' }))
    expect(await row(1).findByText('Required')).toBeVisible()
    expect(save()).toHaveAttribute('aria-disabled', 'true')
    await choose(1, 'Related components', 'docs')
    await isSaveable()
  })

  it('NUDGE-12, NUDGE-13 offers neither the source as a target nor a target as the source', async () => {
    const { user } = await scene()
    await user.click(control(1, 'Related components'))
    await within(dialog()).findByRole('option', { name: 'docs' })
    expect(within(dialog()).queryByRole('option', { name: 'api' })).not.toBeInTheDocument()
    await user.click(control(1, 'Related components'))
    await user.click(control(1, 'Component'))
    await within(dialog()).findByRole('option', { name: 'docs' })
    expect(within(dialog()).queryByRole('option', { name: 'web' })).not.toBeInTheDocument()
  })

  it('NUDGE-12 rejects a stored relation of a component to itself', async () => {
    const { choose } = await scene([component('api', ['api']), component('web')])
    await choose(1, 'Related components', 'web')
    expect(await row(1).findByText('api cannot nudge itself.')).toBeVisible()
    expect(save()).toHaveAttribute('aria-disabled', 'true')
  })

  it('refuses a cycle, and names its components', async () => {
    const { choose, add } = await scene()
    await add()
    await choose(3, 'Component', 'docs')
    await choose(3, 'Related components', 'api')
    expect(
      await screen.findByText(/^These relationships form a cycle: api nudges web nudges docs nudges api\./),
    ).toBeVisible()
    expect(save()).toHaveAttribute('aria-disabled', 'true')
    await choose(3, 'Relationship', 'Is nudged by')
    await waitFor(() => expect(screen.queryByText(/form a cycle/)).not.toBeInTheDocument())
    await isSaveable()
  })

  describe('shows what rebuilds with the relationships as entered', () => {
    const open = async ({ user }: View) =>
      user.click(within(dialog()).getByRole('button', { name: 'What rebuilds with these relationships' }))
    const waves = (start: string) =>
      within(within(dialog()).getByLabelText(`What rebuilds after ${start}`))
        .queryAllByRole('definition')
        .map(({ textContent }) => textContent)
    const ready = chain.map((each) => ({ ...each, metadata: { ...each.metadata, ...isReady } }))
    const builds = ['web', 'docs'].map((name) => aBuild(name))

    it('and again after each edit, before it is saved', async () => {
      const view = await scene(ready, { objects: builds })
      await open(view)
      await waitFor(() =>
        expect(waves('api')).toEqual([
          'web (4 min, 1 build)— rebuilt after about 4 min',
          'docs (4 min, 1 build)— rebuilt after about 8 min',
        ]),
      )
      await view.choose(1, 'Related components', 'docs')
      await waitFor(() =>
        expect(waves('api')).toEqual([
          'web (4 min, 1 build)docs (4 min, 1 build)— rebuilt after about 4 min',
          'docs (again, 4 min, 1 build)— rebuilt after about 8 min',
        ]),
      )
      await view.user.click(row(1).getByRole('button', { name: 'Remove web' }))
      await waitFor(() => expect(waves('api')).toEqual(['docs (4 min, 1 build)— rebuilt after about 4 min']))
      expect(waves('web')).toEqual(['docs (4 min, 1 build)— rebuilt after about 4 min'])
      expect(patches(view.cluster, true)).toEqual([])
    })

    it('but not while they form a cycle, nor without any', async () => {
      const view = await scene([component('api', ['web']), component('web')])
      await open(view)
      await within(dialog()).findByText(/^A new image of api/)
      await view.add()
      await view.choose(2, 'Component', 'web')
      await view.choose(2, 'Related components', 'api')
      expect(await within(dialog()).findByText(/^Builds would follow each other without end/)).toBeVisible()
      expect(within(dialog()).queryByText(/^A new image of/)).not.toBeInTheDocument()
      await view.user.click(row(2).getByRole('button', { name: 'Remove Relationship 2' }))
      await within(dialog()).findByText(/^A new image of api/)
      await view.user.click(row(1).getByRole('button', { name: 'Remove web' }))
      expect(await within(dialog()).findByText('No component nudges another.')).toBeVisible()
    })
  })

  it('FORM-13, FORM-14, FORM-15, NUDGE-21 asks before it loses changes, and goes back to them', async () => {
    const { user, choose } = await scene()
    await choose(1, 'Related components', 'docs')
    await isSaveable()
    await user.click(within(dialog()).getByRole('button', { name: 'Cancel' }))
    const question = await screen.findByRole('dialog', { name: /Discard unsaved changes\?/ })
    expect(within(question).getByText('Your changes will be lost!')).toBeVisible()
    expect(within(question).getByRole('button', { name: 'Close anyway' })).toBeVisible()
    await user.click(within(question).getByRole('button', { name: 'Go back' }))
    await waitFor(() => expect(rowTexts()).toEqual(['api Nudges web docs', 'web Nudges docs']))
  })

  it('FORM-13 keeps that question accessible while live data updates the dialog below it', async () => {
    const { cluster, user } = await scene()
    const form = dialog()
    await user.click(within(form).getByRole('button', { name: 'What rebuilds with these relationships' }))
    await waitFor(() => expect(form).toHaveTextContent(/web stops here.*Default/))
    await user.click(row(2).getByRole('button', { name: 'Remove docs' }))
    await user.click(within(form).getByRole('button', { name: 'Cancel' }))
    const question = await screen.findByRole('dialog', { name: /Discard unsaved changes\?/ })
    await cluster.system.patch(componentType, 'web', { metadata: isReady }, { namespace })
    await waitFor(() => expect(form).toHaveTextContent(/web stops here.*Merge pull request/))
    expect(screen.getAllByRole('dialog')).toEqual([question])
    expect(within(question).getByRole('button', { name: 'Go back' })).toHaveFocus()
  })

  it('FORM-16, NUDGE-21 drops the changes if the user closes it anyway', async () => {
    const { cluster, user, choose } = await scene()
    await choose(1, 'Related components', 'docs')
    await isSaveable()
    await user.click(within(dialog()).getByRole('button', { name: 'Cancel' }))
    await user.click(await screen.findByRole('button', { name: 'Close anyway' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(patches(cluster, true)).toEqual([])
    await user.click(await menuItem(user))
    await screen.findByRole('dialog', { name: 'Component relationships' })
    expect(rowTexts()).toEqual(['api Nudges web', 'web Nudges docs'])
  })

  it('NUDGE-18, NUDGE-22 reports a rejected dry run in its footer, changes nothing, and keeps the input', async () => {
    const { cluster, user, choose } = await scene()
    cluster.faults.intercept((path, { method }) =>
      method === 'PATCH' && path.includes('/components/api')
        ? Response.json({ message: 'a webhook says no' }, { status: 403 })
        : undefined,
    )
    await choose(1, 'Related components', 'docs')
    await user.click(row(2).getByRole('button', { name: 'Remove Relationship 2' }))
    await isSaveable()
    await user.click(save())
    const alert = await screen.findByText('a webhook says no')
    expect(alert.closest('.pf-v6-c-modal-box__footer')).toBeInTheDocument()
    expect(rowTexts()).toEqual(['api Nudges web docs'])
    expect(patches(cluster, false)).toEqual([])
    expect(await stored(cluster)).toEqual({ api: ['web'], web: ['docs'] })
  })

  it('NUDGE-18 reverses a relation although the cluster rejects cycles, dry runs too', async () => {
    const { cluster, user, choose } = await scene([component('api', ['web']), component('web')])
    // As the webhook of a platform does: compares with what is stored.
    cluster.faults.intercept((path, { method }) => {
      const isCycle = path.includes('/components/web') && patches(cluster, false).every(([name]) => name !== 'api')
      return method === 'PATCH' && isCycle ? Response.json({ message: 'cycle detected' }, { status: 403 }) : undefined
    })
    await choose(1, 'Relationship', 'Is nudged by')
    await isSaveable()
    await user.click(save())
    await screen.findByRole('dialog', { name: 'Relationships updated!' })
    expect(await stored(cluster)).toEqual({ api: [], web: ['api'] })
  })

  it('keeps what another client changes while it is open', async () => {
    const { cluster, user, choose } = await scene([...chain, component('cli')])
    const step = { op: 'replace', path: '/spec/build-nudges-ref', value: ['web', 'cli'] } as const
    await choose(1, 'Related components', 'docs')
    await cluster.system.patch(componentType, 'api', [step], { namespace })
    // Nothing in the dialog says that the change has arrived.
    const { queryKey } = componentQueries.listed(namespace)
    await waitFor(() =>
      expect(queryClient.getQueryData(queryKey)?.items).toContainEqual(
        expect.objectContaining({ spec: expect.objectContaining({ 'build-nudges-ref': step.value }) as unknown }),
      ),
    )
    await user.click(screen.getByRole('button', { name: 'Show change' }))
    const commands = await screen.findByRole('region', { name: 'kubectl commands', hidden: true })
    await waitFor(() => expect(commands).toHaveTextContent('["web","cli","docs"]'))
    await user.click(save())
    await screen.findByRole('dialog', { name: 'Relationships updated!' })
    expect((await stored(cluster)).api).toEqual(['web', 'cli', 'docs'])
  })
})

describe('the page of a component', () => {
  it('CMP-27, NUDGE-01 leads to the dialog from what the component nudges and is nudged by', async () => {
    const { user } = await renderRoute(paths.component({ ...at, component: 'web' }), {
      objects: [anApplication(), ...chain, component('base', ['web'], 'edge')],
    })
    const define = () => screen.findByRole('button', { name: 'Define component relationships' })
    await waitFor(async () => expect(await define()).not.toHaveAttribute('aria-disabled', 'true'))
    await user.click(await define())
    await screen.findByRole('dialog', { name: 'Component relationships' })
    expect(rowTexts()).toEqual(['api Nudges web', 'web Nudges docs', 'web Is nudged by base'])
  })

  it('APP-35, NUDGE-02 says why relationships cannot be defined', async () => {
    const { user } = await renderRoute(paths.component({ ...at, component: 'web' }), {
      as: 'contributor',
      objects: [anApplication(), ...chain],
    })
    const define = await screen.findByRole('button', { name: 'Define component relationships' })
    expect(define).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, define, "You don't have access to define component relationships")
  })
})

describe('in a namespace with a NudgeConfig', () => {
  const nudgeConfig = (...nudges: Nudge[]) => aNudgeConfig({ spec: { nudges } })
  const storedNudges = async ({ system }: Cluster) =>
    (await system.get(nudgeConfigType, nudgeConfigName, { namespace })).spec?.nudges
  const options = (...nudges: Nudge[]): Options => ({ objects: [nudgeConfig(...nudges)] })

  it('the dialog has its relationships with their modes, and saves there, where the platform obeys them', async () => {
    const gated: Nudge = { from: 'api', to: 'docs', mode: 'validated', gatingGroup: 'backend' }
    const { user, cluster, choose, add } = await scene(chain, options(gated))
    expect(rowTexts()).toEqual(['api Nudges docs'])
    expect(control(1, 'When')).toHaveTextContent('After its tests pass')
    await add()
    await choose(2, 'Component', 'web')
    await choose(2, 'Related components', 'api')
    expect(control(2, 'When')).toHaveTextContent('After each build')
    await choose(2, 'When', 'After its tests pass')
    await isSaveable()
    await user.click(save())
    await screen.findByRole('dialog', { name: 'Relationships updated!' })
    expect(await storedNudges(cluster)).toEqual([gated, { from: 'web', to: 'api', mode: 'validated' }])
    expect(await stored(cluster)).toEqual({ api: ['web'], web: ['docs'], docs: undefined })
  })

  it('a cycle of the NudgeConfig is refused before anything is sent', async () => {
    const { cluster, choose, add } = await scene(chain, options({ from: 'web', to: 'api' }))
    await add()
    await choose(2, 'Component', 'api')
    await choose(2, 'Related components', 'web')
    expect(await within(dialog()).findByText(/^These relationships form a cycle: /)).toBeVisible()
    expect(patches(cluster, true)).toEqual([])
  })

  it('a relationship that changes its mode keeps its other fields', async () => {
    const gated: Nudge = { from: 'api', to: 'docs', mode: 'validated', gatingGroup: 'backend' }
    const { user, cluster, choose } = await scene(chain, options(gated))
    await choose(1, 'When', 'After each build')
    await isSaveable()
    await user.click(save())
    await screen.findByRole('dialog', { name: 'Relationships updated!' })
    expect(await storedNudges(cluster)).toEqual([{ ...gated, mode: 'immediate' }])
  })

  it('the page of a component shows what it nudges there, and when', async () => {
    const nudges: Nudge[] = [
      { from: 'api', to: 'docs', mode: 'validated' },
      { from: 'docs', to: 'web', mode: 'immediate' },
    ]
    const objects = [
      anApplication(),
      ...chain,
      ...chain.map(({ metadata }) => aBuild(metadata.name ?? '')),
      nudgeConfig(...nudges),
    ]
    await renderRoute(paths.component({ ...at, component: 'api' }), { objects })
    const facts = within(await screen.findByRole('region', { name: 'Component details' }))
    expect(await facts.findByText('Nudges after its tests pass')).toBeVisible()
    expect(await facts.findByRole('link', { name: 'docs' })).toBeVisible()
    expect(facts.queryByRole('link', { name: 'web' })).toBeNull()
    const ripple = within(screen.getByRole('region', { name: 'What rebuilds after this component' }))
    expect(await ripple.findByText(/^A new image of api rebuilds/)).toBeVisible()
  })

  it('a component without nudges there has none, whatever it names itself', async () => {
    await renderRoute(paths.component({ ...at, component: 'api' }), {
      objects: [anApplication(), ...chain, nudgeConfig()],
    })
    expect(await screen.findByText('No dependencies found')).toBeVisible()
    expect(screen.queryByRole('region', { name: 'What rebuilds after this component' })).toBeNull()
  })
})

describe('for a user who may not read NudgeConfigs', () => {
  const unknown = `Unknown: you may not read nudgeconfigs.appstudio.redhat.com in ${namespace}.`
  const as = 'maintainer' as const

  it('the page of a component never says that there are no relationships', async () => {
    await renderRoute(paths.component({ ...at, component: 'docs' }), { as, objects: [anApplication(), ...chain] })
    expect(await screen.findByText(unknown)).toBeVisible()
    expect(screen.queryByText('No dependencies found')).toBeNull()
  })

  it('relationships that components name themselves are shown with their condition', async () => {
    await renderRoute(paths.component({ ...at, component: 'api' }), { as, objects: [anApplication(), ...chain] })
    expect(await screen.findByText('Nudges, if there is no NudgeConfig')).toBeVisible()
    expect(screen.getAllByText(unknown)[0]).toBeVisible()
  })

  it('the dialog says that the platform may ignore what it saves', async () => {
    await scene(chain, { as })
    expect(within(dialog()).getByText(/^If there is one, the platform ignores the relationships/)).toBeVisible()
    expect(rowTexts()).toEqual(['api Nudges web', 'web Nudges docs'])
  })
})
