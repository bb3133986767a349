import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { filesUnder } from './files.mjs'
import { pictureProblems } from './pictures.mjs'
import { inRepository } from './repository.mjs'

const both = ['docs/images/list-dark.png', 'docs/images/list-light.png']
const readme = `
  <source media="(prefers-color-scheme: dark)" srcset="docs/images/list-dark.png" />
  <img src="docs/images/list-light.png" alt="A list" />`

test.each<[title: string, documents: Record<string, string>, pictures: string[], expected: string[]]>([
  ['a picture that is shown in both themes', { 'README.md': readme }, both, []],
  [
    'paths are relative to the document',
    { 'docs/guide.md': '![Dark](images/list-dark.png) ![Light](../docs/images/list-light.png)' },
    both,
    [],
  ],
  [
    'a picture on another site',
    { 'README.md': `${readme}<img src="https://slipway.test/badge.svg" alt="" />` },
    both,
    [],
  ],
  [
    'a missing picture',
    { 'README.md': `${readme} ![A board](docs/images/board.png)` },
    both,
    ['README.md shows docs/images/board.png, which is missing.'],
  ],
  [
    'a picture that no document shows',
    { 'README.md': readme },
    [...both, 'docs/images/old-dark.png', 'docs/images/old-light.png'],
    ['No document shows docs/images/old-dark.png.', 'No document shows docs/images/old-light.png.'],
  ],
  [
    'a picture in one theme only',
    { 'README.md': `${readme} ![A board](docs/images/board-light.png)` },
    [...both, 'docs/images/board-light.png'],
    ['docs/images/board-light.png has no counterpart docs/images/board-dark.png.'],
  ],
])('%s', (_, documents, pictures, expected) =>
  expect(pictureProblems(new Map(Object.entries(documents)), pictures)).toEqual(expected),
)

test('documents show every picture in docs/images, and no other', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', ...filesUnder('docs').filter((path) => path.endsWith('.md'))]
  const texts = new Map(documents.map((path) => [path, readFileSync(inRepository(path), 'utf8')]))
  expect(pictureProblems(texts, filesUnder('docs/images'))).toEqual([])
})

test('`npm run pictures` takes every picture in docs/images', () => {
  const source = readFileSync(inRepository('e2e/pictures/pictures.ts'), 'utf8')
  const taken = [...source.matchAll(/takePicture\(page, '([^']+)'\)/g)].map(([, name]) => `docs/images/${name}`)
  const files = taken.flatMap((name) => [`${name}-dark.png`, `${name}-light.png`])
  expect(files.sort()).toEqual(filesUnder('docs/images'))
})
