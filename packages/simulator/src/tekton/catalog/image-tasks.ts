import { integerBetween } from '../../keyed-random'
import {
  colour,
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
import { sbomOf } from './sbom'

/** Tasks that build an image from sources and push it with its SBOM. */

const repositoryOf = (image: string): string => image.replace(/@.*$/, '').replace(/:[^/:]*$/, '')
const digestOf = (facts: Facts): string => sha256(facts.random('image digest'))
const platformOf = ({ param }: Facts): string => param('PLATFORM') || 'linux/x86_64'

/** Images of a matrix have the platform in their tag. */
const imageUrlOf = (facts: Facts): string => {
  const platform = facts.param('PLATFORM')
  return facts.param('IMAGE') + (platform ? `-${platform.replace(/\//g, '-')}` : '')
}

function* buildahLog(facts: Facts): Iterable<string> {
  const language = languageOf(facts)
  const { param, random } = facts
  const builder = `${imageRegistry}/${language.baseImage}`
  const containerfile = param('DOCKERFILE') || 'Dockerfile'
  const context = param('CONTEXT') || '.'
  yield 'INFO: Using mounted CA bundle: /mnt/trusted-ca/ca-bundle.crt'
  yield `[${platformOf(facts)}] buildah build --tls-verify=true --no-cache --ulimit nofile=4096:4096 -f /var/workdir/source/${containerfile} -t ${param('IMAGE')} ${context}`
  yield `STEP 1/11: FROM ${builder} AS builder`
  yield `Trying to pull ${builder}...`
  yield 'Getting image source signatures'
  for (let layer = 0; layer < 4; layer++) {
    yield progressBar(
      `Copying blob ${sha256(random(`layer ${layer}`)).slice(0, 19)}`,
      integerBetween(random(`layer ${layer} size`), 4, 90),
    )
  }
  yield 'Writing manifest to image destination'
  yield 'STEP 2/11: WORKDIR /opt/app-root/src'
  yield `STEP 3/11: COPY ${language.manifest} ./`
  yield 'STEP 4/11: RUN install-dependencies'
  yield* group('Install dependencies', language.install(facts))
  yield 'STEP 5/11: COPY . .'
  yield 'STEP 6/11: RUN build'
  yield* group('Build', language.build(facts))
  yield* group('Test', language.test(facts))
  yield `STEP 7/11: FROM ${builder}`
  yield 'STEP 8/11: COPY --from=builder /opt/app-root/src /opt/app-root/src'
  yield 'STEP 9/11: USER 1001'
  yield 'STEP 10/11: ENTRYPOINT ["/opt/app-root/src/start"]'
  yield `STEP 11/11: LABEL "build-date"="${new Date(facts.startMs).toISOString()}" "vcs-ref"="${param('COMMIT_SHA')}" "architecture"="${platformOf(facts).replace('linux/', '')}"`
  yield `COMMIT ${param('IMAGE')}`
  yield `--> ${sha256(random('config')).slice(7, 19)}`
  yield `Successfully tagged ${param('IMAGE')}`
  yield colour.green(sha256(random('config')).slice(7))
}

const sbomLog = (facts: Facts) => [
  ' ✔ Indexed file system                                     /var/workdir/source',
  ` ✔ Cataloged contents ${sha256(facts.random('catalog')).slice(7)}`,
  `   ├── ✔ Packages                        [${integerBetween(facts.random('sbom packages'), 120, 940)} packages]  `,
  `   └── ✔ File digests                    [${integerBetween(facts.random('sbom files'), 900, 4100)} files]  `,
  // The SBOM itself, in one line, as tools print it.
  JSON.stringify(sbomOf(imageUrlOf(facts), facts.sharedRandom(`packages of ${imageUrlOf(facts)}`))),
]

const imageResults = {
  IMAGE_DIGEST: 'Digest of the image just built',
  IMAGE_REF: 'Image reference of the built image',
  IMAGE_URL: 'Image repository and tag where the built image was pushed',
  SBOM_BLOB_URL: 'Reference of SBOM blob digest to enable digest-based verification from provenance',
}
const imageResultsOf = (facts: Facts) => ({
  IMAGE_DIGEST: digestOf(facts),
  IMAGE_REF: `${repositoryOf(imageUrlOf(facts))}@${digestOf(facts)}`,
  IMAGE_URL: imageUrlOf(facts),
  SBOM_BLOB_URL: `${repositoryOf(imageUrlOf(facts))}@${sha256(facts.random('sbom digest'))}`,
})
const pushLog = (facts: Facts) => [
  `Pushing to ${imageUrlOf(facts)}`,
  'Getting image source signatures',
  progressBar(
    `Copying blob ${sha256(facts.random('push')).slice(0, 19)}`,
    integerBetween(facts.random('push'), 20, 140),
  ),
  'Writing manifest to image destination',
  `${imageUrlOf(facts)}@${digestOf(facts)}`,
]

const buildParams = {
  IMAGE: required('Reference of the image buildah will produce.'),
  DOCKERFILE: optional('Path to the Dockerfile to build.', './Dockerfile'),
  CONTEXT: optional('Path to the directory to use as context.', '.'),
  HERMETIC: optional('Determines if build will be executed without network access.', 'false'),
  PREFETCH_INPUT: optional('In case it is not empty, the prefetched content should be made available to the build.'),
  IMAGE_EXPIRES_AFTER: optional('Delete image tag after specified time. Empty means to keep the image tag.'),
  COMMIT_SHA: optional('The image is built from this commit.'),
  SOURCE_URL: optional('The image is built from this URL.'),
  BUILD_ARGS: optional('Array of --build-arg values ("arg=value" strings)', []),
  BUILDAH_FORMAT: optional('The format for the resulting image’s mediaType.', 'oci'),
  PLATFORM: optional('The platform to build on'),
  SOURCE_ARTIFACT: optional('The Trusted Artifact URI pointing to the artifact with the application source code.'),
  CACHI2_ARTIFACT: optional('The Trusted Artifact URI pointing to the artifact with the prefetched dependencies.'),
}

export const imageTasks: Record<string, TaskDefinition> = {
  buildah: {
    description: 'Buildah task builds source code into a container image and pushes the image into container registry.',
    params: buildParams,
    results: imageResults,
    steps: [
      {
        name: 'build',
        image: `${imageRegistry}/buildah-task:latest`,
        script: 'buildah build -f "$(params.DOCKERFILE)" -t "$(params.IMAGE)" "$(params.CONTEXT)"',
        seconds: [150, 330],
        log: buildahLog,
      },
      {
        name: 'push',
        image: `${imageRegistry}/buildah-task:latest`,
        script: 'buildah push --format "$(params.BUILDAH_FORMAT)" "$(params.IMAGE)"',
        seconds: [8, 25],
        log: pushLog,
      },
      {
        name: 'sbom-syft-generate',
        image: `${imageRegistry}/syft:v1.31.0`,
        script: 'syft dir:/var/workdir/source --output spdx-json=/shared/sbom-source.json',
        seconds: [6, 18],
        log: sbomLog,
      },
      {
        name: 'prepare-sboms',
        image: `${imageRegistry}/mobster:1.0`,
        script: 'mobster generate --output /shared/sbom.json oci-image',
        seconds: [3, 9],
        log: constantLog('INFO: Merging SBOMs', 'INFO: Adding image reference to sbom', 'INFO: SBOM prepared'),
      },
      {
        name: 'upload-sbom',
        image: `${imageRegistry}/appstudio-utils:latest`,
        script: 'cosign attach sbom --sbom /shared/sbom.json --type spdx "$(params.IMAGE)"',
        seconds: [3, 8],
        log: (facts) => [
          `Uploading SBOM file for [${imageUrlOf(facts)}] with mediaType [text/spdx+json].`,
          `Pushing sbom to registry: ${imageResultsOf(facts).SBOM_BLOB_URL}`,
        ],
      },
    ],
    resultsOf: imageResultsOf,
    failure: {
      step: 'build',
      rate: 0.03,
      exitCode: 1,
      log: (facts) => [
        ...languageOf(facts).crash(facts),
        `subprocess exited with status 1`,
        `Error: building at STEP "RUN build": exit status 1`,
      ],
    },
  },

  'build-image-index': {
    description: 'This takes existing Image Manifests and combines them in an Image Index.',
    params: {
      IMAGE: required('The target image and tag where the image will be pushed to.'),
      COMMIT_SHA: optional('The commit the image is built from.'),
      IMAGE_EXPIRES_AFTER: optional('Delete image tag after specified time.'),
      ALWAYS_BUILD_INDEX: optional('Build an image index even if IMAGES is of length 1.', 'true'),
      IMAGES: optional('List of Image Manifests to be referenced by the Image Index', []),
      BUILDAH_FORMAT: optional('The format for the resulting image’s mediaType.', 'oci'),
    },
    results: { ...imageResults, IMAGES: 'List of all referenced image manifests' },
    steps: [
      {
        name: 'build',
        image: `${imageRegistry}/buildah-task:latest`,
        script: 'buildah manifest create "$(params.IMAGE)" $(params.IMAGES[*])',
        seconds: [5, 14],
        log: (facts) => [
          ...facts
            .param('IMAGES')
            .split(' ')
            .map((image) => `Adding ${image} to ${facts.param('IMAGE')}`),
          ...pushLog(facts),
        ],
      },
      {
        name: 'create-sbom',
        image: `${imageRegistry}/mobster:1.0`,
        script: 'mobster generate --output /index.spdx.json oci-index',
        seconds: [2, 5],
        log: constantLog('INFO: Creating SBOM for image index'),
      },
      {
        name: 'upload-sbom',
        image: `${imageRegistry}/appstudio-utils:latest`,
        script: 'cosign attach sbom --sbom /index.spdx.json --type spdx "$(params.IMAGE)"',
        seconds: [2, 6],
        log: (facts) => [`Pushing sbom to registry: ${imageResultsOf(facts).SBOM_BLOB_URL}`],
      },
    ],
    resultsOf(facts) {
      const [first = '', ...others] = facts.param('IMAGES').split(' ')
      // A single image needs no index, so its own digest is passed on.
      const digest = others.length === 0 ? first.split('@')[1] : undefined
      const own = imageResultsOf(facts)
      const reference = digest ? `${repositoryOf(facts.param('IMAGE'))}@${digest}` : own.IMAGE_REF
      return { ...own, IMAGE_DIGEST: digest ?? own.IMAGE_DIGEST, IMAGE_REF: reference, IMAGES: facts.param('IMAGES') }
    },
  },

  'source-build': {
    description: 'Source image build.',
    params: {
      BINARY_IMAGE: required('Binary image name.'),
      BINARY_IMAGE_DIGEST: optional('Digest of the binary image.'),
      SOURCE_ARTIFACT: optional('The Trusted Artifact URI of the source code.'),
      CACHI2_ARTIFACT: optional('The Trusted Artifact URI of the prefetched dependencies.'),
    },
    results: {
      SOURCE_IMAGE_URL: 'The source image url.',
      SOURCE_IMAGE_DIGEST: 'The source image digest.',
      BUILD_RESULT: 'Build result.',
    },
    steps: [
      {
        name: 'build',
        image: `${imageRegistry}/source-container-build:latest`,
        script: 'source_build.py --source-dir /var/source --binary-image "$(params.BINARY_IMAGE)"',
        seconds: [25, 70],
        log: ({ param }) => [
          '2026-01-31 09:05:02 - source-build - DEBUG - Prepare image sources',
          `2026-01-31 09:05:20 - source-build - INFO - Pushed ${param('BINARY_IMAGE')}.src`,
        ],
      },
    ],
    resultsOf: (facts) => ({
      SOURCE_IMAGE_URL: `${facts.param('BINARY_IMAGE')}.src`,
      SOURCE_IMAGE_DIGEST: sha256(facts.random('source image')),
      BUILD_RESULT: '{"status":"success","message":"Pushed"}',
    }),
  },

  'apply-tags': {
    description: 'Applies additional tags to the built image.',
    params: {
      IMAGE_URL: required('Image repository and tag reference of the the built image.'),
      IMAGE_DIGEST: required('Image digest of the built image.'),
      ADDITIONAL_TAGS: optional('Additional tags that will be applied to the image in the registry.', []),
    },
    results: {},
    steps: [
      {
        name: 'apply-additional-tags',
        image: `${imageRegistry}/konflux-build-cli:latest`,
        script: 'apply-tags --image-url "$(params.IMAGE_URL)" --digest "$(params.IMAGE_DIGEST)"',
        seconds: [2, 6],
        log: ({ param }) => [
          `Image: ${param('IMAGE_URL')}@${param('IMAGE_DIGEST')}`,
          'No additional tags parameter specified',
        ],
      },
    ],
  },

  'push-dockerfile': {
    description: 'Discover Dockerfile from source code and push it to registry as an OCI artifact.',
    params: {
      IMAGE: required('The built binary image.'),
      IMAGE_DIGEST: required('The built binary image digest.'),
      DOCKERFILE: optional('Path to the Dockerfile.', './Dockerfile'),
      CONTEXT: optional('Path to the directory to use as context.', '.'),
      SOURCE_ARTIFACT: optional('The Trusted Artifact URI of the source code.'),
    },
    results: { IMAGE_REF: 'Digest-pinned image reference to the Dockerfile image.' },
    steps: [
      {
        name: 'push',
        image: `${imageRegistry}/oras:latest`,
        script: 'oras push --artifact-type application/vnd.dockerfile "$(params.IMAGE)"',
        seconds: [2, 6],
        log: ({ param }) => [`Uploading ${param('DOCKERFILE')}`, `Pushed [registry] ${param('IMAGE')}.dockerfile`],
      },
    ],
    resultsOf: (facts) => ({
      IMAGE_REF: `${repositoryOf(facts.param('IMAGE'))}@${sha256(facts.random('dockerfile'))}`,
    }),
  },
}
