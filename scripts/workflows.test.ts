import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { newestNode } from './lib/other-nodes.mjs'
import { inRepository } from './lib/repository.mjs'

interface Step {
  uses?: string
  run?: string
  with?: Record<string, unknown>
}
interface Job {
  permissions?: Record<string, string>
  uses?: string
  'timeout-minutes'?: number
  steps?: Step[]
  strategy?: { matrix: Record<string, unknown[]> }
}
interface Workflow {
  on: Record<string, unknown>
  permissions: Record<string, string>
  jobs: Record<string, Job>
}

const folder = inRepository('.github/workflows')
const workflows = readdirSync(folder).map((name) => {
  const text = readFileSync(`${folder}/${name}`, 'utf8')
  return { name, text, workflow: parse(text) as Workflow }
})

describe.each(workflows)('the workflow $name', ({ text, workflow }) => {
  const jobs = Object.values(workflow.jobs)
  const steps = jobs.flatMap((job) => job.steps ?? [])

  it('pins every action by its hash, and names the version', () => {
    const uses = text.split('\n').filter((line) => /^\s*(- )?uses: (?!\.\/)/.test(line))
    expect(uses.filter((line) => !/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
  })

  it('may read the repository, and what a job may write is said there', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    expect(text).not.toMatch(/write-all|read-all|secrets\./)
  })

  it('leaves no token in the clone, and ends', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))
    expect(checkouts.filter((step) => step.with?.['persist-credentials'] !== false)).toEqual([])
    expect(jobs.filter((job) => !job.uses && job['timeout-minutes'] === undefined)).toEqual([])
  })

  it('runs nothing of a pull request with rights, and puts no input of others into a script', () => {
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target')
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([])
  })
})

const workflowNamed = (name: string) => workflows.find((each) => each.name === name)?.workflow

it('what changes is tested on every supported system and Node, and on that of the image', () => {
  const { engines } = JSON.parse(readFileSync(inRepository('package.json'), 'utf8')) as { engines: { node: string } }
  const supported = [...engines.node.matchAll(/(?:\^|>=)(\d+)/g)].map(([, major]) => Number(major))
  const matrix = workflowNamed('ci.yaml')?.jobs.test?.strategy?.matrix
  expect(matrix?.node).toEqual([...supported, newestNode])
  expect(matrix?.os?.map((os) => String(os).split('-')[0])).toEqual(['ubuntu', 'macos'])
})

it('the job that runs the code of dependencies can neither sign nor write', () => {
  const jobs = workflowNamed('release-build.yaml')?.jobs ?? {}
  const installing = Object.entries(jobs).filter(([, { steps = [] }]) =>
    steps.some(({ run }) => /npm (ci|run)/.test(run ?? '')),
  )
  expect(installing.map(([name, { permissions }]) => ({ name, permissions }))).toEqual([
    { name: 'build', permissions: undefined },
  ])
})
