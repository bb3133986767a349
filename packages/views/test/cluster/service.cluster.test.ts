import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventType, roleBindingType, roleType, secretType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { applyFrame, pendingView, type ClientView } from '../../src/client'
import type { Frame } from '../../src/frame'
import { serveViews } from '../../src/host/service'
import type { ViewKind } from '../../src/view-kind'
import { roleRef, ruleFor, startWorld, userSubject } from '../authorization-world'
import { adminToken, realAccess } from './real-access'

const suffix = randomUUID().slice(0, 8)
const namespace = `views-${suffix}`
const user = `ada-${suffix}`
const events: ViewKind = {
  id: 'events',
  type: eventType,
  mask: ['metadata.name'],
  fields: { name: { is: 'text', of: nameOf } },
  order: 'name',
  text: nameOf,
  identifiers: () => [],
}

it('serves a live view on a real API server with the rights of its account, until the right of the user is taken', async () => {
  const world = await startWorld(await realAccess(), `slipway-views-${suffix}`)
  await expect(world.service.list(secretType)).rejects.toMatchObject({ code: 403 })
  await world.createNamespace(namespace)
  await world.admin.create(roleType, { metadata: { name: 'reader', namespace }, rules: [ruleFor(eventType)] })
  await world.admin.create(roleBindingType, {
    metadata: { name: 'reader', namespace },
    roleRef: roleRef('Role', 'reader'),
    subjects: [userSubject(user)],
  })
  const create = (name: string) =>
    world.admin.create(eventType, { metadata: { name, namespace }, involvedObject: { namespace } })
  await create('one')
  const server = createServer()
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const service = serveViews(server, { client: world.service, kinds: [events], log })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // It listens on a port.
  const { port } = server.address() as AddressInfo
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/socket`, {
    headers: { authorization: `Bearer ${adminToken()}`, 'impersonate-user': user },
  })
  let view: ClientView = pendingView
  // The service sent it.
  socket.on('message', (data: Buffer) => (view = applyFrame(view, JSON.parse(data.toString()) as Frame)))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'open', id: 'a', query: { kind: 'events', namespaces: [namespace], limit: 10 } }))
  const names = () => view.rows.map(nameOf)
  await expect.poll(names).toEqual(['one'])
  await create('two')
  await expect.poll(names).toEqual(['one', 'two'])

  const takenMs = performance.now()
  await world.admin.delete(roleBindingType, 'reader', { namespace })
  await expect.poll(() => view.denied).toEqual([namespace])
  expect(performance.now() - takenMs).toBeLessThan(5_000)
  expect(view).toMatchObject({ rows: [], total: 0, versions: {} })

  const closed = once(socket, 'close')
  service.close()
  expect((await closed)[0]).toBe(1001)
  await new Promise((resolve) => server.close(resolve))
  await world.close()
})
