import { labels } from '@slipway/model/labels'
import {
  colour,
  group,
  imageRegistry,
  optional,
  progressBar,
  required,
  constantLog,
  type Facts,
  type TaskDefinition,
} from './definition'
import { componentsOf } from './policy-report'
import { clairReport, findingsOf, quayReport, type ReportFormat, roxctlReport, sarifReport } from './scan-reports'
import { testOutputOf, verdictOf, vulnerabilitiesOf, type Verdict } from './verdict'

/** Scans of an image and checks of its sources. */

const imageParams = {
  'image-url': required('Image URL.'),
  'image-digest': optional('Image digest to scan.'),
}
const testOutput = { TEST_OUTPUT: 'Tekton task test output.' }

/** The scanned image, or the first one of a snapshot. */
const imageOf = ({ param }: Facts): string =>
  componentsOf(param('image-url'))[0]?.containerImage ??
  [param('image-url'), param('image-digest')].filter(Boolean).join('@')

/** A scanner that failed reports no counts, not even zeros. */
const hasReport = (facts: Facts): boolean => verdictOf(facts, {}) !== 'ERROR'
const noReport = 'Previous step [get-vulnerabilities] failed: no report was found in /tekton/home.'

/** A scanner that writes its counts to the result with this name, and its report in this format to its log. */
const vulnerabilityScan = (resultName: string, tool: string, format: ReportFormat): TaskDefinition => ({
  description: `Scans container images for vulnerabilities using ${tool}, by comparing the components of the image against its vulnerability databases.`,
  params: { ...imageParams, 'image-platform': optional('The platform built by.') },
  results: { ...testOutput, [resultName]: `${tool} scan result.`, IMAGES_PROCESSED: 'Images processed in the task.' },
  steps: [
    {
      name: 'get-image-manifests',
      image: `${imageRegistry}/konflux-test:latest`,
      script: 'get_image_manifests -i "$(params.image-url)@$(params.image-digest)" > /tekton/home/manifests.json',
      seconds: [3, 8],
      log: (facts) => [`Inspecting raw image manifest ${imageOf(facts)}.`, 'Selecting manifests of the index: amd64'],
    },
    {
      name: 'get-vulnerabilities',
      image: `${imageRegistry}/clair-in-ci:v1`,
      script: 'clair-action report --image-ref="$(params.image-url)@$(params.image-digest)" --format=clair',
      seconds: [20, 90],
      log: (facts) => [
        progressBar('Vulnerability database', 212.4),
        '{"level":"info","component":"libindex/controller.Index","message":"index request done"}',
        ...(hasReport(facts)
          ? [
              '{"level":"info","component":"libvuln","message":"matchers done"}',
              JSON.stringify(format(findingsOf(facts), imageOf(facts))),
            ]
          : [colour.red('{"level":"error","component":"libvuln","message":"context deadline exceeded"}')]),
      ],
    },
    {
      name: 'conftest-vulnerabilities',
      image: `${imageRegistry}/konflux-test:latest`,
      script:
        'conftest test --no-fail /tekton/home/report.json --policy /project/clair/ --namespace fsf.vulnerabilities',
      seconds: [4, 12],
      log: (facts) => [
        hasReport(facts) ? JSON.stringify(vulnerabilitiesOf(facts)) : colour.red(noReport),
        JSON.stringify(testOutputOf(facts, verdictOf(facts, {}))),
      ],
    },
  ],
  resultsOf: (facts) => ({
    TEST_OUTPUT: JSON.stringify(testOutputOf(facts, verdictOf(facts, {}))),
    ...(hasReport(facts) && { [resultName]: JSON.stringify(vulnerabilitiesOf(facts)) }),
    IMAGES_PROCESSED: JSON.stringify({
      image: { pullspec: imageOf(facts), digests: [facts.param('image-digest') || imageOf(facts).split('@')[1]] },
    }),
  }),
})

interface Check {
  description: string
  /** Name of its only step; that of the task by default. */
  step?: string
  image?: string
  script: string
  seconds: [number, number]
  rates: Partial<Record<Verdict, number>>
  /** The log between its first line and the verdict. */
  log?(facts: Facts, verdict: Verdict): Iterable<string>
}

/** A check with a verdict in `TEST_OUTPUT`. Its task succeeds whatever it finds. */
const check = (
  name: string,
  { description, step = name, image = 'konflux-test:latest', script, seconds, rates, log = () => [] }: Check,
): TaskDefinition => ({
  description,
  params: {
    ...imageParams,
    SOURCE_ARTIFACT: optional('The Trusted Artifact URI of the source code.'),
    CACHI2_ARTIFACT: optional('The Trusted Artifact URI of the prefetched dependencies.'),
  },
  results: testOutput,
  steps: [
    {
      name: step,
      image: `${imageRegistry}/${image}`,
      script,
      seconds,
      log(facts) {
        const verdict = verdictOf(facts, rates)
        const output = testOutputOf(facts, verdict)
        const paint = verdict === 'SUCCESS' ? colour.green : verdict === 'WARNING' ? colour.yellow : colour.red
        return [
          'INFO: Using mounted CA bundle: /mnt/trusted-ca/ca-bundle.crt',
          ...log(facts, verdict),
          paint(output.note),
          JSON.stringify(output),
        ]
      },
    },
  ],
  resultsOf: (facts) => ({ TEST_OUTPUT: JSON.stringify(testOutputOf(facts, verdictOf(facts, rates))) }),
})

const findings = (path: string, rule: string) => (_facts: Facts, verdict: Verdict) =>
  verdict === 'WARNING' || verdict === 'FAILURE'
    ? group('Findings', [`${path}:41:9: ${colour.yellow('warning')}: ${rule}`, `${path}:77:2: note: see above`])
    : [`0 findings in ${path.split('/')[0] ?? path}`]

const checks: Record<string, Check> = {
  'deprecated-image-check': {
    description: 'Identifies the unmaintained and potentially insecure deprecated base images.',
    step: 'check-images',
    script: 'check_base_images "$(params.image-url)"',
    seconds: [8, 25],
    rates: { WARNING: 0.04, FAILURE: 0.01 },
    log: (_facts, verdict) => [
      'Getting base images from SBOM',
      verdict === 'SUCCESS' ? 'All base images are maintained' : 'Base image ubi8/nodejs-16 is deprecated',
    ],
  },
  'ecosystem-cert-preflight-checks': {
    description: 'Scans container images for certification readiness.',
    step: 'app-check',
    image: 'preflight:1.14',
    script: 'preflight check container "$(params.image-url)"',
    seconds: [20, 60],
    rates: { WARNING: 0.05, ERROR: 0.01 },
    log: (_facts, verdict) => [
      'time="2026-01-31T09:06:02Z" level=info msg="running checks for image"',
      'time="2026-01-31T09:06:04Z" level=info msg="check completed" check=HasLicense result=PASSED',
      `time="2026-01-31T09:06:05Z" level=info msg="check completed" check=HasUniqueTag result=${verdict === 'SUCCESS' ? 'PASSED' : 'WARNING'}`,
    ],
  },
  'sast-snyk-check': {
    description:
      'Scans source code for security vulnerabilities, including common issues such as SQL injection, using Snyk Code.',
    script: 'snyk code test /var/workdir/source --sarif-file-output=sast_snyk_check_out.json',
    seconds: [30, 90],
    rates: { SKIPPED: 0.3, WARNING: 0.08 },
    log: (facts, verdict) =>
      verdict === 'SKIPPED'
        ? ['Task was skipped: SNYK_TOKEN is not set. See the documentation to enable it.']
        : findings('src/orders/checkout.ts', 'Unsanitized input flows into a query (CWE-89)')(facts, verdict),
  },
  'clamav-scan': {
    description:
      'Scans the content of container images for viruses, malware, and other malicious content using ClamAV.',
    step: 'extract-and-scan-image',
    image: 'clamav-db:latest',
    script: 'clamscan -ri --max-scansize=4095M content-linux-amd64',
    seconds: [60, 120],
    rates: {},
    log: () => [
      'Extracting image(s).',
      progressBar('main.cvd', 162.7),
      'Scanning image for arch amd64. This operation may take a while.',
      '----------- SCAN SUMMARY -----------',
      'Known viruses: 8708401',
      'Infected files: 0',
      'Time: 71.264 sec (1 m 11 s)',
    ],
  },
  'sast-coverity-check': {
    description: 'Scans source code for security vulnerabilities using Coverity.',
    script: 'coverity capture --project-dir /var/workdir/source && coverity analyze',
    seconds: [90, 200],
    rates: { WARNING: 0.1 },
    log: findings('src/ledger/book.c', 'RESOURCE_LEAK (CWE-772)'),
  },
  'sast-shell-check': {
    description: 'Scans shell scripts in the source code with ShellCheck.',
    script: 'run-shellcheck.sh /var/workdir/source',
    seconds: [8, 25],
    rates: { WARNING: 0.08 },
    log: findings('scripts/release.sh', 'Double quote to prevent globbing and word splitting. [SC2086]'),
  },
  'sast-unicode-check': {
    description: 'Scans source code for non-printable unicode characters in all text files.',
    script: 'find_unicode_control.py -p bidi -v -d /var/workdir/source',
    seconds: [5, 15],
    rates: { FAILURE: 0.005 },
    log: findings('docs/names.md', 'bidirectional control characters: U+202E'),
  },
  'rpms-signature-scan': {
    description: 'Scans RPMs in an image and provide information about RPMs signatures.',
    image: 'tools:latest',
    script: 'rpm_verifier --image-url "$(params.image-url)" --image-digest "$(params.image-digest)"',
    seconds: [15, 40],
    rates: { WARNING: 0.02 },
    log: () => ['Results:', JSON.stringify({ keys: { '199e2f91fd431d51': 187, unsigned: 0 } })],
  },
  'validate-fbc': {
    description: 'Ensures file-based catalog (FBC) components are uniquely linted for proper construction.',
    script: 'opm validate /configs',
    seconds: [15, 40],
    rates: { FAILURE: 0.03 },
    log: (facts) => [
      `Validating the fragment of ${facts.taskRun.metadata.labels?.[labels.component] ?? 'the catalog'}`,
      'opm validate: checked 3 channels, 21 bundles',
    ],
  },
  'fbc-target-index-pruning-check': {
    description: 'Ensures file-based catalog (FBC) components do not remove previously released versions.',
    script: 'opm render "$(params.image-url)" | compare-with-target-index',
    seconds: [20, 50],
    rates: { WARNING: 0.05 },
  },
}

export const scanTasks: Record<string, TaskDefinition> = {
  'clair-scan': vulnerabilityScan('SCAN_OUTPUT', 'Clair', clairReport),
  'clair-scan-legacy': vulnerabilityScan('CLAIR_SCAN_RESULT', 'Clair', quayReport),
  'clair-scan-index': vulnerabilityScan('CLAIR_SCAN_RESULTS', 'Clair', clairReport),
  'cve-scan': vulnerabilityScan('CVE_SCAN_RESULT', 'the CVE scanner', roxctlReport),
  'tekton-image-scan': vulnerabilityScan('TEKTON_SCAN_RESULTS', 'the image scanner', sarifReport),
  ...Object.fromEntries(Object.entries(checks).map(([name, each]) => [name, check(name, each)])),
  'coverity-availability-check': {
    ...check('coverity-availability-check', {
      description: 'Checks if the Coverity license and authentication token are provided.',
      script: 'test -e /etc/secrets/cov-license && test -e /etc/secrets/auth-token',
      seconds: [2, 5],
      rates: { SUCCESS: 0 },
      log: constantLog('No license file is found in the namespace: the Coverity scan is skipped.'),
    }),
    results: { ...testOutput, STATUS: 'Tekton task simple status to be later checked' },
    resultsOf: (facts) => ({
      STATUS: facts.outcome === 'success' ? 'success' : 'failed',
      TEST_OUTPUT: JSON.stringify(testOutputOf(facts, verdictOf(facts, {}))),
    }),
  },
}
