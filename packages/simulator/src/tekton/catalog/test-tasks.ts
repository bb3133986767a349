import { integerBetween } from '../../keyed-random'
import {
  colour,
  group,
  imageRegistry,
  optional,
  progressBar,
  constantLog,
  type Facts,
  type TaskDefinition,
} from './definition'
import { languageOf } from './languages'
import { componentsOf } from './policy-report'
import { testOutputOf, verdictOf, type Verdict } from './verdict'

/** Integration tests of a snapshot. */

const snapshot = { SNAPSHOT: optional('The JSON of the Snapshot under test.') }
const imageOf = (facts: Facts): string => componentsOf(facts.param('SNAPSHOT'))[0]?.containerImage ?? ''

const testTask = (
  description: string,
  seconds: [number, number],
  rates: Partial<Record<Verdict, number>>,
  log: (facts: Facts, verdict: Verdict) => Iterable<string>,
): TaskDefinition => ({
  description,
  params: { ...snapshot, SUITE: optional('Which tests to run.') },
  results: { TEST_OUTPUT: 'Test output.' },
  steps: [
    {
      name: 'prepare',
      image: `${imageRegistry}/test-utils:latest`,
      script: 'jq -r .components[].containerImage <<< "$(params.SNAPSHOT)"',
      seconds: [3, 9],
      log: (facts) =>
        componentsOf(facts.param('SNAPSHOT')).map(({ name, containerImage }) => `${name}: ${containerImage}`),
    },
    {
      name: 'test',
      image: `${imageRegistry}/test-utils:latest`,
      script: './run-tests.sh "$(params.SUITE)"',
      seconds,
      log(facts) {
        const verdict = verdictOf(facts, rates)
        return [...log(facts, verdict), JSON.stringify(testOutputOf(facts, verdict))]
      },
    },
  ],
  resultsOf: (facts) => ({ TEST_OUTPUT: JSON.stringify(testOutputOf(facts, verdictOf(facts, rates))) }),
  failure: {
    step: 'test',
    rate: 0.04,
    exitCode: 1,
    log: (facts) => languageOf(facts).crash(facts),
  },
})

const suites = ['cart', 'checkout', 'refund', 'search', 'login', 'profile']

function* scenarioLog(facts: Facts, verdict: Verdict): Iterable<string> {
  const { failures } = testOutputOf(facts, verdict)
  yield colour.bold(`Running ${facts.param('SUITE') || 'all'} tests against ${imageOf(facts)}`)
  for (const [index, suite] of suites.entries()) {
    const isBad = index < failures
    const ms = integerBetween(facts.random(`${suite} ms`), 300, 21_000)
    yield* group(suite, [
      `  ${isBad ? colour.red('✘') : colour.green('✔')} ${suite} works for a returning customer (${ms} ms)`,
      ...(isBad ? ['    expected status 200, got 503', `      at ${suite}.spec.ts:27:14`] : []),
    ])
  }
  if (verdict === 'WARNING') yield colour.yellow('1 test was flaky: it passed on the second attempt.')
  if (verdict === 'SKIPPED') yield 'No tests matched. Nothing was run.'
}

export const testTasks: Record<string, TaskDefinition> = {
  'unit-tests': testTask(
    'Runs the unit tests of the components of a snapshot.',
    [40, 120],
    { FAILURE: 0.04, WARNING: 0.05 },
    (facts, verdict) => [...languageOf(facts).test(facts), `Verdict: ${verdict}`],
  ),
  'e2e-tests': testTask(
    'Runs the end-to-end tests against a cluster in which the snapshot was deployed.',
    [120, 300],
    { FAILURE: 0.06, WARNING: 0.08 },
    scenarioLog,
  ),
  'smoke-tests': testTask('Asks each component whether it is well.', [15, 40], { FAILURE: 0.02 }, scenarioLog),
  'load-tests': testTask(
    'Measures how many requests a component answers.',
    [90, 180],
    { WARNING: 0.3, SKIPPED: 0.05, ERROR: 0.03 },
    (facts, verdict) => [
      progressBar('60s test @ http://service:8080', 60),
      '  Thread Stats   Avg      Stdev     Max   +/- Stdev',
      `    Latency    ${integerBetween(facts.random('latency'), 4, 40)}.61ms    3.14ms  88.02ms   91.20%`,
      `Requests/sec:  ${integerBetween(facts.random('requests'), 900, 7000)}.41`,
      verdict === 'WARNING' ? colour.yellow('p99 is 18% above the baseline') : 'p99 is within the baseline',
    ],
  ),
  'provision-cluster': {
    description: 'Provisions an ephemeral cluster for a test.',
    params: {},
    results: { clusterName: 'Name of the cluster.' },
    steps: [
      {
        name: 'create-cluster',
        image: `${imageRegistry}/eaas-cli:latest`,
        script: 'eaas create cluster --wait',
        seconds: [40, 120],
        log: (facts) => [
          'Waiting for the control plane...',
          'Waiting for the workers...',
          `Cluster ${clusterOf(facts)} is ready`,
        ],
      },
    ],
    resultsOf: (facts) => ({ clusterName: clusterOf(facts) }),
    failure: {
      step: 'create-cluster',
      rate: 0.02,
      exitCode: 1,
      log: constantLog(colour.red('Error: timed out waiting for the condition: ClusterAvailable')),
    },
  },
  'deploy-snapshot': {
    description: 'Deploys the components of a snapshot to a cluster.',
    params: { ...snapshot, clusterName: optional('Name of the cluster.') },
    results: {},
    steps: [
      {
        name: 'deploy',
        image: `${imageRegistry}/cli:latest`,
        script: 'kubectl apply -k deploy/ && kubectl rollout status deployment --all',
        seconds: [20, 50],
        log: (facts) =>
          componentsOf(facts.param('SNAPSHOT')).flatMap(({ name }) => [
            `deployment.apps/${name} created`,
            `service/${name} created`,
            `deployment "${name}" successfully rolled out`,
          ]),
      },
    ],
  },
  'collect-artifacts': {
    description: 'Collects logs and events of the test cluster, whatever became of the test.',
    params: { clusterName: optional('Name of the cluster.'), status: optional('Of the tests.') },
    results: {},
    steps: [
      {
        name: 'collect',
        image: `${imageRegistry}/cli:latest`,
        script: 'kubectl cluster-info dump --output-directory /artifacts',
        seconds: [5, 15],
        log: ({ param }) => [`The tests ended: ${param('status')}`, 'Cluster info dumped to /artifacts'],
      },
    ],
  },
}

const clusterOf = (facts: Facts): string => `ephemeral-${integerBetween(facts.random('cluster'), 1000, 9999)}`
