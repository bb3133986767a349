/** Location of the platform's list of build pipelines. */
export const buildPipelinesLocation = { namespace: 'build-service', name: 'build-pipeline-config' } as const
export const buildPipelinesEntry = 'config.yaml'

export interface BuildPipeline {
  name: string
  description?: string
}

export interface BuildPipelines {
  /** Name of the one that is selected by default; empty if there is none. */
  defaultName: string
  pipelines: BuildPipeline[]
}

/** What a platform without a list of its own builds with. */
export const builtInPipelines: BuildPipelines = {
  defaultName: 'docker-build-oci-ta',
  pipelines: ['fbc-builder', 'docker-build', 'docker-build-oci-ta', 'docker-build-multi-platform-oci-ta'].map(
    (name) => ({ name }),
  ),
}
