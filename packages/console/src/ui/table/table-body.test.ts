import { expect, it, test } from 'vitest'
import { tableBody, type TableBody } from './table-body'

const read = { matching: 0, hasFailed: false, isPartial: false, more: 'none' } as const

test.each<[string, Parameters<typeof tableBody>[0], TableBody]>([
  ['nothing read yet', { ...read, total: undefined }, 'loading'],
  ['nothing read yet, and half of it failed', { ...read, total: undefined, isPartial: true }, 'loading'],
  ['never read, failed', { ...read, total: undefined, hasFailed: true }, 'failure'],
  ['all read, no rows', { ...read, total: 0 }, 'empty'],
  ['no rows, then failed', { ...read, total: 0, hasFailed: true }, 'failure'],
  ['no rows, half of it failed', { ...read, total: 0, isPartial: true }, 'nothing'],
  ['no rows, half of it failed, more to read', { ...read, total: 0, isPartial: true, more: 'idle' }, 'nothing'],
  ['no rows so far, more being read', { ...read, total: 0, more: 'loading' }, 'loading'],
  ['no rows so far, more to read', { ...read, total: 0, more: 'idle' }, 'loading'],
  ['rows', { ...read, total: 2, matching: 2 }, 'rows'],
  ['rows, then failed', { ...read, total: 2, matching: 2, hasFailed: true }, 'rows'],
  ['rows, half of it failed', { ...read, total: 2, matching: 1, isPartial: true }, 'rows'],
  ['no row matches', { ...read, total: 2 }, 'no matches'],
  ['no row matches, half of it failed', { ...read, total: 2, isPartial: true }, 'no loaded matches'],
  ['no row matches, more to read', { ...read, total: 2, more: 'idle' }, 'no loaded matches'],
  ['no row matches, more being read', { ...read, total: 2, more: 'loading' }, 'nothing'],
])('%s: %o is %s', (_, contents, expected) => expect(tableBody(contents)).toBe(expected))

it('the body is empty only if every source was read to its end without a failure', () => {
  for (const total of [undefined, 0, 2])
    for (const hasFailed of [true, false])
      for (const isPartial of [true, false])
        for (const more of ['none', 'idle', 'loading'] as const) {
          const body = tableBody({ total, matching: 0, hasFailed, isPartial, more })
          const isComplete = total !== undefined && !hasFailed && !isPartial && more === 'none'
          if (!isComplete) expect([body, total, hasFailed, isPartial, more]).not.toContain('empty')
        }
})
