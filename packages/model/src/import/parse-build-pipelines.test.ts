import { describe, expect, it } from 'vitest'
import { builtInPipelines } from './build-pipelines'
import { parseBuildPipelines } from './parse-build-pipelines'

const config = `
default-pipeline-name: fbc-builder
pipelines:
  - name: fbc-builder
    bundle: quay.io/konflux-ci/tekton-catalog/pipeline-fbc-builder@sha256:1
    description: Builds an operator catalog.
  - name: docker-build
    additional-params: [hermetic]
  - bundle: nameless
  - 7
`

describe('the list of build pipelines', () => {
  it('IMP-43 has a default and the name and description of each', () => {
    expect(parseBuildPipelines(config)).toEqual({
      defaultName: 'fbc-builder',
      pipelines: [
        { name: 'fbc-builder', description: 'Builds an operator catalog.' },
        { name: 'docker-build', description: undefined },
      ],
    })
  })

  it('has no default if that is not one of the pipelines', () =>
    expect(parseBuildPipelines('default-pipeline-name: gone\npipelines: [{ name: a }]')?.defaultName).toBe(''))

  it.each(['', '{', 'pipelines: all', 'pipelines: []', '- a', 'pipelines: [{ bundle: x }]'])(
    'is not valid: %j',
    (text) => expect(parseBuildPipelines(text)).toBeUndefined(),
  )
})

it('IMP-45, IMP-46 the built-in list has these names', () => {
  expect(builtInPipelines.defaultName).toBe('docker-build-oci-ta')
  expect(builtInPipelines.pipelines.map(({ name }) => name)).toEqual([
    'fbc-builder',
    'docker-build',
    'docker-build-oci-ta',
    'docker-build-multi-platform-oci-ta',
  ])
})
