import type { KubeObject } from '@slipway/kube/object'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRowCodec } from './row-codec'

const row = fc
  .record({ metadata: fc.dictionary(fc.string(), fc.jsonValue()), status: fc.jsonValue() })
  .map((value) => JSON.parse(JSON.stringify(value)) as KubeObject)

it('a row that is written and read again is the same, and texts of different rows differ', () => {
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const codec = createRowCodec()
      const texts = rows.map(codec.encode)
      expect(texts.map(codec.decode)).toEqual(rows)
      for (const [at, text] of texts.entries()) {
        for (const [other, otherText] of texts.entries()) {
          const isSame = JSON.stringify(rows[at]) === JSON.stringify(rows[other])
          expect(text === otherText).toBe(isSame)
        }
      }
    }),
  )
})

it('rows of more shapes than are remembered are written whole', () => {
  const codec = createRowCodec()
  const rows = Array.from({ length: 10_002 }, (_, at) => ({ metadata: { labels: { [`label-${at}`]: 'x' } } }))
  const texts = rows.map(codec.encode)
  expect(texts.at(0)).toBe('0["x"]')
  expect(texts.at(-1)).toBe('{"metadata":{"labels":{"label-10001":"x"}}}')
  expect(texts.map(codec.decode)).toEqual(rows)
})
