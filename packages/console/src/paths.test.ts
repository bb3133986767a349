import { expect, it, test } from 'vitest'
import { inNamespace, namespaceOf, paths, pattern } from './paths'

it('NAV-01 every page of a namespace is below /ns/{namespace}', () => {
  expect(pattern(paths.namespace)).toBe('/ns/:namespace')
  expect(pattern(paths.applications)).toBe('/ns/:namespace/applications')
  expect(pattern(paths.createApplication)).toBe('/ns/:namespace/import')
  expect(pattern(paths.access)).toBe('/ns/:namespace/access')
  expect(pattern(paths.grantAccess)).toBe('/ns/:namespace/access/grant')
  expect(pattern(paths.editAccess)).toBe('/ns/:namespace/access/edit/:binding')
})

const application = '/ns/:namespace/applications/:application'
test.each<[title: string, found: string, expected: string]>([
  ['NAV-32, RUN-01, RUN-05 a run', pattern(paths.pipelineRun), `${application}/pipelineruns/:pipelineRun`],
  ['RUN-05 its task runs', pattern(paths.pipelineRunTaskRuns), `${application}/pipelineruns/:pipelineRun/taskruns`],
  ['RUN-05 its logs', pattern(paths.pipelineRunLogs), `${application}/pipelineruns/:pipelineRun/logs`],
  ['RUN-05 its report', pattern(paths.pipelineRunSecurity), `${application}/pipelineruns/:pipelineRun/security`],
  ['TASK-01 a task run', pattern(paths.taskRun), `${application}/taskruns/:taskRun`],
  ['TASK-01 its details', pattern(paths.taskRunDetails), `${application}/taskruns/:taskRun/details`],
  ['TASK-01 its logs', pattern(paths.taskRunLogs), `${application}/taskruns/:taskRun/logs`],
  ['TASK-01 its report', pattern(paths.taskRunSecurity), `${application}/taskruns/:taskRun/security`],
  ['COM-01, COM-17 a commit', pattern(paths.commit), `${application}/commit/:commit`],
  ['COM-17 its runs', pattern(paths.commitPipelineRuns), `${application}/commit/:commit/pipelineruns`],
  ['ACT-27 the activity of an application', pattern(paths.activity), `${application}/activity`],
  ['ACT-27 a tab of it', pattern(paths.activityTab), `${application}/activity/:activityTab`],
  ['the components of an application', pattern(paths.components), `${application}/components`],
  ['a component', pattern(paths.component), `${application}/components/:component`],
  ['a run without its application', pattern(paths.anyPipelineRun), '/ns/:namespace/pipelineruns'],
  ['the same in the singular', pattern(paths.anyPipelineRunSingular), '/ns/:namespace/pipelinerun'],
])('%s is at its address', (_, found, expected) => expect(found).toBe(expected))

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
  ['NAV-14 keeps the first section only', '/ns/a/applications/x/components', '/ns/b/applications'],
  ['NAV-14 keeps a section with nothing below it', '/ns/a/applications/', '/ns/b/applications'],
  ['NAV-14 keeps a section as it is spelled', '/ns/a/odd%2Fone/x', '/ns/b/odd%2Fone'],
  ['NAV-13 leads to the root of the namespace from that of another', '/ns/a', '/ns/b'],
  ['leaves a path without a namespace alone', '/ns', '/ns'],
  ['leaves other paths alone', '/releasemonitor', '/releasemonitor'],
])('a change of namespace %s', (_, pathname, expected) => expect(inNamespace(pathname, 'b')).toBe(expected))

test.each([
  ['/ns/a/applications/x', 'a'],
  ['/ns/a%2Fb', 'a/b'],
  ['/ns/', undefined],
  ['/ns', undefined],
  ['/', undefined],
  ['/nsx/a', undefined],
  ['/ns/%E0%A4%A', undefined],
])('%s is within %s', (pathname, expected) => expect(namespaceOf(pathname)).toBe(expected))
