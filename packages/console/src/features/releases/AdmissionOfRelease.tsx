import { Button, Skeleton } from '@patternfly/react-core'
import { namespaceOf, specOf } from '@slipway/kube/object'
import type { Release } from '@slipway/model/releases/release'
import { parseNamespacedName, type NamespacedName } from '@slipway/model/namespaced-name'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useAccess } from '../../api/access/use-access'
import { isMissing } from '../../api/archive/origin'
import { failureText } from '../../api/messages'
import { enterpriseContractPolicies, readPolicyChecks } from '../../resources/enterprise-contract-policies'
import { openAdmissionChecks, releasePlanAdmissions } from '../../resources/release-plan-admissions'
import { releasePlans } from '../../resources/release-plans'
import { ReleasePlanAdmissionLink } from '../../parts/links'
import { ChunkLoadAlert, lazyComponent } from '../../ui/page/lazy-component'

interface OfRelease {
  release: Release
}

/** The admission that the plan of a release matches now, with a link if the user may open it. */
export const AdmissionOfRelease = ({ release }: OfRelease) => (
  <Admission release={release}>
    {({ namespace, name }, isReadable) => {
      // A plan may name an admission in a form that is not known.
      if (!namespace) return name
      return isReadable ? (
        <ReleasePlanAdmissionLink namespace={namespace} admission={name} />
      ) : (
        withReason(name, namespace)
      )
    }}
  </Admission>
)

/** The policy that the images of a release have to fulfil, which only the admission names. */
export const PolicyOfRelease = ({ release }: OfRelease) => (
  <Admission release={release}>
    {({ namespace, name }, isReadable) => {
      if (!namespace) return 'Unknown (the namespace of the admission, which names it, is unknown)'
      return isReadable ? (
        <PolicyOfAdmission namespace={namespace} admission={name} />
      ) : (
        `Unknown (no access to ${namespace}, whose admission names it)`
      )
    }}
  </Admission>
)

const withReason = (name: string, namespace: string) => `${name} (no access to ${namespace})`

interface AdmissionProps extends OfRelease {
  children: (admission: NamespacedName, isReadable: boolean) => ReactNode
}

function Admission({ release, children }: AdmissionProps) {
  const { releasePlan } = specOf(release)
  const { data: plan, error } = useQuery({
    ...releasePlans.get(namespaceOf(release) ?? '', releasePlan ?? ''),
    enabled: Boolean(releasePlan),
  })
  const admission = parseNamespacedName(plan?.status?.releasePlanAdmission?.name)
  const namespace = admission?.namespace
  const { isAllowed, isPending } = useAccess(namespace ? openAdmissionChecks(namespace) : [])
  if (!releasePlan) return '-'
  if (!plan) {
    if (isMissing(error)) return 'Unknown: the release plan no longer exists'
    return error ? failureText(error) : <Loading what="the release plan" />
  }
  if (!admission) return 'None'
  return isPending ? <Loading what="your access" /> : children(admission, isAllowed)
}

function PolicyOfAdmission({ namespace, admission: name }: { namespace: string; admission: string }) {
  const { data: admission, error } = useQuery(releasePlanAdmissions.get(namespace, name))
  if (!admission) return error ? failureText(error) : <Loading what="the admission" />
  const { policy } = specOf(admission)
  return policy ? <Policy namespace={namespace} policy={policy} /> : 'None'
}

/** Policies have no pages: the name opens the YAML. */
function Policy({ namespace, policy: name }: { namespace: string; policy: string }) {
  const [isShown, setIsShown] = useState(false)
  const { isAllowed, isPending } = useAccess(readPolicyChecks(namespace))
  const { data: policy, error } = useQuery({
    ...enterpriseContractPolicies.get(namespace, name),
    enabled: isAllowed,
  })
  if (!isAllowed) return isPending ? name : withReason(name, namespace)
  if (!policy) return error ? `${name} (${failureText(error)})` : name
  return (
    <>
      <Button variant="link" isInline aria-label={`Show the YAML of ${name}`} onClick={() => setIsShown(true)}>
        {name}
      </Button>
      {isShown && <ObjectYamlDialog object={policy} onClose={() => setIsShown(false)} />}
    </>
  )
}

const Loading = ({ what }: { what: string }) => <Skeleton width="8rem" screenreaderText={`Loading ${what}`} />

const ObjectYamlDialog = lazyComponent(() => import('../../ui/dialogs/ObjectYamlDialog'), 'ObjectYamlDialog', {
  Missing: ChunkLoadAlert,
})
