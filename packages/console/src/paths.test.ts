import { expect, it, test } from 'vitest'
import { inNamespace, namespaceInPath, paths, pattern } from './paths'

const application = '/ns/:namespace/applications/:application'
const addresses: [title: string, address: keyof typeof paths, expected: string][] = [
  ['the overview', 'overview', '/'],
  ['the end of a sign-in', 'signedIn', '/signed-in'],
  ['the namespaces', 'namespaces', '/ns'],
  ['NAV-01 a namespace', 'namespace', '/ns/:namespace'],
  ['NAV-01 its applications', 'applications', '/ns/:namespace/applications'],
  ['the runs of all its applications', 'pipelineRuns', '/ns/:namespace/runs'],
  ['NAV-01 a new application', 'createApplication', '/ns/:namespace/import'],
  ['APP-33, IMP-01 a new component', 'createComponent', '/ns/:namespace/import?application=%3Aapplication'],
  ['NAV-01, SEC-01 the secrets', 'secrets', '/ns/:namespace/secrets'],
  ['SEC-03 a new secret', 'createSecret', '/ns/:namespace/secrets/create'],
  ['editing a secret', 'editSecret', '/ns/:namespace/secrets/edit/:secret'],
  ['NAV-01 who has access', 'access', '/ns/:namespace/access'],
  ['NAV-01 granting access', 'grantAccess', '/ns/:namespace/access/grant'],
  ['NAV-01 editing access', 'editAccess', '/ns/:namespace/access/edit/:binding'],
  ['NAV-01 an application', 'application', application],
  ['NAV-32, RUN-01, RUN-05 a run', 'pipelineRun', `${application}/pipelineruns/:pipelineRun`],
  ['RUN-05 its task runs', 'pipelineRunTaskRuns', `${application}/pipelineruns/:pipelineRun/taskruns`],
  ['RUN-05 its logs', 'pipelineRunLogs', `${application}/pipelineruns/:pipelineRun/logs`],
  ['RUN-05 its report', 'pipelineRunSecurity', `${application}/pipelineruns/:pipelineRun/security`],
  ['TASK-01 a task run', 'taskRun', `${application}/taskruns/:taskRun`],
  ['TASK-01 its details', 'taskRunDetails', `${application}/taskruns/:taskRun/details`],
  ['TASK-01 its logs', 'taskRunLogs', `${application}/taskruns/:taskRun/logs`],
  ['TASK-01 its report', 'taskRunSecurity', `${application}/taskruns/:taskRun/security`],
  ['COM-01, COM-17 a commit', 'commit', `${application}/commit/:commit`],
  ['COM-17 its runs', 'commitPipelineRuns', `${application}/commit/:commit/pipelineruns`],
  ['the integration tests of an application', 'integrationTests', `${application}/integrationtests`],
  ['ITS-43 a new integration test', 'addIntegrationTest', `${application}/integrationtests/add`],
  ['an integration test', 'integrationTest', `${application}/integrationtests/:integrationTest`],
  ['its runs', 'integrationTestPipelineRuns', `${application}/integrationtests/:integrationTest/pipelineruns`],
  ['ITS-44 editing it', 'editIntegrationTest', `${application}/integrationtests/:integrationTest/edit`],
  ['the snapshots of an application', 'snapshots', `${application}/snapshots`],
  ['SNAP-02 a snapshot', 'snapshot', `${application}/snapshots/:snapshot`],
  ['SNAP-04 its runs', 'snapshotPipelineRuns', `${application}/snapshots/:snapshot/pipelineruns`],
  ['what changed in it', 'snapshotChanges', `${application}/snapshots/:snapshot/changes`],
  ['the releases of an application', 'releases', `${application}/releases`],
  ['a release', 'release', `${application}/releases/:release`],
  ['its runs', 'releasePipelineRuns', `${application}/releases/:release/pipelineruns`],
  ['its artifacts', 'releaseArtifacts', `${application}/releases/:release/artifacts`],
  ['the release area', 'releaseArea', '/ns/:namespace/release'],
  ['release plans', 'releasePlans', '/ns/:namespace/release/release-plan'],
  ['a new release plan', 'createReleasePlan', '/ns/:namespace/release/release-plan/create'],
  ['a changed release plan', 'editReleasePlan', '/ns/:namespace/release/release-plan/edit/:releasePlan'],
  ['TRIG-01 a new release', 'triggerRelease', '/ns/:namespace/release/release-plan/trigger'],
  ['TRIG-01 the same without any field', 'triggerReleaseOf', '/ns/:namespace/release/release-plan/trigger?'],
  ['release plan admissions', 'releasePlanAdmissions', '/ns/:namespace/release/release-plan-admission'],
  ['the releases of all namespaces', 'releaseMonitor', '/releasemonitor'],
  ['ACT-27 the activity of an application', 'activity', `${application}/activity`],
  ['ACT-27 a tab of it', 'activityTab', `${application}/activity/:activityTab`],
  ['the components of an application', 'components', `${application}/components`],
  ['a component', 'component', `${application}/components/:component`],
  ['LINK-01 its secrets', 'linkedSecrets', `${application}/components/:component/linked-secrets`],
  ['its activity', 'componentActivity', `${application}/components/:component/activity`],
  ['a tab of it', 'componentActivityTab', `${application}/components/:component/activity/:activityTab`],
  ['a run without its application', 'anyPipelineRun', '/ns/:namespace/pipelineruns'],
  ['the same in the singular', 'anyPipelineRunSingular', '/ns/:namespace/pipelinerun'],
]
test.each(addresses)('%s has its URL', (_, address, expected) => {
  const build: (params: never) => string = paths[address]
  expect(pattern(build)).toBe(expected)
})

it('every path has a test of its URL', () =>
  expect(addresses.map(([, address]) => address).toSorted()).toEqual(Object.keys(paths).toSorted()))

test('TRIG-04, TRIG-05 the fields of a new release are parameters of its URL', () =>
  expect(paths.triggerReleaseOf({ namespace: 'team', releasePlan: 'to-production', snapshot: 'shop&1' })).toBe(
    '/ns/team/release/release-plan/trigger?releasePlan=to-production&snapshot=shop%261',
  ))

test.each([
  ['team-a', '/ns/team-a/applications'],
  ['a/../b', '/ns/a%2F..%2Fb/applications'],
  [':a/b', '/ns/%3Aa%2Fb/applications'],
  ['ü?x#y', '/ns/%C3%BC%3Fx%23y/applications'],
])('a name stays in its segment: %s', (namespace, expected) => {
  expect(paths.applications({ namespace })).toBe(expected)
})

test.each([
  ['NAV-13 replaces the namespace', '/ns/a/applications', '/ns/b/applications'],
  ['NAV-14 keeps only the first section', '/ns/a/applications/x/components', '/ns/b/applications'],
  ['NAV-14 keeps a section with nothing below it', '/ns/a/applications/', '/ns/b/applications'],
  ['NAV-14 keeps the encoding of a section', '/ns/a/odd%2Fone/x', '/ns/b/odd%2Fone'],
  ['NAV-13 goes from the root of a namespace to the root of another', '/ns/a', '/ns/b'],
  ['keeps a path without a namespace', '/ns', '/ns'],
  ['keeps other paths', '/releasemonitor', '/releasemonitor'],
])('a change of namespace %s', (_, pathname, expected) => expect(inNamespace(pathname, 'b')).toBe(expected))

test.each([
  ['/ns/a/applications/x', 'a'],
  ['/ns/a%2Fb', 'a/b'],
  ['/ns/', undefined],
  ['/ns', undefined],
  ['/', undefined],
  ['/nsx/a', undefined],
  ['/ns/%E0%A4%A', undefined],
])('%s is within %s', (pathname, expected) => expect(namespaceInPath(pathname)).toBe(expected))
