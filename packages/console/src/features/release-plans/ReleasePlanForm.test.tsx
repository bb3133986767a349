import { releasePlanType, type ReleasePlan } from '@slipway/model/releases/release-plan'
import { anApplication } from '@slipway/model/testing'
import { aReleasePlan } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { isDryRun, namespace } from '../../../test/cluster'
import { holdWriteResponses, versionAfter } from '../../../test/held-responses'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'
import { releasePlans } from '../../resources/release-plans'

const at = { namespace }
const shop = anApplication({ metadata: { name: 'shop', namespace }, spec: { displayName: 'The shop' } })
const flags = (isAutomatic: boolean, hasStandingAttribution: boolean) => ({
  'release.appstudio.openshift.io/auto-release': String(isAutomatic),
  'release.appstudio.openshift.io/standing-attribution': String(hasStandingAttribution),
})
const source = [
  { name: 'url', value: 'https://git.example.com/shop/release' },
  { name: 'revision', value: 'main' },
  { name: 'pathInRepo', value: 'pipelines/release.yaml' },
]

const box = (name: string) => screen.getByRole('textbox', { name })
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const radio = (name: string) => screen.getByRole('radio', { name })
const row = (name: string) => within(screen.getByRole('group', { name }))
const rejected = (body: object) => Response.json({ kind: 'Status', ...body }, { status: 422 })

type View = Awaited<ReturnType<typeof renderRoute>>

function controlsOf({ user, cluster, router }: View, submitLabel: string | RegExp) {
  const submit = () => button(submitLabel)
  const enabled = () => waitFor(() => expect(submit()).not.toHaveAttribute('aria-disabled', 'true'))
  return {
    submit,
    enabled,
    disabled: () => waitFor(() => expect(submit()).toHaveAttribute('aria-disabled', 'true')),
    fill: async (name: string, text: string) => {
      await user.clear(box(name))
      if (text) await user.type(box(name), text)
    },
    save: async () => {
      await enabled()
      await user.click(submit())
      await waitFor(() => expect(router.state.location.pathname).toBe(paths.releaseArea(at)))
    },
    writes: (method: 'POST' | 'PUT') =>
      cluster.calls.filter((call) => call.method === method && call.path.includes('/releaseplans')),
  }
}

describe('the form that creates a release plan', () => {
  async function scene(options: Parameters<typeof renderRoute>[1] = {}) {
    const view = await renderRoute(paths.createReleasePlan(at), {
      objects: [shop, aReleasePlan({ metadata: { name: 'taken', namespace } })],
      ...options,
    })
    await screen.findByRole('heading', { name: 'Create release plan', level: 1 })
    const { user } = view
    const controls = controlsOf(view, 'Create release plan')
    const choose = async (application: string) => {
      await waitFor(() => expect(button(/^Application/)).toBeEnabled())
      await user.click(button(/^Application/))
      await user.click(await screen.findByRole('option', { name: new RegExp(`^${application}`) }))
    }
    return { ...view, ...controls, choose }
  }

  it('PLAN-18, PLAN-43, PLAN-45, PLAN-48 writes a plan for the current namespace after a dry run, and lists it', async () => {
    const { user, fill, choose, save, writes } = await scene()
    await fill('Release plan name', 'to-production')
    await choose('shop')
    await user.click(radio('Current namespace'))
    await fill('Git URL', 'https://git.example.com/shop/release')
    await fill('Revision', 'main')
    await fill('Path in repository', 'pipelines/release.yaml')
    await fill('Service account', 'releaser')
    await user.click(button('Add parameter'))
    await user.type(row('Parameter 1').getByRole('textbox', { name: 'Name' }), 'token')
    await user.type(row('Parameter 1').getByRole('textbox', { name: 'Value' }), 'git-token')
    await user.click(box('Data'))
    await user.paste('releaseNotes:\n  topic: News\n')
    await user.click(button('Add label'))
    await user.type(row('Label 1').getByRole('textbox', { name: 'Key' }), 'team')
    await user.type(row('Label 1').getByRole('textbox', { name: 'Value' }), 'shop')
    await user.click(button('Add label'))
    await user.type(row('Label 2').getByRole('textbox', { name: 'Value' }), 'dropped')
    await user.click(screen.getByRole('checkbox', { name: 'Auto release' }))
    await save()
    expect(writes('POST').map(isDryRun)).toEqual([true, false])
    expect(writes('POST')[1]?.body).toEqual({
      apiVersion: 'appstudio.redhat.com/v1alpha1',
      kind: 'ReleasePlan',
      metadata: { name: 'to-production', namespace, labels: { team: 'shop', ...flags(true, false) } },
      spec: {
        application: 'shop',
        target: namespace,
        tenantPipeline: {
          pipelineRef: { resolver: 'git', params: [{ name: 'token', value: 'git-token' }, ...source] },
          serviceAccountName: 'releaser',
        },
        data: { releaseNotes: { topic: 'News' } },
      },
    })
    expect(await screen.findByRole('rowheader', { name: 'to-production' })).toBeVisible()
  })

  it('PLAN-42, PLAN-51, PLAN-52 writes a plan for a target namespace with only what was entered', async () => {
    const { user, fill, choose, save, writes } = await scene()
    await fill('Release plan name', 'to-managed')
    await choose('shop')
    await user.click(radio('Target namespace'))
    await user.type(screen.getByRole('combobox', { name: 'Target' }), 'managed')
    await user.click(screen.getByRole('checkbox', { name: 'Standing attribution' }))
    await user.click(button('Add label'))
    await user.type(row('Label 1').getByRole('textbox', { name: 'Value' }), 'x')
    await save()
    expect(writes('POST')[1]?.body).toMatchObject({
      metadata: { labels: flags(false, true) },
      spec: { application: 'shop', target: 'managed' },
    })
    const { metadata, spec } = writes('POST')[1]?.body as ReleasePlan
    expect(metadata.labels).toEqual(flags(false, true))
    expect(Object.keys(spec)).toEqual(['application', 'target'])
  })

  it('PLAN-34, PLAN-35, PLAN-36, PLAN-56 requires a name, an application of the namespace and a location', async () => {
    const { user, disabled } = await scene()
    await user.click(box('Release plan name'))
    await user.tab()
    expect(await screen.findByText('Required')).toBeVisible()
    await waitFor(() => expect(button(/^Application/)).toBeEnabled())
    await user.click(button(/^Application/))
    expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual(['shopThe shop'])
    await user.keyboard('{Escape}')
    expect(await screen.findAllByText('Required')).toHaveLength(2)
    await user.click(radio('Target namespace'))
    expect(screen.queryByRole('textbox', { name: 'Git URL' })).toBeInTheDocument()
    await disabled()
  })

  it.each([
    ['a', /^Must be 2 to 45 characters long/],
    ['Prod', /^Must start with a letter and end with a letter or number\./],
    ['taken', 'Release plan name already exists'],
  ])('PLAN-50 the name passes the shared rule and that of the cluster: %s', async (name, message) => {
    const { user } = await scene()
    await user.type(box('Release plan name'), name)
    expect(await screen.findByText(message)).toBeVisible()
  })

  it('PLAN-37, PLAN-38, PLAN-39, PLAN-40 requires the pipeline of the current namespace', async () => {
    const { user } = await scene()
    await user.type(box('Release plan name'), 'x')
    await user.click(radio('Current namespace'))
    for (const name of ['Git URL', 'Revision', 'Path in repository', 'Service account']) {
      await user.click(box(name))
      await user.tab()
      await waitFor(() => expect(box(name)).toHaveAccessibleDescription(/Required/))
    }
  })

  it.each([
    ['Git URL', 'nonsense', /Must be the URL of a git repository/],
    ['Git URL', `https://github.com/a/${'b'.repeat(2000)}`, /Must be at most 2000 characters long\./],
    ['Path in repository', `${'a'.repeat(2000)}.yaml`, /Must be at most 2000 characters long\./],
    ['Service account', 'Release_Bot', /Must start and end with a letter or number\./],
  ])('PLAN-37, LIM-02 checks the pipeline: %s', async (name, text, message) => {
    const { user } = await scene()
    await user.click(radio('Current namespace'))
    await user.type(box(name), text.slice(0, 1))
    await user.paste(text.slice(1))
    await user.tab()
    await waitFor(() => expect(box(name)).toHaveAccessibleDescription(message))
  })

  it('PLAN-41, PLAN-42 requires the target of a target namespace, and the whole of a pipeline that is begun', async () => {
    const { user } = await scene()
    await user.click(radio('Target namespace'))
    await user.click(screen.getByRole('combobox', { name: 'Target' }))
    await user.tab()
    expect(await screen.findByText('Required')).toBeVisible()
    for (const name of ['Git URL', 'Revision', 'Path in repository', 'Service account']) {
      await user.click(box(name))
      await user.tab()
      expect(box(name)).not.toHaveAccessibleDescription(/Required/)
    }
    await user.type(box('Revision'), 'main')
    await user.click(box('Git URL'))
    await user.tab()
    await waitFor(() => expect(box('Git URL')).toHaveAccessibleDescription(/Required/))
  })

  it('PLAN-28, PLAN-29, PLAN-30 checks data, parameters and labels', async () => {
    const { user } = await scene()
    await user.click(radio('Current namespace'))
    await user.click(box('Data'))
    await user.paste('just text')
    expect(await screen.findByText(/^Must be YAML or JSON with keys and values/)).toBeVisible()
    await user.click(button('Add parameter'))
    const name = row('Parameter 1').getByRole('textbox', { name: 'Name' })
    await user.type(name, 'revision')
    expect(await screen.findByText('This parameter has a field of its own.')).toBeVisible()
    await user.clear(name)
    await user.type(name, 'token')
    await user.click(button('Add parameter'))
    await user.type(row('Parameter 2').getByRole('textbox', { name: 'Name' }), 'token')
    expect(await screen.findByText('Another parameter has this name.')).toBeVisible()
    await user.click(button('Add label'))
    await user.type(row('Label 1').getByRole('textbox', { name: 'Key' }), 'a b')
    expect(await screen.findByText(/^Must be a label key/)).toBeVisible()
    await user.type(row('Label 1').getByRole('textbox', { name: 'Value' }), '-')
    expect(await screen.findByText(/^Must be at most 63 letters/)).toBeVisible()
  })

  it('PLAN-46 says that applications could not be loaded, in a disabled item', async () => {
    const { cluster, router, user } = await renderRoute(paths.about(), { objects: [shop] })
    cluster.faults.intercept((path) =>
      path.includes(`/namespaces/${namespace}/applications`)
        ? Response.json({ kind: 'Status', code: 400, message: 'etcd is down' }, { status: 400 })
        : undefined,
    )
    await router.navigate(paths.createReleasePlan(at))
    expect(await screen.findByText(/^Unable to load applications\. etcd is down/i)).toBeVisible()
    await user.click(button(/^Application/))
    const item = await screen.findByRole('option', { name: 'Unable to load applications' })
    expect(item).toHaveAttribute('aria-disabled', 'true')
    expect(screen.getAllByRole('option')).toHaveLength(1)
  })

  it('PLAN-48 shows at its field what the server rejects, and keeps the input', async () => {
    const { user, cluster, fill, choose, submit, enabled, writes } = await scene()
    await fill('Release plan name', 'to-managed')
    await choose('shop')
    await user.click(radio('Target namespace'))
    await user.type(screen.getByRole('combobox', { name: 'Target' }), 'managed')
    cluster.faults.intercept((path, { method }) =>
      method === 'POST' && path.includes('/releaseplans')
        ? rejected({
            code: 422,
            reason: 'Invalid',
            message: 'no',
            details: { causes: [{ field: 'spec.target', message: 'wrong here' }] },
          })
        : undefined,
    )
    await enabled()
    await user.click(submit())
    expect(await screen.findByText('wrong here')).toBeVisible()
    expect(writes('POST').map(isDryRun)).toEqual([true])
    expect(box('Release plan name')).toHaveValue('to-managed')
  })

  it('PLAN-22, PLAN-48 returns to the list without a plan', async () => {
    const { user, router } = await scene()
    const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
    expect(crumbs.getByText('Create release plan')).toBeVisible()
    await user.click(button('Cancel'))
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.releaseArea(at)))
  })

  it('is accessible with every field', async () => {
    const { user, container } = await scene()
    await user.click(radio('Target namespace'))
    await user.click(button('Add parameter'))
    await user.click(button('Add label'))
    expect((await axe.run(container)).violations).toEqual([])
  })
})

/** With what the form does not show, some of it from a later version of the API. */
const stored = (spec: object = {}): ReleasePlan =>
  ({
    ...aReleasePlan(),
    metadata: {
      name: 'to-production',
      namespace,
      labels: { team: 'shop', ...flags(true, false) },
      annotations: { note: 'kept' },
    },
    spec: {
      application: 'shop',
      target: namespace,
      collectors: { items: [], secrets: ['kept'] },
      finalPipeline: { pipelineRef: { resolver: 'git', params: source } },
      data: { a: 1 },
      ...spec,
    },
  }) as unknown as ReleasePlan
const pipelineRef = { resolver: 'git', params: [{ name: 'token', value: 'git-token' }, ...source] }
const shapes = {
  old: { pipelineRef, serviceAccount: 'releaser' },
  middle: { pipeline: { pipelineRef, serviceAccountName: 'releaser' } },
  current: { tenantPipeline: { pipelineRef, serviceAccountName: 'releaser' } },
}

describe('the form that edits a release plan', () => {
  async function scene(plan = stored(shapes.current), options: Parameters<typeof renderRoute>[1] = {}) {
    const view = await renderRoute(paths.editReleasePlan({ ...at, releasePlan: 'to-production' }), {
      ...options,
      objects: [shop, plan],
    })
    await screen.findByRole('heading', { name: 'Edit release plan', level: 1 })
    const { cluster } = view
    return {
      ...view,
      ...controlsOf(view, /^Save/),
      read: () => cluster.system.get(releasePlanType, 'to-production', { namespace }),
      setApplication: (value: string) =>
        cluster.system.patch(releasePlanType, 'to-production', [{ op: 'replace', path: '/spec/application', value }], {
          namespace,
        }),
    }
  }

  it.each(Object.entries(shapes))(
    'PLAN-21, PLAN-23, PLAN-44, PLAN-55 starts with a plan of the %s shape, and writes the current one',
    async (_, shape) => {
      const { user, fill, save, writes, read, disabled } = await scene(stored(shape))
      expect(box('Release plan name')).toHaveValue('to-production')
      expect(box('Release plan name')).toHaveAttribute('readonly')
      expect(await screen.findByRole('button', { name: 'Application shop' })).toBeVisible()
      expect(radio('Current namespace')).toBeChecked()
      expect(box('Git URL')).toHaveValue('https://git.example.com/shop/release')
      expect(box('Revision')).toHaveValue('main')
      expect(box('Path in repository')).toHaveValue('pipelines/release.yaml')
      expect(box('Service account')).toHaveValue('releaser')
      expect(row('Parameter 1').getByRole('textbox', { name: 'Value' })).toHaveValue('git-token')
      expect(box('Data')).toHaveValue('a: 1\n')
      expect(row('Label 1').getByRole('textbox', { name: 'Key' })).toHaveValue('team')
      expect(screen.getByRole('checkbox', { name: 'Auto release' })).toBeChecked()
      expect(screen.getByRole('checkbox', { name: 'Standing attribution' })).not.toBeChecked()
      await disabled()
      await fill('Revision', 'v2')
      await user.click(screen.getByRole('checkbox', { name: 'Standing attribution' }))
      const before = await read()
      await save()
      expect(writes('PUT').map(isDryRun)).toEqual([true, false])
      expect(writes('PUT')[1]?.body).toMatchObject({
        metadata: { resourceVersion: before.metadata.resourceVersion },
      })
      const { metadata, spec } = await read()
      expect(metadata.labels).toEqual({ team: 'shop', ...flags(true, true) })
      expect(metadata.annotations).toEqual({ note: 'kept' })
      expect(spec).toEqual({
        ...stored().spec,
        releaseGracePeriodDays: 7,
        tenantPipeline: {
          pipelineRef: {
            resolver: 'git',
            params: pipelineRef.params.map((param) => (param.name === 'revision' ? { ...param, value: 'v2' } : param)),
          },
          serviceAccountName: 'releaser',
        },
      })
    },
  )

  it('PLAN-24, PLAN-26, PLAN-27, PLAN-33 has the fields of each location', async () => {
    const { user } = await scene()
    expect(await screen.findByRole('button', { name: 'Application shop' })).toBeVisible()
    for (const name of ['Git URL', 'Revision', 'Path in repository', 'Service account'])
      expect(box(name)).toBeRequired()
    expect(screen.queryByRole('combobox', { name: 'Target' })).not.toBeInTheDocument()
    await user.click(radio('Target namespace'))
    expect(screen.getByRole('combobox', { name: 'Target' })).toBeRequired()
    for (const name of ['Git URL', 'Revision', 'Path in repository', 'Service account'])
      expect(box(name)).not.toBeRequired()
  })

  it('PLAN-31, PLAN-32 stores both flags as labels', async () => {
    const { user, save, read } = await scene()
    await user.click(screen.getByRole('checkbox', { name: 'Auto release' }))
    await user.click(screen.getByRole('checkbox', { name: 'Standing attribution' }))
    await save()
    expect((await read()).metadata.labels).toEqual({ team: 'shop', ...flags(false, true) })
  })

  it('tells the second of two users, who can compare, and then save both changes', async () => {
    const { user, fill, save, setApplication, submit, enabled, read } = await scene()
    await fill('Revision', 'mine')
    await setApplication('theirs')
    expect(await screen.findByText('This release plan has changed since you opened it')).toBeVisible()
    await enabled()
    await user.click(submit())
    expect(await screen.findByText(/the object has been modified/i)).toBeVisible()
    expect(box('Revision')).toHaveValue('mine')
    await user.click(button('Show what changed'))
    const diff = await screen.findByRole('region', { name: 'Changes: since you opened this form' })
    expect(diff).toHaveTextContent('Removed: application: shop')
    expect(diff).toHaveTextContent('Added: application: theirs')
    await user.click(button('Apply my changes to the current version'))
    await save()
    const { spec } = await read()
    expect(spec.application).toBe('theirs')
    expect(spec.tenantPipeline?.pipelineRef.params).toContainEqual({ name: 'revision', value: 'mine' })
  })

  it('does not report an own save as the change of another user, even if the watch is faster than the response', async () => {
    const { user, fill, submit, enabled, read, cluster, router } = await scene()
    await fill('Revision', 'mine')
    const before = await read()
    const release = holdWriteResponses(cluster.faults, 'releaseplans')
    await enabled()
    await user.click(submit())
    await versionAfter(before, releasePlans.get(namespace, 'to-production'))
    expect(screen.queryByText(/since you opened it/)).not.toBeInTheDocument()
    release()
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.releaseArea(at)))
  })

  it('does not report a change of the status alone, which does not prevent saving', async () => {
    const { fill, save, read, cluster } = await scene()
    await fill('Revision', 'mine')
    await cluster.system.replaceStatus(releasePlanType, {
      ...(await read()),
      status: { releasePlanAdmission: { name: 'managed/prod', active: true } },
    })
    await save()
    expect(screen.queryByText(/has changed since/)).not.toBeInTheDocument()
    expect((await read()).status?.releasePlanAdmission?.name).toBe('managed/prod')
  })

  it('reports that the plan was deleted, and keeps the input', async () => {
    const { fill, cluster } = await scene()
    await fill('Revision', 'mine')
    await cluster.system.delete(releasePlanType, 'to-production', { namespace })
    expect(await screen.findByText('This release plan has been deleted')).toBeVisible()
    expect(box('Revision')).toHaveValue('mine')
  })

  it('PLAN-22 has breadcrumbs, and is accessible', async () => {
    const { container } = await scene()
    const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
    expect(crumbs.getByRole('link', { name: 'Releases' })).toHaveAttribute('href', paths.releaseArea(at))
    expect(crumbs.getByText('Edit release plan')).toBeVisible()
    expect((await axe.run(container)).violations).toEqual([])
  })

  it('keeps a pipeline of another resolver, and says so', async () => {
    const tenantPipeline = { pipelineRef: { resolver: 'bundles', params: [{ name: 'bundle', value: 'quay.io/a:1' }] } }
    const { user, save, read } = await scene(stored({ tenantPipeline }))
    expect(screen.getByText('The pipeline of this release plan cannot be edited here')).toBeVisible()
    expect(screen.queryByRole('textbox', { name: 'Git URL' })).not.toBeInTheDocument()
    await user.click(screen.getByRole('checkbox', { name: 'Auto release' }))
    await save()
    expect((await read()).spec.tenantPipeline).toEqual(tenantPipeline)
  })

  it('keeps a component group and data of another type', async () => {
    const odd = stored({ application: undefined, componentGroup: 'all', target: 'managed', data: undefined })
    const { user, save, read } = await scene(odd)
    expect(screen.getByText('It releases the component group all.')).toBeVisible()
    expect(screen.queryByText('Application')).not.toBeInTheDocument()
    await user.click(screen.getByRole('checkbox', { name: 'Auto release' }))
    await save()
    expect((await read()).spec).toMatchObject({ componentGroup: 'all', target: 'managed' })
  })

  it('PLAN-54 is not found for a plan that does not exist', async () => {
    await renderRoute(paths.editReleasePlan({ ...at, releasePlan: 'missing' }))
    expect(await screen.findByText(/^Looks like that page doesn't exist/)).toBeVisible()
  })
})
