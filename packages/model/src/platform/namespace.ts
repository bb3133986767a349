import { labels } from '../labels'

/** Labels of a namespace that belongs to a team, as opposed to one of the platform's own. */
export const tenantLabels: Record<string, string> = { [labels.namespaceType]: 'tenant' }
