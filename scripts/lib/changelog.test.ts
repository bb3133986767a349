import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { releasedVersion, sectionOf } from './changelog.mjs'
import { filesUnder } from './files.mjs'
import { inRepository } from './repository.mjs'

const changelog = '# Changelog\n\n## Unreleased\n\n## 1.2.0 (1 May 2026)\n\n### Added\n\n- One.\n\n## 1.1.0\n\n- Two.\n'

it('the notes of a release are its section of the changelog', () => {
  expect(sectionOf(changelog, '1.2.0')).toBe('### Added\n\n- One.\n')
  expect(sectionOf(changelog, '1.1.0')).toBe('- Two.\n')
})

it.each(['1.2', '1.3.0', 'Unreleased'])('a release without notes is refused: %s', (version) => {
  expect(() => sectionOf(changelog, version)).toThrow(`CHANGELOG.md has no section "## ${version}"`)
})

it('a tag must be of the version, and the repository known', () => {
  const repository = 'github:example/slipway'
  expect(releasedVersion('v1.2.0', { version: '1.2.0', repository })).toBe('1.2.0')
  expect(() => releasedVersion('v1.3.0', { version: '1.2.0', repository })).toThrow('does not match')
  expect(() => releasedVersion('v1.2.0', { version: '1.2.0' })).toThrow('no "repository"')
})

it('all packages of the workspace have the version that is released', () => {
  const descriptions = ['package.json', ...filesUnder('packages'), 'e2e/package.json'].filter((path) =>
    /(^|\/)package\.json$/.test(path),
  )
  const versions = descriptions.map((path) => JSON.parse(readFileSync(inRepository(path), 'utf8')).version as string)
  expect(versions.length).toBeGreaterThan(10)
  expect([...new Set(versions)]).toHaveLength(1)
})
