import { labels } from '../labels'

/** Labels of a namespace that belongs to a team rather than to the platform. */
export const tenantLabels: Record<string, string> = { [labels.namespaceType]: 'tenant' }

/** Where MintMaker, the service that proposes newer versions of dependencies, runs for the components of all namespaces. */
export const mintMakerNamespace = 'mintmaker'
