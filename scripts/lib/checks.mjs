import { commandOf, inRepository } from './repository.mjs'
import { check } from './steps.mjs'

/** @param {string} packageName @param {...string} args */
const tool = (packageName, ...args) => [process.execPath, commandOf(packageName, commandName(packageName)), ...args]

/** @param {string} packageName */
const commandName = (packageName) => (packageName === 'typescript' ? 'tsc' : packageName)

/** Static checks, which take seconds rather than minutes. Their caches are in `.cache`. */
export const staticChecks = () => [
  check('Format', tool('prettier', '--check', '--log-level=warn', '--cache', '--cache-location=.cache/prettier', '.')),
  check('Lint', tool('eslint', '--max-warnings=0', '--cache', '--cache-location=.cache/eslint', '.')),
  check(
    'Types',
    tool('typescript', '-p', 'tsconfig.json'),
    tool('typescript', '-p', inRepository('packages/console/tsconfig.json')),
  ),
  check(
    'Dead code',
    [process.execPath, inRepository('scripts/dead-code.mjs')],
    tool('knip', '--production', '--no-progress'),
  ),
  check('Import cycles', [process.execPath, inRepository('scripts/import-cycles.mjs')]),
  check('Requirements', [process.execPath, inRepository('scripts/requirements.mjs')]),
]
