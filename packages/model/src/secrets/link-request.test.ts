import type { Secret } from '@slipway/kube/core-types'
import { describe, expect, it } from 'vitest'
import { annotations, labels } from '../labels'
import { formatUnfinishedLinks, isFulfilled, unfinishedLinksOf, type LinkRequest } from './link-request'

const secret = (isCommon = false): Secret => ({
  metadata: { name: 'registry', ...(isCommon && { labels: { [labels.commonSecret]: 'true' } }) },
})
const none = { option: 'none' } as const
const partial = (...components: string[]) => ({ option: 'partial', components }) as const

describe('a request to link a secret', () => {
  it.each<[string, LinkRequest, Secret, boolean]>([
    ['to no component', { target: none, unlink: [] }, secret(), true],
    ['to no component, of a common secret', { target: none, unlink: [] }, secret(true), false],
    ['to no component, but unlink it from one', { target: none, unlink: ['cart'] }, secret(), false],
    ['to all components', { target: { option: 'all' }, unlink: [] }, secret(true), false],
    ['to chosen components', { target: partial('cart'), unlink: [] }, secret(), false],
    ['to chosen components, of which there are none', { target: partial(), unlink: [] }, secret(), true],
    ['to chosen components, none, of a common secret', { target: partial(), unlink: [] }, secret(true), false],
  ])('%s (LINK-20)', (_, request, given, isDone) => expect(isFulfilled(request, given)).toBe(isDone))
})

describe('unfinished links', () => {
  const recorded = (text: string): Secret => ({ metadata: { annotations: { [annotations.unfinishedLinks]: text } } })

  it.each([none, { option: 'all' } as const, partial('cart', 'web')])(
    'of the target %o are read as written',
    (target) => {
      const unfinished = { request: { target, unlink: ['search'] }, startedMs: 1 }
      expect(unfinishedLinksOf(recorded(formatUnfinishedLinks(unfinished)))).toEqual(unfinished)
    },
  )

  it.each([
    ['', undefined],
    ['{', undefined],
    ['[]', undefined],
    ['{"startedMs":1}', undefined],
    ['{"startedMs":1,"request":{"target":{"option":"most"}}}', undefined],
    ['{"request":{"target":{"option":"all"}}}', undefined],
    [
      '{"startedMs":1,"request":{"target":{"option":"partial","components":["a",7,null]},"unlink":"b"}}',
      { request: { target: partial('a'), unlink: [] }, startedMs: 1 },
    ],
  ])('written by others as %s are read as far as they are valid', (text, unfinished) => {
    expect(unfinishedLinksOf(recorded(text))).toEqual(unfinished)
  })

  it('are absent without the annotation', () => expect(unfinishedLinksOf(secret())).toBeUndefined())
})
