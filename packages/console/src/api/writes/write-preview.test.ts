import { secretType, type Secret } from '@slipway/kube/core-types'
import { applicationType } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { isDryRun, namespace, testCluster } from '../../../test/cluster'
import { startApi } from '../../../test/render-route'
import type { DiffLine } from '../../lib/line-diff'
import { inOrder } from './perform-writes'
import { previewWrites } from './write-preview'
import { create, patch, remove, replace } from './writes'

const ref = { namespace, name: 'checkout' }
const application = anApplication({ metadata: ref })

async function scene() {
  const cluster = await testCluster({ as: 'admin', objects: [application] })
  startApi()
  return cluster
}
const marks = { same: ' ', added: '+', removed: '-' }
const changesOf = (diff: readonly DiffLine[]) =>
  diff.filter(({ kind }) => kind !== 'same').map(({ kind, text }) => marks[kind] + text)

it('previews the requests exactly as they are sent, and changes nothing', async () => {
  const { system, calls } = await scene()
  const before = await system.get(applicationType, 'checkout', { namespace })
  const writes = [
    create(applicationType, anApplication({ metadata: { namespace, name: 'new' } })),
    replace(applicationType, { ...before, spec: { displayName: 'Till' } }),
    patch(applicationType, ref, [{ op: 'replace', path: '/spec/displayName', value: 'Desk' }]),
    remove(applicationType, ref, { preconditions: { uid: before.metadata.uid } }),
  ]
  const previews = await previewWrites(writes)
  expect(calls.filter((call) => call.method !== 'GET' && !isDryRun(call))).toEqual([])
  expect(await system.get(applicationType, 'checkout', { namespace })).toEqual(before)
  calls.length = 0
  await inOrder(writes)
  const sent = calls.filter((call) => call.method !== 'GET' && !isDryRun(call))
  expect(
    previews.map(({ request }) => [request.method, request.path, request.body && JSON.parse(request.body)]),
  ).toEqual(sent.map(({ method, path, body }) => [method, path, body]))
})

it("shows the server's result of a change, without the fields that the server sets by itself", async () => {
  const { system } = await scene()
  const before = await system.get(applicationType, 'checkout', { namespace })
  const [changed, deleted] = await previewWrites([
    replace(applicationType, { ...before, spec: { displayName: 'Till' } }),
    remove(applicationType, ref),
  ])
  expect(changed?.title).toBe('Change Application checkout')
  expect(changesOf(changed?.diff ?? [])).toEqual(['-  displayName: checkout', '+  displayName: Till'])
  expect(deleted?.diff.every(({ kind }) => kind === 'removed')).toBe(true)
  expect(deleted?.diff.map(({ text }) => text)).toContain('  displayName: checkout')
})

it('says why the server rejects a write, and previews the others', async () => {
  await scene()
  const [refused, accepted] = await previewWrites([
    create(applicationType, application),
    create(applicationType, anApplication({ metadata: { namespace, name: 'new' } })),
  ])
  expect(refused).toMatchObject({ refusal: expect.stringContaining('already exists') as string, diff: [] })
  expect(accepted?.refusal).toBeUndefined()
  expect(changesOf(accepted?.diff ?? [])).toContain('+kind: Application')
})

it('contains no value of a secret, whether new, old or rejected', async () => {
  const { system } = await scene()
  const values = ['old-password', 'new-password']
  const encoded = values.map((value) => btoa(value))
  const metadata = { name: 'token', namespace }
  await system.create(secretType, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    stringData: { password: values[0] ?? '', username: 'ann' },
  })
  const old = await system.get(secretType, 'token', { namespace })
  const next: Secret = { ...old, data: { password: encoded[1] ?? '' } }
  const previews = await previewWrites([
    replace(secretType, next),
    patch(secretType, metadata, [{ op: 'replace', path: '/data/password', value: encoded[1] }]),
    create(secretType, { ...next, metadata, stringData: { password: values[1] ?? '' } }),
    remove(secretType, metadata),
  ])
  const [before, after] = ['-  password: "<password>"', '+  password: "<new password>"']
  expect(changesOf(previews[0]?.diff ?? [])).toEqual([before, '-  username: "<username>"', after])
  expect(changesOf(previews[1]?.diff ?? [])).toEqual([before, after])
  const text = JSON.stringify(previews)
  expect([...values, ...encoded].filter((value) => text.includes(value))).toEqual([])
})
