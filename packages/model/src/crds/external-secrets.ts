import { conditions, defineCrd, listOf, open, string, time } from './define-crd'

const ready = (field: string) => `.status.conditions[?(@.type=="Ready")].${field}`

/**
 * Of the External Secrets Operator, by which platforms bring secrets of a vault to the namespaces of teams. Only
 * what the console reads is defined; all other fields are preserved.
 */
export const externalSecrets = defineCrd({
  group: 'external-secrets.io',
  kind: 'ExternalSecret',
  plural: 'externalsecrets',
  shortNames: ['es'],
  categories: ['external-secrets'],
  versions: [
    {
      name: 'v1',
      spec: open({
        secretStoreRef: open({ name: string, kind: string }),
        refreshInterval: string,
        target: open({ name: string, creationPolicy: string, deletionPolicy: string }),
        data: listOf(open({ secretKey: string })),
        dataFrom: listOf(open()),
      }),
      status: open({ binding: open({ name: string }), refreshTime: time, syncedResourceVersion: string, conditions }),
      columns: [
        { name: 'StoreType', type: 'string', jsonPath: '.spec.secretStoreRef.kind' },
        { name: 'Store', type: 'string', jsonPath: '.spec.secretStoreRef.name' },
        { name: 'Refresh Interval', type: 'string', jsonPath: '.spec.refreshInterval' },
        { name: 'Status', type: 'string', jsonPath: ready('reason') },
        { name: 'Ready', type: 'string', jsonPath: ready('status') },
        { name: 'Last Sync', type: 'date', jsonPath: '.status.refreshTime' },
      ],
    },
  ],
})
