import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CoreV1Api,
  KubeConfig,
  makeInformer,
  type Informer,
  type ObjectCache,
  type V1ConfigMap,
} from '@kubernetes/client-node'
import { afterAll, expect, it } from 'vitest'
import { createApiServer, type ApiServer } from '../src/api-server'
import { selfSignedCertificate } from '../src/certificate'
import { listen, type Listener } from '../src/node/listen'
import { sqliteStorage } from '../src/storage/sqlite'
import type { Storage } from '../src/storage/storage'
import { configMap, eventually } from './api-fixtures'

/**
 * The informer of the official client over many objects, during writes, a server restart, and the compaction of changes
 * that it missed: in the end it has the same content as a list.
 */

const folder = mkdtempSync(join(tmpdir(), 'apiserver-informer-'))
afterAll(() => rmSync(folder, { recursive: true }))

const certificate = selfSignedCertificate(['127.0.0.1'], new Date())
const namespace = 'default'
const maps = `/api/v1/namespaces/${namespace}/configmaps`
const count = 5_000

interface Running {
  server: ApiServer
  storage: Storage
  listener: Listener
}

async function start(port = 0): Promise<Running> {
  const storage = sqliteStorage(join(folder, 'data.db'))
  const server = await createApiServer({
    storage,
    authenticate: () => ({ name: 'admin', groups: ['system:masters'] }),
  })
  return { server, storage, listener: await listen(server, { host: '127.0.0.1', port, certificate }) }
}

async function stop({ server, listener }: Running) {
  await listener.close()
  await server.close()
}

function clientFor({ listener }: Running): KubeConfig {
  const config = new KubeConfig()
  const caData = Buffer.from(certificate.cert).toString('base64')
  const server = listener.url
  config.loadFromClusterAndUser({ name: 'cluster', server, caData, skipTLSVerify: false }, { name: 'user', token: 't' })
  return config
}

type Kept = Informer<V1ConfigMap> & ObjectCache<V1ConfigMap>

it('an informer ends up with the content of a list despite restarts and compaction', async () => {
  let running = await start()
  const { port } = running.listener
  const send = (method: string, path: string, body?: object, type = 'application/json') =>
    running.server.fetch(
      new Request(`http://cluster.test${path}`, {
        method,
        headers: { authorization: 'Bearer t', 'content-type': type },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
  const nameOf = (index: number) => `m-${String(index).padStart(4, '0')}`
  /** A step of the writer, which adds and removes labels and objects. Steps differ, but are the same in every run. */
  const write = async (step: number) => {
    const name = nameOf((step * 7919) % count)
    if (step % 11 === 0) await send('DELETE', `${maps}/${name}`)
    else if (step % 13 === 0) await send('POST', maps, configMap(`n-${step}`, {}, { app: 'x' }))
    else {
      const labels = { app: step % 3 === 0 ? 'x' : 'y', step: String(step) }
      await send('PATCH', `${maps}/${name}`, { metadata: { labels } }, 'application/merge-patch+json')
    }
  }
  let step = 0
  const writeMany = async (writes: number) => {
    for (const end = step + writes; step < end;) await Promise.all(Array.from({ length: 20 }, () => write(step++)))
  }
  for (let index = 0; index < count; index += 100) {
    await Promise.all(
      Array.from({ length: 100 }, (_, more) =>
        send('POST', maps, configMap(nameOf(index + more), {}, { app: (index + more) % 2 ? 'x' : 'y' })),
      ),
    )
  }

  const config = clientFor(running)
  const lost = new Set<Kept>()
  let lists = 0
  const informerFor = (labelSelector?: string): Kept => {
    const list = () => {
      lists++
      return config.makeApiClient(CoreV1Api).listNamespacedConfigMap({ namespace, labelSelector })
    }
    const informer = makeInformer<V1ConfigMap>(config, maps, list, labelSelector)
    informer.on('error', () => lost.add(informer))
    return informer
  }
  const all = informerFor()
  const some = informerFor('app=x')
  const informers = [all, some]
  /** Restarts informers after an error, as their documentation says. */
  const resume = async () => {
    await eventually(async () => lost.size === informers.length)
    lost.clear()
    await Promise.all(informers.map((informer) => informer.start()))
  }
  await Promise.all(informers.map((informer) => informer.start()))
  expect(all.list()).toHaveLength(count)

  const known = (informer: Kept) =>
    informer
      .list()
      .map(({ metadata }) => `${metadata?.name} ${metadata?.resourceVersion}`)
      .sort()
  const listed = async (labelSelector = '') => {
    const response = await send('GET', `${maps}?labelSelector=${encodeURIComponent(labelSelector)}`)
    const { items } = (await response.json()) as { items: V1ConfigMap[] } // Written by the server.
    return items.map(({ metadata }) => `${metadata?.name} ${metadata?.resourceVersion}`).sort()
  }
  const haveAll = async () => {
    const [everything, selected] = [await listed(), await listed('app=x')]
    expect(everything.length).toBeGreaterThan(selected.length)
    await eventually(async () => known(all).length === everything.length && known(all).join() === everything.join())
    await eventually(async () => known(some).join() === selected.join())
  }

  await writeMany(400)
  await haveAll()

  expect(lists).toBe(2)

  // The server restarts; the informers resume from where they were.
  await stop(running)
  running = await start(port)
  await writeMany(200)
  await Promise.all([writeMany(200), resume()])
  await haveAll()
  expect(lists).toBe(2)

  // The server restarts with the missed changes compacted: the informers get an error and list again.
  await stop(running)
  running = await start(port)
  await writeMany(100)
  running.storage.compact(running.storage.revision())
  await Promise.all([writeMany(200), resume()])
  await haveAll()
  expect(lists).toBe(4)

  for (const informer of informers) await informer.stop()
  await stop(running)
})
