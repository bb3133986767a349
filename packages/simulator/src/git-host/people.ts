import { integerBetween, pick, type Random } from '../keyed-random'

/** People who work on simulated repositories. */
export const people = [
  'amara-okafor',
  'jonas-lindqvist',
  'lucia-ferrari',
  'mei-tanaka',
  'priya-raman',
  'tomas-novak',
] as const

/** The application that opens pull requests for the platform. Consoles recognize its runs by `konflux-staging`. */
export const bot = 'konflux-staging[bot]'

/** Three of the people, the same for the same repository. */
export function teamOf(random: Random): [string, ...string[]] {
  const first = integerBetween(random, 0, people.length - 1)
  const at = (index: number) => people[(first + index) % people.length] ?? people[0]
  return [at(0), at(1), at(2)]
}

interface Change {
  title: string
  branch: string
}

const changes: [Change, ...Change[]] = [
  { title: 'Respond to health checks before the cache is warm', branch: 'health-checks' },
  { title: 'Retry a lost connection to the queue three times', branch: 'queue-retries' },
  { title: 'fix: round amounts half to even', branch: 'rounding' },
  { title: 'feat: page through orders by cursor', branch: 'order-cursor' },
  { title: 'Bump base image to ubi9-minimal 9.5', branch: 'base-image' },
  { title: 'Log the request id with every error', branch: 'request-id' },
  { title: 'refactor: move the price rules into one module', branch: 'price-rules' },
  { title: 'test: cover the refund of a split payment', branch: 'refund-tests' },
  { title: 'Drop the unused v1 endpoint', branch: 'drop-v1-endpoint' },
  { title: 'perf: read stock levels in one query', branch: 'stock-query' },
  { title: 'docs: describe how to run the service locally', branch: 'run-locally' },
  { title: 'fix(api): name the missing field in errors', branch: 'missing-field' },
  { title: 'Limit uploads to ten megabytes', branch: 'upload-limit' },
  { title: 'chore: update Go to 1.24', branch: 'go-1.24' },
  { title: 'Keep sessions across restarts', branch: 'sessions' },
  { title: 'feat: export the ledger as CSV', branch: 'ledger-export' },
]
const followUps = ['Address review comments', 'Fix the failing check', 'Add a test for the empty case'] as const
const remarks = [
  'Looks good to me.',
  'Could you add a test for the case where nothing is found?',
  'Nice. Does this need a note in the documentation?',
  'Tried it on my machine, works as described.',
] as const

export const changeFrom = (random: Random): Change => pick(random, changes)
export const followUpFrom = (random: Random): string => pick(random, followUps)
export const remarkFrom = (random: Random): string => pick(random, remarks)

const dayMs = 24 * 3_600_000

/** Commits of the few days before `nowMs`, oldest first. */
export function firstCommits(random: Random, nowMs: number, timestamp: (atMs: number) => string) {
  const team = teamOf(random)
  const count = integerBetween(random, 3, 6)
  const commits = Array.from({ length: count }, (_, index) => ({
    title: changeFrom(random).title,
    author: pick(random, team),
    time: timestamp(nowMs - (count - index) * dayMs + integerBetween(random, 0, dayMs / 2)),
  }))
  return [{ title: 'Initial commit', author: team[0], time: timestamp(nowMs - (count + 1) * dayMs) }, ...commits]
}
