import { expect, it } from 'vitest'
import { closureOf, type LockedPackages } from './locked-packages.mjs'
import { packageName } from './package.mjs'
import { createSbom } from './sbom.mjs'

interface Sbom {
  bomFormat: string
  metadata: { component: { name: string } }
  components: { name: string; version: string; licenses?: unknown[] }[]
}

it('the bill of materials names what is installed and what is bundled, but no tool, and is always the same', async () => {
  const [text, again] = await Promise.all([createSbom(), createSbom()])
  const { bomFormat, metadata, components } = JSON.parse(text) as Sbom
  expect(bomFormat).toBe('CycloneDX')
  expect(metadata.component.name).toBe(packageName)
  const names = components.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['oidc-provider', 'fastify', 'react', 'nuqs', 'node-gyp-build']))
  expect(names.filter((name) => /^(vitest|typescript|eslint|@slipway\/.*)$/.test(name))).toEqual([])
  expect(components.filter(({ version }) => !/^\d/.test(version))).toEqual([])
  expect(text).toBe(again)
})

it('the closure of a package follows links, nested versions and required peers', () => {
  const locked: LockedPackages = {
    'node_modules/ours': { version: '', link: true, resolved: 'packages/ours' },
    'packages/ours': { version: '1.0.0', dependencies: { a: '1', b: '1' } },
    'packages/ours/node_modules/a': { version: '1.1.0', peerDependencies: { c: '1' } },
    'node_modules/a': { version: '0.9.0' },
    'node_modules/b': { version: '1.0.0', optionalDependencies: { 'not-here': '1' } },
    'node_modules/c': { version: '1.0.0', dependencies: { a: '0' } },
    'node_modules/unused': { version: '1.0.0' },
  }
  expect(Object.keys(closureOf(locked, ['ours']))).toEqual([
    'node_modules/a',
    'node_modules/b',
    'node_modules/c',
    'node_modules/ours',
    'packages/ours/node_modules/a',
  ])
  expect(() => closureOf(locked, ['missing'])).toThrow('missing, which the root needs, is not in package-lock.json.')
})
