import { roleBindingType, secretType, serviceAccountType } from '@slipway/kube/core-types'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { componentGroupType } from '@slipway/model/builds/component-group'
import { imageRepositoryType } from '@slipway/model/builds/image-repository'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { releaseType } from '@slipway/model/releases/release'
import { releasePlanAdmissionType, releasePlanType } from '@slipway/model/releases/release-plan'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { taskRunType } from '@slipway/model/runs/task-run'
import { aComponent, anApplication, aPipelineRun, aRelease, aTaskRun, condition } from '@slipway/model/testing'
import { aComponentGroup, aSecret } from '@slipway/model/testing/build-services'
import { aReleasePlan, anIntegrationTestScenario, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { screen } from '@testing-library/react'
import { matchRoutes, type RouteObject } from 'react-router'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { namespace } from '../test/cluster'
import { grantTo } from '../test/grant-to'
import { renderRoute } from '../test/render-route'
import { paths, pattern } from './paths'
import { routes } from './routes'

const kinds = [
  applicationType,
  componentType,
  componentGroupType,
  imageRepositoryType,
  integrationTestScenarioType,
  snapshotType,
  releasePlanType,
  releasePlanAdmissionType,
  pipelineRunType,
  taskRunType,
  releaseType,
  roleBindingType,
  secretType,
  serviceAccountType,
]
const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] as const
/** Such as `list components`. */
type Right = `${(typeof verbs)[number]} ${string}`

/** The parameters of all addresses. */
const names = {
  namespace,
  application: 'checkout',
  component: 'checkout-api',
  componentGroup: 'checkout-group',
  activityTab: 'pipelineruns',
  integrationTest: 'suite',
  snapshot: 'checkout-snapshot',
  release: 'checkout-x4k2p',
  releasePlan: 'to-production',
  pipelineRun: 'checkout-api-on-push-x4k2p',
  taskRun: 'checkout-api-on-push-x4k2p-build',
  commit: 'a'.repeat(40),
  binding: 'konflux-contributor-contributor-user-actions',
  secret: 'git-token',
  '*': 'checkout-api-on-push-x4k2p',
}
const objects = [
  anApplication({ metadata: { name: names.application } }),
  aComponent({ metadata: { name: names.component } }),
  aComponentGroup({ metadata: { name: names.componentGroup } }),
  anIntegrationTestScenario({ metadata: { name: names.integrationTest } }),
  aPipelineRun({
    metadata: { name: names.pipelineRun, labels: { [labels.commitSha]: names.commit } },
    status: { conditions: [condition('Succeeded', 'True')] },
  }),
  aTaskRun({ metadata: { name: names.taskRun }, status: { conditions: [condition('Succeeded', 'True')] } }),
  aSnapshot({ metadata: { name: names.snapshot } }),
  aReleasePlan({ metadata: { name: names.releasePlan } }),
  aRelease({ metadata: { name: names.release } }),
  aSecret({ metadata: { name: names.secret } }),
]

const inNamespace = '/ns/:namespace'
const inGroup = `${inNamespace}/component-groups/group/:componentGroup`
const inApplication = `${inNamespace}/applications/:application`
const inComponent = `${inApplication}/components/:component`
const inTest = `${inApplication}/integrationtests/:integrationTest`
const inSnapshot = `${inApplication}/snapshots/:snapshot`
const inRelease = `${inApplication}/releases/:release`
const inCommit = `${inApplication}/commit/:commit`
const inRun = `${inApplication}/pipelineruns/:pipelineRun`
const inTaskRun = `${inApplication}/taskruns/:taskRun`
const plans = `${inNamespace}/release/release-plan`

const none: Right[] = []
const toImport: Right[] = ['create applications', 'create components', 'create imagerepositories']
const toOpenRun: Right[] = ['list pipelineruns', 'list taskruns']
const toTrigger: Right[] = ['list releases', 'create releases', 'list releaseplans']
const toEditAccess: Right[] = ['update rolebindings', 'create rolebindings', 'delete rolebindings']

/**
 * Every route: its address, the permissions that it requires, and the heading of its page. A page with a heading that it
 * reads from the cluster needs further permissions to read it, which are not required to open the page.
 */
const table: [
  title: string,
  path: keyof typeof paths | undefined,
  address: string,
  requires: Right[],
  heading: string,
  reads?: Right[],
][] = [
  ['NAV-06, OVW-01 the overview', 'overview', '/', none, 'Overview'],
  ['what the product is', 'about', '/about', none, 'About Slipway'],
  ['the search in all namespaces', 'search', '/search', none, 'Search'],
  [
    'the vulnerabilities of all namespaces',
    'allVulnerabilities',
    '/vulnerabilities',
    none,
    'Vulnerabilities in all namespaces',
  ],
  ['the end of a sign-in', 'signedIn', '/signed-in', none, 'You are signed in'],
  ['NAV-07 the namespaces', 'namespaces', '/ns', none, 'Namespaces'],
  [
    'MON-01 the releases of all namespaces',
    'releaseMonitor',
    '/releasemonitor?ff=release-monitor',
    none,
    'Release Monitor',
  ],
  ['NAV-01, NAV-03, NAV-44 a namespace', 'namespace', inNamespace, none, 'Applications', ['list applications']],
  [
    'NAV-01, ACC-11, APP-01, APP-02 the applications',
    'applications',
    `${inNamespace}/applications`,
    ['list applications'],
    'Applications',
  ],
  ['the runs of all applications', 'pipelineRuns', `${inNamespace}/runs`, ['list pipelineruns'], 'Pipeline runs'],
  ['the failure patterns', 'failurePatterns', `${inNamespace}/runs/failures`, toOpenRun, 'Failure patterns'],
  [
    'the components of all applications',
    'allComponents',
    `${inNamespace}/components`,
    ['list components'],
    'Components',
  ],
  ['the vulnerabilities', 'vulnerabilities', `${inNamespace}/vulnerabilities`, ['list taskruns'], 'Vulnerabilities'],
  ['the policy results', 'policy', `${inNamespace}/policy`, ['list taskruns'], 'Policy'],
  ['the policy dates', 'policyDates', `${inNamespace}/policy/dates`, ['list taskruns'], 'Policy'],
  [
    'the component groups',
    'componentGroups',
    `${inNamespace}/component-groups`,
    ['list componentgroups'],
    'Component groups',
  ],
  [
    'the form that creates a component group',
    'createComponentGroup',
    `${inNamespace}/component-groups/create`,
    ['create componentgroups'],
    'Create component group',
  ],
  [
    'the form that edits a component group',
    'editComponentGroup',
    `${inNamespace}/component-groups/edit/:componentGroup`,
    ['update componentgroups'],
    'Edit component group',
    ['get componentgroups'],
  ],
  ['a component group', 'componentGroup', inGroup, ['get componentgroups'], 'checkout-group'],
  [
    'the tests of a component group',
    'componentGroupTests',
    `${inGroup}/tests`,
    ['get componentgroups'],
    'checkout-group',
  ],
  [
    'NAV-01, IMP-01, IMP-02 the form that creates an application',
    'createApplication',
    `${inNamespace}/import`,
    toImport,
    'Create an Application',
  ],
  [
    'IMP-02 the form that adds a component',
    'createComponent',
    `${inNamespace}/import?application=:application`,
    ['create components', 'create imagerepositories'],
    'Create a Component',
    ['get applications'],
  ],
  ['NAV-01 an application', 'application', inApplication, none, 'checkout'],
  ['ACT-27 its activity', 'activity', `${inApplication}/activity`, none, 'checkout'],
  ['ACT-27 a tab of its activity', 'activityTab', `${inApplication}/activity/:activityTab`, none, 'checkout'],
  ['ACC-11, APP-23 its components', 'components', `${inApplication}/components`, ['list components'], 'checkout'],
  [
    'ACC-11, APP-24 its integration tests',
    'integrationTests',
    `${inApplication}/integrationtests`,
    ['list integrationtestscenarios'],
    'checkout',
  ],
  ['ACC-11, APP-25 its snapshots', 'snapshots', `${inApplication}/snapshots`, ['list snapshots'], 'checkout'],
  ['ACC-11, APP-26, REL-02 its releases', 'releases', `${inApplication}/releases`, ['list releases'], 'checkout'],
  ['ACC-11, CMP-22 a component', 'component', inComponent, ['list components'], 'checkout-api'],
  ['ACC-11, CMP-22 its activity', 'componentActivity', `${inComponent}/activity`, ['list components'], 'checkout-api'],
  [
    'ACC-11, CMP-22 a tab of its activity',
    'componentActivityTab',
    `${inComponent}/activity/:activityTab`,
    ['list components'],
    'checkout-api',
  ],
  [
    'the updates of its dependencies',
    'dependencyUpdates',
    `${inComponent}/dep-updates`,
    ['list components'],
    'checkout-api',
  ],
  [
    'its vulnerabilities',
    'componentVulnerabilities',
    `${inComponent}/vulnerabilities`,
    ['list components', 'list taskruns'],
    'checkout-api',
  ],
  [
    'LINK-01, LINK-02 its linked secrets',
    'linkedSecrets',
    `${inComponent}/linked-secrets`,
    ['patch serviceaccounts'],
    'Linked secrets',
  ],
  [
    'ITS-05, ITS-43 the form that adds an integration test',
    'addIntegrationTest',
    `${inApplication}/integrationtests/add`,
    ['create integrationtestscenarios'],
    'Add integration test',
  ],
  ['ITS-06 an integration test', 'integrationTest', inTest, ['get integrationtestscenarios'], 'suite'],
  [
    'ITS-06 an integration test that may have any name',
    'integrationTestOverview',
    `${inTest}/overview`,
    ['get integrationtestscenarios'],
    'suite',
  ],
  [
    'ITS-06 its runs',
    'integrationTestPipelineRuns',
    `${inTest}/pipelineruns`,
    ['get integrationtestscenarios'],
    'suite',
  ],
  [
    'ITS-07, ITS-44 the form that edits an integration test',
    'editIntegrationTest',
    `${inTest}/edit`,
    ['update integrationtestscenarios'],
    'Edit integration test',
    ['get integrationtestscenarios'],
  ],
  ['ACC-11, SNAP-02, SNAP-03 a snapshot', 'snapshot', inSnapshot, ['get snapshots'], names.snapshot],
  [
    'SNAP-03, SNAP-04 its runs',
    'snapshotPipelineRuns',
    `${inSnapshot}/pipelineruns`,
    ['get snapshots'],
    names.snapshot,
  ],
  ['SNAP-03 what changed in it', 'snapshotChanges', `${inSnapshot}/changes`, ['get snapshots'], names.snapshot],
  [
    'the vulnerabilities of a snapshot',
    'snapshotVulnerabilities',
    `${inSnapshot}/vulnerabilities`,
    ['get snapshots', 'list taskruns'],
    names.snapshot,
  ],
  [
    'the vulnerabilities of an application',
    'applicationVulnerabilities',
    `${inApplication}/vulnerabilities`,
    ['list taskruns'],
    'Vulnerabilities',
  ],
  ['the policy results of an application', 'applicationPolicy', `${inApplication}/policy`, ['list taskruns'], 'Policy'],
  [
    'the policy dates of an application',
    'applicationPolicyDates',
    `${inApplication}/policy/dates`,
    ['list taskruns'],
    'Policy',
  ],
  [
    'the deliveries of an application',
    'deliveries',
    `${inApplication}/deliveries`,
    ['list pipelineruns'],
    'Deliveries',
  ],
  ['ACC-11, REL-02 a release', 'release', inRelease, ['list releases'], names.release],
  ['REL-02 its runs', 'releasePipelineRuns', `${inRelease}/pipelineruns`, ['list releases'], names.release],
  ['REL-02 its artifacts', 'releaseArtifacts', `${inRelease}/artifacts`, ['list releases'], names.release],
  ['COM-01, COM-02, COM-17 a commit', 'commit', inCommit, none, 'Commit aaaaaaa'],
  ['COM-02, COM-17 its runs', 'commitPipelineRuns', `${inCommit}/pipelineruns`, none, 'Commit aaaaaaa'],
  ['NAV-32, ACC-11, RUN-01, RUN-02, RUN-05 a run', 'pipelineRun', inRun, toOpenRun, names.pipelineRun],
  ['RUN-02, RUN-05 its task runs', 'pipelineRunTaskRuns', `${inRun}/taskruns`, toOpenRun, names.pipelineRun],
  ['RUN-02, RUN-05 its logs', 'pipelineRunLogs', `${inRun}/logs`, toOpenRun, names.pipelineRun],
  ['RUN-02, RUN-05, EC-20 its report', 'pipelineRunSecurity', `${inRun}/security`, toOpenRun, names.pipelineRun],
  ['what changed since another run', 'pipelineRunChanges', `${inRun}/compare`, toOpenRun, names.pipelineRun],
  [
    'the vulnerabilities of a run',
    'pipelineRunVulnerabilities',
    `${inRun}/vulnerabilities`,
    toOpenRun,
    names.pipelineRun,
  ],
  ['ACC-11, TASK-01, TASK-02 a task run', 'taskRun', inTaskRun, ['list taskruns'], names.taskRun, ['get taskruns']],
  ['TASK-01, TASK-02 its details', 'taskRunDetails', `${inTaskRun}/details`, ['list taskruns'], names.taskRun],
  ['TASK-01, TASK-02 its logs', 'taskRunLogs', `${inTaskRun}/logs`, ['list taskruns'], names.taskRun],
  ['TASK-01, TASK-02, EC-20 its report', 'taskRunSecurity', `${inTaskRun}/security`, ['list taskruns'], names.taskRun],
  ['ACC-11, PLAN-02 the release area', 'releaseArea', `${inNamespace}/release`, ['list releaseplans'], 'Releases'],
  ['ACC-11, PLAN-02 the release plans', 'releasePlans', plans, ['list releaseplans'], 'Releases'],
  [
    'ACC-11, RPA-01, RPA-10 the release plan admissions',
    'releasePlanAdmissions',
    `${inNamespace}/release/release-plan-admission`,
    ['list releaseplanadmissions'],
    'Releases',
  ],
  [
    'PLAN-18, PLAN-19 the form that creates a release plan',
    'createReleasePlan',
    `${plans}/create`,
    ['create releaseplans'],
    'Create release plan',
  ],
  [
    'PLAN-20, PLAN-21 the form that edits a release plan',
    'editReleasePlan',
    `${plans}/edit/:releasePlan`,
    ['update releaseplans'],
    'Edit release plan',
    ['get releaseplans'],
  ],
  ['a release plan', 'releasePlan', `${plans}/plan/:releasePlan`, ['get releaseplans'], names.releasePlan],
  [
    'the releases of a release plan',
    'releasePlanReleases',
    `${plans}/plan/:releasePlan/releases`,
    ['get releaseplans', 'list releases'],
    names.releasePlan,
  ],
  [
    'two snapshots of a release plan',
    'releasePlanComparison',
    `${plans}/plan/:releasePlan/compare`,
    ['get releaseplans', 'list releases'],
    names.releasePlan,
  ],
  [
    'TRIG-01, TRIG-02 the form that triggers a release',
    'triggerRelease',
    `${plans}/trigger`,
    toTrigger,
    'Trigger release plan',
  ],
  ['NAV-01, ACC-11, SEC-01, SEC-02 the secrets', 'secrets', `${inNamespace}/secrets`, ['list secrets'], 'Secrets'],
  [
    'SEC-03, SEC-04 the form that creates a secret',
    'createSecret',
    `${inNamespace}/secrets/create`,
    ['create secrets'],
    'Add secret',
  ],
  [
    'the form that edits a secret',
    'editSecret',
    `${inNamespace}/secrets/edit/:secret`,
    ['patch secrets'],
    'Edit secret',
    ['get secrets'],
  ],
  [
    'NAV-01, ACC-11, UA-01, UA-02 the role bindings',
    'access',
    `${inNamespace}/access`,
    ['list rolebindings'],
    'User access',
  ],
  [
    'NAV-01, UA-11, UA-12 the form that grants access',
    'grantAccess',
    `${inNamespace}/access/grant`,
    ['create rolebindings'],
    'Grant access',
  ],
  [
    'NAV-01, UA-13, UA-14 the form that edits access',
    'editAccess',
    `${inNamespace}/access/edit/:binding`,
    toEditAccess,
    'Edit access',
    ['list rolebindings', 'get rolebindings'],
  ],
  [
    'NAV-40 the redirect to a run',
    'anyPipelineRun',
    `${inNamespace}/pipelineruns/*`,
    ['get pipelineruns'],
    names.pipelineRun,
    toOpenRun,
  ],
  [
    'NAV-40 the same in the singular',
    'anyPipelineRunSingular',
    `${inNamespace}/pipelinerun/*`,
    ['get pipelineruns'],
    names.pipelineRun,
    toOpenRun,
  ],
  ['the address of a commit without its SHA', undefined, `${inApplication}/commit`, none, 'checkout'],
  ['the address of a run without its name', undefined, `${inApplication}/pipelineruns`, none, 'checkout'],
  ['the address of a task run without its name', undefined, `${inApplication}/taskruns`, none, 'checkout'],
  ['the address of commits', undefined, `${inApplication}/commits`, none, 'checkout'],
  ['the address of a run in the singular', undefined, `${inApplication}/pipelinerun`, none, 'checkout'],
  ['the address of a task run in the singular', undefined, `${inApplication}/taskrun`, none, 'checkout'],
  [
    'the address of a component in the singular',
    undefined,
    `${inApplication}/component`,
    ['list components'],
    'checkout',
  ],
  [
    'the address of an integration test in the singular',
    undefined,
    `${inApplication}/integrationtest`,
    ['list integrationtestscenarios'],
    'checkout',
  ],
  ['the address of a snapshot in the singular', undefined, `${inApplication}/snapshot`, ['list snapshots'], 'checkout'],
  ['the address of a release in the singular', undefined, `${inApplication}/release`, ['list releases'], 'checkout'],
  [
    'the address of a component group without its name',
    undefined,
    `${inNamespace}/component-groups/group`,
    ['list componentgroups'],
    'Component groups',
  ],
  [
    'the address of the form that edits a component group, without its name',
    undefined,
    `${inNamespace}/component-groups/edit`,
    ['list componentgroups'],
    'Component groups',
  ],
  [
    'the address of the form that edits a secret, without its name',
    undefined,
    `${inNamespace}/secrets/edit`,
    ['list secrets'],
    'Secrets',
  ],
  [
    'the address of the form that edits a release plan, without its name',
    undefined,
    `${plans}/edit`,
    ['list releaseplans'],
    'Releases',
  ],
  ['the address of a release plan without its name', undefined, `${plans}/plan`, ['list releaseplans'], 'Releases'],
  [
    'the address of the form that edits access, without the name of a role binding',
    undefined,
    `${inNamespace}/access/edit`,
    ['list rolebindings'],
    'User access',
  ],
  ['NAV-41, NAV-43 any other path', undefined, '*', none, '404: Page not found'],
]

/** Compares addresses in the notation of routes, which have no queries. */
const withoutQuery = (address: string) => address.replace(/\?.*$/, '')

/** The addresses of the pages below some routes, which have no children. */
const addressesIn = (list: readonly RouteObject[], parent = ''): string[] =>
  list.flatMap(({ path = parent, children }) => (children ? addressesIn(children, path) : path))

/** The address of the page of these objects: `/ns/team-payments`. */
const urlOf = (address: string) =>
  `/${address.replace(/^\//, '')}`.replace(/:(\w+)|\*/g, (part, name) => names[(name ?? part) as keyof typeof names])

const rulesFor = (has: (verb: string, plural: string) => boolean) =>
  kinds.flatMap(({ group, plural }) => {
    const granted = verbs.filter((verb) => has(verb, plural))
    return granted.length > 0 ? [{ apiGroups: [group], resources: [plural], verbs: granted }] : []
  })

/** A user who has these permissions only. */
const only = (...rights: Right[]) => ({
  as: 'outsider' as const,
  objects: [...objects, ...grantTo(...rulesFor((verb, plural) => rights.includes(`${verb} ${plural}` as Right)))],
})

/** A user who has every permission but one. */
const allBut = (right: Right) => ({
  as: 'outsider' as const,
  objects: [...objects, ...grantTo(...rulesFor((verb, plural) => `${verb} ${plural}` !== right))],
})

it('every route has an entry in the table', () => {
  const known = table.map(([, , address]) => withoutQuery(address))
  expect([...new Set(known)].toSorted()).toEqual([...new Set(addressesIn(routes))].toSorted())
})

it('every path has an entry in the table, except for the parameters of a new release', () => {
  const known = table.flatMap(([, path]) => path ?? [])
  expect([...known, 'triggerReleaseOf'].toSorted()).toEqual(Object.keys(paths).toSorted())
})

it('every page whose address is cut at a slash leads to another page', () => {
  const addresses = addressesIn(routes)
  const cut = addresses.flatMap((address) =>
    [...address.matchAll(/\//g)].flatMap(({ index }) => address.slice(0, index).replace(/\/\*$/, '') || '/'),
  )
  const lost = cut.filter((address) => matchRoutes(routes, urlOf(address))?.at(-1)?.route.path === '*')
  expect(new Set(lost)).toEqual(new Set())
})

it.each(table.filter(([, path]) => path))('%s has its address', (_, path, address) => {
  const build: (params: never) => string = paths[path ?? 'overview']
  expect(withoutQuery(pattern(build))).toBe(withoutQuery(address).replace(/\/\*$/, ''))
})

describe('a page is shown with only its required permissions', () => {
  it.each(table)('%s', async (_, __, address, requires, heading, reads = []) => {
    // A sign-in window closes itself, which would close that of the tests.
    const close = vi.spyOn(globalThis, 'close').mockImplementation(() => undefined)
    onTestFinished(() => close.mockRestore())
    await renderRoute(urlOf(address), only(...requires, ...reads))
    expect(await screen.findByRole('heading', { name: heading, level: 1 })).toBeVisible()
    expect(screen.queryByText("Let's get you access")).not.toBeInTheDocument()
  })
})

describe('a page is forbidden to users who lack exactly one required permission', () => {
  const lacks = table.flatMap(([title, , address, requires]) =>
    requires.map((right) => [title, right, address] as const),
  )
  it.each(lacks)('%s (%s)', async (_, right, address) => {
    await renderRoute(urlOf(address), allBut(right))
    expect(await screen.findByRole('heading', { name: "Let's get you access", level: 1 })).toBeVisible()
    // The guard says so, not a call of the page.
    expect(screen.getByText(new RegExp(`^You need permission to ${right}\\b`))).toBeVisible()
  })
})

it('COM-02 a commit is shown without any permission, with what the cluster has denied', async () => {
  await renderRoute(paths.commit(names), only())
  expect(await screen.findByRole('heading', { name: 'Commit aaaaaaa', level: 1 })).toBeVisible()
  expect(await screen.findByText(/You don't have access to this list in namespace/)).toBeVisible()
  expect(screen.queryByText("Let's get you access")).not.toBeInTheDocument()
})
