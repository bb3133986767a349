import { integerBetween, pick } from '../../keyed-random'
import { colour, progressBar, type Facts } from './definition'

/** Log output of projects in a language: installation, build, test and crash. */
export interface Language {
  baseImage: string
  manifest: string
  install(facts: Facts): string[]
  build(facts: Facts): string[]
  test(facts: Facts): string[]
  crash(facts: Facts): string[]
}

const project = ({ param }: Facts): string => {
  const source = param('SOURCE_URL') || param('url') || param('IMAGE') || param('image-url') || 'service'
  return (
    source
      .replace(/\.git$/, '')
      .split('/')
      .pop() ?? 'service'
  ).replace(/[:@].*$/, '')
}
const seconds = (facts: Facts, purpose: string, min: number, max: number) =>
  (min + facts.random(purpose)() * (max - min)).toFixed(2)

const node: Language = {
  baseImage: 'node:22-minimal',
  manifest: 'package.json package-lock.json',
  install: (facts) => [
    'npm warn deprecated inflight@1.0.6: This module is not supported, and leaks memory.',
    'npm warn deprecated glob@7.2.3: Glob versions prior to v9 are no longer supported',
    '',
    `added ${integerBetween(facts.random('packages'), 280, 1400)} packages, and audited 1129 packages in 14s`,
    '',
    '183 packages are looking for funding',
    '  run `npm fund` for details',
    '',
    'found 0 vulnerabilities',
  ],
  build: (facts) => [
    `> ${project(facts)}@2.4.1 build`,
    '> tsc -b && vite build',
    '',
    colour.blue('vite v7.1.2 ') + colour.green('building for production...'),
    'transforming (412) src/routes/orders.ts\rtransforming (1024) src/routes/payments.ts\r✓ 1841 modules transformed.',
    `${colour.dim('dist/')}assets/index-CpZ8d3aF.css   ${colour.bold(' 48.20 kB')} ${colour.dim('│ gzip:   9.71 kB')}`,
    `${colour.dim('dist/')}assets/index-BHq0x9vT.js   ${colour.bold('412.88 kB')} ${colour.dim('│ gzip: 130.02 kB')}`,
    colour.green(`✓ built in ${seconds(facts, 'vite', 4, 19)}s`),
  ],
  test: (facts) => [
    '> vitest run',
    '',
    ...['orders', 'payments', 'refunds', 'webhooks', 'currency'].map(
      (name) =>
        ` ${colour.green('✓')} src/${name}.test.ts ${colour.dim(`(${integerBetween(facts.random(name), 4, 41)} tests)`)} ${integerBetween(facts.random(`${name} ms`), 8, 320)}ms`,
    ),
    '',
    `   ${colour.dim('Duration')}  ${seconds(facts, 'vitest', 3, 12)}s (transform 1.08s, setup 0ms, collect 4.11s, tests 1.92s)`,
  ],
  crash: (facts) => [
    colour.red("TypeError: Cannot read properties of undefined (reading 'amount')"),
    `    at totalOf (/opt/app-root/src/${project(facts)}/src/orders/total.ts:41:27)`,
    '    at Array.map (<anonymous>)',
    `    at checkout (/opt/app-root/src/${project(facts)}/src/orders/checkout.ts:88:12)`,
    '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
    '    at async Server.<anonymous> (/opt/app-root/src/node_modules/fastify/lib/handleRequest.js:142:7)',
    '',
    'npm error code ELIFECYCLE',
    'npm error errno 1',
    `npm error ${project(facts)}@2.4.1 build: \`tsc -b && vite build\``,
  ],
}

const python: Language = {
  baseImage: 'python-312:latest',
  manifest: 'pyproject.toml requirements.txt',
  install: () => [
    'Collecting fastapi==0.116.1 (from -r requirements.txt (line 1))',
    '  Downloading fastapi-0.116.1-py3-none-any.whl (95 kB)',
    'Collecting sqlalchemy==2.0.43 (from -r requirements.txt (line 2))',
    '  Downloading SQLAlchemy-2.0.43-cp312-cp312-manylinux_2_17_x86_64.whl (3.3 MB)',
    `     ${progressBar('━━━', 3.3)}`,
    'Installing collected packages: typing-extensions, sqlalchemy, pydantic-core, anyio, starlette, pydantic, fastapi',
    'Successfully installed anyio-4.10.0 fastapi-0.116.1 pydantic-2.11.7 sqlalchemy-2.0.43 starlette-0.47.2',
    colour.yellow("WARNING: Running pip as the 'root' user can result in broken permissions"),
  ],
  build: (facts) => [
    `Building wheel for ${project(facts)} (pyproject.toml): started`,
    `Building wheel for ${project(facts)} (pyproject.toml): finished with status 'done'`,
    `Successfully built ${project(facts)}`,
  ],
  test: (facts) => [
    colour.bold('============================= test session starts =============================='),
    'platform linux -- Python 3.12.11, pytest-8.4.1, pluggy-1.6.0',
    `rootdir: /workspace/${project(facts)}`,
    `collected ${integerBetween(facts.random('collected'), 60, 420)} items`,
    '',
    `tests/test_ledger.py ${colour.green('........................')}                             [ 31%]`,
    `tests/test_rates.py ${colour.green('...................................')}                   [ 68%]`,
    `tests/test_api.py ${colour.green('..............................')}                          [100%]`,
  ],
  crash: (facts) => [
    'Traceback (most recent call last):',
    `  File "/opt/app-root/src/${project(facts).replaceAll('-', '_')}/__main__.py", line 12, in <module>`,
    '    main()',
    `  File "/opt/app-root/src/${project(facts).replaceAll('-', '_')}/ledger.py", line 207, in post_entries`,
    '    entry = Entry.model_validate(row)',
    '            ^^^^^^^^^^^^^^^^^^^^^^^^^',
    'pydantic_core._pydantic_core.ValidationError: 2 validation errors for Entry',
    'amount',
    "  Input should be a valid decimal [type=decimal_parsing, input_value='12,50', input_type=str]",
    'currency',
    '  Field required [type=missing, input_value={}, input_type=dict]',
  ],
}

const go: Language = {
  baseImage: 'go-toolset:1.24',
  manifest: 'go.mod go.sum',
  install: () => [
    'go: downloading k8s.io/client-go v0.33.3',
    'go: downloading sigs.k8s.io/controller-runtime v0.21.0',
    'go: downloading github.com/prometheus/client_golang v1.23.0',
    'go: downloading golang.org/x/sync v0.16.0',
  ],
  build: (facts) => [
    'CGO_ENABLED=0 GOFLAGS=-mod=readonly go build -trimpath -ldflags "-s -w" -o /usr/local/bin/manager ./cmd',
    `# built ${project(facts)} with go1.24.6 linux/amd64`,
  ],
  test: (facts) =>
    ['api/v1', 'internal/controller', 'internal/ledger', 'pkg/rates'].map(
      (name) =>
        `ok  \t${project(facts)}/${name}\t${seconds(facts, name, 0, 9)}s\tcoverage: ${integerBetween(facts.random(`${name} %`), 48, 96)}.${integerBetween(facts.random(`${name} ‰`), 0, 9)}% of statements`,
    ),
  crash: (facts) => [
    'panic: runtime error: invalid memory address or nil pointer dereference',
    '[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x14c8f2a]',
    '',
    'goroutine 1 [running]:',
    `${project(facts)}/internal/ledger.(*Book).Post(0xc0001a2000, {0x1b0f3a0, 0xc000298040})`,
    '\t/workspace/internal/ledger/book.go:133 +0x2a',
    'main.main()',
    '\t/workspace/cmd/main.go:61 +0x3ef',
    'exit status 2',
    'make: *** [Makefile:42: build] Error 1',
  ],
}

const java: Language = {
  baseImage: 'openjdk-21:latest',
  manifest: 'pom.xml',
  install: () => [
    '[INFO] Scanning for projects...',
    'Downloading from central: https://repo.maven.apache.org/maven2/io/quarkus/quarkus-bom/3.26.1/quarkus-bom-3.26.1.pom',
    progressBar('Progress (1): quarkus-bom-3.26.1.pom', 0.8),
    '[INFO] BUILD SUCCESS',
  ],
  build: (facts) => [
    `[INFO] ${colour.bold(`----------------< com.example:${project(facts)} >----------------`)}`,
    `[INFO] Building ${project(facts)} 2.4.1-SNAPSHOT`,
    '[INFO] --- compiler:3.14.0:compile (default-compile) @ service ---',
    '[INFO] Compiling 214 source files with javac [debug release 21] to target/classes',
    `[${colour.yellow('WARNING')}] src/main/java/com/example/Rates.java: Some input files use unchecked or unsafe operations.`,
    `[INFO] ${colour.green('BUILD SUCCESS')}`,
    `[INFO] Total time:  ${seconds(facts, 'maven', 40, 120)} s`,
  ],
  test: (facts) => [
    '[INFO]  T E S T S',
    ...['LedgerTest', 'RatesTest', 'CheckoutResourceTest'].map(
      (name) =>
        `[INFO] ${colour.green('Tests run:')} ${integerBetween(facts.random(name), 4, 38)}, Failures: 0, Errors: 0, Skipped: 0 -- in com.example.${name}`,
    ),
  ],
  crash: (facts) => [
    `[${colour.red('ERROR')}] CheckoutResourceTest.refund:88 » IllegalState Ledger is closed`,
    'java.lang.IllegalStateException: Ledger is closed',
    '\tat com.example.ledger.Ledger.post(Ledger.java:133)',
    '\tat com.example.checkout.CheckoutResource.refund(CheckoutResource.java:91)',
    '\tat java.base/jdk.internal.reflect.DirectMethodHandleAccessor.invoke(DirectMethodHandleAccessor.java:103)',
    '\tat java.base/java.lang.reflect.Method.invoke(Method.java:580)',
    'Caused by: java.sql.SQLTransientConnectionException: HikariPool-1 - Connection is not available, request timed out',
    '\tat com.zaxxer.hikari.pool.HikariPool.createTimeoutException(HikariPool.java:686)',
    '\t... 41 more',
    `[${colour.red('ERROR')}] Failed to execute goal surefire:3.5.3:test (default-test) on project ${project(facts)}: There are test failures.`,
  ],
}

const languages: [Language, ...Language[]] = [node, python, go, java]

/** The language of the repository or image that a task works on; always the same for the same one. */
export const languageOf = (facts: Facts): Language =>
  pick(facts.sharedRandom(`language of ${project(facts)}`), languages)
