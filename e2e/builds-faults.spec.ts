import { paths } from '@slipway/console/paths'
import { roleBindingType, roleType } from '@slipway/kube/core-types'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { aRoleBinding } from '@slipway/model/testing'
import { emailOf } from '@slipway/slipway/users'
import {
  aBuild,
  activity,
  application,
  archived,
  aWaitingRun,
  badge,
  createApplication,
  createRun,
  detail,
  ended,
  ofArchives,
  patient,
  rowOf,
  runRow,
  statusIn,
  statusOfPage,
  test,
} from './builds'
import { expect, recordPageErrors, reject, signIn } from './fixtures'

test('ACT-24, RUN-54 an archive that is down or slow hides no objects of the cluster', async ({
  page,
  namespace,
  system,
}) => {
  await createApplication(system, namespace)
  const gone = await createRun(system, aBuild({ metadata: { name: 'gone', namespace } }))
  await ended(system, gone)
  await archived(system, gone)
  await system.delete(pipelineRunType, 'gone', { namespace, propagationPolicy: 'Background' })
  await createRun(system, aWaitingRun({ metadata: { name: 'here', namespace } }))

  await page.route(ofArchives, (route) => reject(route, 503, 'the archive is being moved'))
  await signIn(page, 'admin', activity(namespace, 'pipelineruns'))
  await expect(statusIn(runRow(page, 'here'))).toHaveText('Pending')
  await expect(page.getByText('Error while fetching pipeline runs')).toBeVisible(patient)
  await expect(page.getByText(/^Could not read the archive: .* What is shown is not complete\.$/)).toBeVisible()
  await expect(badge(page, 'Partial')).toBeVisible()

  await page.goto(paths.pipelineRun({ namespace, application, pipelineRun: 'gone' }))
  await expect(page.getByRole('heading', { name: 'Unable to load pipeline run' })).toBeVisible(patient)
  await expect(page.getByText('the archive is being moved')).toBeVisible()
  await page.unroute(ofArchives)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(statusOfPage(page)).toHaveText('Succeeded', patient)
  await expect(badge(page, 'Archive')).toBeVisible()

  let answer = () => {}
  const isAnswering = new Promise<void>((resolve) => (answer = resolve))
  await page.route(ofArchives, async (route) => {
    await isAnswering
    await route.continue()
  })
  await page.goto(activity(namespace, 'pipelineruns'))
  await expect(runRow(page, 'here')).toBeVisible()
  await expect(runRow(page, 'gone')).toBeHidden()
  answer()
  await expect(runRow(page, 'gone')).toContainText('Archived', patient)
  await expect(statusIn(runRow(page, 'gone'))).toHaveText('Succeeded')
})

test('LOG-14 the place of a lost log says that it is missing', async ({ page, namespace, system }) => {
  await createApplication(system, namespace)
  const run = await createRun(system, aBuild({ metadata: { name: 'fails', namespace }, outcomes: { compile: 'fail' } }))
  await ended(system, run)
  await page.route(/\/logs?(\/|\?|$)/, (route) => reject(route, 404, 'no such log'))
  const at = { namespace, application, pipelineRun: 'fails' }
  await signIn(page, 'admin', paths.pipelineRun(at))
  await expect(page.getByRole('heading', { name: /Task compile failed in step compile/ })).toBeVisible()
  const failure = page.locator('.slipway-run-failure')
  await expect(failure).toContainText(/no longer|not found|missing|no log/i, patient)
  await failure.getByRole('link', { name: 'See logs' }).click()
  await expect(page.getByRole('main')).toContainText(/no longer|not found|missing|no log/i, patient)
  await expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible()
})

test('RUN-02 without permission to read task runs, runs are shown with a message', async ({
  page,
  namespace,
  system,
}) => {
  await createApplication(system, namespace)
  await createRun(system, aWaitingRun({ metadata: { name: 'here', namespace } }))
  await system.create(roleType, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'looks', namespace },
    rules: [
      { apiGroups: [''], resources: ['namespaces'], verbs: ['get'] },
      { apiGroups: ['appstudio.redhat.com'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: ['tekton.dev'], resources: ['pipelineruns'], verbs: ['get', 'list', 'watch'] },
    ],
  })
  await system.create(
    roleBindingType,
    aRoleBinding({
      metadata: { name: 'looks', namespace },
      roleRef: { kind: 'Role', name: 'looks' },
      subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: emailOf('outsider') }],
    }),
  )
  await signIn(page, 'outsider', activity(namespace, 'pipelineruns'))
  await runRow(page, 'here').getByRole('link', { name: 'here' }).click()
  await expect(page.getByRole('heading', { name: "Let's get you access" })).toBeVisible()

  // The same if the permission is lost later.
  await page.context().clearCookies()
  const at = { namespace, application, pipelineRun: 'here' }
  await page.route(/\/taskruns\?/, (route) => reject(route, 403, 'taskruns is forbidden'))
  await signIn(page, 'admin', paths.pipelineRun(at))
  await expect(statusOfPage(page)).toHaveText('Pending')
  await expect(detail(page, 'Name')).toContainText('here')
  await expect(page.getByRole('main')).toContainText('taskruns is forbidden')
  await page.getByRole('tab', { name: 'Logs' }).click()
  await expect(page.getByRole('main')).toContainText('taskruns is forbidden')
})

test('invalid data on a run breaks no page', async ({ page, namespace, system }) => {
  const errors = recordPageErrors(page)
  await createApplication(system, namespace)
  const script = 'javascript:alert(1)'
  const title = '<img src=x onerror=alert(1)> & "quotes" 🚢'
  await createRun(
    system,
    aWaitingRun({
      metadata: {
        name: 'nonsense',
        namespace,
        labels: { [labels.eventType]: 'nobody-knows', [labels.runState]: 'x' },
        annotations: {
          [annotations.pacShaTitle]: title,
          [annotations.pacShaUrl]: script,
          [annotations.pacRepositoryUrl]: script,
          [annotations.repository]: script,
          [annotations.branch]: '\u202e'.repeat(30),
          [annotations.pacGitProvider]: 'none',
          [annotations.createSnapshotStatus]: '{"message": ["a", ',
          [annotations.image]: '',
          [annotations.buildPullRequestNumber]: 'minus one',
        },
      },
    }),
  )
  await signIn(page, 'admin', activity(namespace, 'latest-commits'))
  await rowOf(page, 'Commits', title).getByRole('link', { name: title }).click()
  await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
  await page.getByRole('tab', { name: 'Pipeline runs' }).click()
  await runRow(page, 'nonsense').getByRole('link', { name: 'nonsense' }).click()
  await expect(detail(page, 'Status')).toHaveText('Pending')
  await expect(detail(page, 'Commit')).toContainText(title)
  await expect(page.locator(`a[href^="javascript:"]`)).toHaveCount(0)
  for (const [tab, words] of [
    ['Task runs', 'No task runs found'],
    ['Logs', 'No logs found'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click()
    await expect(page.getByText(words)).toBeVisible()
  }
  expect(errors).toEqual([])
})
