import type { PipelineSpec, PipelineTask } from '@slipway/model/runs/tekton'
import { pipelineParam, resultsOfTasks, task, when } from './pipeline-parts'

/** Pipelines that build the image of a component. */

const platforms = ['linux/x86_64', 'linux/arm64', 'linux/s390x', 'linux/ppc64le']

const params = (...more: NonNullable<PipelineSpec['params']>): PipelineSpec['params'] => [
  pipelineParam('git-url', 'Source Repository URL'),
  pipelineParam('revision', 'Revision of the Source Repository', ''),
  pipelineParam('output-image', 'Fully Qualified Output Image'),
  pipelineParam(
    'path-context',
    'Path to the source code of an application’s component from where to build image.',
    '.',
  ),
  pipelineParam(
    'dockerfile',
    'Path to the Dockerfile inside the context specified by parameter path-context',
    'Dockerfile',
  ),
  pipelineParam('skip-checks', 'Skip checks against built image', 'false'),
  pipelineParam('hermetic', 'Execute the build with network isolation', 'false'),
  pipelineParam('prefetch-input', 'Build dependencies to be prefetched', ''),
  pipelineParam('image-expires-after', 'Image tag expiration time, such as 1h, 2d, 3w.', ''),
  pipelineParam('build-source-image', 'Build a source image.', 'false'),
  pipelineParam('build-image-index', 'Add built image into an OCI image index', 'false'),
  pipelineParam('buildah-format', 'The format for the resulting image’s mediaType.', 'docker'),
  pipelineParam('enable-cache-proxy', 'Enable cache proxy configuration', 'false'),
  pipelineParam('build-args', 'Array of --build-arg values ("arg=value" strings) for buildah', []),
  ...more,
]

const indexUrl = '$(tasks.build-image-index.results.IMAGE_URL)'
const indexDigest = '$(tasks.build-image-index.results.IMAGE_DIGEST)'
const prefetched = {
  SOURCE_ARTIFACT: '$(tasks.prefetch-dependencies.results.SOURCE_ARTIFACT)',
  CACHI2_ARTIFACT: '$(tasks.prefetch-dependencies.results.CACHI2_ARTIFACT)',
}
const builtImage = { 'image-url': indexUrl, 'image-digest': indexDigest }

/** With trusted artifacts, tasks pass files on through the registry, otherwise through a workspace. */
function sourceTasks(hasTrustedArtifacts: boolean): PipelineTask[] {
  const suffix = hasTrustedArtifacts ? '-oci-ta' : ''
  const storage = (name: string): Record<string, string> =>
    hasTrustedArtifacts
      ? { ociStorage: `$(params.output-image).${name}`, ociArtifactExpiresAfter: '$(params.image-expires-after)' }
      : {}
  const clonedSource: Record<string, string> = hasTrustedArtifacts
    ? { SOURCE_ARTIFACT: '$(tasks.clone-repository.results.SOURCE_ARTIFACT)' }
    : {}
  const sources = hasTrustedArtifacts ? [] : [{ name: 'output', workspace: 'workspace' }]
  return [
    task('init', 'init:0.3', { params: { 'enable-cache-proxy': '$(params.enable-cache-proxy)' } }),
    task('clone-repository', `git-clone${suffix}:0.1`, {
      params: { url: '$(params.git-url)', revision: '$(params.revision)', ...storage('git') },
      runAfter: ['init'],
      workspaces: [...sources, { name: 'basic-auth', workspace: 'git-auth' }],
    }),
    task('prefetch-dependencies', `prefetch-dependencies${suffix}:0.2`, {
      params: {
        input: '$(params.prefetch-input)',
        ...clonedSource,
        ...storage('prefetch'),
      },
      runAfter: ['clone-repository'],
      workspaces: [
        ...(hasTrustedArtifacts ? [] : [{ name: 'source', workspace: 'workspace' }]),
        { name: 'git-basic-auth', workspace: 'git-auth' },
      ],
    }),
  ]
}

const buildParams = {
  IMAGE: '$(params.output-image)',
  DOCKERFILE: '$(params.dockerfile)',
  CONTEXT: '$(params.path-context)',
  HERMETIC: '$(params.hermetic)',
  PREFETCH_INPUT: '$(params.prefetch-input)',
  IMAGE_EXPIRES_AFTER: '$(params.image-expires-after)',
  COMMIT_SHA: '$(tasks.clone-repository.results.commit)',
  SOURCE_URL: '$(tasks.clone-repository.results.url)',
  BUILD_ARGS: ['$(params.build-args[*])'],
  BUILDAH_FORMAT: '$(params.buildah-format)',
}

const indexTask = (buildTask: string, images: string): PipelineTask =>
  task('build-image-index', 'build-image-index:0.2', {
    params: {
      IMAGE: '$(params.output-image)',
      COMMIT_SHA: '$(tasks.clone-repository.results.commit)',
      IMAGE_EXPIRES_AFTER: '$(params.image-expires-after)',
      ALWAYS_BUILD_INDEX: '$(params.build-image-index)',
      BUILDAH_FORMAT: '$(params.buildah-format)',
      IMAGES: [images],
    },
    runAfter: [buildTask],
  })

const scan = (
  name: string,
  definition: string,
  hasSources = false,
  more: Pick<PipelineTask, 'matrix' | 'runAfter'> = {},
): PipelineTask =>
  task(name, definition, {
    params: hasSources ? { ...builtImage, ...prefetched } : builtImage,
    runAfter: ['build-image-index'],
    when: [when('$(params.skip-checks)', 'in', 'false')],
    ...more,
  })

const checks = (suffix: string, clairScan: PipelineTask): PipelineTask[] => [
  task('build-source-image', `source-build${suffix}:0.3`, {
    params: { BINARY_IMAGE: indexUrl, BINARY_IMAGE_DIGEST: indexDigest, ...(suffix && prefetched) },
    runAfter: ['build-image-index'],
    when: [when('$(params.build-source-image)', 'in', 'true')],
  }),
  scan('deprecated-base-image-check', 'deprecated-image-check:0.5'),
  clairScan,
  scan('ecosystem-cert-preflight-checks', 'ecosystem-cert-preflight-checks:0.2'),
  scan('sast-snyk-check', `sast-snyk-check${suffix}:0.4`, suffix !== ''),
  scan('clamav-scan', 'clamav-scan:0.3'),
  task('sast-coverity-check', `sast-coverity-check${suffix}:0.3`, {
    params: { ...builtImage, ...(suffix && prefetched) },
    runAfter: ['coverity-availability-check'],
    when: [
      when('$(params.skip-checks)', 'in', 'false'),
      when('$(tasks.coverity-availability-check.results.STATUS)', 'in', 'success'),
    ],
  }),
  scan('coverity-availability-check', 'coverity-availability-check:0.2'),
  scan('sast-shell-check', `sast-shell-check${suffix}:0.1`, suffix !== ''),
  scan('sast-unicode-check', `sast-unicode-check${suffix}:0.4`, suffix !== ''),
  task('apply-tags', 'apply-tags:0.3', {
    params: { IMAGE_URL: indexUrl, IMAGE_DIGEST: indexDigest },
    runAfter: ['build-image-index'],
  }),
  task('push-dockerfile', `push-dockerfile${suffix}:0.2`, {
    params: {
      IMAGE: indexUrl,
      IMAGE_DIGEST: indexDigest,
      DOCKERFILE: '$(params.dockerfile)',
      CONTEXT: '$(params.path-context)',
      ...(suffix && { SOURCE_ARTIFACT: prefetched.SOURCE_ARTIFACT }),
    },
    runAfter: ['build-image-index'],
  }),
  scan('rpms-signature-scan', 'rpms-signature-scan:0.2'),
]

/** They run whether or not the build succeeds. Their results are missing if it failed early. */
const finallyTasks = (buildTask: string): PipelineTask[] => [
  task('show-sbom', 'show-sbom:0.1', { params: { IMAGE_URL: indexUrl } }),
  task('show-summary', 'summary:0.2', {
    params: {
      'pipelinerun-name': '$(context.pipelineRun.name)',
      'git-url': '$(params.git-url)?rev=$(params.revision)',
      'image-url': '$(params.output-image)',
      'build-task-status': `$(tasks.${buildTask}.status)`,
    },
  }),
]

const results = resultsOfTasks({
  IMAGE_URL: 'build-image-index.results.IMAGE_URL',
  IMAGE_DIGEST: 'build-image-index.results.IMAGE_DIGEST',
  SBOM_BLOB_URL: 'build-image-index.results.SBOM_BLOB_URL',
  'CHAINS-GIT_URL': 'clone-repository.results.url',
  'CHAINS-GIT_COMMIT': 'clone-repository.results.commit',
})

const gitAuth = { name: 'git-auth', optional: true }
const oneImage = '$(tasks.build-container.results.IMAGE_URL)@$(tasks.build-container.results.IMAGE_DIGEST)'

export const buildPipelines: Record<string, PipelineSpec> = {
  'docker-build': {
    description:
      'This pipeline is ideal for building container images from a Containerfile while reducing network traffic.',
    params: params(),
    tasks: [
      ...sourceTasks(false),
      task('build-container', 'buildah:0.9', {
        params: buildParams,
        runAfter: ['prefetch-dependencies'],
        workspaces: [{ name: 'source', workspace: 'workspace' }],
      }),
      indexTask('build-container', oneImage),
      ...checks('', scan('clair-scan', 'clair-scan-legacy:0.1')),
    ],
    finally: finallyTasks('build-container'),
    results,
    workspaces: [{ name: 'workspace' }, gitAuth],
  },

  'docker-build-oci-ta': {
    description:
      'This pipeline is ideal for building container images from a Containerfile while maintaining trust after pipeline customization.',
    params: params(),
    tasks: [
      ...sourceTasks(true),
      task('build-container', 'buildah-oci-ta:0.9', {
        params: { ...buildParams, ...prefetched },
        runAfter: ['prefetch-dependencies'],
      }),
      indexTask('build-container', oneImage),
      ...checks('-oci-ta', scan('clair-scan', 'clair-scan:0.3')),
    ],
    finally: finallyTasks('build-container'),
    results,
    workspaces: [gitAuth],
  },

  'docker-build-multi-platform-oci-ta': {
    description:
      'This pipeline is ideal for building multi-arch container images from a Containerfile while maintaining trust after pipeline customization.',
    params: params(pipelineParam('build-platforms', 'List of platforms to build the container images on.', platforms)),
    tasks: [
      ...sourceTasks(true),
      task('build-images', 'buildah-remote-oci-ta:0.9', {
        matrix: { params: [{ name: 'PLATFORM', value: ['$(params.build-platforms[*])'] }] },
        params: { ...buildParams, ...prefetched },
        runAfter: ['prefetch-dependencies'],
      }),
      indexTask('build-images', '$(tasks.build-images.results.IMAGE_REF[*])'),
      ...checks(
        '-oci-ta',
        scan('clair-scan', 'clair-scan:0.3', false, {
          matrix: { params: [{ name: 'image-platform', value: ['$(params.build-platforms[*])'] }] },
        }),
      ),
    ],
    finally: finallyTasks('build-images'),
    results,
    workspaces: [gitAuth],
  },

  'fbc-builder': {
    description: 'This pipeline is ideal for building and validating file-based catalogs.',
    params: params(
      pipelineParam('build-platforms', 'List of platforms to build the container images on.', ['linux/x86_64']),
    ),
    tasks: [
      ...sourceTasks(true),
      task('build-images', 'buildah-remote-oci-ta:0.9', {
        matrix: { params: [{ name: 'PLATFORM', value: ['$(params.build-platforms[*])'] }] },
        params: { ...buildParams, ...prefetched },
        runAfter: ['prefetch-dependencies'],
      }),
      indexTask('build-images', '$(tasks.build-images.results.IMAGE_REF[*])'),
      scan('deprecated-base-image-check', 'deprecated-image-check:0.5'),
      task('apply-tags', 'apply-tags:0.3', {
        params: { IMAGE_URL: indexUrl, IMAGE_DIGEST: indexDigest },
        runAfter: ['build-image-index'],
      }),
      scan('validate-fbc', 'validate-fbc:0.1'),
      scan('fbc-target-index-pruning-check', 'fbc-target-index-pruning-check:0.1', false, {
        runAfter: ['validate-fbc'],
      }),
      scan('clair-scan', 'clair-scan-index:0.2'),
    ],
    finally: finallyTasks('build-images'),
    results,
    workspaces: [gitAuth],
  },
}
