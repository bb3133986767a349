import { once } from 'node:events'
import { beforeAll, describe, expect, it as itAnywhere } from 'vitest'
import { WebSocket, type ClientOptions } from 'ws'
import { apiOf, type Api, type ApiResponse, type Json, type Target } from './api-client'
import { aNamespace, aPod, eventually, type PodState } from './api-fixtures'
import { itOn } from './embedded-only'

/**
 * Logs as clients read them. They are written through our own extension, so other servers can be tested only for errors:
 * there, kubelets write logs.
 */
export function logContract(target: () => Target): void {
  const it = itOn(target, 'Written through our own endpoint')
  let api: Api
  let pods: string
  let count = 0
  beforeAll(async () => {
    api = apiOf(target())
    pods = `${(await aNamespace(api)).path}/pods`
  })

  /** Creates a pod whose containers are in these states. */
  async function podIn(states: Record<string, PodState | undefined>): Promise<string> {
    const pod = aPod(`p${count++}`, Object.keys(states))
    const path = `${pods}/${pod.metadata.name}`
    expect((await api.post(pods, pod)).code).toBe(201)
    await setStates(path, states)
    return path
  }
  async function setStates(path: string, states: Record<string, PodState | undefined>) {
    const containerStatuses = Object.entries(states).flatMap(([name, state]) => (state ? [{ name, ...state }] : []))
    const response = await api.patch(`${path}/status`, 'merge', { status: { containerStatuses } })
    expect(response.code).toBe(200)
  }
  const running: PodState = { restartCount: 0, state: { running: {} } }
  const ended: PodState = { restartCount: 0, state: { terminated: { exitCode: 0 } } }
  const write = async (path: string, body: string | Buffer, query = '') => {
    const response = await api.call('POST', `${path}/log?${query}`, { body, type: 'application/octet-stream' })
    expect([response.code, response.body.status]).toEqual([201, 'Success'])
  }
  const read = (path: string, query = ''): Promise<ApiResponse> =>
    api.call('GET', `${path}/log?${query}`, { headers: { accept: 'application/json, */*' } })
  const textOf = async (path: string, query = ''): Promise<string> => {
    const { code, body, headers } = await read(path, query)
    expect([code, headers.get('content-type')]).toEqual([200, 'text/plain'])
    return String(body)
  }

  it('contains what each container wrote, in order', async () => {
    const several = await podIn({ a: running, b: running })
    await write(several, 'x', 'container=b')
    expect([await textOf(several, 'container=b'), await textOf(several, 'container=a')]).toEqual(['x', ''])
    const path = await podIn({ a: running })
    expect(await textOf(path)).toBe('')
    await write(path, 'one\ntwo\n')
    await write(path, 'thr')
    await write(path, 'ee\nfour')
    expect(await textOf(path)).toBe('one\ntwo\nthree\nfour')
  })

  itAnywhere.each(['', 'follow=true', 'previous=true', 'tailLines=1'])(
    'has no content for a pod without a node: ?%s',
    async (query) => {
      const path = await podIn({ a: undefined })
      const { code, body, headers } = await read(path, query)
      expect([code, body || undefined, headers.get('content-type')]).toEqual([204, undefined, null])
      expect(await api.socket(`${path}/log?${query}`).catch((error: unknown) => error)).toMatchObject({ code: 204 })
    },
  )

  it('may contain arbitrary bytes', async () => {
    const path = await podIn({ a: running })
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256))
    await write(path, bytes)
    const response = await fetch(`${target().url}${path}/log`, {
      headers: { authorization: `Bearer ${target().token}` },
    })
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
  })

  it.each([
    ['tailLines=2', 'c\nd'],
    ['tailLines=4', 'a\nb\nc\nd'],
    ['tailLines=9', 'a\nb\nc\nd'],
    ['tailLines=0', ''],
    ['limitBytes=3', 'a\nb'],
    ['tailLines=2&limitBytes=1', 'c'],
    ['stream=Stderr', 'b\n'],
    ['stream=Stdout', 'a\nc\nd'],
    ['sinceTime=2026-01-01T00:00:02Z', 'b\nc\nd'],
    ['sinceTime=2026-01-01T00:00:02.5Z', 'c\nd'],
    ['sinceTime=2026-01-01T00:00:02Z&tailLines=1', 'd'],
    ['sinceSeconds=1', ''],
    ['timestamps=true&tailLines=2', '2026-01-01T00:00:03.000000000Z c\n2026-01-01T00:00:03.000000000Z d'],
    ['timestamps=true&limitBytes=5', '2026-'],
  ])('read with %s is %j', async (query, expected) => {
    const path = await podIn({ a: running })
    await write(path, 'a\n', 'time=2026-01-01T00:00:01Z')
    await write(path, 'b\n', 'time=2026-01-01T00:00:02Z&stream=Stderr')
    await write(path, 'c\nd', 'time=2026-01-01T00:00:03Z')
    expect(await textOf(path, query)).toBe(expected)
  })

  it('has the time at which each line started', async () => {
    const path = await podIn({ a: running })
    await write(path, 'be', 'time=2026-01-01T00:00:01Z')
    await write(path, 'gun\n', 'time=2026-01-01T00:00:02Z')
    expect(await textOf(path, 'timestamps=true')).toBe('2026-01-01T00:00:01.000000000Z begun\n')
    expect(await textOf(path, 'sinceTime=2026-01-01T00:00:02Z')).toBe('')
  })

  it('can be limited to its last lines, even if it is long', async () => {
    const path = await podIn({ a: running })
    const line = (index: number) => `line ${index} ${'x'.repeat(40)}\n`
    await write(path, Array.from({ length: 50_000 }, (_, index) => line(index)).join(''))
    expect((await textOf(path)).length).toBe(Array.from({ length: 50_000 }, (_, index) => line(index)).join('').length)
    expect(await textOf(path, 'tailLines=3')).toBe([49_997, 49_998, 49_999].map(line).join(''))
    expect((await textOf(path, 'tailLines=20000')).split('\n')).toHaveLength(20_001)
  })

  describe('is rejected', () => {
    const errorOf = async (path: string, query = '') => {
      const { code, body } = await read(path, query)
      return [code, body.message]
    }
    itAnywhere('without a container where there are several', async () => {
      const path = await podIn({ a: running, b: running })
      const name = path.split('/').at(-1) ?? ''
      expect(await errorOf(path)).toEqual([
        400,
        `a container name must be specified for pod ${name}, choose one of: [a b]`,
      ])
      expect(await errorOf(path, 'container=c')).toEqual([400, `container c is not valid for pod ${name}`])
    })

    itAnywhere('without a container where there are others that come first', async () => {
      const name = `p${count++}`
      const initContainers = [{ name: 'first', image: 'registry.test/image:1' }]
      await api.post(pods, aPod(name, ['a', 'b'], { initContainers }))
      expect(await errorOf(`${pods}/${name}`)).toEqual([
        400,
        `a container name must be specified for pod ${name}, choose one of: [first a b]`,
      ])
    })

    it.each([
      ['PodInitializing', 'PodInitializing'],
      ['ErrImagePull', "image can't be pulled"],
      ['ImagePullBackOff', 'trying and failing to pull image'],
    ])('for a waiting container: %s', async (reason, words) => {
      const path = await podIn({ c: { restartCount: 0, state: { waiting: { reason } } } })
      const name = path.split('/').at(-1)
      const message = `container "c" in pod "${name}" is waiting to start: ${words}`
      expect(await errorOf(path)).toEqual([400, message])
      expect(await errorOf(path, 'follow=true')).toEqual([400, message])
    })

    itAnywhere('of a pod that is not there, and where it would be deleted', async () => {
      expect(await errorOf(`${pods}/none`)).toEqual([404, 'pods "none" not found'])
      expect((await api.call('DELETE', `${await podIn({ a: running })}/log`)).code).toBe(405)
    })

    it('on write, for a missing pod', async () => {
      expect((await api.call('POST', `${pods}/none/log`, { body: 'x', type: 'text/plain' })).code).toBe(404)
    })

    itAnywhere.each([
      ['tailLines=-1', 422, 'tailLines: Invalid value: -1: must be greater than or equal to 0'],
      ['limitBytes=0', 422, 'limitBytes: Invalid value: 0: must be greater than 0'],
      ['sinceSeconds=0', 422, 'sinceSeconds: Invalid value: 0: must be greater than 0'],
      [
        'sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z',
        422,
        '[]: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
      ],
      ['tailLines=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
      [
        'sinceTime=yesterday',
        400,
        'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
      ],
    ])('with %s', async (query, code, message) => {
      const path = await podIn({ a: running })
      expect(await errorOf(path, query)).toEqual([code, expect.stringContaining(message)])
    })

    itOn(target, 'The `stream` parameter is supported, which is an alpha feature there').each([
      ['stream=Stdout&tailLines=1', '[]: Forbidden: `tailLines` and specific `stream` are mutually exclusive for now'],
      ['stream=Both', 'stream: Unsupported value: "Both": supported values: "All", "Stderr", "Stdout"'],
    ])('with %s', async (query, message) => {
      const path = await podIn({ a: running })
      expect(await errorOf(path, query)).toEqual([422, expect.stringContaining(message)])
    })

    itAnywhere('to those who may not read or write it', async () => {
      const path = await podIn({ a: running })
      const as = { headers: [['impersonate-user', 'nobody']] as [string, string][] }
      const name = path.split('/').at(-1)
      const get = await api.call('GET', `${path}/log`, as)
      expect([get.code, get.body.message]).toEqual([
        403,
        expect.stringContaining(`pods "${name}" is forbidden: User "nobody" cannot get resource "pods/log"`),
      ])
      const post = await api.call('POST', `${path}/log`, { ...as, body: 'x', type: 'text/plain' })
      expect([post.code, post.body.message]).toEqual([
        403,
        expect.stringContaining('cannot create resource "pods/log"'),
      ])
    })
  })

  it('of the previous run is kept when a container restarts', async () => {
    const path = await podIn({ a: running })
    await write(path, 'first run\n')
    const none = await read(path, 'previous=true')
    const pod = path.split('/').at(-1)
    expect([none.code, none.body.message]).toEqual([400, `previous terminated container "a" in pod "${pod}" not found`])
    const lastState = { terminated: { exitCode: 1 } }
    await setStates(path, { a: { restartCount: 0, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState } })
    expect([await textOf(path), await textOf(path, 'previous=true')]).toEqual(['first run\n', 'first run\n'])
    await setStates(path, { a: { restartCount: 1, state: { running: {} }, lastState } })
    await write(path, 'second run\n')
    expect([await textOf(path), await textOf(path, 'previous=true')]).toEqual(['second run\n', 'first run\n'])
    await setStates(path, { a: { restartCount: 2, state: { running: {} }, lastState } })
    await write(path, 'third run\n')
    expect([await textOf(path), await textOf(path, 'previous=true')]).toEqual(['third run\n', 'second run\n'])
  })

  describe('that is followed', () => {
    async function follow(path: string, query = '') {
      const aborted = new AbortController()
      const response = await fetch(`${target().url}${path}/log?follow=true&${query}`, {
        headers: { authorization: `Bearer ${target().token}` },
        signal: aborted.signal,
      })
      expect(response.status).toBe(200)
      const reader = response.body?.getReader()
      const decoder = new TextDecoder()
      return {
        async next(): Promise<string | undefined> {
          const read = await reader?.read()
          return read?.value && decoder.decode(read.value)
        },
        stop: () => aborted.abort(),
      }
    }

    it('sends new lines until the container ends', async () => {
      const path = await podIn({ a: running })
      await write(path, 'before\n')
      const log = await follow(path)
      expect(await log.next()).toBe('before\n')
      await write(path, 'during\n')
      expect(await log.next()).toBe('during\n')
      await write(path, 'last')
      expect(await log.next()).toBe('last')
      await setStates(path, { a: ended })
      expect(await log.next()).toBeUndefined()
      expect(await textOf(path, 'follow=true')).toBe('before\nduring\nlast')
    })

    it('starts with the last lines, even for a container without output', async () => {
      const path = await podIn({ a: running })
      const silent = await follow(path)
      await write(path, 'a\nb\nc\n')
      expect(await silent.next()).toBe('a\nb\nc\n')
      const log = await follow(path, 'tailLines=1&limitBytes=4')
      expect(await log.next()).toBe('c\n')
      await write(path, 'd\ne\n')
      expect(await log.next()).toBe('d\n')
      expect(await log.next()).toBeUndefined()
      silent.stop()
    })

    it('ends when the pod is deleted, together with its logs', async () => {
      const path = await podIn({ a: running })
      await write(path, 'x')
      const log = await follow(path)
      expect(await log.next()).toBe('x')
      await api.delete(`${path}?gracePeriodSeconds=0`)
      expect(await log.next()).toBeUndefined()
      const name = path.split('/').at(-1) ?? ''
      await eventually(async () => (await api.get(path)).code === 404)
      await api.post(pods, aPod(name, ['a']))
      await setStates(path, { a: running })
      expect(await textOf(path)).toBe('')
    })
  })

  describe('over a websocket', () => {
    async function socketTo(path: string, protocols: string[], options: ClientOptions = {}) {
      const headers = { authorization: `Bearer ${target().token}` }
      const socket = new WebSocket(`${target().url.replace(/^http/, 'ws')}${path}`, protocols, { headers, ...options })
      const frames: [string, boolean][] = []
      socket.on('message', (data, isBinary) => frames.push([String(data), isBinary]))
      const closed = once(socket, 'close')
      await once(socket, 'open')
      return { socket, frames, closed }
    }

    it.each([
      ['base64.binary.k8s.io', [Buffer.from('grüße\n').toString('base64'), false]],
      ['binary.k8s.io', ['grüße\n', true]],
      ['', ['grüße\n', true]],
    ])('is sent in frames of %j', async (protocol, frame) => {
      const path = await podIn({ a: running })
      const log = await socketTo(`${path}/log?follow=true`, protocol ? [protocol] : [])
      expect(log.socket.protocol).toBe(protocol)
      await write(path, 'grüße\n')
      await eventually(async () => log.frames.length === 1)
      expect(log.frames).toEqual([frame])
      await setStates(path, { a: ended })
      const [code]: Json[] = await log.closed
      expect(code).toBe(1000)
    })

    it('is rejected with the error response of the log', async () => {
      const path = await podIn({ a: running, b: running })
      const refused = (query: string, protocols?: string[]) =>
        api.socket(`${path}/log?${query}`, { protocols }).catch((error: unknown) => error)
      expect(await refused('')).toMatchObject({ code: 400, body: { reason: 'BadRequest' } })
      expect(await refused('container=a', ['v4.channel.k8s.io'])).toMatchObject({ code: 403 })
    })
  })
}
