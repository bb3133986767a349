import { expect, test } from 'vitest'
import { isInstalled } from './install.mjs'

const locked = {
  '': { version: '0.1.0' },
  'node_modules/react': { version: '19.3.1' },
  'node_modules/@slipway/kube': { resolved: 'packages/kube', link: true },
  'node_modules/@esbuild/aix-ppc64': { version: '1.0.0', optional: true },
}
const react = { 'node_modules/react': { version: '19.3.1' } }
const kube = { 'node_modules/@slipway/kube': { resolved: 'packages/kube', link: true } }

test.each<[title: string, installed: Parameters<typeof isInstalled>[1], expected: boolean]>([
  ['nothing yet', undefined, false],
  ['all packages except those for other systems', { ...react, ...kube }, true],
  ['another version', { ...kube, 'node_modules/react': { version: '19.3.0' } }, false],
  ['a package is missing', kube, false],
  [
    'a workspace is linked to another folder',
    { ...react, 'node_modules/@slipway/kube': { resolved: 'kube', link: true } },
    false,
  ],
  ['an extra package is installed', { ...react, ...kube, 'node_modules/left-over': { version: '1.0.0' } }, true],
])('%s', (_, installed, expected) => expect(isInstalled(locked, installed, () => true)).toBe(expected))

test('a package was deleted after installation', () =>
  expect(isInstalled(locked, { ...react, ...kube }, (path) => path !== 'node_modules/react')).toBe(false))
