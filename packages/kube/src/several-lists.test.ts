import { describe, expect, it } from 'vitest'
import type { ListOptions } from './client'
import type { KubeList, KubeObject } from './object'
import { defineResource, inEachGroup, type ResourceType } from './resource-type'
import { listSeveral } from './several-lists'

const type = defineResource<KubeObject>({
  group: 'old.test',
  newerGroups: ['newest.test', 'newer.test'],
  version: 'v1',
  kind: 'Kind',
  plural: 'kinds',
  namespaced: true,
})

it('a kind is in its newest group first', () =>
  expect(inEachGroup(type).map(({ group }) => group)).toEqual(['newest.test', 'newer.test', 'old.test']))

it('a kind that does not move is in its own group', () =>
  expect(inEachGroup({ ...type, newerGroups: undefined }).map(({ group }) => group)).toEqual(['old.test']))

/** Lists what each group has, in pages of at most `limit`; the version of each list is the name of its group. */
function server(contents: Record<string, string[]>) {
  const calls: string[] = []
  const list = (each: ResourceType, { limit = Infinity, continue: token = '0' }: ListOptions): Promise<KubeList> => {
    calls.push(`${each.group} ${token} ${limit}`)
    const names = contents[each.group] ?? []
    const end = Number(token) + limit
    return Promise.resolve({
      metadata: { resourceVersion: each.group, ...(end < names.length && { continue: String(end) }) },
      items: names.slice(Number(token), end).map((name) => ({ metadata: { name } })),
    })
  }
  return { list, calls }
}

async function pagesOf(contents: Record<string, string[]>, limit?: number) {
  const { list, calls } = server(contents)
  const pages: KubeList[] = []
  for (let token: string | undefined = ''; token !== undefined;) {
    const page: KubeList = await listSeveral(inEachGroup(type), { limit, continue: token }, list)
    pages.push(page)
    token = page.metadata.continue
  }
  return { names: pages.map(({ items }) => items.map(({ metadata }) => metadata.name)), pages, calls }
}

describe('a list of several groups', () => {
  it.each<[string, Record<string, string[]>, number | undefined, (string | undefined)[][]]>([
    ['without a limit is one page', { 'newest.test': ['a'], 'old.test': ['b', 'c'] }, undefined, [['a', 'b', 'c']]],
    [
      'fills each page from the next group',
      { 'newest.test': ['a', 'b', 'c'], 'old.test': ['d'] },
      2,
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'goes on in a new page when one is full',
      { 'newest.test': ['a', 'b'], 'old.test': ['c'] },
      2,
      [['a', 'b'], ['c']],
    ],
    ['is empty if no group has objects', {}, 2, [[]]],
  ])('%s', async (_, contents, limit, expected) => expect((await pagesOf(contents, limit)).names).toEqual(expected))

  it('has the version of each group, and none of its own, which would belong to one of them', async () => {
    const { pages } = await pagesOf({ 'newest.test': ['a'], 'old.test': ['b'] })
    expect(pages[0]?.metadata.resourceVersion).toBeUndefined()
    expect(pages[0]?.metadata.resourceVersions).toEqual({
      'newest.test/v1': 'newest.test',
      'newer.test/v1': 'newer.test',
      'old.test/v1': 'old.test',
    })
  })

  it('never asks a group for more than is missing from the page', async () => {
    const { calls } = await pagesOf({ 'newest.test': ['a'], 'old.test': ['b', 'c', 'd'] }, 3)
    expect(calls).toEqual(['newest.test 0 3', 'newer.test 0 2', 'old.test 0 2', 'old.test 2 3'])
  })
})

it('the list of one group is passed on as it is', async () => {
  const { list } = server({ 'old.test': ['a', 'b'] })
  const page = await listSeveral([type], { limit: 1 }, list)
  expect(page.metadata).toEqual({ resourceVersion: 'old.test', continue: '1' })
})
