import { coreType, defineBuiltin } from './define-builtin'
import { tokenRequests } from './reviews'

export const serviceAccounts = defineBuiltin({
  type: coreType('ServiceAccount', 'serviceaccounts'),
  shortNames: ['sa'],
  returnsDeletedObject: true,
  subresources: [
    {
      name: 'token',
      type: tokenRequests.type,
      verbs: tokenRequests.verbs,
      servedBy: tokenRequests,
      schema: tokenRequests.schema,
    },
  ],
})
