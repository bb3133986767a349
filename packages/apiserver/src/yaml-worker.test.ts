import { afterAll, describe, expect, it } from 'vitest'
import { yamlWorker } from './yaml-worker'

describe('YAML in a thread', () => {
  const yaml = yamlWorker()
  afterAll(() => yaml.close())

  it('is parsed in the order of the requests', async () => {
    const texts = ['a: 1', 'a: 2\na: 3', '']
    expect(await Promise.all(texts.map((text) => yaml.read(text)))).toEqual([
      { json: '{"a":1}', duplicates: [] },
      { json: '{"a":3}', duplicates: ['yaml: unmarshal errors:\n  line 2: key "a" already set in map'] },
      { json: 'null', duplicates: [] },
    ])
  })

  it.each([
    ['sequences in sequences', '- '.repeat(2_000)],
    ['keys in keys', '? '.repeat(2_000)],
    ['lists in lists', '['.repeat(2_000)],
    ['maps in maps', '{a: '.repeat(2_000)],
    ['deeper and deeper lines', Array.from({ length: 2_000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
  ])('is rejected if it is nested too deeply: %s', async (_, text) => {
    await expect(yaml.read(text)).rejects.toThrow('exceeded max depth of 250')
  })

  it('does not count brackets inside strings as nesting', async () => {
    const text = `log: "${'['.repeat(2_000)}"\nescape: |\n  ${'[{- '.repeat(2_000)}\n`
    expect(JSON.parse((await yaml.read(text)).json)).toMatchObject({ log: '['.repeat(2_000) })
  })

  it.each([
    ['values', '[' + '1,'.repeat(400_000) + ']', 'exceeded max number of 25000 values'],
    ['aliases', 'a: &a x\nb:\n' + '- *a\n'.repeat(50_000), 'exceeded max number of 1000 anchors and aliases'],
    [
      'copies',
      'a0: &a0 [x,x,x,x,x,x,x,x,x]\n' +
        Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(',')}]\n`).join(''),
      'Excessive alias count',
    ],
  ])('is rejected if it has too many %s', async (_, text, message) => {
    await expect(yaml.read(text)).rejects.toThrow(message)
  })
})

it('YAML that takes too long to parse is rejected', async () => {
  const yaml = yamlWorker({ timeoutMs: 1 })
  const slow = yaml.read('# '.repeat(1_000_000) + '\n' + 'a\n'.repeat(500_000))
  await expect(slow).rejects.toThrow('takes too much memory or time')
  await yaml.close()
})

it('YAML that is still queued when the reader is closed is rejected', async () => {
  const yaml = yamlWorker()
  const texts = [yaml.read('a: 1'), yaml.read('a: 2')].map((text) => expect(text).rejects.toThrow('closed'))
  await yaml.close()
  await Promise.all(texts)
})
