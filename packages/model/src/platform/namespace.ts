import { labels } from '../labels'

/** Labels of a namespace that belongs to a team rather than to the platform. */
export const tenantLabels: Record<string, string> = { [labels.namespaceType]: 'tenant' }
