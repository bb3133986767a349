import { chmodSync, copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { ExitError } from './exit-error.mjs'
import { closureOf, lockedPackages } from './locked-packages.mjs'
import { inRepository, npmCommand } from './repository.mjs'
import { run } from './run.mjs'

/** The name of the package that people install. The packages of the workspace are private. */
export const packageName = '@slipway-console/slipway'

/**
 * Packs what was built into one package: the command, with the console that it serves. The same files always become the
 * same bytes.
 * @param {string} destination folder of the tarball, which must exist
 * @returns {Promise<string>} path of the tarball
 */
export async function packSlipway(destination) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-pack-'))
  try {
    layOut(folder)
    const command = [...npmCommand(), 'pack', '--json', '--ignore-scripts', `--pack-destination=${destination}`]
    const { exitCode, output } = await run(command, { cwd: folder, quiet: true })
    if (exitCode !== 0) throw new ExitError('The package could not be packed (see above).', output)
    const [{ filename }] = JSON.parse(output.slice(output.indexOf('[')))
    return join(destination, filename)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Lays out the package: our two built packages are next to each other, as in the repository.
 * @param {string} folder
 */
function layOut(folder) {
  const slipway = inRepository('packages/slipway')
  cpSync(join(slipway, 'bin'), join(folder, 'slipway/bin'), { recursive: true })
  chmodSync(join(folder, 'slipway/bin/slipway.mjs'), 0o755)
  copyBuilt('packages/slipway/dist', join(folder, 'slipway/dist'))
  copyBuilt('packages/console/dist', join(folder, 'console/dist'))
  copyFileSync(join(slipway, 'README.md'), join(folder, 'README.md'))
  for (const name of ['LICENSE', 'CHANGELOG.md']) copyFileSync(inRepository(name), join(folder, name))
  const description = packageDescription()
  const { version, type, license, engines, bin, dependencies } = description
  writeJson(join(folder, 'package.json'), description)
  // From which the command reads its version.
  writeJson(join(folder, 'slipway/package.json'), { version, type })
  // Installations from a registry, and those in images, get exactly what the tests ran with.
  writeJson(join(folder, 'npm-shrinkwrap.json'), {
    name: packageName,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: packageName, version, license, bin, engines, dependencies },
      ...closureOf(lockedPackages(), Object.keys(dependencies)),
    },
  })
}

function packageDescription() {
  const { version, license, type, engines, repository } = readJson(inRepository('package.json'))
  return {
    name: packageName,
    version,
    description: 'Web console, gateway and embedded cluster for Konflux-style software supply-chain platforms',
    keywords: ['kubernetes', 'konflux', 'tekton', 'console', 'supply-chain'],
    license,
    type,
    ...(repository && { repository }),
    engines,
    bin: { slipway: 'slipway/bin/slipway.mjs' },
    files: ['slipway', 'console', 'CHANGELOG.md', 'npm-shrinkwrap.json'],
    dependencies: dependenciesOfBuild(),
    publishConfig: { access: 'public' },
  }
}

/**
 * What the built command imports, in the versions of the lock file.
 * @returns {Record<string, string>}
 */
function dependenciesOfBuild() {
  const folder = inRepository('packages/slipway/dist')
  const locked = lockedPackages()
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => ts.preProcessFile(readFileSync(join(folder, name), 'utf8')).importedFiles)
    .map(({ fileName }) => /^(@[^/]+\/)?[^/]+/.exec(fileName)?.[0] ?? '')
  const external = [...new Set(names)].filter((name) => `node_modules/${name}` in locked).sort()
  return Object.fromEntries(external.map((name) => [name, locked[`node_modules/${name}`]?.version ?? '']))
}

/**
 * Copies what was built, without hidden files, which only scripts of the repository read.
 * @param {string} from relative to the repository @param {string} to
 */
function copyBuilt(from, to) {
  cpSync(inRepository(from), to, { recursive: true, filter: (path) => !basename(path).startsWith('.') })
}

/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** @param {string} file @param {unknown} value */
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`)
