import { applicationType } from '@slipway/model/builds/application'
import { aComponent, anApplication } from '@slipway/model/testing'
import { expect, test } from './fixtures'

test('kubectl gets applications and components as tables', async ({ kubectl, namespace }) => {
  await kubectl.apply('admin', anApplication({ metadata: { name: 'checkout', namespace } }))
  await kubectl.apply('admin', aComponent({ metadata: { name: 'checkout-api', namespace } }))
  const table = await kubectl('admin', '-n', namespace, 'get', 'applications,components', '-o', 'wide')
  expect(table).toMatch(/^application\.appstudio\.redhat\.com\/checkout\s/m)
  expect(table).toMatch(/^component\.appstudio\.redhat\.com\/checkout-api\s/m)
  expect(await kubectl('admin', '-n', namespace, 'get', 'application', 'checkout', '-o', 'yaml')).toContain(
    'displayName: checkout',
  )
})

test('kubectl applies, applies again, patches and deletes', async ({ kubectl, namespace, system }) => {
  const read = () => system.get(applicationType, 'checkout', { namespace })
  const application = anApplication({ metadata: { name: 'checkout', namespace } })
  expect(await kubectl.apply('admin', application)).toBe('application.appstudio.redhat.com/checkout created\n')
  expect(await kubectl.apply('admin', application)).toBe('application.appstudio.redhat.com/checkout unchanged\n')

  const renamed = { ...application, spec: { displayName: 'Checkout' } }
  expect(await kubectl.apply('admin', renamed)).toBe('application.appstudio.redhat.com/checkout configured\n')
  expect((await read()).spec.displayName).toBe('Checkout')

  const patch = JSON.stringify({ spec: { displayName: 'Patched' } })
  await kubectl('admin', '-n', namespace, 'patch', 'application', 'checkout', '--type=merge', `--patch=${patch}`)
  expect((await read()).spec.displayName).toBe('Patched')

  await kubectl('admin', '-n', namespace, 'delete', 'application', 'checkout')
  await expect(read()).rejects.toMatchObject({ code: 404 })
})

test('kubectl watches', async ({ kubectl, namespace }) => {
  const watch = kubectl.watch('admin', '-n', namespace, 'get', 'applications', '-o', 'name', '--watch')
  await kubectl.apply('admin', anApplication({ metadata: { name: 'checkout', namespace } }))
  expect(await watch.lines.next()).toMatchObject({ value: 'application.appstudio.redhat.com/checkout' })
  await kubectl('admin', '-n', namespace, 'label', 'application', 'checkout', 'seen=true')
  expect(await watch.lines.next()).toMatchObject({ value: 'application.appstudio.redhat.com/checkout' })
  await watch.stop()
})

test('kubectl is denied what the user may not do', async ({ kubectl, namespace }) => {
  const application = anApplication({ metadata: { name: 'checkout', namespace } })
  await expect(kubectl.apply('contributor', application)).rejects.toThrow(/forbidden/i)
  await expect(kubectl('outsider', '-n', namespace, 'get', 'applications')).rejects.toThrow(/forbidden/i)
  expect(await kubectl('contributor', '-n', namespace, 'auth', 'can-i', 'list', 'applications')).toBe('yes\n')
  await expect(kubectl('contributor', '-n', namespace, 'auth', 'can-i', 'create', 'applications')).rejects.toThrow()
})

test('kubectl cannot create an object that violates its schema', async ({ kubectl, namespace }) => {
  const broken = { ...anApplication({ metadata: { name: 'checkout', namespace } }), spec: { displayName: 7 } }
  await expect(kubectl.apply('admin', broken)).rejects.toThrow(/spec\.displayName/)
})
