import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it, test } from 'vitest'

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The words that the glossary rules out, as it writes them between backticks in its last column. */
const avoided = readFileSync(pathOf('../../../docs/glossary.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .flatMap((line) => [...(line.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].flatMap(([, word]) => word ?? []))

const sources = readdirSync(pathOf('../src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.(?:test|type-test)\./.test(name))
  .map((name) => ({ name, text: textsIn(readFileSync(pathOf(`../src/${name}`), 'utf8')) }))

/** What may be shown: a source without its comments, imports and names. */
function textsIn(source: string): string {
  return source
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/^import .*$/gm, '')
}

it('the glossary names words to avoid, and the sources are found', () => {
  expect(avoided).toContain('Run again')
  expect(sources.length).toBeGreaterThan(300)
})

test.each(avoided)('no text of the console says "%s", for which the glossary has another word', (word) => {
  const found = sources.filter(({ text }) => text.includes(word)).map(({ name }) => name)
  expect(found).toEqual([])
})
