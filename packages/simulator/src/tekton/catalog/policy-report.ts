import { integerBetween } from '../../keyed-random'
import type { Facts } from './definition'
import { verdictOf, type TestOutput, type Verdict } from './verdict'

/** The report of the enterprise contract, as the step `report-json` prints it. */
export interface PolicyReport {
  success: boolean
  components: {
    name: string
    containerImage: string
    success: boolean
    violations?: PolicyRule[]
    warnings?: PolicyRule[]
    successes?: PolicyRule[]
  }[]
  key: string
  policy: { name: string; description: string }
  'ec-version': string
  'effective-time': string
}
interface PolicyRule {
  msg: string
  metadata: {
    code: string
    title: string
    description: string
    collections: string[]
    effective_on?: string
    solution?: string
  }
}

interface Rule {
  code: string
  title: string
  description: string
  solution: string
  collections: string[]
  /** Message if the image violates it. */
  violation: string
}

const rules: Rule[] = [
  {
    code: 'attestation_type.known_attestation_type',
    title: 'Known attestation type found',
    description: 'Confirm the attestation found for the image has a known attestation type.',
    solution: 'Make sure the "_type" field in the attestation is supported.',
    collections: ['minimal', 'redhat'],
    violation: 'Unknown attestation type "https://in-toto.io/Statement/v0.2"',
  },
  {
    code: 'base_image_registries.base_image_permitted',
    title: 'Base image comes from permitted registry',
    description:
      'Verify that the base images used when building a container image come from a known set of trusted registries.',
    solution: 'Make sure the image used in each build stage comes from a list of permitted registries.',
    collections: ['minimal', 'redhat'],
    violation: 'Base image "docker.io/library/node:22" is from a disallowed registry',
  },
  {
    code: 'cve.cve_blockers',
    title: 'Blocking CVE check',
    description:
      'The SLSA Provenance attestation for the image is inspected to ensure CVEs that have a known fix and meet a certain security level have not been detected.',
    solution:
      'Make sure to address any CVE’s related to the image. The CVEs are detected by the task that runs a Clair scan.',
    collections: ['minimal', 'redhat'],
    violation: 'Found "CVE-2025-24813" vulnerability of critical security level',
  },
  {
    code: 'cve.unpatched_cve_blockers',
    title: 'Blocking unpatched CVE check',
    description:
      'The SLSA Provenance attestation for the image is inspected to ensure CVEs that do NOT have a known fix and meet a certain security level have not been detected.',
    solution:
      'CVEs without a known fix can only be remediated by either removing the impacted dependency, or by waiting for a fix.',
    collections: ['redhat'],
    violation: 'Found 3 unpatched vulnerabilities of high security level',
  },
  {
    code: 'hermetic_task.hermetic',
    title: 'Task called with hermetic param set',
    description:
      'Verify the task in the PipelineRun attestation was invoked with the proper parameters to make the task execution hermetic.',
    solution: 'Make sure the task that builds the image has a parameter named HERMETIC set to true.',
    collections: ['redhat'],
    violation: 'Task "buildah" was not invoked with the hermetic parameter set',
  },
  {
    code: 'labels.required_labels',
    title: 'Required labels',
    description: 'Check the image for the presence of labels that are required.',
    solution: 'Update the image build process to set the required labels.',
    collections: ['redhat'],
    violation: 'The required "com.redhat.component" label is missing. Label description: The Bugzilla component name.',
  },
  {
    code: 'sbom_spdx.valid',
    title: 'SPDX SBOM valid',
    description: 'Check the SPDX SBOM has the expected format.',
    solution: 'Make sure the build process produces a valid SPDX SBOM.',
    collections: ['minimal', 'redhat'],
    violation: 'SPDX SBOM at index 0 is not valid: packages is required',
  },
  {
    code: 'slsa_build_build_service.slsa_builder_id_accepted',
    title: 'SLSA Builder ID is known and accepted',
    description: 'Verify that the predicate.builder.id attribute in the attestation matches one of the allowed values.',
    solution: 'Make sure the build id is set to an expected value.',
    collections: ['minimal', 'slsa3', 'redhat'],
    violation: 'Builder ID "https://tekton.dev/chains/v1" is not accepted',
  },
  {
    code: 'slsa_source_correlated.source_code_reference_provided',
    title: 'Source code reference provided',
    description: 'Check if the expected source code reference is provided.',
    solution: 'Provide the expected source code reference.',
    collections: ['minimal', 'slsa3', 'redhat'],
    violation: 'Expected source code reference was not provided for verification',
  },
  {
    code: 'test.no_failed_tests',
    title: 'No tests failed',
    description: 'Produce a violation if any non-informative tests have their result set to "FAILED".',
    solution:
      'There is a test that failed. Make sure that any task in the build pipeline with a result named "TEST_OUTPUT" does not fail.',
    collections: ['redhat'],
    violation: 'The Task "clair-scan" from the build Pipeline reports a failed test',
  },
  {
    code: 'test.no_test_warnings',
    title: 'No tests produced warnings',
    description: 'Produce a warning if any tests have their result set to "WARNING".',
    solution: 'There is a task with result "TEST_OUTPUT" that returned a result of "WARNING".',
    collections: ['redhat'],
    violation: 'The Task "deprecated-base-image-check" from the build Pipeline reports a test contains warnings',
  },
  {
    code: 'trusted_task.trusted',
    title: 'Tasks are trusted',
    description: 'Check the trust of the Tekton Tasks used in the build Pipeline.',
    solution: 'If using a custom Task, make sure it is part of the trusted task list.',
    collections: ['redhat'],
    violation: 'Pipeline task "prefetch-dependencies" uses an untrusted task reference: upgrade it to 0.3',
  },
]

interface SnapshotComponent {
  name: string
  containerImage: string
}

/** Parses the components in the JSON of a Snapshot's spec; empty if it is not valid. */
export function componentsOf(snapshot: string): SnapshotComponent[] {
  try {
    const { components } = JSON.parse(snapshot) as { components?: unknown }
    if (!Array.isArray(components)) return []
    return components.flatMap((component: Partial<SnapshotComponent> | null) =>
      typeof component?.name === 'string'
        ? [{ name: component.name, containerImage: String(component.containerImage ?? '') }]
        : [],
    )
  } catch {
    return []
  }
}

/** The verdict of the policy, which is violated now and then. */
export const policyVerdictOf = (facts: Facts): Verdict => verdictOf(facts, { FAILURE: 0.08, WARNING: 0.3 })

const dayMs = 24 * 3_600_000

export function policyReportOf(facts: Facts): PolicyReport {
  const verdict = policyVerdictOf(facts)
  const components = componentsOf(facts.param('IMAGES') || facts.param('SNAPSHOT'))
  const random = facts.random('policy report')
  // What only warns so far fails from a day of the next week.
  const nextWeek = new Date((Math.floor(facts.startMs / dayMs) + 7) * dayMs).toISOString().replace('.000', '')
  const effectiveOn = verdict === 'WARNING' ? nextWeek : '2025-01-15T00:00:00Z'
  const ruleOf = ({ code, title, description, collections, solution }: Rule, msg: string, isBroken: boolean) => ({
    msg,
    metadata: { code, title, description, collections, ...(isBroken && { effective_on: effectiveOn, solution }) },
  })
  const unlucky = integerBetween(random, 0, Math.max(0, components.length - 1))
  const reports = components.map(({ name, containerImage }, index) => {
    const brokenCount = index === unlucky ? integerBetween(random, 1, 3) : 0
    const violatedRules = new Set(
      verdict === 'FAILURE' || verdict === 'WARNING'
        ? Array.from({ length: brokenCount }, () => rules[integerBetween(random, 0, rules.length - 1)])
        : [],
    )
    const problems = rules.filter((rule) => violatedRules.has(rule)).map((rule) => ruleOf(rule, rule.violation, true))
    const successes = rules.filter((rule) => !violatedRules.has(rule)).map((rule) => ruleOf(rule, 'Pass', false))
    return {
      name,
      containerImage,
      success: verdict !== 'FAILURE' || problems.length === 0,
      ...(problems.length > 0 && (verdict === 'FAILURE' ? { violations: problems } : { warnings: problems })),
      ...(verdict !== 'SKIPPED' && verdict !== 'ERROR' && { successes }),
    }
  })
  return {
    success: reports.every(({ success }) => success),
    components: reports,
    key: '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----\n',
    policy: { name: 'Default', description: 'Includes rules for levels 1, 2 & 3 of SLSA v0.1.' },
    'ec-version': 'v0.7.140',
    'effective-time': new Date(facts.startMs).toISOString(),
  }
}

/** The counts of the report, as in the result of the task. */
export function policyOutputOf(facts: Facts): TestOutput {
  const { components } = policyReportOf(facts)
  const count = (kind: 'violations' | 'warnings' | 'successes') =>
    components.reduce((sum, component) => sum + (component[kind]?.length ?? 0), 0)
  const failures = count('violations')
  const warnings = count('warnings')
  const verdict = policyVerdictOf(facts)
  const isCounted = verdict !== 'SKIPPED' && verdict !== 'ERROR'
  return {
    timestamp: String(Math.floor(facts.startMs / 1000)),
    namespace: '',
    note: '',
    successes: count('successes'),
    failures,
    warnings,
    result: isCounted ? (failures > 0 ? 'FAILURE' : warnings > 0 ? 'WARNING' : 'SUCCESS') : verdict,
  }
}
