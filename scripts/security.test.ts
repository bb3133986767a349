import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { inRepository } from './lib/repository.mjs'

const model = readFileSync(inRepository('SECURITY.md'), 'utf8').split('\n## Threat model\n')[1] ?? ''
const threats = model
  .split(/^- \*\*/m)
  .slice(1)
  .map((text) => {
    const tests = text.replaceAll(/\s+/g, ' ').matchAll(/\[[^\]]+\]\(([^)]+)\) “([^”]+)”/g)
    return { threat: text.split('.**')[0], tests: [...tests].map(([, file = '', title = '']) => ({ file, title })) }
  })

it('every threat of the threat model names a test', () => {
  expect(threats.length).toBeGreaterThan(15)
  expect(threats.filter(({ tests }) => tests.length === 0)).toEqual([])
  // A citation that cannot be read would count for nothing.
  expect(threats.reduce((sum, { tests }) => sum + tests.length, 0)).toBe(model.match(/“/g)?.length)
})

it('every test that the threat model names exists and runs', () => {
  const missing = threats
    .flatMap(({ tests }) => tests)
    .filter(({ file, title }) => {
      const text = existsSync(inRepository(file)) ? readFileSync(inRepository(file), 'utf8') : ''
      const escaped = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      const ids = String.raw`(?:[A-Z]+-\d+(?:, )?)*`
      return !new RegExp(String.raw`(?:\b(?:it|test)|\))\(\s*(['"${'`'}])${ids} ?${escaped}\1`).test(text)
    })
  expect(missing).toEqual([])
})
