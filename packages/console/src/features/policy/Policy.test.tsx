import type { KubeObject } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { enterpriseContractPolicyType } from '@slipway/model/snapshots/enterprise-contract-policy'
import { aComponent, anApplication, aTaskRun, condition } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { startViews } from '../../api/views/open-view'
import { paths } from '../../paths'

const digest = (character: string) => `sha256:${character.repeat(64)}`
const dayMs = 24 * 3_600_000
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString().replace(/\.\d+/, '')

const rule = (title: string, over: object = {}) => ({
  msg: `${title}?`,
  metadata: { code: `tests.${title.toLowerCase()}`, title, solution: `Do ${title}.`, ...over },
})

interface VerificationOf {
  application?: string
  component?: string
  task?: string
  policy?: string
}

/** The verification of a test on some day. */
function aVerification(
  run: string,
  day: number,
  {
    application = 'checkout',
    component = 'api',
    task = 'verify',
    policy = `${namespace}/default`,
  }: VerificationOf = {},
) {
  const time = `2026-01-0${day}T09:00:00Z`
  return aTaskRun({
    metadata: {
      name: `${run}-verify`,
      labels: {
        [labels.application]: application,
        [labels.component]: component,
        [labels.scenario]: 'policy',
        [labels.pipelineRun]: run,
        [labels.pipelineTask]: task,
      },
    },
    spec: { params: [{ name: 'POLICY_CONFIGURATION', value: policy }] },
    status: {
      podName: `${run}-pod`,
      startTime: time,
      completionTime: time,
      conditions: [condition('Succeeded', 'True')],
      steps: [{ name: 'report-json', terminated: { exitCode: 0, reason: 'Completed' } }],
    },
  })
}

const aPolicy = (sources: object[]): KubeObject =>
  ({
    apiVersion: `${enterpriseContractPolicyType.group}/${enterpriseContractPolicyType.version}`,
    kind: enterpriseContractPolicyType.kind,
    metadata: { name: 'default', namespace },
    spec: { sources },
  }) as KubeObject

type TestUser = NonNullable<Parameters<typeof renderRoute>[1]>['as']

/** @param logs the components of each run's report, or a text that is none */

async function scene(path: string, objects: KubeObject[], logs: Record<string, object[] | string>, as?: TestUser) {
  return renderRoute(path, {
    ...(as && { as }),
    objects: [anApplication(), ...objects],
    prepare: (faults) =>
      faults.intercept((url) => {
        const [, run = ''] = /\/pods\/(.+)-pod\/log/.exec(url) ?? []
        const log = logs[run]
        if (log === undefined) return undefined
        return new Response(typeof log === 'string' ? log : JSON.stringify({ components: log }))
      }),
  })
}

/** Colours are checked in a browser. */
async function checkAccessibility() {
  const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } })
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}

const rows = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent)
const rowOf = async (name: string) => {
  const header = await screen.findByRole('rowheader', { name })
  return header.closest('tr') ?? expect.fail('a header outside of a row')
}

const verifications = [
  aVerification('old', 1),
  aVerification('new', 2),
  aVerification('ledger', 3, { application: 'ledger', component: 'books', task: 'verify-conforma' }),
]
const reports = {
  old: [
    { name: 'api', violations: [rule('Stale')] },
    { name: 'web', violations: [rule('Signed')] },
  ],
  new: [
    { name: 'api', containerImage: 'quay.io/a/api:1', warnings: [rule('Signed')], successes: [rule('Tested')] },
    { name: `api-${digest('a')}-amd64`, warnings: [rule('Signed')], successes: [rule('Tested')] },
    { name: `api-${digest('b')}-arm64`, warnings: [rule('Signed')], successes: [rule('Tested')] },
  ],
  ledger: [{ name: 'books', violations: [rule('Pinned')], successes: [rule('Tested')] }],
}

describe('the policy results of a namespace', () => {
  it('are those of the newest verifications, by rule, the worst first', async () => {
    const { user } = await scene(paths.policy({ namespace }), verifications, reports)
    expect(await screen.findByRole('heading', { name: 'Policy', level: 1 })).toBeVisible()
    // The older run of this test has verified the same component again.
    await waitFor(() => expect(rows()).toEqual(['Pinned', 'Signed', 'Tested']))
    const signed = await rowOf('Signed')
    expect(signed).toHaveTextContent('Warning')
    await user.click(screen.getByRole('button', { name: 'Details of Signed' }))
    const [only, ...others] = within(screen.getByRole('list', { name: 'Results of Signed' })).getAllByRole('listitem')
    expect(others).toEqual([])
    expect(only).toHaveTextContent('Warning api (amd64, arm64): Signed?')
    expect(within(only as HTMLElement).getByRole('link', { name: 'new' })).toHaveAttribute(
      'href',
      paths.pipelineRun({ namespace, application: 'checkout', pipelineRun: 'new' }),
    )
    expect(screen.getByText('Do Signed.')).toBeVisible()
    await checkAccessibility()
  })

  it('are listed by component, which the URL remembers, with filters of their own', async () => {
    const { user, router } = await scene(paths.policy({ namespace }), verifications, reports)
    await user.click(await screen.findByRole('button', { name: 'By component' }))
    await waitFor(() => expect(rows()).toEqual(['books', 'api']))
    expect(router.state.location.search).toBe('?by=component')
    await user.click(screen.getByRole('button', { name: 'Details of books' }))
    expect(screen.getByRole('list', { name: 'Results of books' })).toHaveTextContent(
      'Failed Pinned tests.pinned: Pinned? To do: Do Pinned.',
    )
    expect(screen.getByText('1 success')).toBeVisible()
    await router.navigate(`${paths.policy({ namespace })}?by=component&application=ledger`)
    await waitFor(() => expect(rows()).toEqual(['books']))
    await router.navigate(`${paths.policy({ namespace })}?rule=pinned`)
    await waitFor(() => expect(rows()).toEqual(['Pinned']))
  })

  it('say which report could not be read, beside the others', async () => {
    await scene(paths.policy({ namespace }), verifications, { ...reports, ledger: 'panic' })
    await waitFor(() => expect(rows()).toEqual(['Signed', 'Tested']))
    expect(await screen.findByText(/the report of ledger/)).toBeVisible()
  })

  it('are none where nothing was verified', async () => {
    await scene(paths.policy({ namespace }), [], {})
    expect(await screen.findByRole('heading', { name: 'No policy results found' })).toBeVisible()
  })

  it('need the permission to list task runs', async () => {
    await scene(paths.policy({ namespace }), grantTo(), {}, 'outsider')
    expect(await screen.findByRole('heading', { name: "Let's get you access", level: 1 })).toBeVisible()
  })

  it('are found from the list of applications', async () => {
    const { user } = await scene(paths.applications({ namespace }), [], {})
    await user.click(await screen.findByRole('link', { name: 'View policy' }))
    expect(await screen.findByRole('heading', { name: 'Policy', level: 1 })).toBeVisible()
  })
})

it('the policy results of an application are only its own', async () => {
  const at = { namespace, application: 'checkout' }
  await scene(paths.applicationPolicy(at), verifications, reports)
  await waitFor(() => expect(rows()).toEqual(['Signed', 'Tested']))
  expect(screen.getByRole('tab', { name: 'Results' })).toHaveAttribute('aria-selected', 'true')
  expect(screen.getByRole('link', { name: 'checkout' })).toHaveAttribute('href', paths.application(at))
  expect(screen.queryByRole('button', { name: 'Application' })).not.toBeInTheDocument()
})

describe('the dates of a policy', () => {
  const bite = inDays(4)
  const dated = {
    run: [
      { name: 'api', warnings: [rule('Signed', { effective_on: bite })], successes: [rule('Pinned')] },
      { name: 'web', warnings: [rule('Fresh', { effective_on: inDays(-400) })] },
    ],
  }
  const exceptions = [
    { value: 'tests.pinned', effectiveUntil: inDays(10), reference: 'https://issues.test/1' },
    { value: 'tests.late', effectiveUntil: inDays(100) },
    { value: 'tests.endless' },
  ]
  const policy = aPolicy([
    { policy: ['oci::quay.io/conforma/release-policy'], volatileConfig: { exclude: exceptions } },
  ])

  it('are those of rules and exceptions that have one, with what to do', async () => {
    const { user } = await scene(paths.policyDates({ namespace }), [aVerification('run', 1), policy], dated)
    await waitFor(() => expect(rows()).toEqual(['Signed', 'Pinned']))
    expect(screen.getByRole('img', { name: '2 dates in the next 90 days' })).toHaveTextContent(/Today.*11$/)
    const signed = await rowOf('Signed')
    expect(signed).toHaveTextContent(/Fails from \w+ \d+, \d{4} \(in 4 days\)Signed.*api.*Do Signed\./)
    expect(within(signed).getByRole('link', { name: 'api' })).toHaveAttribute(
      'href',
      paths.component({ namespace, application: 'checkout', component: 'api' }),
    )
    expect(await rowOf('Pinned')).toHaveTextContent(
      /Exception ends on .* \(in 10 days\)Pinned.*Do Pinned\. Or ask the owners of the policy to extend the exception\./,
    )
    await user.click(screen.getByRole('button', { name: 'Details of Pinned' }))
    expect(screen.getByText(`${namespace}/default`)).toBeVisible()
    expect(screen.getByText('https://issues.test/1')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Copy dates as Markdown' }))
    expect(await navigator.clipboard.readText()).toContain(`**Policy dates of ${namespace}**`)
    await checkAccessibility()
  })

  it('name the policies that may not be read, do not exist or are kept elsewhere', async () => {
    const { cluster } = await scene(
      paths.policyDates({ namespace }),
      [
        aVerification('run', 1, { policy: 'closed/default' }),
        aVerification('gone', 1, { component: 'b', policy: `${namespace}/gone` }),
        aVerification('git', 1, { component: 'c', policy: 'github.com/conforma/config//slsa3' }),
      ],
      {
        ...dated,
        gone: [{ name: 'b', successes: [rule('Tested')] }],
        git: [{ name: 'c', successes: [rule('Tested')] }],
      },
      'maintainer',
    )
    expect(await screen.findByText('closed/default: you may not read policies in closed')).toBeVisible()
    expect(await screen.findByText(`${namespace}/gone: it does not exist`)).toBeVisible()
    expect(screen.getByText('github.com/conforma/config//slsa3: it is not an object of the cluster')).toBeVisible()
    await waitFor(() => expect(rows()).toEqual(['Signed']))
    // Permission is checked instead of provoking a 403.
    expect(cluster.calls.filter(({ path }) => path.includes('/namespaces/closed/enterprisecontractpolicies'))).toEqual(
      [],
    )
  })

  it('are not said to be none where a policy is not known, or nothing was verified', async () => {
    const { router } = await scene(
      paths.policyDates({ namespace }),
      [aVerification('run', 1, { policy: `${namespace}/gone` })],
      { run: [{ name: 'api', successes: [rule('Signed')] }] },
    )
    expect(await screen.findByRole('heading', { name: 'No change is known of the next 90 days' })).toBeVisible()
    await router.navigate(paths.applicationPolicyDates({ namespace, application: 'other' }))
    expect(await screen.findByRole('heading', { name: 'No policy results found' })).toBeVisible()
  })

  it('are none if nothing changes', async () => {
    await scene(
      paths.applicationPolicyDates({ namespace, application: 'checkout' }),
      [aVerification('run', 1), aPolicy([{ policy: ['oci::quay.io/conforma/release-policy'] }])],
      {
        run: [{ name: 'api', successes: [rule('Signed')] }],
      },
    )
    expect(await screen.findByRole('heading', { name: 'Nothing changes in the next 90 days' })).toBeVisible()
  })

  const badge = () => screen.findByRole('link', { name: /^1 rule fails from \w+ \d+, \d{4}, and 1 more date$/ })
  const at = { namespace, application: 'checkout' }

  it('are announced on the overview of the application', async () => {
    await scene(paths.application(at), [aComponent(), aVerification('run', 1), policy], dated)
    expect(await badge()).toHaveAttribute('href', paths.applicationPolicyDates(at))
    await checkAccessibility()
  })

  it('are announced on the overview of all namespaces, and what was not read is said', async () => {
    startViews()
    const builds = Array.from({ length: 11 }, (_, index) =>
      aVerification(`run-${index}`, 1, { component: `c-${index}` }),
    )
    const logs = Object.fromEntries(builds.map((_, index) => [`run-${index}`, dated.run]))
    await scene(paths.overview(), [...builds, policy], logs)
    expect(await badge()).toHaveAttribute('href', paths.policyDates({ namespace }))
    expect(screen.getByText('(10 of 11 verifications read)')).toBeVisible()
  })

  it('are not announced as none where a policy is not known', async () => {
    await scene(paths.application(at), [aComponent(), aVerification('run', 1, { policy: `${namespace}/gone` })], {
      run: [{ name: 'api', successes: [rule('Signed')] }],
    })
    expect(await screen.findByRole('link', { name: 'No policy dates known' })).toBeVisible()
    expect(screen.getByText('(not all could be read)')).toBeVisible()
  })

  it('are said to be unknown to a user who may not list task runs', async () => {
    await scene(
      paths.application(at),
      [
        aComponent(),
        aVerification('run', 1),
        ...grantTo({
          apiGroups: ['appstudio.redhat.com'],
          resources: ['applications', 'components'],
          verbs: ['get', 'list', 'watch'],
        }),
      ],
      dated,
      'outsider',
    )
    expect(await screen.findByText('Policy dates are not known: you may not list task runs.')).toBeVisible()
  })
})
