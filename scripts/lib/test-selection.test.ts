import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { filesUnder } from './files.mjs'
import { openedScreensFile, readOpenedScreens } from './opened-screens.mjs'
import { inRepository } from './repository.mjs'
import { isTestFile, selectJourneys, selectTests } from './test-selection.mjs'

const features = 'packages/console/src/features'
const texts: Record<string, string> = {
  'package.json': '{}',
  'package-lock.json': '{}',
  'docs/deploying.md': '',
  'README.md': '',
  'vitest.config.ts':
    "import { settings } from './scripts/lib/settings.mjs'\nexport default ['packages/console/vite.config.ts']",
  'scripts/lib/settings.mjs': 'export const settings = {}',
  'scripts/lib/test-setup.ts': "import './seed'",
  'scripts/lib/seed.ts': '',
  'packages/console/test/setup.ts': "import './dom'",
  'packages/console/test/dom.ts': '',

  'packages/kube/src/object.ts':
    "import type { Release } from '@slipway/model/release'\nexport const nameOf = () => ''",
  'packages/kube/src/object.test.ts': "import { nameOf } from './object'",
  // Neither of these runs with the others.
  'packages/kube/test/cluster/object.cluster.test.ts': "import { nameOf } from '../../src/object'",
  'packages/kube/test/platform/object.platform.test.ts': "import { nameOf } from '../../src/object'",
  'packages/model/src/release.ts': "export { nameOf } from '@slipway/kube/object'\nexport const status = () => ''",
  'packages/model/src/release.test.ts': "import { status } from './release'",
  'packages/apiserver/src/thread.ts': "new Worker(new URL('./job.ts', import.meta.url))",
  'packages/apiserver/src/job.ts': '',
  'packages/apiserver/src/thread.test.ts': "import './thread'",
  'packages/gateway/src/docs.test.ts': "readFile(new URL('../../../docs/deploying.md', import.meta.url))",
  'packages/gateway/src/list.test.ts': "import { filesUnder } from 'files'\nfilesUnder('docs')",
  'packages/gateway/src/any.test.ts': 'readFile(join(import.meta.dirname, name))',

  'packages/console/src/routes.tsx': `
    import { Frame } from './shell/Frame'
    const firstTab = () => import('./features/releases/ReleaseOverviewTab')
    export const routes = [{ path: paths.overview(), Component: Frame, children: [
      screen(paths.releases, () => import('./features/releases/ReleaseListTab')),
      screen(paths.release, () => import('./features/releases/ReleaseLayout'), [
        index(paths.release, firstTab),
        screen(paths.releaseOverview, firstTab),
      ]),
      ...[paths.run, paths.runs].map((path) => ({ path, lazy: screen(() => import('./shell/Redirect')) })),
    ] }]`,
  'packages/console/src/shell/Frame.tsx': "const Menu = lazyComponent(() => import('./Menu'))",
  'packages/console/src/shell/Menu.tsx': '',
  'packages/console/src/shell/Redirect.tsx': '',
  [`${features}/releases/ReleaseListTab.tsx`]: "import { status } from '@slipway/model/release'",
  [`${features}/releases/ReleaseLayout.tsx`]: '',
  [`${features}/releases/ReleaseOverviewTab.tsx`]: '',
  'packages/console/test/render-route.tsx': `import { routes } from '../src/routes'
    export const renderRoute = () => render(routes)
    export const startApi = () => {}`,
  [`${features}/releases/ReleaseListTab.test.tsx`]:
    "import { renderRoute } from '../../../test/render-route'\nrenderRoute()",
  [`${features}/releases/ReleasePage.test.tsx`]:
    "import { renderRoute } from '../../../test/render-route'\nrenderRoute()",
  'packages/console/src/api.test.ts': "import { startApi } from '../test/render-route'",
  'packages/console/src/routes.test.tsx':
    "import { renderRoute } from '../test/render-route'\nimport { routes } from './routes'",

  'e2e/playwright.config.ts': '',
  'e2e/fixtures.ts': '',
  'e2e/releases.ts': '',
  'e2e/releases.spec.ts': "import './fixtures'\nimport './releases'",
  'e2e/live.spec.ts': "import './fixtures'",
}
const repository = { files: new Set(Object.keys(texts)), read: (path: string) => texts[path] ?? '' }
const testFiles = Object.keys(texts).filter(isTestFile)
const recorded = {
  [`${features}/releases/ReleaseListTab.test.tsx`]: ['releases'],
  [`${features}/releases/ReleasePage.test.tsx`]: ['release'],
  'packages/console/src/routes.test.tsx': ['release'],
}

/** The selected files without the one that always is, since it reads files that it does not name. */
function select(changed: string[], openedScreens = recorded): string[] {
  const selected = selectTests(repository, testFiles, changed, openedScreens)
  if (changed.length > 0) expect(selected).toContain('packages/gateway/src/any.test.ts')
  return selected.filter((file) => !file.endsWith('/any.test.ts')).map((file) => file.replace(/.*\//, ''))
}

const routeTests = ['ReleaseListTab.test.tsx', 'ReleasePage.test.tsx', 'routes.test.tsx']

it('finds the screens of this repository', () => {
  const files = filesUnder('packages').filter((file) => !file.includes('/bench/'))
  const ours = { files: new Set(files), read: (path: string) => readFileSync(inRepository(path), 'utf8') }
  const tests = ['releases/ReleaseListTab', 'secrets/SecretListPage'].map((name) => `${features}/${name}.test.tsx`)
  expect(selectTests(ours, tests, [`${features}/releases/ReleaseListTab.tsx`], readOpenedScreens())).toEqual([tests[0]])
})

describe('selectTests', () => {
  test.each<[title: string, changed: string[], selected: string[]]>([
    ['a test itself', ['packages/model/src/release.test.ts'], ['release.test.ts']],
    [
      'what a module imports, over packages',
      ['packages/kube/src/object.ts'],
      ['object.test.ts', 'release.test.ts', 'ReleaseListTab.test.tsx', 'routes.test.tsx'],
    ],
    [
      'no importers of its types',
      ['packages/model/src/release.ts'],
      ['release.test.ts', 'ReleaseListTab.test.tsx', 'routes.test.tsx'],
    ],
    ['the code of a worker', ['packages/apiserver/src/job.ts'], ['thread.test.ts']],
    ['a document that a test reads', ['docs/deploying.md'], ['docs.test.ts', 'list.test.ts']],
    ['a file of a folder that a test lists', ['docs/new.md'], ['list.test.ts']],
    ['a document that no test names', ['README.md'], []],
    ['nothing', [], []],
    [
      'part of the frame, which is loaded on demand',
      ['packages/console/src/shell/Menu.tsx'],
      [routeTests[0] ?? '', routeTests[1] ?? '', 'api.test.ts', 'routes.test.tsx'],
    ],
    ['a screen', [`${features}/releases/ReleaseListTab.tsx`], ['ReleaseListTab.test.tsx', 'routes.test.tsx']],
    [
      'the first tab of a layout',
      [`${features}/releases/ReleaseOverviewTab.tsx`],
      ['ReleasePage.test.tsx', 'routes.test.tsx'],
    ],
    ['a screen of several paths', ['packages/console/src/shell/Redirect.tsx'], ['routes.test.tsx']],
  ])('selects the tests that depend on %s', (_, changed, selected) => {
    expect(select(changed).sort()).toEqual([...selected].sort())
  })

  it('selects nothing for the record of opened screens, which follows from the tests', () => {
    expect(selectTests(repository, testFiles, [openedScreensFile], recorded)).toEqual([])
  })

  it('takes a test that is not recorded for one that opens every screen, unless it cannot open any', () => {
    expect(select([`${features}/releases/ReleaseListTab.tsx`], {} as typeof recorded).sort()).toEqual(
      [...routeTests].sort(),
    )
  })

  it('takes a recorded name without a screen for every screen', () => {
    const renamed = { ...recorded, [`${features}/releases/ReleasePage.test.tsx`]: ['oldName'] }
    expect(select([`${features}/releases/ReleaseListTab.tsx`], renamed)).toContain('ReleasePage.test.tsx')
  })

  test.each([
    'package-lock.json',
    'packages/kube/package.json',
    'tsconfig.base.json',
    'vitest.config.ts',
    'packages/console/vite.config.ts',
    'scripts/lib/settings.mjs',
    'scripts/lib/seed.ts',
  ])('selects every test for %s', (changed) =>
    expect(selectTests(repository, testFiles, [changed], recorded)).toEqual(testFiles),
  )

  it.each(['readdirSync(join(import.meta.dirname, folder))', "['docs'].flatMap(filesUnder)"])(
    'selects a test for every change if it lists files with %s',
    (text) => {
      const file = 'packages/gateway/src/list.test.ts'
      const other = { ...repository, read: (path: string) => (path === file ? text : repository.read(path)) }
      expect(selectTests(other, [file], ['README.md'])).toEqual([file])
    },
  )

  it('selects the tests of the console for what they load first', () => {
    expect(select(['packages/console/test/dom.ts']).sort()).toEqual([...routeTests, 'api.test.ts'].sort())
  })
})

test('journeys are selected for changes of their own files only', () => {
  const journeys = ['e2e/releases.spec.ts', 'e2e/live.spec.ts']
  expect(selectJourneys(repository, journeys, ['e2e/releases.ts'])).toEqual(['e2e/releases.spec.ts'])
  expect(selectJourneys(repository, journeys, ['e2e/fixtures.ts'])).toEqual(journeys)
  expect(selectJourneys(repository, journeys, ['e2e/playwright.config.ts'])).toEqual(journeys)
  expect(selectJourneys(repository, journeys, ['packages/console/src/shell/Menu.tsx'])).toEqual([])
})
