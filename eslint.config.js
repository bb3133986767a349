import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

/**
 * Import directions (docs/architecture.md). Each rule names what a folder may not import.
 * @param {string[]} files
 * @param {{ group: string[], message: string, caseSensitive?: boolean }[]} patterns
 */
const mayNotImport = (files, ...patterns) => ({
  files,
  ignores: ['**/*.test.{ts,tsx}', '**/test/**', '**/bench/**'],
  rules: { 'no-restricted-imports': ['error', { patterns }] },
})

const servers = {
  group: ['@slipway/apiserver/*', '@slipway/gateway/*', '@slipway/archive/*', '@slipway/slipway/*'],
  message: 'Only `slipway`, tests and e2e may import a server package.',
}
const product = {
  group: ['@slipway/model/*', '@slipway/console/*'],
  message: 'This package knows nothing of the product: it must not import its kinds or screens.',
}
const node = {
  group: ['node:*', 'ws', '@photostructure/*', '@slipway/sqlite/*', '!@slipway/sqlite/errors'],
  message: 'This code must run outside Node too.',
}
const above = (...layers) => ({
  group: layers.flatMap((layer) => [`**/${layer}`, `**/${layer}/*`, `**/${layer}/**`]),
  message: 'Imports flow features, shell -> parts -> resources -> api -> lib, and parts -> ui -> api.',
})
const insideCluster = {
  group: ['@slipway/apiserver/*', '@slipway/slipway/*'],
  message: 'The gateway knows an upstream URL, never what is behind it.',
}
/** @param {string[][]} layers files and folders of the gateway, from the lowest layer to the highest */
const gatewayLayers = (...layers) => {
  const src = (/** @type {string} */ name) => `packages/gateway/src/${name.endsWith('.ts') ? name : `${name}/**`}`
  return layers.map((layer, index) => {
    const higher = layers.slice(index + 1).flat()
    const names = higher.map((name) => name.replace('.ts', ''))
    const group = names.flatMap((name) => [`**/${name}`, `**/${name}/**`])
    const message = 'Imports of the gateway flow app -> proxy -> operations -> upstreams -> session -> the rest.'
    const rule = mayNotImport(layer.map(src), product, insideCluster, ...(group.length > 0 ? [{ group, message }] : []))
    return { ...rule, ignores: [...rule.ignores, ...higher.filter((name) => name.endsWith('.ts')).map(src)] }
  })
}
const modal = {
  group: ['@patternfly/react-core'],
  importNames: ['Modal', 'AboutModal'],
  message: 'Use `Dialog`: theirs hide what is above them from screen readers (ADR 48).',
}
const consoleLayer = (layer, ...upper) =>
  mayNotImport([`packages/console/src/${layer}/**`], servers, node, modal, above(...upper))

/** The default depends on where the program runs, while our texts are in English everywhere. */
const defaultLocales = [
  'CallExpression[callee.property.name="localeCompare"][arguments.length<2]',
  'CallExpression[callee.property.name=/^toLocale/][arguments.length<1]',
  ':matches(NewExpression, CallExpression)[callee.object.name="Intl"][arguments.length<1]',
].map((selector) => ({ selector, message: "State the locale, such as 'en'." }))

/** Where a popup is rendered by default, a dialog may cover it (ADR 48). */
const misplacedPopups = [
  ['Tooltip|Popover', 'appendTo'],
  ['Select|Dropdown', 'popperProps'],
].map(([popups, attribute]) => ({
  selector: `JSXOpeningElement[name.name=/^(${popups})$/]:not(:has(> JSXAttribute[name.name="${attribute}"]))`,
  message: 'State where it is rendered (`useOverlayContainer`).',
}))

/** Imports come in three groups: Node, packages, our own files. */
const importGroups = {
  meta: { type: 'layout', messages: { order: 'Import Node first, then packages, then our own files.' } },
  create(context) {
    let last = 0
    return {
      ImportDeclaration(declaration) {
        const path = declaration.source.value
        const group = path.startsWith('node:') ? 0 : path.startsWith('.') ? 2 : 1
        // A style sheet is imported for its effect, and its place matters.
        if (group < last && declaration.specifiers.length > 0) context.report({ node: declaration, messageId: 'order' })
        last = Math.max(last, group)
      },
    }
  },
}

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      '.slipway/**',
      '.cache/**',
      '**/playwright-report/**',
      '**/test-results/**',
    ],
  },
  ...tseslint.configs.recommended,
  {
    plugins: { slipway: { rules: { 'import-groups': importGroups } } },
    rules: {
      'slipway/import-groups': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
    },
  },
  {
    // A promise that is not awaited fails unnoticed.
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
    },
  },
  {
    // One list: of two that apply to a file, ESLint would use only the last.
    files: ['packages/*/src/**'],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: { 'no-restricted-syntax': ['error', ...defaultLocales, ...misplacedPopups] },
  },
  mayNotImport(['packages/kube/src/**'], servers, product, node),
  mayNotImport(['packages/views/src/*.ts'], servers, product, node, {
    group: ['@slipway/simulator/*', '@slipway/connect/*'],
    message: 'The engine of views runs in a service and in a worker of the page: it knows objects, and no host.',
  }),
  mayNotImport(['packages/views/src/host/**'], servers, product, {
    group: ['@slipway/simulator/*', '@slipway/sqlite/*'],
    message: 'The service of views gets its kinds, and knows an API server and nothing else.',
  }),
  mayNotImport(['packages/sqlite/src/**'], servers, product, {
    group: ['@slipway/kube/*', '@slipway/simulator/*'],
    message: 'It keeps rows, and knows nothing of what is in them.',
  }),
  mayNotImport(['packages/connect/src/**'], servers, product, {
    group: ['@slipway/simulator/*', '@slipway/sqlite/*', 'fastify'],
    message: 'It knows how to reach an API server, and nothing of what calls it.',
  }),
  mayNotImport(
    ['packages/model/src/**'],
    servers,
    node,
    {
      group: ['@slipway/console/*'],
      message: 'The model does not know its screens.',
    },
    {
      group: ['@slipway/views/*', '!@slipway/views/view-kind'],
      message: 'The model says what a view kind is, and knows nothing of the engine.',
    },
  ),
  mayNotImport(['packages/apiserver/src/**'], product, node, {
    group: ['@slipway/gateway/*', '@slipway/slipway/*'],
    message: 'The API server stands alone.',
  }),
  {
    // The doors of the API server to Node: the HTTP and websocket adapter, the thread for YAML, the storage on disk.
    files: [
      'packages/apiserver/src/{certificate,yaml-worker}.ts',
      'packages/apiserver/src/node/*.ts',
      'packages/apiserver/src/yaml-thread.js',
      'packages/apiserver/src/storage/sqlite*.ts',
    ],
    rules: { 'no-restricted-imports': ['error', { patterns: [product] }] },
  },
  ...gatewayLayers(
    ['*.ts', 'field-mask', 'plugins'],
    ['session'],
    ['upstreams'],
    ['operations'],
    ['proxy'],
    ['app.ts', 'config.ts'],
  ),
  mayNotImport(['packages/simulator/src/**'], servers, node, {
    group: ['@slipway/console/*', '@slipway/archive/*'],
    message: 'The simulator knows an API server and the kinds of the product, and nothing else.',
  }),
  mayNotImport(['packages/archive/src/**'], servers, {
    group: ['@slipway/model/*', '@slipway/console/*', '@slipway/simulator/*'],
    message: 'The archive knows an API server and objects, not the product.',
  }),
  consoleLayer('lib', 'api', 'resources', 'ui', 'parts', 'features', 'shell'),
  consoleLayer('api', 'resources', 'ui', 'parts', 'features', 'shell'),
  consoleLayer('resources', 'ui', 'parts', 'features', 'shell'),
  mayNotImport(['packages/console/src/ui/**'], servers, node, modal, above('resources', 'parts', 'features', 'shell'), {
    group: ['@slipway/model/*'],
    message: 'The kit knows no kind of the product: what does belongs to parts/.',
  }),
  consoleLayer('parts', 'features', 'shell'),
  mayNotImport(
    ['packages/console/src/{shell,features}/**'],
    servers,
    node,
    modal,
    {
      group: ['**/features/**'],
      message: 'A feature never imports another feature: move what both want down to parts/.',
    },
    {
      group: ['**/ui/form/?*Field', '**/ui/form/FieldRows'],
      caseSensitive: true,
      message: 'Take the fields of a form from `fieldsOf`, which checks their names.',
    },
  ),
  {
    files: ['packages/console/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: reactHooks.configs.recommended.rules,
  },
)
