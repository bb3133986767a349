import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { listen, type Listener } from '@slipway/apiserver/node/listen'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { namespaceType, type ClusterRole } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { applicationType } from '@slipway/model/builds/application'
import { anApplication, aNamespace } from '@slipway/model/testing'
import { applyFrame, pendingView, type ClientView } from '@slipway/views/client'
import type { Frame } from '@slipway/views/frame'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { WebSocket } from 'ws'
import { parse } from 'yaml'
import { accountObjects } from '../account-objects'
import { applyObjects } from '../apply'
import { startCluster, type Cluster } from '../cluster'
import { parseFlags } from '../flags'
import { viewsCommand, type RunningViewsCommand } from './command'

let printed = ''
const sink = () => new Writable({ write: (chunk, _encoding, done) => ((printed += String(chunk)), done()) })
const command = (...args: string[]) => viewsCommand(parseFlags('views', args, {}), { env: {}, stdout: sink() })
beforeEach(() => void (printed = ''))

const printedRole = async () => {
  expect(await command('--print-role')).toBeUndefined()
  // The command printed it.
  return parse(printed) as ClusterRole
}

it('prints the role of its account, which reads no Secret, ConfigMap or Pod and changes nothing', async () => {
  const { kind, metadata, rules } = await printedRole()
  expect([kind, metadata.name]).toEqual(['ClusterRole', 'slipway-views'])
  const resources = (rules ?? []).flatMap(({ resources = [] }) => resources)
  expect(resources).toEqual(expect.arrayContaining(['pipelineruns', 'applications', 'rolebindings', 'tokenreviews']))
  expect(resources.filter((each) => /^(\*|secrets|configmaps|pods.*)$/.test(each))).toEqual([])
  const verbs = new Set((rules ?? []).flatMap((rule) => rule.verbs))
  expect(verbs).toEqual(new Set(['list', 'watch', 'create']))
})

test.each([
  [[], 'Choose a cluster with --kubeconfig, --in-cluster or --kubernetes-url.'],
  [
    ['--in-cluster', '--kubeconfig=a'],
    'Choose a cluster with --kubeconfig, --in-cluster or --kubernetes-url, only one of them.',
  ],
  [['--in-cluster'], '--in-cluster only works in a pod: KUBERNETES_SERVICE_HOST is not set.'],
  [['--kubeconfig=a', '--tls-cert=b'], 'TLS requires both --tls-cert and --tls-key.'],
  [
    ['--kubeconfig=a', '--host=0.0.0.0'],
    '--tls-cert and --tls-key must be given, since 0.0.0.0 is not a loopback address: gateways send their token there.',
  ],
  [['--kubeconfig=/not/there'], '/not/there cannot be read (ENOENT).'],
])('says what to change about the options %j', async (args, message) => {
  await expect(command(...args)).rejects.toThrow(message)
})

describe('on a cluster', () => {
  const namespace = 'team-a'
  let folder: string
  let cluster: Cluster
  let api: Listener
  let running: RunningViewsCommand | undefined
  const file = (name: string) => join(folder, name)

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-views-'))
    cluster = await startCluster({ storage: memoryStorage() })
    api = await listen(cluster.server, { host: '127.0.0.1', port: 0 })
    const system = cluster.client('system')
    const account = { namespace: 'slipway', name: 'views' }
    const { rules } = await printedRole()
    printed = ''
    await applyObjects(system, accountObjects(account, 'slipway-views', rules ?? []))
    await writeFile(file('token'), await system.createToken(account.namespace, account.name, 3_600))
    await system.create(namespaceType, aNamespace({ metadata: { name: namespace } }))
    await system.create(applicationType, anApplication({ metadata: { name: 'shop', namespace } }))
  })
  afterEach(async () => {
    await running?.close()
    running = undefined
    await api.close()
    await cluster.close()
    await rm(folder, { recursive: true })
  })

  async function start(...args: string[]): Promise<string> {
    running = await command('--kubernetes-url', api.url, '--kubernetes-token-file', file('token'), '--port=0', ...args)
    return running?.url ?? expect.fail('it is not running')
  }
  const logLines = () =>
    printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)

  it('serves the views of users whom a gateway names, with only the rights of its role, and logs them', async () => {
    const url = await start()
    const headers = {
      authorization: `Bearer ${cluster.credentials.tokens['system']}`,
      'impersonate-user': 'ops@example.com',
      'impersonate-group': 'system:masters',
      'audit-id': 'call-1',
    }
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/socket`, { headers })
    let view: ClientView = pendingView
    // The service sent it.
    socket.on('message', (data: Buffer) => (view = applyFrame(view, JSON.parse(data.toString()) as Frame)))
    await once(socket, 'open')
    const query = { kind: 'applications', namespaces: [namespace], limit: 5 }
    socket.send(JSON.stringify({ type: 'open', id: 'a', query }))
    await expect.poll(() => view.rows.map(nameOf)).toEqual(['shop'])
    expect(logLines()).toEqual([
      expect.objectContaining({ msg: 'the service for list views is ready', url }),
      expect.objectContaining({
        msg: 'view opened',
        who: 'ops@example.com',
        view: 'applications',
        namespaces: [namespace],
        requestId: 'call-1',
      }),
    ])
    const closed = once(socket, 'close')
    await running?.close()
    expect((await closed)[0]).toBe(1001)
  })

  it('speaks TLS with a certificate', async () => {
    const { cert, key } = cluster.credentials.certificate
    await writeFile(file('cert'), cert)
    await writeFile(file('key'), key)
    const url = await start('--tls-cert', file('cert'), '--tls-key', file('key'))
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${url}/livez`, { ca: cert, agent: false }, resolve).on('error', reject)
    })
    expect([url.slice(0, 8), response.resume().statusCode]).toEqual(['https://', 200])
  })
})
