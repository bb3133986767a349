import { filesUnder } from './files.mjs'
import { isPlatformTest } from './test-selection.mjs'

const patterns = [
  /^packages\/\w+\/(src|test)\/.*\.test\.ts$/,
  /^packages\/console\/(src|test)\/.*\.test\.tsx$/,
  /^e2e\/[^/]+\.spec\.ts$/,
]

/**
 * The test files that `npm test` runs, except for those of scripts. Tests in cluster folders need a real control plane, and
 * tests of the platform its programs.
 */
export const productTestFiles = () =>
  ['packages', 'e2e']
    .flatMap(filesUnder)
    .filter(
      (path) => patterns.some((pattern) => pattern.test(path)) && !path.includes('/cluster/') && !isPlatformTest(path),
    )
