import type { KubeList, KubeObject } from '@slipway/kube/object'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shareItems, shareObject } from './structural-sharing'

const anObject = (uid: string, resourceVersion: string): KubeObject => ({ metadata: { uid, resourceVersion } })
const aList = (resourceVersion: string, ...items: KubeObject[]): KubeList => ({ metadata: { resourceVersion }, items })

it('returns the previous list when nothing has changed', () => {
  const before = aList('3', anObject('a', '1'), anObject('b', '2'))
  expect(shareItems(before, aList('3', anObject('a', '1'), anObject('b', '2')))).toBe(before)
})

it('keeps the previous items when only the version of the list has changed', () => {
  const before = aList('3', anObject('a', '1'))
  const after = shareItems(before, aList('4', anObject('a', '1')))
  expect(after.metadata.resourceVersion).toBe('4')
  expect(after.items).toBe(before.items)
})

it('does not treat objects without a version as equal', () => {
  const object = { metadata: { name: 'a' } }
  expect(shareObject({ metadata: { name: 'a' } }, object)).toBe(object)
})

it('leaves alone what a query selects from an object', () => {
  const selected: object = { statusPageUrl: 'https://status.test' }
  expect(shareObject<object>({ statusPageUrl: 'https://before.test' }, selected)).toBe(selected)
})

it('leaves alone what a query selects from a list', () => {
  const [before, selected] = [[{ value: 'a' }], [{ value: 'b' }]].map((options) => options as unknown as KubeList)
  expect(selected && shareItems(before, selected)).toBe(selected)
})

it('equals the new list, and keeps every unchanged object', () => {
  const items = fc.uniqueArray(fc.record({ uid: fc.constantFrom(...'abcdef'), version: fc.constantFrom('1', '2') }), {
    selector: ({ uid }) => uid,
  })
  const toList = (items: { uid: string; version: string }[]) =>
    aList('9', ...items.map(({ uid, version }) => anObject(uid, version)))
  fc.assert(
    fc.property(items, items, (olds, news) => {
      const before = toList(olds)
      const after = shareItems(before, toList(news))
      expect(after).toEqual(toList(news))
      for (const item of after.items) {
        const known = before.items.find(({ metadata }) => metadata.uid === item.metadata.uid)
        if (known?.metadata.resourceVersion === item.metadata.resourceVersion) expect(item).toBe(known)
      }
    }),
  )
})
