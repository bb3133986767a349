import type { PipelineSpec } from '@slipway/model/runs/tekton'
import { pipelineParam, resultsOfTasks, task, when } from './pipeline-parts'

/** Pipelines that check a snapshot: policies and integration tests. */

const snapshotParam = pipelineParam('SNAPSHOT', 'The JSON string of the Snapshot under test')
const snapshot = { SNAPSHOT: '$(params.SNAPSHOT)' }

export const testPipelines: Record<string, PipelineSpec> = {
  'enterprise-contract': {
    params: [
      snapshotParam,
      pipelineParam(
        'POLICY_CONFIGURATION',
        'Name of the policy configuration to use. `namespace/name` or `name` syntax supported.',
        'enterprise-contract-service/default',
      ),
      pipelineParam('SSL_CERT_DIR', 'Path to a directory containing SSL certs.', ''),
      pipelineParam('PUBLIC_KEY', 'Public key used to verify signatures.', 'k8s://openshift-pipelines/public-key'),
      pipelineParam('WORKERS', 'Number of parallel workers to use for policy evaluation.', '1'),
      pipelineParam('EXTRA_RULE_DATA', 'Merge additional Rego variables into the policy data.', ''),
      pipelineParam('SINGLE_COMPONENT', 'Reduce the Snapshot to the component whose build caused it', 'false'),
      pipelineParam(
        'STRICT',
        'Whether the result of the test will mark the TaskRun as passing or not. Swap to false to be informative.',
        'true',
      ),
    ],
    tasks: [
      task('verify', 'verify-enterprise-contract:latest', {
        params: {
          POLICY_CONFIGURATION: '$(params.POLICY_CONFIGURATION)',
          IMAGES: '$(params.SNAPSHOT)',
          SSL_CERT_DIR: '$(params.SSL_CERT_DIR)',
          STRICT: '$(params.STRICT)',
          PUBLIC_KEY: '$(params.PUBLIC_KEY)',
          IGNORE_REKOR: 'true',
          WORKERS: '$(params.WORKERS)',
          EXTRA_RULE_DATA: '$(params.EXTRA_RULE_DATA)',
          SINGLE_COMPONENT: '$(params.SINGLE_COMPONENT)',
        },
        timeout: '4h0m0s',
      }),
    ],
    results: resultsOfTasks({ TEST_OUTPUT: 'verify.results.TEST_OUTPUT' }),
  },

  'unit-tests': {
    description: 'Runs the unit tests of the components of a snapshot.',
    params: [snapshotParam],
    tasks: [
      task('unit-tests', 'unit-tests:0.1', { params: { ...snapshot, SUITE: 'unit' } }),
      task('smoke-tests', 'smoke-tests:0.1', { params: { ...snapshot, SUITE: 'smoke' }, runAfter: ['unit-tests'] }),
    ],
    results: resultsOfTasks({ TEST_OUTPUT: 'unit-tests.results.TEST_OUTPUT' }),
  },

  'e2e-tests': {
    description: 'Deploys a snapshot to an ephemeral cluster and tests it from end to end, in every browser.',
    params: [snapshotParam, pipelineParam('browsers', 'To test with.', ['chromium', 'firefox'])],
    tasks: [
      task('provision-cluster', 'provision-cluster:0.1', { retries: 1 }),
      task('deploy-snapshot', 'deploy-snapshot:0.1', {
        params: { ...snapshot, clusterName: '$(tasks.provision-cluster.results.clusterName)' },
      }),
      task('e2e-tests', 'e2e-tests:0.1', {
        matrix: { params: [{ name: 'SUITE', value: ['$(params.browsers[*])'] }] },
        params: snapshot,
        runAfter: ['deploy-snapshot'],
      }),
      task('load-tests', 'load-tests:0.1', { params: snapshot, runAfter: ['e2e-tests'] }),
    ],
    finally: [
      task('collect-artifacts', 'collect-artifacts:0.1', {
        params: {
          clusterName: '$(tasks.provision-cluster.results.clusterName)',
          status: '$(tasks.e2e-tests.status)',
        },
      }),
      task('notify', 'send-notification:0.1', {
        params: { message: '$(context.pipelineRun.name) failed' },
        when: [when('$(tasks.status)', 'in', 'Failed')],
      }),
    ],
    results: resultsOfTasks({ TEST_OUTPUT: 'load-tests.results.TEST_OUTPUT' }),
  },

  'security-tests': {
    description: 'Scans the images of a snapshot with more than one scanner.',
    params: [snapshotParam],
    tasks: [
      task('cve-scan', 'cve-scan:0.1', { params: { 'image-url': '$(params.SNAPSHOT)' } }),
      task('image-scan', 'tekton-image-scan:0.1', { params: { 'image-url': '$(params.SNAPSHOT)' } }),
    ],
    results: resultsOfTasks({ TEST_OUTPUT: 'cve-scan.results.TEST_OUTPUT' }),
  },
}

/** The script of a test from a user's own repository. */
const script = (name: string) => `echo "Running the tests of ${name}"\n./run-tests.sh --report=report.json`

/** A pipeline that is not in the catalog, as in a user's repository. */
export const unknownTestPipeline = (name: string): PipelineSpec => ({
  description: `Runs the tests of ${name}.`,
  params: [snapshotParam],
  tasks: [
    {
      name: 'run-tests',
      params: [{ name: 'SNAPSHOT', value: '$(params.SNAPSHOT)' }],
      taskSpec: {
        description: `Runs the tests of ${name}.`,
        params: [{ name: 'SNAPSHOT', type: 'string' }],
        results: [{ name: 'TEST_OUTPUT', type: 'string', description: 'Result of the tests, as JSON.' }],
        steps: [{ name: 'test', image: 'registry.slipway.test/catalog/cli:latest', script: script(name) }],
      },
    },
  ],
  results: resultsOfTasks({ TEST_OUTPUT: 'run-tests.results.TEST_OUTPUT' }),
})
