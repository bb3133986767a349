import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type ApiResponse, type Api, type Json, type Target } from './api-client'
import { aNamespace, widget } from './api-fixtures'

type State = 'fresh' | 'stale' | 'missing' | 'deleting'

const states = ['fresh', 'stale', 'missing', 'deleting'] as const
const held = 'contract.test/hold'

/** The status codes of each write, by the state of its object. */
const expected: Record<string, Record<'main' | 'status', Record<State, number>>> = {
  POST: {
    main: { fresh: 201, stale: 409, missing: 404, deleting: 409 },
    status: { fresh: 405, stale: 405, missing: 405, deleting: 405 },
  },
  PUT: {
    main: { fresh: 200, stale: 409, missing: 404, deleting: 200 },
    status: { fresh: 200, stale: 409, missing: 404, deleting: 200 },
  },
  json: {
    main: { fresh: 200, stale: 409, missing: 404, deleting: 200 },
    status: { fresh: 200, stale: 409, missing: 404, deleting: 200 },
  },
  merge: {
    main: { fresh: 200, stale: 409, missing: 404, deleting: 200 },
    status: { fresh: 200, stale: 409, missing: 404, deleting: 200 },
  },
  strategic: {
    main: { fresh: 415, stale: 415, missing: 415, deleting: 415 },
    status: { fresh: 415, stale: 415, missing: 415, deleting: 415 },
  },
  apply: {
    main: { fresh: 200, stale: 409, missing: 201, deleting: 200 },
    status: { fresh: 200, stale: 409, missing: 404, deleting: 200 },
  },
  DELETE: {
    main: { fresh: 200, stale: 409, missing: 404, deleting: 200 },
    status: { fresh: 405, stale: 405, missing: 405, deleting: 405 },
  },
}
const verbs = Object.keys(expected)

/**
 * Every write, to the object and to its status, as a dry run and for real, on an object that is unchanged, has changed,
 * does not exist, or is being deleted: what is returned, and what is stored.
 */
export function writeMatrixContract(target: () => Target): void {
  let api: Api
  let widgets: string
  let count = 0
  beforeAll(async () => {
    api = apiOf(target())
    ;({ widgets } = await aNamespace(api))
  })

  /** An object in a state, and the writer's copy of it. */
  async function given(state: State): Promise<{ name: string; known: Json }> {
    const name = `matrix-${count++}`
    const { body: created } = await api.post(widgets, widget(name, { size: 1 }, { finalizers: [held] }))
    if (state === 'stale') await api.patch(`${widgets}/${name}`, 'merge', { spec: { color: 'red' } })
    if (state === 'deleting') {
      await api.delete(`${widgets}/${name}`)
      return { name, known: (await api.get(`${widgets}/${name}`)).body }
    }
    if (state === 'missing') {
      await api.patch(`${widgets}/${name}`, 'merge', { metadata: { finalizers: null } })
      await api.delete(`${widgets}/${name}`)
    }
    return { name, known: created }
  }

  /** Sends a write with the writer's copy: a new size or a new phase. */
  function write(verb: string, part: 'main' | 'status', state: State, name: string, known: Json, query: string) {
    const at = `${widgets}/${name}${part === 'status' ? '/status' : ''}${query}`
    const change = part === 'status' ? { status: { phase: 'Ready' } } : { spec: { size: 2 } }
    const resourceVersion = known.metadata.resourceVersion
    const metadata = state === 'stale' ? { resourceVersion } : {}
    switch (verb) {
      case 'POST': {
        if (part === 'status') return api.post(at, known)
        const place = state === 'missing' ? widgets.replace(/namespaces\/[^/]+/, 'namespaces/nowhere') : widgets
        return api.post(`${place}${query}`, widget(state === 'fresh' ? `${name}-new` : name))
      }
      case 'PUT':
        return api.put(at, { ...known, ...change })
      case 'json':
        return api.patch(at, 'json', [
          ...(state === 'stale' ? [{ op: 'add', path: '/metadata/resourceVersion', value: resourceVersion }] : []),
          part === 'status'
            ? { op: 'add', path: '/status', value: change.status }
            : { op: 'replace', path: '/spec/size', value: 2 },
        ])
      case 'apply': {
        const config = { apiVersion: known.apiVersion, kind: known.kind, metadata: { name, ...metadata }, ...change }
        const separator = query ? '&' : '?'
        return api.patch(`${at}${separator}fieldManager=matrix&force=true`, 'apply', config)
      }
      case 'merge':
      case 'strategic':
        return api.patch(at, verb, { metadata, ...change })
      default:
        return api.delete(at, state === 'stale' ? { preconditions: { resourceVersion } } : undefined)
    }
  }

  describe.each(verbs)('%s', (verb) => {
    describe.each(['main', 'status'] as const)('of %s', (part) => {
      it.each(states)('with an object that is %s, as a dry run and for real', async (state) => {
        const { name, known } = await given(state)
        const stored = async () => {
          const { code, body } = await api.get(`${widgets}/${name}`)
          return code === 200 ? body.metadata.resourceVersion : code
        }
        const before = await stored()
        const wanted = expected[verb]?.[part][state]
        const dry: ApiResponse = await write(verb, part, state, name, known, '?dryRun=All')
        expect([dry.code, await stored()]).toEqual([wanted, before])
        if (verb === 'POST') expect((await api.get(`${widgets}/${name}-new`)).code).toBe(404)
        const wet: ApiResponse = await write(verb, part, state, name, known, '')
        expect(wet.code).toBe(wanted)
        if (wet.code >= 400) {
          expect([wet.body.kind, wet.body.message]).toEqual(['Status', dry.body.message])
          expect(await stored()).toBe(before)
        } else if (verb === 'DELETE') {
          expect(wet.body.metadata.deletionTimestamp).toBeDefined()
        } else {
          expect(wet.body.metadata.resourceVersion).not.toBe(before)
          const shown = part === 'status' ? wet.body.status : wet.body.spec.size
          expect(shown).toEqual(part === 'status' ? { phase: 'Ready' } : verb === 'POST' ? 1 : 2)
        }
      })
    })
  })

  it('creating an object whose name is still being deleted reports that', async () => {
    const { name } = await given('deleting')
    expect((await api.post(widgets, widget(name))).body.message).toBe(
      `object is being deleted: widgets.contract.test "${name}" already exists`,
    )
  })

  it('deleting a collection, as a dry run and for real, keeps objects with finalizers', async () => {
    const { widgets: others } = await aNamespace(api)
    await api.post(others, widget('free'))
    await api.post(others, widget('held', { size: 1 }, { finalizers: [held] }))
    const names = async () => (await api.get(others)).body.items.map(({ metadata }: Json) => metadata.name)
    expect((await api.delete(`${others}?dryRun=All`)).code).toBe(200)
    expect(await names()).toEqual(['free', 'held'])
    expect((await api.delete(others)).code).toBe(200)
    expect(await names()).toEqual(['held'])
    expect((await api.get(`${others}/held`)).body.metadata.deletionTimestamp).toBeDefined()
  })
}
