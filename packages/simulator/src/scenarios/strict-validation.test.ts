import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selfSignedCertificate } from '@slipway/apiserver/certificate'
import { listen, type Listener } from '@slipway/apiserver/node/listen'
import { namespaceType } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { customResourceDefinitions } from '@slipway/model/platform-objects'
import { pipelineType } from '@slipway/model/runs/pipeline-run'
import { taskType } from '@slipway/model/runs/task-run'
import { aNamespace } from '@slipway/model/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findKubectl } from '../../../../scripts/lib/tools.mjs'
import { startMs, worldOf } from '../../test/tekton'
import { startWorld, type World } from '../../test/world'
import { demo } from './demo'

const kubectl = findKubectl()
const help = kubectl && execFileSync(kubectl, ['create', '--help'], { encoding: 'utf8' })
const canValidate = help?.includes('strict') === true
if (!canValidate) console.log('strict-validation.test.ts is skipped: there is no kubectl that validates strictly')

const namespace = 'team-payments'
const taskSpec = { steps: [{ name: 'say', image: 'registry.slipway.test/tools:1', script: 'echo hello' }] }
const inNamespace = (kind: string, spec: object, apiVersion = apiVersionOf(pipelineType)) => ({
  apiVersion,
  kind,
  metadata: { name: 'example', namespace },
  spec,
})

/** An object of every kind of the platform: from the demo, if it has one. */
function examples(): KubeObject[] {
  const byKind = new Map<string, KubeObject>([
    ['Task', inNamespace(taskType.kind, taskSpec)],
    ['Pipeline', inNamespace(pipelineType.kind, { tasks: [{ name: 'greet', taskSpec }] })],
    [
      'CustomRun',
      inNamespace(
        'CustomRun',
        { customRef: { apiVersion: 'approvals.example.test/v1', kind: 'Approval' } },
        'tekton.dev/v1beta1',
      ),
    ],
  ])
  const context = {
    nowMs: startMs,
    world: worldOf('demo'),
    users: { admin: 'admin', maintainer: 'maintainer', contributor: 'contributor', outsider: 'outsider' },
    gitHostUrl: 'https://git.slipway.test',
    consoleUrl: 'https://console.slipway.test',
  }
  for (const { type, object } of demo.seeds(context)) {
    const { name = '', labels, annotations } = object.metadata
    if (byKind.has(type.kind)) continue
    byKind.set(type.kind, {
      ...object,
      apiVersion: apiVersionOf(type),
      kind: type.kind,
      metadata: { name, namespace, labels, annotations },
    })
  }
  return customResourceDefinitions.map(({ spec: { names } }) => {
    const example = byKind.get(names.kind)
    if (!example) throw new Error(`There is no example of ${names.kind}.`)
    return example
  })
}

describe.skipIf(!canValidate)('kubectl with strict validation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'strict-'))
  const authority = join(folder, 'ca.crt')
  const objects = examples()
  let world: World
  let listener: Listener

  beforeAll(async () => {
    world = await startWorld({ controllers: [], objects: [[namespaceType, aNamespace()]] })
    // Over plain HTTP, kubectl sends no token.
    const certificate = selfSignedCertificate(['127.0.0.1'], new Date())
    writeFileSync(authority, certificate.cert)
    listener = await listen(world.server, { host: '127.0.0.1', port: 0, certificate })
  })
  afterAll(async () => {
    await listener.close()
    await world.close()
    rmSync(folder, { recursive: true })
  })

  function run(items: object[], ...args: string[]): Promise<{ out: string; err: string }> {
    // One document for each: of a list, kubectl does not know that the server validates its items.
    const path = join(folder, 'objects.json')
    writeFileSync(path, items.map((item) => JSON.stringify(item)).join('\n'))
    const connection = ['--server', listener.url, '--token', 'admin', '--certificate-authority', authority]
    return new Promise((resolve) =>
      execFile(
        kubectl ?? '',
        [...connection, ...args, '--validate=strict', '-f', path],
        { env: { HOME: folder, KUBECONFIG: join(folder, 'none') } },
        (_error, out, err) => resolve({ out, err }),
      ),
    )
  }
  const lines = (text: string) => text.trimEnd().split('\n')
  const ended = (verb: string) =>
    objects.map(({ apiVersion = '', kind = '', metadata: { name = '' } }) => {
      const [group = ''] = apiVersion.split('/')
      return `${kind.toLowerCase()}.${group}/${name} ${verb}`
    })

  it('creates and applies an object of every kind of the platform', async () => {
    const created = await run(objects, 'create')
    expect([lines(created.out), created.err]).toEqual([ended('created'), ''])
    const changed = objects.map((object) => ({
      ...object,
      metadata: { ...object.metadata, labels: { ...object.metadata.labels, changed: 'true' } },
    }))
    const applied = await run(changed, 'apply', '--server-side', '--force-conflicts')
    expect([lines(applied.out), applied.err]).toEqual([ended('serverside-applied'), ''])
    expect(lines((await run(objects, 'apply')).out)).toEqual(ended('configured'))
  })

  it('rejects an unknown field of every kind', async () => {
    const misspelt = objects.map((object) => ({ ...object, colour: 'red' }))
    const { err } = await run(misspelt, 'create', '--dry-run=server')
    expect(lines(err).map((line) => /strict decoding error: (.*)/.exec(line)?.[1])).toEqual(
      objects.map(() => 'unknown field "colour"'),
    )
  })
})
