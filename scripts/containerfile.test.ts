import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { inRepository } from './lib/repository.mjs'

/** The rules for the Containerfile, of those that hadolint and the CIS benchmark for Docker have. */

const instructions = readFileSync(inRepository('Containerfile'), 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter(Boolean)
const all = (name: string) =>
  instructions.flatMap((line) => (line.startsWith(`${name} `) ? line.slice(name.length + 1) : []))
const final = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')))

it('every stage has the base that is given, which has no default', () => {
  expect(all('FROM').map((from) => from.split(' ')[0])).toEqual(all('FROM').map(() => '${BASE}'))
  expect(instructions[0]).toBe('ARG BASE')
})

it('what runs is not root, is started without a shell, and gets signals', () => {
  expect(final.findLast((line) => line.startsWith('USER '))).toMatch(/^USER [1-9]\d*:[1-9]\d*$/)
  for (const name of ['ENTRYPOINT', 'CMD']) expect(final.filter((line) => line.startsWith(`${name} [`))).toHaveLength(1)
  expect(all('HEALTHCHECK').join()).toMatch(/ CMD \[/)
})

it('nothing is fetched but what the lock file of the package names, and no script of a package runs', () => {
  expect(all('ADD')).toEqual([])
  expect(all('RUN')).toEqual([
    expect.stringMatching(/^tar -xzf \S+ --strip-components=1 +&& npm ci [^&|;]*--ignore-scripts/),
  ])
})

it('the last stage installs nothing: it takes what the first one has installed', () => {
  expect(final.filter((line) => /^(RUN|COPY) /.test(line))).toEqual(['COPY --from=install /slipway /slipway'])
})
