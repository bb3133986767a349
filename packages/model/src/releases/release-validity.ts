/** Why a release is not valid, in plain words. */

export interface ReleaseInvalidity {
  /** In a sentence, without a full stop: `the admission production blocks all releases`. */
  text: string
  /** What to do about it. */
  action: string
}

type Rule = readonly [RegExp, (...groups: string[]) => ReleaseInvalidity]

const askManagers = 'Ask the owners of the target namespace'

/** Messages of the validation. Source: release-service, controllers/release/validation.go, loader/loader.go. */
const rules: readonly Rule[] = [
  [
    /^releaseplans\.\S+ "(.+)" not found/,
    (plan) => ({
      text: `its release plan ${plan} does not exist`,
      action: 'Create the release plan again, or release the snapshot with another one.',
    }),
  ],
  [
    /^snapshots\.\S+ "(.+)" not found/,
    (snapshot) => ({ text: `its snapshot ${snapshot} does not exist`, action: 'Release another snapshot.' }),
  ],
  [
    /ReleasePlanAdmission '(.+)' with block-releases label set to true/,
    (admission) => ({
      text: `the admission ${admission} blocks all releases by its label block-releases`,
      action: `${askManagers} to set the label to false, then re-run this release.`,
    }),
  ],
  [
    /^no ReleasePlanAdmissions? found in namespace \((.+?)\) with the origin \((.+?)\)(?: for application '(.+)')?/,
    (target, origin, application) => ({
      text: `no admission in ${target} accepts ${application ? `the application ${application}` : 'this application'} of ${origin}`,
      action: `${askManagers} to create one, then re-run this release.`,
    }),
  ],
  [
    /^multiple ReleasePlanAdmissions found in namespace \((.+?)\)/,
    (target) => ({
      text: `more than one admission in ${target} accepts this application`,
      action: 'Name one of them in the release plan, by its label releasePlanAdmission, then re-run this release.',
    }),
  ],
  [
    /^releaseplanadmissions\.\S+ "(.+)" not found/,
    (admission) => ({
      text: `the admission ${admission}, which its plan names, does not exist`,
      action: `Name another one in the release plan, or ask the owners of the target namespace to create it.`,
    }),
  ],
  [
    /targets releasePlanAdmission \((.+?)\) by label, but the Origin of the releasePlanAdmission \((.*?)\) does not match/,
    (admission, origin) => ({
      text: `the admission ${admission} accepts releases of ${origin || 'another namespace'} only`,
      action: `${askManagers} to correct its origin, or name another admission in the release plan.`,
    }),
  ],
  [
    /^no author in the ReleasePlan/,
    () => ({
      text: 'its plan has no standing attribution, which an automatic release needs',
      action: 'Enable standing attribution in the release plan, or trigger the release yourself.',
    }),
  ],
  [
    /^no author found/,
    () => ({ text: 'it has no author', action: 'Trigger it again: the platform records the user who does.' }),
  ],
  [
    /has no pipeline or target|has no target/,
    () => ({
      text: 'its plan has neither a pipeline nor a target',
      action: 'Add one to the release plan, then re-run this release.',
    }),
  ],
]

/** @param message of the condition `Validated`; `undefined` if it has none */
export function explainInvalidRelease(message: string | undefined): ReleaseInvalidity {
  for (const [pattern, toReason] of rules) {
    const match = pattern.exec(message ?? '')
    if (match) return toReason(...match.slice(1))
  }
  return {
    text: message?.replace(/\.$/, '') || 'the release service gives no reason',
    action: 'Correct what it names, then re-run this release.',
  }
}
