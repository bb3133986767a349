import { qualifiedNameErrors } from '@slipway/kube/label-syntax'
import { expect, it } from 'vitest'
import { annotations, labels } from './labels'

it('CALL-45 uses the labels of the platform', () =>
  expect(labels).toMatchObject({
    application: 'appstudio.openshift.io/application',
    component: 'appstudio.openshift.io/component',
    pipelineType: 'pipelines.appstudio.openshift.io/type',
    commitSha: 'pipelinesascode.tekton.dev/sha',
    eventType: 'pipelinesascode.tekton.dev/event-type',
    pullRequestNumber: 'pipelinesascode.tekton.dev/pull-request',
    snapshot: 'appstudio.openshift.io/snapshot',
    scenario: 'test.appstudio.openshift.io/scenario',
  }))

it('CALL-46 uses the annotations of the platform', () =>
  expect(annotations).toMatchObject({
    branch: 'build.appstudio.redhat.com/target_branch',
    image: 'build.appstudio.openshift.io/image',
    repository: 'build.appstudio.openshift.io/repo',
  }))

it.each(Object.values({ ...labels, ...annotations }))('%s is a valid key', (key) =>
  expect(qualifiedNameErrors(key)).toEqual([]),
)
