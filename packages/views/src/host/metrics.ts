import type { ReviewCounts } from './user-rights'

interface Measured {
  bytes: number
  shelves: number
  sessions: number
  reviews: Readonly<ReviewCounts>
}

/** In Prometheus' text format. No label contains a user or a namespace: those go to the log. */
export function formatMetrics({ bytes, shelves, sessions, reviews }: Measured): string {
  const gauge = (name: string, help: string, value: number) =>
    `# HELP slipway_views_${name} ${help}\n# TYPE slipway_views_${name} gauge\nslipway_views_${name} ${value}\n`
  const results = (['allowed', 'denied', 'failed'] as const).map(
    (result) => `slipway_views_reviews_total{result="${result}"} ${reviews[result]}\n`,
  )
  return [
    gauge('sessions', 'Open websockets, one for each tab', sessions),
    gauge('lists', 'Lists in memory, one for each kind and namespace', shelves),
    gauge('row_bytes', 'Estimated memory of the rows of all lists', bytes),
    gauge('reviews_running', 'Access reviews that wait for the cluster', reviews.running),
    gauge('reviews_waiting', 'Access reviews that wait for others', reviews.waiting),
    '# HELP slipway_views_reviews_total Access reviews, each of the list and the watch of a kind in a namespace\n',
    '# TYPE slipway_views_reviews_total counter\n',
    ...results,
  ].join('')
}
