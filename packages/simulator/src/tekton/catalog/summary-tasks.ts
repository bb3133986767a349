import { imageRegistry, optional, constantLog, type TaskDefinition } from './definition'
import { sbomOf } from './sbom'

/** The last tasks of a build, which run whether or not it succeeds. */
export const summaryTasks: Record<string, TaskDefinition> = {
  'show-sbom': {
    description: 'Shows the Software Bill of Materials (SBOM) generated for the built image in SPDX JSON format.',
    params: { IMAGE_URL: optional('Fully qualified image name to show SBOM for.') },
    results: {},
    steps: [
      {
        name: 'show-sbom',
        image: `${imageRegistry}/appstudio-utils:latest`,
        script: 'cosign download sbom "$(params.IMAGE_URL)"',
        seconds: [3, 8],
        log: ({ param, sharedRandom }) => {
          const image = param('IMAGE_URL')
          return [JSON.stringify(sbomOf(image, sharedRandom(`packages of ${image}`)))]
        },
      },
    ],
  },
  summary: {
    description:
      'Summary Pipeline Task. Prints PipelineRun information, removes image repository secret used by the PipelineRun.',
    params: {
      'pipelinerun-name': optional('pipeline-run to annotate'),
      'git-url': optional('Git URL'),
      'image-url': optional('Image URL'),
      'build-task-status': optional('State of build task in pipelineRun', 'Succeeded'),
    },
    results: {},
    steps: [
      {
        name: 'appstudio-summary',
        image: `${imageRegistry}/appstudio-utils:latest`,
        script: 'echo "Build Summary:"',
        seconds: [2, 5],
        log: ({ param }) => [
          '',
          'Build Summary:',
          '',
          `Build repository: ${param('git-url')}`,
          ...(param('build-task-status') === 'Succeeded'
            ? [`Generated Image is in : ${param('image-url')}`]
            : [`The build ended: ${param('build-task-status')}`]),
          '',
          'End Summary',
        ],
      },
    ],
  },
  'send-notification': {
    description: 'Tells a channel how a run ended.',
    params: { message: optional('What to tell.') },
    results: {},
    steps: [
      {
        name: 'send',
        image: `${imageRegistry}/cli:latest`,
        script: 'curl -X POST -d "$(params.message)" "$WEBHOOK"',
        seconds: [2, 4],
        log: constantLog('ok'),
      },
    ],
  },
}
