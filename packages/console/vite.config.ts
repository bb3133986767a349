import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, extname, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'
import { defineConfig } from 'vitest/config'
import { sharedTestSettings } from '../../scripts/lib/patience.mjs'
import type * as firstLoadModule from './src/preload/first-load'
import type { FirstLoad } from './src/preload/first-load'
import type { PageParts } from './src/preload/page-content'

const gateway = process.env.SLIPWAY_GATEWAY ?? 'http://127.0.0.1:8080'
const proxied = { target: gateway, changeOrigin: false, ws: true }

/**
 * Modules that become one file, together with everything they import that is not in an earlier group. Without groups,
 * whatever a different set of screens shares would be a file of its own: a hundred for one screen, of which a browser
 * fetches six at a time, and a tenth larger when compressed. A path that ends with `/` stands for a folder, and one that
 * begins with `@` is in a package. The build fails if a path matches no module, so that moving a file cannot change the
 * files unnoticed.
 */
const chunks: { name: string; modules: string[]; minShareCount?: number }[] = [
  // What the content of the landing page and that of a namespace have in common.
  {
    name: 'common',
    modules: [
      'api/access/permission.ts',
      'api/archive/history.ts',
      'api/archive/when-missing.ts',
      'api/live/live.ts',
      'api/views/use-view.ts',
      'lib/limit-concurrency.ts',
      'parts/health/HealthLabel.tsx',
      'parts/health/use-health-views.ts',
      'parts/pipeline-runs/use-task-runs.ts',
      'parts/snapshots/SnapshotTitle.tsx',
      'parts/status/StatusLabel.tsx',
      'parts/status/display-status.ts',
      'resources/latest-builds.ts',
      'resources/pipeline-runs.ts',
      'shell/NoNamespaceHint.tsx',
      'ui/SourceReporter.tsx',
      'ui/actions/ButtonLink.tsx',
      'ui/page/context-memory.ts',
      'ui/status/StaleAlert.tsx',
      'ui/text/ExternalLink.tsx',
      'ui/text/RelativeTime.tsx',
      '@patternfly/react-core/dist/esm/components/Alert/AlertActionLink.js',
      '@patternfly/react-core/dist/esm/components/Card/',
      '@patternfly/react-core/dist/esm/components/Content/',
      '@patternfly/react-core/dist/esm/components/Icon/',
      '@patternfly/react-core/dist/esm/components/List/',
    ],
  },
  // The landing page, with a namespace and without one.
  { name: 'home', modules: ['features/overview/Home.tsx', 'features/overview/Introduction.tsx'] },
  // Loaded on every page, soon after its content.
  {
    name: 'menu',
    modules: [
      'ui/actions/MenuPopup.tsx',
      'ui/page/ContextSwitcher.tsx',
      'ui/PageFreshness.tsx',
      'shell/errors/',
      'shell/banner/BannerRegion.tsx',
      'shell/palette/KeyboardShortcuts.tsx',
    ],
  },
  // The names of its screens' files, before those of any of them.
  { name: 'routes', modules: ['routes.tsx'] },
  // Loaded on nearly every page of a namespace: its tables and details, and the screens that most visits start with.
  {
    name: 'namespace',
    modules: [
      'ui/table/ListTable.tsx',
      'ui/page/DetailLayout.tsx',
      'ui/page/page-shortcuts.ts',
      'ui/form/LazyConfirmDeleteDialog.tsx',
      'parts/applications/',
      'parts/activity/',
      'parts/commits/',
      'parts/namespaces/',
      'parts/pipeline-runs/columns.tsx',
      'parts/pipeline-runs/PipelineRunTable.tsx',
      'parts/pipeline-runs/run-actions.tsx',
      'parts/releases/ReleasePlanStates.tsx',
      'features/applications/application-actions.tsx',
      'features/applications/ApplicationListPage.tsx',
      'features/applications/ApplicationLayout.tsx',
      'features/applications/ActivityTab.tsx',
      'resources/releases.ts',
      'resources/components.ts',
    ],
  },
  // Which role the user has in a namespace, and the console as another one.
  {
    name: 'role',
    modules: ['api/access/role-lens.ts', '../../model/src/access/', '../../model/src/views/view-kinds.ts'],
  },
  { name: 'form', modules: ['ui/form/fields.ts', 'ui/form/FormPage.tsx', 'ui/form/FormDialog.tsx'] },
  // Users go back and forth between a plan and its releases.
  {
    name: 'releases',
    modules: [
      'features/release-plans/ReleaseAreaLayout.tsx',
      'features/release-plans/ReleasePlanListTab.tsx',
      'features/release-plans/ReleasePlanLayout.tsx',
      'features/release-plans/ReleasePlanOverviewTab.tsx',
      'features/release-plans/ReleasePlanReleasesTab.tsx',
      'features/release-plans/ReleasePlanComparisonTab.tsx',
      'features/releases/ReleaseLayout.tsx',
      'features/releases/ReleaseListTab.tsx',
      'features/releases/ReleaseOverviewTab.tsx',
    ],
  },
  // The pages that create and edit a kind have the same form.
  {
    name: 'access-form',
    modules: [
      'features/access/AccessForm.tsx',
      'features/access/GrantAccessPage.tsx',
      'features/access/EditAccessPage.tsx',
    ],
  },
  {
    name: 'test-form',
    modules: [
      'features/integration-tests/AddIntegrationTestPage.tsx',
      'features/integration-tests/EditIntegrationTestPage.tsx',
    ],
  },
  {
    name: 'release-plan-form',
    modules: [
      'features/release-plans/CreateReleasePlanPage.tsx',
      'features/release-plans/EditReleasePlanPage.tsx',
      'features/release-plans/ReleasePlanFields.tsx',
    ],
  },
  { name: 'log', modules: ['parts/logs/TaskLog.tsx'] },
  {
    name: 'graph',
    modules: ['parts/graph/', 'parts/task-runs/', 'parts/security/', 'parts/pipeline-runs/'],
    minShareCount: 2,
  },
  // Small pages that refer to each other.
  { name: 'policy', modules: ['parts/policy/', 'features/policy/'] },
  { name: 'vulnerabilities', modules: ['parts/vulnerabilities/', 'features/vulnerabilities/'] },
  {
    name: 'task-run',
    modules: [
      'features/task-runs/TaskRunLayout.tsx',
      'features/task-runs/TaskRunDetailsTab.tsx',
      'features/task-runs/TaskRunLogsTab.tsx',
      'features/task-runs/TaskRunSecurityTab.tsx',
    ],
  },
]
const source = join(import.meta.dirname, 'src/')
const matches = (module: string, id: string) => {
  if (module.startsWith('@')) return id.includes(`/node_modules/${module}`)
  return module.endsWith('/') ? id.startsWith(join(source, module)) : id === join(source, module)
}
const groups = [
  // Needed at once, even where lazy parts need it too: the frame and the landing page.
  { name: 'frame', tags: ['$initial' as const] },
  // A banner needs these on every page, and nothing else that screens share.
  { name: 'parsers', test: /\/node_modules\/(yaml|zod)\// },
  ...chunks.map(({ modules, ...group }) => ({
    ...group,
    test: (id: string) => modules.some((module) => matches(module, id)),
  })),
  { name: 'shared', minShareCount: 6 },
].map((group, index, all) => ({ ...group, priority: all.length - index }))

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    routerForUsers(),
    checkChunks(),
    narrowSiblingRules(),
    keepDirection(),
    firstLoad(),
    precompress(),
  ],
  // One build serves below any path: the page names its files from the root, which the gateway changes, and they name each
  // other by their relative paths.
  experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  build: {
    target: 'es2022',
    // Strict policies allow no `data:` images or fonts; every asset stays a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': proxied, '/wss': proxied, '/oauth2': proxied },
  },
  preview: {
    host: '127.0.0.1',
    proxy: { '/api': proxied, '/wss': proxied, '/oauth2': proxied },
  },
  test: {
    ...sharedTestSettings,
    name: 'console',
    environment: 'jsdom',
    setupFiles: [...sharedTestSettings.setupFiles, 'test/setup.ts'],
    include: ['{src,test}/**/*.test.{ts,tsx}'],
    // They need a real control plane, or programs of the platform: vitest.cluster.config.ts, vitest.platform.config.ts.
    exclude: ['test/{cluster,platform}/**'],
    // PatternFly's modules import style sheets, which Node cannot load by itself; nuqs must meet the same copy of the
    // router as the console does.
    server: { deps: { inline: [/@patternfly/, 'nuqs'] } },
  },
})

/** Pages that most visits start with: they must have a layout before their data. */
const preparedPaths = [
  '/',
  '/ns',
  '/ns/:namespace/applications',
  '/ns/:namespace/applications/:application',
  '/ns/:namespace/applications/:application/components/:component',
  '/ns/:namespace/applications/:application/pipelineruns/:pipelineRun',
  '/ns/:namespace/secrets',
]

/** React Router's package leads every bundler to the files with warnings for developers. Those without are beside them. */
function routerForUsers(): Plugin {
  return {
    name: 'slipway:router-for-users',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^react-router$/ },
      async handler(id, importer) {
        const resolved = await this.resolve(id, importer, { skipSelf: true })
        const file = resolved?.id.replace('/dist/development/', '/dist/production/')
        if (file === undefined || file === resolved?.id)
          this.error('React Router has no files for developers any more.')
        return file
      },
    },
  }
}

/** Fails the build if a module that `chunks` names does not exist, or if none of it is in the file of that name. */
function checkChunks(): Plugin {
  return {
    name: 'slipway:chunks',
    apply: 'build',
    generateBundle(_, bundle) {
      const files = Object.values(bundle).filter((file) => file.type === 'chunk')
      for (const { name, modules, minShareCount } of chunks) {
        for (const module of modules) {
          const names = files
            .filter(({ moduleIds }) => moduleIds.some((id) => matches(module, id)))
            .map((file) => file.name)
          // A group of shared modules leaves out those that only one screen uses.
          if (names.length > 0 && (minShareCount || names.includes(name))) continue
          this.error(
            `vite.config.ts expects ${module} in the file "${name}", but it is in ${names.join(', ') || 'none'}.`,
          )
        }
      }
    },
  }
}

/**
 * Makes the first script of every page: the theme's, and `src/preload/entry.ts` with the plan of the requests that it
 * sends. The plan is recorded from the loaders of the pages, which run here in a bundle for Node. The same bundle renders
 * what each page shows before its data: a document for the gateway to send at its path.
 */
function firstLoad(): Plugin {
  const name = 'preload.js'
  const theme = join(import.meta.dirname, 'public/theme.js')
  const bundle = (config: InlineConfig) =>
    build({ configFile: false, root: import.meta.dirname, publicDir: false, logLevel: 'error', ...config })
  const bundleScript = async (input: string, define = {}) => {
    const built = await bundle({
      define,
      build: { write: false, target: 'es2022', rolldownOptions: { input, output: { format: 'iife' } } },
    })
    // One input of one format, and no watch mode.
    return (built as Rolldown.RolldownOutput).output[0].code
  }
  /** One file that runs in Node, with everything that it imports. */
  const bundleForNode = (input: string, outDir: string, file: string, plugins: Plugin[] = []) =>
    bundle({
      plugins,
      // Users of another keyboard see its keys once the script has loaded.
      define: { 'navigator.platform': '""', 'process.env.NODE_ENV': '"production"' },
      ssr: { noExternal: true },
      build: {
        ssr: input,
        outDir,
        minify: true,
        rolldownOptions: { output: { entryFileNames: file, codeSplitting: false } },
      },
    })
  const prepare = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-preload-'))
    try {
      await bundleForNode('src/preload/first-load.ts', folder, 'first-load.mjs', [noteImports()])
      // A wide window, in the light theme. The scripts in the documents change what depends on them.
      Object.assign(globalThis, { matchMedia: (query: string) => ({ matches: query.includes('min-width') }) })
      const file = pathToFileURL(join(folder, 'first-load.mjs')).href
      const { prepareFirstLoad } = (await import(file)) as typeof firstLoadModule
      return await prepareFirstLoad()
    } finally {
      await rm(folder, { recursive: true })
    }
  }
  let prepared: FirstLoad | undefined
  return {
    name: 'slipway:first-load',
    apply: 'build',
    async buildStart() {
      prepared = await prepare()
      const { requests, pages } = prepared.plan
      const script = await bundleScript('src/preload/entry.ts', { preloadPlan: JSON.stringify({ requests, pages }) })
      this.emitFile({ type: 'asset', name, source: `${await readFile(theme, 'utf8')};\n${script}` })
    },
    async writeBundle({ dir = '' }, bundle) {
      if (!prepared) return
      const css = Object.values(bundle).filter((file) => file.fileName.endsWith('.css'))
      const index = await readFile(join(dir, 'index.html'), 'utf8')
      const isFirst = ({ fileName }: { fileName: string }) => index.includes(`/${fileName}"`)
      const sheets = [...css.filter(isFirst), ...css.filter((file) => !isFirst(file))].map((file) =>
        file.type === 'asset' ? String(file.source) : '',
      )
      const scripts = { theme: await bundleScript(theme), frame: await bundleScript('src/preload/frame.ts') }
      const { frames, createFrameDocuments, packSheets } = prepared
      const bare = preparedPaths.filter((path) => !frames.some((frame) => frame.path === path && frame.isWhole))
      if (bare.length > 0) this.error(`These pages show nothing before their data: ${bare.join(', ')}`)
      const documentOf = createFrameDocuments({ index, sheets, scripts })
      await mkdir(join(dir, 'frames'), { recursive: true })
      const pages: [pattern: string, file: string][] = []
      for (const [index, frame] of frames.entries()) {
        const html = documentOf(frame, index)
        const file = `${createHash('sha256').update(html).digest('base64url').slice(0, 16)}.html`
        await writeFile(join(dir, 'frames', file), html)
        pages.push([frame.pattern, file])
      }
      await writeFile(join(dir, 'frames', 'pages.json'), JSON.stringify(pages))
      // For the gateway, which renders pages for their users with it.
      await bundleForNode('src/preload/page-thread.ts', join(dir, 'server'), 'page-thread.mjs')
      const parts: PageParts = { sheets: packSheets(sheets), script: await bundleScript('src/preload/show-page.ts') }
      await writeFile(join(dir, 'server', 'page-parts.json'), JSON.stringify(parts))
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = Object.values(bundle)
        const script = files.find((file) => file.type === 'asset' && file.names.includes(name))?.fileName
        const scripts = files.flatMap((file) =>
          file.type === 'chunk' ? { ...file, css: [...(file.viteMetadata?.importedCss ?? [])] } : [],
        )
        if (!prepared) return html
        const modules = prepared.plan.modules.map((own) => [...own, ...everywhere])
        const attributes = prepared.filesOfPages(modules, { scripts, source })
        // First of all scripts, and not `async`: browsers put those off until the frame is there.
        return html.replace(
          '<script src="/theme.js">',
          `<script src="/${script}" data-files="${attributes.files}" data-pages="${attributes.pages}">`,
        )
      },
    },
  }
}

/** Loaded on every page, soon after its content. */
const everywhere = ['ui/actions/MenuPopup', 'api/live/live']

/** Lets the plan record which modules the routes and loaders of a page import on demand. */
function noteImports(): Plugin {
  return {
    name: 'slipway:note-imports',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/.*\.tsx?$/, code: "import('." },
      handler: (code, id) =>
        code.replaceAll(/\bimport\('(\.[^']+)'\)/g, (call, path: string) => {
          const module = relative(source, resolve(dirname(id), path))
          return `(globalThis.slipwayImported?.add(${JSON.stringify(module)}), ${call})`
        }),
    },
  }
}

/** Writes `.br` and `.gz` beside every text file of the build, so that the gateway sends them as they are. */
function precompress(): Plugin {
  const compressible = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt'])
  const brotli = promisify(brotliCompress)
  const gz = promisify(gzip)
  let outDir = ''
  return {
    name: 'slipway:precompress',
    apply: 'build',
    configResolved(config) {
      outDir = join(config.root, config.build.outDir)
    },
    async closeBundle() {
      const files = await readdir(outDir, { recursive: true }).catch(() => [])
      const texts = files
        // What is for the gateway is not sent.
        .filter((file) => compressible.has(extname(file)) && !file.startsWith(`server${sep}`))
        .map((file) => join(outDir, file))
      for (const file of texts) {
        const content = await readFile(file)
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
        await writeFile(`${file}.br`, await brotli(content, { params }))
        await writeFile(`${file}.gz`, await gz(content, { level: 9 }))
      }
    },
  }
}

/**
 * Rules of PatternFly that begin with a sibling of any kind (`* + *`, `:not(.a) ~ .b`). For those a browser matches the
 * styles of all rows anew whenever one comes or goes, which was two fifths of the work of scrolling a table. Said of
 * the second element alone the first means the same, and weighs as much. The second is about rows that expand, of which
 * the console has none: among several of them it may tell others from each other than PatternFly does.
 */
const siblingRules: readonly (readonly [string, string])[] = [
  ['> * + *', '> :where(:not(:first-child))'],
  [
    ':not(.pf-v6-c-table__control-row) ~ .pf-v6-c-table__expandable-row',
    '.pf-v6-c-table__expandable-row:not(.pf-v6-c-table__control-row):where(:not(.pf-v6-c-table__control-row ~ *))',
  ],
]

function narrowSiblingRules(): Plugin {
  const found = new Set<string>()
  return {
    name: 'slipway:narrow-sibling-rules',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /@patternfly.*\.css$/ },
      handler(css) {
        return siblingRules.reduce((text, [rule, narrow]) => {
          if (text.includes(rule)) found.add(rule)
          return text.replaceAll(rule, narrow)
        }, css)
      },
    },
    buildEnd(error) {
      // Another version of PatternFly may word them otherwise, or need this no more.
      const missing = siblingRules.map(([rule]) => rule).filter((rule) => !found.has(rule))
      if (!error && missing.length > 0) this.error(`PatternFly has these rules no more: ${missing.join(', ')}`)
    },
  }
}

/**
 * PatternFly reads the computed direction of the text whenever something that could pop up is rendered, for which the
 * browser has to match the styles of all new rows in the middle of rendering, and again after it. The whole console has
 * the direction of its document.
 */
function keepDirection(): Plugin {
  const computed = "getComputedStyle(targetElement).getPropertyValue('direction')"
  let isFound = false
  return {
    name: 'slipway:keep-direction',
    apply: 'build',
    transform: {
      filter: { id: /@patternfly\/react-core\/.*\/helpers\/util\.js$/ },
      handler(code) {
        isFound ||= code.includes(computed)
        return code.replace(computed, 'document.dir')
      },
    },
    buildEnd(error) {
      if (!error && !isFound) this.error('PatternFly reads the direction of the text otherwise.')
    },
  }
}
