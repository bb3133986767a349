import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExitError } from './exit-error.mjs'
import { closureOf, lockedPackages } from './locked-packages.mjs'
import { packageName } from './package.mjs'
import { inRepository, npmCommand } from './repository.mjs'
import { run } from './run.mjs'

/**
 * The bill of materials of the package, in CycloneDX: all packages that it installs, and those that are bundled into it,
 * which npm cannot know from the package itself. The same lock file always gives the same text.
 * @returns {Promise<string>}
 */
export async function createSbom() {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-sbom-'))
  try {
    const { version, license } = JSON.parse(readFileSync(inRepository('package.json'), 'utf8'))
    const packages = shippedPackages()
    const direct = Object.entries(packages).filter(([path]) => path.lastIndexOf('node_modules/') === 0)
    const description = {
      name: packageName,
      version,
      license,
      dependencies: Object.fromEntries(
        direct.map(([path, { version }]) => [path.slice('node_modules/'.length), version]),
      ),
    }
    const lock = { ...description, lockfileVersion: 3, requires: true, packages: { '': description, ...packages } }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(description))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
    const command = [
      ...npmCommand(),
      'sbom',
      '--sbom-format=cyclonedx',
      '--sbom-type=application',
      '--package-lock-only',
    ]
    const { exitCode, output } = await run(command, { cwd: folder, quiet: true })
    if (exitCode !== 0) throw new ExitError('npm could not write the bill of materials (see above).', output)
    const { serialNumber: _, ...sbom } = JSON.parse(output.slice(output.indexOf('{')))
    delete sbom.metadata.timestamp
    // npm names it after the folder.
    sbom.metadata.component.name = packageName
    return `${JSON.stringify(sbom, undefined, 2)}\n`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Everything that is shipped and not ours. A package that only one of the workspace's packages has is moved to the root.
 * @returns {import('./locked-packages.mjs').LockedPackages}
 */
function shippedPackages() {
  /** @type {import('./locked-packages.mjs').LockedPackages} */
  const packages = {}
  for (const [path, entry] of Object.entries(closureOf(lockedPackages(), ['@slipway/slipway']))) {
    if (entry.link) continue
    const moved = path.replace(/^packages\/[^/]+\//, '')
    if (moved in packages) throw new Error(`${path} cannot be moved: ${moved} is another package.`)
    packages[moved] = entry
  }
  return packages
}
