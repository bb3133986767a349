import { hexDigits, integerBetween } from '../../keyed-random'
import {
  group,
  imageRegistry,
  optional,
  progressBar,
  required,
  constantLog,
  sha256,
  type Facts,
  type TaskDefinition,
} from './definition'
import { languageOf } from './languages'

/** Tasks that clone a repository and fetch its dependencies. */

const commitOf = (facts: Facts): string => {
  const revision = facts.param('revision')
  return /^[0-9a-f]{40}$/.test(revision) ? revision : hexDigits(facts.sharedRandom(`commit ${revision}`), 40)
}
/** The trusted artifact in which a task stores files for the following ones. */
const artifactOf = (facts: Facts, name: string): string => {
  const storage = facts.param('ociStorage')
  return storage ? `oci:${storage.replace(/:[^/]*$/, '')}@${sha256(facts.random(name))}` : ''
}
const createTrustedArtifact = (name: string) => ({
  name: 'create-trusted-artifact',
  image: `${imageRegistry}/build-trusted-artifacts:latest`,
  script: `create-archive --store "$(params.ociStorage)" $(results.${name}.path)=/var/workdir/source`,
  seconds: [2, 6] as [number, number],
  log: (facts: Facts) => [
    'Using token for registry.slipway.test',
    progressBar('Uploading', integerBetween(facts.random('artifact size'), 2, 60)),
    `Created artifact from /var/workdir/source (${artifactOf(facts, name)})`,
  ],
})

const artifactParams = {
  ociStorage: optional('The OCI repository where the Trusted Artifacts are stored.'),
  ociArtifactExpiresAfter: optional('Expiration date for the trusted artifacts created in the OCI repository.'),
}

export const sourceTasks: Record<string, TaskDefinition> = {
  init: {
    description: 'Initialize Pipeline Task, enables configuration of proxy settings via cluster config.',
    params: { 'enable-cache-proxy': optional('Enable cache proxy configuration', 'false') },
    results: { 'http-proxy': 'HTTP proxy URL for cache proxy', 'no-proxy': 'NO_PROXY value for cache proxy' },
    steps: [
      {
        name: 'init',
        image: `${imageRegistry}/cli:latest`,
        script: 'echo "Build Initialize: $(params.enable-cache-proxy)"',
        seconds: [3, 7],
        log: ({ param }) => [
          `[INFO] Cache proxy: ${param('enable-cache-proxy') || 'false'}`,
          'Build Initialize',
          'Determine if Image Already Exists',
        ],
      },
    ],
    resultsOf: ({ param }) =>
      param('enable-cache-proxy') === 'true'
        ? { 'http-proxy': 'squid.caching.svc.cluster.local:3128', 'no-proxy': 'registry.slipway.test' }
        : { 'http-proxy': '', 'no-proxy': '' },
  },

  'git-clone': {
    description: 'The git-clone Task will clone a repo from the provided url and store it as a trusted artifact.',
    params: {
      url: required('Repository URL to clone from.'),
      revision: optional('Revision to checkout. (branch, tag, sha, ref, etc...)'),
      depth: optional('Perform a shallow clone, fetching only the most recent N commits.', '1'),
      ...artifactParams,
    },
    results: {
      SOURCE_ARTIFACT: 'The Trusted Artifact URI pointing to the artifact with the application source code.',
      commit: 'The precise commit SHA that was fetched by this Task.',
      'commit-timestamp': 'The commit timestamp of the checkout',
      'short-commit': 'The commit SHA that was fetched by this Task limited to 7 characters.',
      url: 'The precise URL that was fetched by this Task.',
      'CHAINS-GIT_COMMIT': 'The precise commit SHA that was fetched by this Task.',
      'CHAINS-GIT_URL': 'The precise URL that was fetched by this Task.',
    },
    steps: [
      {
        name: 'clone',
        image: `${imageRegistry}/git-init:latest`,
        script: 'git-init -url "$(params.url)" -revision "$(params.revision)" -path /var/workdir/source',
        seconds: [6, 16],
        log: (facts) => [
          'INFO: Using mounted CA bundle: /mnt/trusted-ca/ca-bundle.crt',
          `Cloning into '/var/workdir/source'...`,
          `remote: Enumerating objects: ${integerBetween(facts.random('objects'), 300, 9000)}, done.`,
          `remote: Counting objects:   1% (3/212)\rremote: Counting objects:  50% (106/212)\rremote: Counting objects: 100% (212/212), done.`,
          progressBar('Receiving objects', integerBetween(facts.random('clone size'), 1, 40)),
          `{"level":"info","msg":"Successfully cloned ${facts.param('url')} @ ${commitOf(facts)} (grafted, HEAD) in path /var/workdir/source"}`,
          '{"level":"info","msg":"Successfully initialized and updated submodules in path /var/workdir/source"}',
          `Merge option disabled. Using checked-out revision ${commitOf(facts)} directly.`,
        ],
      },
      {
        name: 'symlink-check',
        image: `${imageRegistry}/git-init:latest`,
        script: 'check_symlinks /var/workdir/source',
        seconds: [1, 2],
        log: constantLog('Running symlink check'),
      },
      createTrustedArtifact('SOURCE_ARTIFACT'),
    ],
    resultsOf: (facts) => ({
      SOURCE_ARTIFACT: artifactOf(facts, 'SOURCE_ARTIFACT'),
      commit: commitOf(facts),
      'commit-timestamp': String(Math.floor(facts.startMs / 1000) - 60),
      'short-commit': commitOf(facts).slice(0, 7),
      url: facts.param('url'),
      'CHAINS-GIT_COMMIT': commitOf(facts),
      'CHAINS-GIT_URL': facts.param('url'),
    }),
    failure: {
      step: 'clone',
      rate: 0.004,
      exitCode: 1,
      log: ({ param }) => [
        `fatal: unable to access '${param('url')}/': The requested URL returned error: 503`,
        '{"level":"error","msg":"Error running git [fetch --recurse-submodules=yes --depth=1 origin]: exit status 128"}',
        '{"level":"fatal","msg":"Error fetching git repository: failed to fetch: exit status 128"}',
      ],
    },
  },

  'prefetch-dependencies': {
    description: 'Task that uses Hermeto to prefetch build dependencies.',
    params: {
      input: optional('Configures project packages that will have their dependencies prefetched.'),
      SOURCE_ARTIFACT: optional('The Trusted Artifact URI pointing to the artifact with the application source code.'),
      ...artifactParams,
    },
    results: {
      SOURCE_ARTIFACT: 'The Trusted Artifact URI pointing to the artifact with the application source code.',
      CACHI2_ARTIFACT: 'The Trusted Artifact URI pointing to the artifact with the prefetched dependencies.',
    },
    steps: [
      {
        name: 'use-trusted-artifact',
        image: `${imageRegistry}/build-trusted-artifacts:latest`,
        script: 'use-archive $(params.SOURCE_ARTIFACT)=/var/workdir/source',
        seconds: [2, 5],
        log: ({ param }) => [
          `INFO: Using mounted CA bundle: /mnt/trusted-ca/ca-bundle.crt`,
          param('SOURCE_ARTIFACT')
            ? `Restored artifact ${param('SOURCE_ARTIFACT')} to /var/workdir/source`
            : 'WARN: artifact URI not provided',
        ],
      },
      {
        name: 'prefetch-dependencies',
        image: `${imageRegistry}/hermeto:0.34`,
        script: 'hermeto fetch-deps --source /var/workdir/source --output /var/workdir/cachi2/output "$(params.input)"',
        seconds: [20, 60],
        log: (facts) =>
          facts.param('input')
            ? [
                '2026-01-31 09:00:11,402 INFO Fetching dependencies',
                ...group('Fetch', languageOf(facts).install(facts)),
                progressBar('bom.json', 1.2),
                '2026-01-31 09:00:38,120 INFO All dependencies fetched successfully \\o/',
              ]
            : ['No prefetch input given: nothing to fetch.'],
      },
      createTrustedArtifact('CACHI2_ARTIFACT'),
    ],
    resultsOf: (facts) => ({
      SOURCE_ARTIFACT: facts.param('SOURCE_ARTIFACT'),
      CACHI2_ARTIFACT: artifactOf(facts, 'CACHI2_ARTIFACT'),
    }),
    failure: {
      step: 'prefetch-dependencies',
      rate: 0.008,
      exitCode: 2,
      log: (facts) => [
        'Error: PackageRejected: The manifest and the lock file disagree',
        `  The checksums in ${languageOf(facts).manifest} do not match what was downloaded.`,
        '  Please update the lock file and commit it.',
        '  Docs: https://hermetoproject.github.io/hermeto/',
      ],
    },
  },
}
