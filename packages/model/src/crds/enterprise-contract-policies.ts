import { enterpriseContractPolicyType } from '../snapshots/enterprise-contract-policy'
import { defineCrd, listOf, object, open, string, strings, time } from './define-crd'

const choice = { include: listOf(string), exclude: listOf(string) }

const digest = { type: 'string', pattern: '^sha256:[a-fA-F0-9]{64}$' } as const
/** Rules that are included or excluded for some time, or for some images. */
const volatile = listOf(
  object(
    {
      ...strings('value', 'imageUrl', 'reference'),
      imageDigest: digest,
      imageRef: digest,
      effectiveOn: time,
      effectiveUntil: time,
      componentNames: listOf(string),
    },
    ['value'],
  ),
)

/** A source of rules, with the rules to include and exclude. */
const source = object({
  name: string,
  policy: { ...listOf(string), minItems: 1 },
  data: listOf(string),
  config: object(choice),
  volatileConfig: object({ include: volatile, exclude: volatile }),
  ruleData: open(),
})

export const enterpriseContractPolicies = defineCrd({
  group: enterpriseContractPolicyType.group,
  kind: 'EnterpriseContractPolicy',
  plural: 'enterprisecontractpolicies',
  shortNames: ['ecp'],
  categories: ['all'],
  versions: [
    {
      name: 'v1alpha1',
      spec: object({
        ...strings('name', 'description', 'publicKey', 'rekorUrl'),
        identity: object(strings('issuer', 'issuerRegExp', 'subject', 'subjectRegExp')),
        configuration: object({ ...choice, collections: listOf(string) }),
        sources: { ...listOf(source), minItems: 1 },
      }),
      status: object({}),
    },
  ],
})
