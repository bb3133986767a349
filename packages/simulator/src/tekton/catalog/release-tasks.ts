import { integerBetween } from '../../keyed-random'
import {
  colour,
  imageRegistry,
  optional,
  progressBar,
  constantLog,
  sha256,
  type Facts,
  type TaskDefinition,
} from './definition'

/** Tasks of release pipelines. */

interface Simple {
  description: string
  /** Name of its only step; that of the task by default. */
  step?: string
  script: string
  seconds: [number, number]
  results?: Record<string, string>
  resultsOf?: TaskDefinition['resultsOf']
  log: (facts: Facts) => Iterable<string>
  failure?: { rate: number; lines: string[] }
}

const releaseParams = {
  release: optional('Namespaced name of the Release.'),
  releasePlan: optional('Namespaced name of the ReleasePlan.'),
  releasePlanAdmission: optional('Namespaced name of the ReleasePlanAdmission.'),
  snapshot: optional('Namespaced name of the Snapshot.'),
  dataPath: optional('Path to the JSON of the merged data.'),
  policy: optional('Name of the policy.'),
}

const releaseTask = (name: string, task: Simple): TaskDefinition => {
  const { description, step = name, script, seconds, results = {}, resultsOf, log, failure } = task
  return {
    description,
    params: releaseParams,
    results,
    steps: [{ name: step, image: `${imageRegistry}/release-service-utils:latest`, script, seconds, log }],
    ...(resultsOf && { resultsOf }),
    ...(failure && { failure: { step, rate: failure.rate, exitCode: 1, log: constantLog(...failure.lines) } }),
  }
}

const nameOf = (reference: string) => reference.split('/').pop() ?? reference
const advisoryOf = (facts: Facts) =>
  `https://advisories.slipway.test/advisories/${new Date(facts.startMs).getUTCFullYear()}/${integerBetween(facts.random('advisory'), 1000, 9999)}`

const tasks: Record<string, Simple> = {
  'verify-access-to-resources': {
    description: 'Verifies that the service account of the pipeline may read and write the resources that it needs.',
    script: 'kubectl auth can-i patch releases && kubectl auth can-i get secrets',
    seconds: [3, 7],
    log: ({ param }) => [`checking access to ${param('release')}`, 'Access to all resources verified'],
  },
  'collect-data': {
    description: 'Collects the data of all the resources of a release into one JSON.',
    script: 'get-resource release "$(params.release)" | tee release.json',
    seconds: [4, 10],
    results: {
      data: 'The relative path in the workspace to the stored data json',
      snapshotSpec: 'The relative path in the workspace to the stored snapshot spec json',
      fbcFragment: 'The first component’s containerImage of the snapshot, for a file-based catalog',
      singleComponentMode: 'single component mode as set in ReleasePlanAdmission.spec.data',
    },
    resultsOf: ({ param }) => ({
      data: `${nameOf(param('release'))}/data.json`,
      snapshotSpec: `${nameOf(param('release'))}/snapshot_spec.json`,
      fbcFragment: '',
      singleComponentMode: 'false',
    }),
    log: ({ param }) => [
      `Fetching Release ${param('release')}`,
      `Fetching ReleasePlan ${param('releasePlan')}`,
      `Fetching Snapshot ${param('snapshot')}`,
      'Merging data: Release over ReleasePlan over ReleasePlanAdmission',
    ],
  },
  'check-data-keys': {
    description: 'Checks that the data has what the pipeline needs.',
    script: 'check-jsonschema --schemafile schema.json data.json',
    seconds: [2, 5],
    log: constantLog('Validation passed: data has all required keys.'),
    failure: { rate: 0.02, lines: [colour.red('Validation failed: "releaseNotes.type" is a required property')] },
  },
  'reduce-snapshot': {
    description: 'Reduces the snapshot to the component whose build caused it, when the data asks for that.',
    step: 'reduce',
    script: 'reduce-snapshot.sh',
    seconds: [2, 4],
    log: constantLog('Single Component mode? false'),
  },
  'apply-mapping': {
    description: 'Maps the components of the snapshot to the repositories that they are released to.',
    script: 'apply-mapping.py --snapshot snapshot_spec.json --data data.json',
    seconds: [3, 8],
    results: { mapped: 'A true/false value depending on whether or not the snapshot was mapped.' },
    resultsOf: () => ({ mapped: 'true' }),
    log: ({ param }) => [`Mapping components of ${param('snapshot')}`, 'The map was applied to 1 component'],
  },
  'push-snapshot': {
    description: 'Pushes the images of the snapshot to their final repositories.',
    script: 'cosign copy -f "$origin" "$destination"',
    seconds: [20, 70],
    log: (facts) => [
      progressBar('Copying', integerBetween(facts.random('push size'), 40, 300)),
      `Pushed ${sha256(facts.random('pushed'))} with tags latest, ${sha256(facts.random('tag')).slice(7, 14)}`,
    ],
    failure: {
      rate: 0.02,
      lines: [
        colour.red(
          'Error: PUT registry.slipway.test/v2/manifests/latest: UNAUTHORIZED: access to the requested resource is not authorized',
        ),
      ],
    },
  },
  'sign-image': {
    description: 'Asks for signatures of the pushed images, and waits for them.',
    script: 'internal-request -r simple-signing-pipeline -s true',
    seconds: [15, 45],
    log: constantLog(
      'Creating InternalRequest for signing',
      'Waiting for 1 signature...',
      'Signature published to the transparency log',
    ),
    failure: { rate: 0.01, lines: [colour.red('Error: the signing request timed out')] },
  },
  'publish-image': {
    description: 'Makes the pushed images public in the catalog.',
    script: 'publish_catalog_image.py',
    seconds: [6, 20],
    log: constantLog('Repository is published', 'Image is published'),
  },
  'create-pyxis-image': {
    description: 'Creates an entry in Pyxis, the database of the catalog, for each pushed image and platform.',
    script: 'create_container_image --pyxis-url "$pyxis_url" --oras-manifest-fetch manifest.json',
    seconds: [6, 20],
    log: (facts) => [
      'Container image with given digest does not exist in Pyxis yet',
      `The image id is: ${sha256(facts.random('pyxis image')).slice(7, 31)}`,
    ],
  },
  'push-rpm-data-to-pyxis': {
    description: 'Adds the packages of the pushed images, from their SBOMs, to their entries in Pyxis.',
    script: 'upload_rpm_data --image-id "$image_id" --sbom-path sbom.json --retry true',
    seconds: [10, 40],
    log: (facts) => [
      'Fetching the SBOM of the image',
      `${integerBetween(facts.random('packages'), 90, 310)} packages were added to the image`,
    ],
  },
  'create-advisory': {
    description: 'Creates the advisory of a release from its notes.',
    step: 'run-script',
    script: 'create-advisory.sh --data data.json',
    seconds: [8, 25],
    results: { result: 'Success if the task succeeds, the error otherwise', advisory_url: 'The advisory url' },
    resultsOf: (facts) => ({ result: 'Success', advisory_url: advisoryOf(facts) }),
    log: (facts) => ['Rendering advisory.yaml', `Created ${advisoryOf(facts)}`],
  },
  'close-advisory-issues': {
    description: 'Closes the issues that the release fixes.',
    step: 'close-issues',
    script: 'close-issues.sh',
    seconds: [3, 9],
    log: constantLog('No issues to close.'),
  },
  'add-fbc-contribution': {
    description: 'Adds the fragment of a file-based catalog to its index.',
    step: 'add-contribution',
    script: 'internal-request -r iib',
    seconds: [60, 150],
    results: { indexImage: 'The index image with the fragment' },
    resultsOf: (facts) => ({ indexImage: `${imageRegistry}/catalog-index@${sha256(facts.random('index'))}` }),
    log: constantLog('Waiting for the index image to be built...', 'state: complete'),
  },
  'create-github-release': {
    description: 'Creates a release on the page of the repository, with the binaries of the snapshot.',
    step: 'create-release-from-binaries',
    script: 'gh release create "v$version" binaries/*',
    seconds: [8, 20],
    results: { url: 'Address of the release' },
    resultsOf: (facts) => ({
      url: `https://git.slipway.test/releases/v2.4.${integerBetween(facts.random('version'), 0, 40)}`,
    }),
    log: (facts) => [
      progressBar('Uploading binaries', integerBetween(facts.random('binaries'), 8, 60)),
      'Release created',
    ],
  },
  'update-deployment': {
    description: 'Writes the images of the snapshot to the repository that an environment is deployed from.',
    step: 'update',
    script: 'kustomize edit set image && git push',
    seconds: [8, 25],
    log: constantLog('[main 4e1f0c2] Update images', ' 1 file changed, 1 insertion(+), 1 deletion(-)'),
  },
  'run-collectors': {
    description: 'Runs the collectors of a plan and merges what they found into the release.',
    script: 'collectors.py --release "$(params.release)"',
    seconds: [8, 25],
    log: constantLog(
      'Running collector jira: 2 issues',
      'Running collector cve: 1 CVE',
      'Saving results to the Release',
    ),
    failure: { rate: 0.01, lines: [colour.red('Error: collector jira: 401 Unauthorized')] },
  },
  'update-cr-status': {
    description: 'Writes the artifacts of the pipeline to the status of the Release.',
    script: 'kubectl patch release --subresource status',
    seconds: [2, 5],
    log: ({ param }) => [`release.appstudio.redhat.com/${nameOf(param('release'))} patched`],
  },
  cleanup: {
    description: 'Removes what the pipeline left behind.',
    script: 'rm -rf "$(workspaces.data.path)"',
    seconds: [2, 5],
    log: constantLog('Removed the data of the run'),
  },
  'notify-team': {
    description: 'Tells the team how the release went.',
    step: 'notify',
    script: 'send-message.sh',
    seconds: [2, 5],
    log: ({ param }) => [`Told the team about ${param('release')}`],
  },
}

export const releaseTasks: Record<string, TaskDefinition> = Object.fromEntries(
  Object.entries(tasks).map(([name, task]) => [name, releaseTask(name, task)]),
)
