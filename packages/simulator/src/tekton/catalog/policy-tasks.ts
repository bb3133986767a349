import { colour, imageRegistry, optional, required, constantLog, type Facts, type TaskDefinition } from './definition'
import { policyOutputOf, policyReportOf } from './policy-report'

/** Verifies images before a release against a policy (Conforma, formerly the enterprise contract). */

const image = `${imageRegistry}/conforma-cli:v0.7`
const isStrict = ({ param }: Facts): boolean => param('STRICT') !== 'false'

function* summary(facts: Facts): Iterable<string> {
  const report = policyReportOf(facts)
  const { successes, failures, warnings } = policyOutputOf(facts)
  yield report.success ? colour.green('Success: true') : colour.red('Success: false')
  yield `Result: ${policyOutputOf(facts).result}`
  yield `Violations: ${failures}, Warnings: ${warnings}, Successes: ${successes}`
  for (const component of report.components) {
    yield `Component: ${component.name}`
    yield `ImageRef: ${component.containerImage}`
    for (const { msg, metadata } of component.violations ?? [])
      yield `${colour.red('✕')} [Violation] ${metadata.code}\n  Reason: ${msg}`
    for (const { msg, metadata } of component.warnings ?? [])
      yield `${colour.yellow('›')} [Warning] ${metadata.code}\n  Reason: ${msg}`
  }
}

export const policyTasks: Record<string, TaskDefinition> = {
  'verify-enterprise-contract': {
    description: 'Verify the enterprise contract is met',
    params: {
      IMAGES: required('Spec section of an ApplicationSnapshot resource.'),
      POLICY_CONFIGURATION: optional('Name of the policy configuration to use.', 'enterprise-contract-service/default'),
      PUBLIC_KEY: optional('Public key used to verify signatures.'),
      SSL_CERT_DIR: optional('Path to a directory containing SSL certs.'),
      STRICT: optional('Fail the task if policy fails. Set to "false" to disable it.', 'true'),
      IGNORE_REKOR: optional('Skip Rekor transparency log checks during validation.', 'false'),
      WORKERS: optional('Number of parallel workers to use for policy evaluation.', '1'),
      EXTRA_RULE_DATA: optional('Merge additional Rego variables into the policy data.'),
      SINGLE_COMPONENT: optional('Reduce the Snapshot to the component whose build caused it.', 'false'),
    },
    results: { TEST_OUTPUT: 'Short summary of the policy evaluation for each image' },
    steps: [
      {
        name: 'initialize-tuf',
        image,
        script: 'ec sigstore initialize',
        seconds: [1, 3],
        log: constantLog('TUF_MIRROR not set. Skipping TUF root initialization.'),
      },
      {
        name: 'reduce',
        image,
        script: 'reduce-snapshot.sh',
        seconds: [1, 3],
        log: constantLog('Single Component mode? false'),
      },
      {
        name: 'validate',
        image,
        script: 'ec validate image --images "$(params.IMAGES)" --policy "$(params.POLICY_CONFIGURATION)"',
        seconds: [15, 60],
        log: ({ param }) => [`Using policy ${param('POLICY_CONFIGURATION')}`, 'level=info msg="evaluating policy"'],
      },
      {
        name: 'report-json',
        image,
        script: 'cat /tekton/home/report-json.json',
        seconds: [1, 2],
        log: (facts) => [JSON.stringify(policyReportOf(facts))],
      },
      { name: 'summary', image, script: 'jq . /tekton/home/summary.json', seconds: [1, 2], log: summary },
      {
        name: 'assert',
        image,
        script: 'jq --argjson strict "$(params.STRICT)" -e ".result == SUCCESS or $strict == false"',
        seconds: [1, 2],
        log: (facts) => [JSON.stringify(policyOutputOf(facts), null, 2)],
      },
      {
        name: 'version',
        image,
        script: 'ec version',
        seconds: [1, 1],
        log: constantLog('Version            v0.7.140'),
      },
    ],
    resultsOf: (facts) => ({ TEST_OUTPUT: `${JSON.stringify(policyOutputOf(facts))}\n` }),
    fails: (facts) =>
      isStrict(facts) && ['FAILURE', 'ERROR'].includes(policyOutputOf(facts).result)
        ? { step: 'assert', rate: 1, exitCode: 1, log: constantLog(colour.red('The policy is not met.'), 'false') }
        : undefined,
  },
}
