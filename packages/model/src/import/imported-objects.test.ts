import { describe, expect, it } from 'vitest'
import {
  buildApplication,
  buildComponent,
  buildEnterpriseContractTest,
  buildImageRepository,
  type NewComponent,
} from './imported-objects'

it('IMP-51 an application has a name and a display name', () => {
  expect(buildApplication('team-a', 'shop')).toEqual({
    metadata: { name: 'shop', namespace: 'team-a' },
    spec: { displayName: 'shop' },
  })
})

it('IMP-52, IMP-53, IMP-54 the enterprise-contract test is required and runs the pipeline of the platform', () => {
  expect(buildEnterpriseContractTest('team-a', 'shop')).toEqual({
    metadata: {
      name: 'shop-enterprise-contract',
      namespace: 'team-a',
      // Without the label that would make it optional.
      annotations: { 'test.appstudio.openshift.io/kind': 'enterprise-contract' },
    },
    spec: {
      application: 'shop',
      resolverRef: {
        resolver: 'git',
        resourceKind: 'pipeline',
        params: [
          { name: 'url', value: 'https://github.com/konflux-ci/build-definitions' },
          { name: 'revision', value: 'main' },
          { name: 'pathInRepo', value: 'pipelines/enterprise-contract.yaml' },
        ],
      },
    },
  })
})

describe('a component', () => {
  const least: NewComponent = {
    name: 'web',
    application: 'shop',
    source: { url: 'https://github.com/shop/web' },
    pipeline: 'docker-build',
  }

  it('IMP-55, IMP-56, IMP-57, IMP-58 has everything that was given', () => {
    const rest = {
      secret: 'git-token',
      containerImage: 'quay.io/shop/web',
      replicas: 2,
      targetPort: 8080,
      resources: { requests: { cpu: '10m' } },
      env: [{ name: 'MODE', value: 'test' }],
    }
    const source = {
      url: 'https://gitlab.com/shop/web',
      revision: 'main',
      context: 'src',
      dockerfileUrl: 'Containerfile',
    }
    const component = buildComponent('team-a', {
      ...least,
      ...rest,
      source,
      gitProvider: 'gitlab',
      gitProviderUrl: 'https://gitlab.com',
    })
    expect(component).toEqual({
      metadata: {
        name: 'web',
        namespace: 'team-a',
        annotations: {
          'git-provider': 'gitlab',
          'git-provider-url': 'https://gitlab.com',
          'build.appstudio.openshift.io/pipeline': '{"name":"docker-build","bundle":"latest"}',
          'build.appstudio.openshift.io/request': 'configure-pac',
        },
      },
      spec: { componentName: 'web', application: 'shop', source: { git: source }, ...rest },
    })
  })

  it('IMP-47, IMP-55 leaves out what is blank, and starts with the latest bundle of its pipeline', () => {
    const source = { ...least.source, revision: '', context: '', dockerfileUrl: '' }
    const component = buildComponent('team-a', { ...least, source, gitProvider: '', gitProviderUrl: '', secret: '' })
    expect(component.metadata.annotations).toEqual({
      'build.appstudio.openshift.io/pipeline': '{"name":"docker-build","bundle":"latest"}',
      'build.appstudio.openshift.io/request': 'configure-pac',
    })
    expect(component.spec).toEqual({
      componentName: 'web',
      application: 'shop',
      source: { git: { url: 'https://github.com/shop/web' } },
    })
  })
})

describe('an image repository', () => {
  const notification = {
    title: 'SBOM',
    event: 'repo_push',
    method: 'webhook',
    config: { url: 'https://sbom.example.com' },
  } as const

  it('IMP-60, IMP-61, IMP-62, IMP-63 belongs to its component and reports what the platform wants', () => {
    expect(
      buildImageRepository('team-a', {
        component: 'web',
        application: 'shop',
        visibility: 'private',
        notifications: [notification],
      }),
    ).toEqual({
      metadata: {
        name: 'imagerepository-for-shop-web',
        namespace: 'team-a',
        labels: { 'appstudio.redhat.com/application': 'shop', 'appstudio.redhat.com/component': 'web' },
        annotations: { 'image-controller.appstudio.redhat.com/update-component-image': 'true' },
      },
      spec: { image: { visibility: 'private' }, notifications: [notification] },
    })
  })

  it('IMP-62 may be public, without notifications', () => {
    const { spec } = buildImageRepository('team-a', {
      component: 'web',
      application: 'shop',
      visibility: 'public',
      notifications: [],
    })
    expect(spec).toEqual({ image: { visibility: 'public' } })
  })
})
